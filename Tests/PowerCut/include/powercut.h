#pragma once

#include <stdint.h>

/// Makes a file system whose power can be cut SQLite's default one in this process.
///
/// What is written reaches the disk when it is synchronised; of what is not, a random part.
/// Returns SQLite's result code.
int powercut_install(uint64_t seed);

/// Cuts the power after so many more writes, truncations and synchronisations: from then on every operation fails.
void powercut_after(int64_t operations);

/// Whether the power is off.
int powercut_is_off(void);

/// Leaves on the disk what has reached it, and puts the power on again. No connection may be open.
/// Returns 0, or -1 where a file cannot be written.
int powercut_restore(void);

/// How many writes, truncations and synchronisations have been done so far.
int64_t powercut_operations(void);

/// How many writes have been lost so far.
int64_t powercut_lost(void);
