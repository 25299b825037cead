#pragma once

// The place in the source that logs means nothing to whoever reads the log.
#define SD_JOURNAL_SUPPRESS_LOCATION
#include <systemd/sd-bus.h>
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

// What follows is for Swift, which sees no functions of variable arguments. Results are those of sd-bus: negative where it fails.

/// Appends an entry of a dictionary of variants: text, a byte, a truth.
static inline int fenceline_append_text_entry(sd_bus_message *message, const char *key, const char *value) {
  return sd_bus_message_append(message, "{sv}", key, "s", value);
}
static inline int fenceline_append_byte_entry(sd_bus_message *message, const char *key, uint8_t value) {
  return sd_bus_message_append(message, "{sv}", key, "y", (int)value);
}
static inline int fenceline_append_truth_entry(sd_bus_message *message, const char *key, int value) {
  return sd_bus_message_append(message, "{sv}", key, "b", value);
}

/// Appends plain values.
static inline int fenceline_append_text(sd_bus_message *message, const char *value) {
  return sd_bus_message_append_basic(message, 's', value);
}
static inline int fenceline_append_unsigned(sd_bus_message *message, uint32_t value) {
  return sd_bus_message_append_basic(message, 'u', &value);
}
static inline int fenceline_append_signed(sd_bus_message *message, int32_t value) {
  return sd_bus_message_append_basic(message, 'i', &value);
}

/// Reads the next value; positive where there is one of that type.
static inline int fenceline_read_text(sd_bus_message *message, const char **value) {
  return sd_bus_message_read_basic(message, 's', value);
}
static inline int fenceline_read_unsigned(sd_bus_message *message, uint32_t *value) {
  return sd_bus_message_read_basic(message, 'u', value);
}
