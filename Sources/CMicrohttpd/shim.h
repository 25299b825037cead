#pragma once

#include <microhttpd.h>
#include <stddef.h>

/// A server on a socket that listens already. It has one thread of its own; `owner` is handed to both callbacks.
static inline struct MHD_Daemon *fenceline_start_daemon(
    MHD_socket listener, MHD_AccessHandlerCallback handler, MHD_RequestCompletedCallback completed, void *owner,
    unsigned int connections, unsigned int seconds, size_t memory) {
  return MHD_start_daemon(
      MHD_USE_POLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, handler, owner,
      MHD_OPTION_LISTEN_SOCKET, listener, MHD_OPTION_NOTIFY_COMPLETED, completed, owner,
      MHD_OPTION_CONNECTION_LIMIT, connections, MHD_OPTION_CONNECTION_TIMEOUT, seconds,
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, memory, MHD_OPTION_END);
}

/// After how many seconds without a byte a connection is closed.
static inline enum MHD_Result fenceline_set_timeout(struct MHD_Connection *connection, unsigned int seconds) {
  return MHD_set_connection_option(connection, MHD_CONNECTION_OPTION_TIMEOUT, seconds);
}

/// The socket of a connection; -1 where it has none.
static inline MHD_socket fenceline_socket(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *information = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return information ? information->connect_fd : -1;
}
