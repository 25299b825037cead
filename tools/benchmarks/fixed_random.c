// Loaded before the C library where instructions are counted: the seeds of hash tables, of Swift's and of expat's, become the
// same in every run.
#include <string.h>
#include <sys/types.h>

void arc4random_buf(void *bytes, size_t count) { memset(bytes, 7, count); }

ssize_t getrandom(void *bytes, size_t count, unsigned flags) {
  (void)flags;
  memset(bytes, 7, count);
  return count;
}
