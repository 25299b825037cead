#pragma once

// The place in the source that logs means nothing to whoever reads the log.
#define SD_JOURNAL_SUPPRESS_LOCATION
#include <systemd/sd-daemon.h>
#include <systemd/sd-journal.h>
#include <sys/timex.h>

/// Whether the kernel knows the system's clock to be synchronised: 1 or 0, -1 where that may not be asked.
static inline int fenceline_clock_is_synchronised(void) {
  struct timex state = {.modes = 0};
  int result = adjtimex(&state);
  if (result < 0) return -1;
  return result != TIME_ERROR && !(state.status & STA_UNSYNC);
}
