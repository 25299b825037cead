#pragma once

#include <gps.h>

// The structure's layout changes with nearly every release, and its fields' meaning with some.
#if GPSD_API_MAJOR_VERSION != 11
#error "libgps has an API that was not tested: 11 was (gpsd 3.22). Run the tests of LiveSources with this one, then allow it here."
#endif

// Swift cannot call what takes any number of arguments.
static inline int fenceline_gps_send(struct gps_data_t *session, const char *request) {
  return gps_send(session, "%s", request);
}
