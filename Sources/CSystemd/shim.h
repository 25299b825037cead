#pragma once

// The place in the source that logs means nothing to whoever reads the log.
#define SD_JOURNAL_SUPPRESS_LOCATION
#include <systemd/sd-daemon.h>
#include <systemd/sd-journal.h>
