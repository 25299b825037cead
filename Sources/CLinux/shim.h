#pragma once

// The types of these headers that the C library's module has are that module's, whoever imports this one.
#pragma clang module import SwiftGlibc

#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/pidfd.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>

// The C library shows these to GNU programs alone.
extern int pipe2(int ends[2], int flags);
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);

/// Starts a thread that no signal reaches. Returns 0, or the error number where the system gives none.
static inline int fenceline_start_thread(pthread_t *thread, void *(*body)(void *), void *context) {
  // It is created with every signal blocked, so that none comes between.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  int result = pthread_create(thread, NULL, body, context);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return result;
}

/// Undoes that this process ignores the end of its children, as whoever has started it may have told it to.
static inline void fenceline_attend_to_children(void) {
  struct sigaction action;
  if (sigaction(SIGCHLD, NULL, &action) != 0) return;
  if (action.sa_handler == SIG_IGN || action.sa_flags & SA_NOCLDWAIT) signal(SIGCHLD, SIG_DFL);
}
