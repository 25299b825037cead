#pragma once

#include <pthread.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/pidfd.h>
#include <sys/signalfd.h>

// The C library shows it to GNU programs alone.
extern int pipe2(int ends[2], int flags);

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
