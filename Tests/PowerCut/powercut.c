#include "powercut.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// A change of a file that has not been synchronised: bytes at an offset, or a new length where `bytes` is NULL.
typedef struct Change {
  struct Change *next;
  sqlite3_int64 offset;
  int length;
  unsigned char *bytes;
} Change;

// What the disk holds of one file for certain, and what came since.
typedef struct Disk {
  struct Disk *next;
  char *path;
  unsigned char *bytes;
  sqlite3_int64 size;
  Change *first, **last;
} Disk;

typedef struct File {
  sqlite3_file base;
  Disk *disk;  // NULL for temporary files
  sqlite3_file *real;
} File;

static sqlite3_vfs *system_vfs;
static sqlite3_vfs cutting_vfs;
static Disk *disks;
static int64_t operations_left = INT64_MAX;
static int64_t operations;
static int is_off;
static int64_t lost;
static uint64_t state;

static uint64_t next_random(void) {  // SplitMix64
  uint64_t z = (state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

// Counts an operation that would change the disk; whether it may still be done.
static int has_power(void) {
  if (!is_off && operations_left-- <= 0) is_off = 1;
  if (!is_off) operations++;
  return !is_off;
}

static void set_size(Disk *disk, sqlite3_int64 size) {
  disk->bytes = realloc(disk->bytes, size > 0 ? (size_t)size : 1);
  if (size > disk->size) memset(disk->bytes + disk->size, 0, (size_t)(size - disk->size));
  disk->size = size;
}

static void apply(Disk *disk, const Change *change) {
  if (!change->bytes) {
    set_size(disk, change->offset);
    return;
  }
  if (change->offset + change->length > disk->size) set_size(disk, change->offset + change->length);
  memcpy(disk->bytes + change->offset, change->bytes, (size_t)change->length);
}

static void note(Disk *disk, sqlite3_int64 offset, const void *bytes, int length) {
  if (!disk) return;
  Change *change = calloc(1, sizeof *change);
  change->offset = offset;
  change->length = length;
  if (bytes) {
    change->bytes = malloc(length > 0 ? (size_t)length : 1);
    memcpy(change->bytes, bytes, (size_t)length);
  }
  *disk->last = change;
  disk->last = &change->next;
}

// Lets the changes reach the disk: all of them, or a random part.
static void settle(Disk *disk, int all) {
  for (Change *change = disk->first; change;) {
    Change *next = change->next;
    if (all || next_random() % 2) apply(disk, change); else lost++;
    free(change->bytes);
    free(change);
    change = next;
  }
  disk->first = NULL;
  disk->last = &disk->first;
}

static Disk *disk_of(const char *path) {
  for (Disk *disk = disks; disk; disk = disk->next)
    if (strcmp(disk->path, path) == 0) return disk;
  Disk *disk = calloc(1, sizeof *disk);
  disk->path = strdup(path);
  disk->last = &disk->first;
  disk->next = disks;
  disks = disk;
  // What is there already has been there for long.
  FILE *file = fopen(path, "rb");
  if (file) {
    fseek(file, 0, SEEK_END);
    set_size(disk, ftell(file));
    rewind(file);
    if (fread(disk->bytes, 1, (size_t)disk->size, file) != (size_t)disk->size) abort();
    fclose(file);
  }
  return disk;
}

#define REAL(f) (((File *)(f))->real)
#define METHODS(f) (REAL(f)->pMethods)

static int cut_close(sqlite3_file *f) {
  int result = METHODS(f)->xClose(REAL(f));
  free(REAL(f));
  return result;
}
static int cut_read(sqlite3_file *f, void *bytes, int n, sqlite3_int64 at) {
  return is_off ? SQLITE_IOERR_READ : METHODS(f)->xRead(REAL(f), bytes, n, at);
}
static int cut_write(sqlite3_file *f, const void *bytes, int n, sqlite3_int64 at) {
  if (!has_power()) return SQLITE_IOERR_WRITE;
  note(((File *)f)->disk, at, bytes, n);
  return METHODS(f)->xWrite(REAL(f), bytes, n, at);
}
static int cut_truncate(sqlite3_file *f, sqlite3_int64 size) {
  if (!has_power()) return SQLITE_IOERR_TRUNCATE;
  note(((File *)f)->disk, size, NULL, 0);
  return METHODS(f)->xTruncate(REAL(f), size);
}
static int cut_sync(sqlite3_file *f, int flags) {
  (void)flags;
  if (!has_power()) return SQLITE_IOERR_FSYNC;
  if (((File *)f)->disk) settle(((File *)f)->disk, 1);
  return SQLITE_OK;  // the real disk has nothing to do with it
}
static int cut_size(sqlite3_file *f, sqlite3_int64 *size) { return METHODS(f)->xFileSize(REAL(f), size); }
static int cut_lock(sqlite3_file *f, int level) { return METHODS(f)->xLock(REAL(f), level); }
static int cut_unlock(sqlite3_file *f, int level) { return METHODS(f)->xUnlock(REAL(f), level); }
static int cut_check(sqlite3_file *f, int *result) { return METHODS(f)->xCheckReservedLock(REAL(f), result); }
static int cut_control(sqlite3_file *f, int what, void *value) {
  return METHODS(f)->xFileControl(REAL(f), what, value);
}
static int cut_sector(sqlite3_file *f) { return METHODS(f)->xSectorSize(REAL(f)); }
// A real disk may lose power in the middle of a sector: nothing is promised.
static int cut_character(sqlite3_file *f) { (void)f; return 0; }
static int cut_shm_map(sqlite3_file *f, int page, int size, int extend, void volatile **at) {
  return METHODS(f)->xShmMap(REAL(f), page, size, extend, at);
}
static int cut_shm_lock(sqlite3_file *f, int offset, int n, int flags) {
  return METHODS(f)->xShmLock(REAL(f), offset, n, flags);
}
static void cut_shm_barrier(sqlite3_file *f) { METHODS(f)->xShmBarrier(REAL(f)); }
static int cut_shm_unmap(sqlite3_file *f, int delete) { return METHODS(f)->xShmUnmap(REAL(f), delete); }

static const sqlite3_io_methods cutting_methods = {
    2,         cut_close, cut_read,   cut_write,   cut_truncate,  cut_sync,    cut_size,     cut_lock,
    cut_unlock, cut_check, cut_control, cut_sector, cut_character, cut_shm_map, cut_shm_lock, cut_shm_barrier,
    cut_shm_unmap, NULL, NULL};

static int cut_open(sqlite3_vfs *vfs, sqlite3_filename path, sqlite3_file *f, int flags, int *out) {
  (void)vfs;
  File *file = (File *)f;
  file->base.pMethods = NULL;
  if (is_off) return SQLITE_CANTOPEN;
  file->disk = NULL;
  if (path && flags & (SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL)) file->disk = disk_of(path);
  file->real = calloc(1, (size_t)system_vfs->szOsFile);
  int result = system_vfs->xOpen(system_vfs, path, file->real, flags, out);
  if (result == SQLITE_OK) file->base.pMethods = &cutting_methods; else free(file->real);
  return result;
}

static int cut_delete(sqlite3_vfs *vfs, const char *path, int sync) {
  (void)vfs;
  if (!has_power()) return SQLITE_IOERR_DELETE;
  Disk *disk = disk_of(path);
  settle(disk, 1);
  set_size(disk, 0);
  return system_vfs->xDelete(system_vfs, path, sync);
}

int powercut_install(uint64_t seed) {
  state = seed;
  system_vfs = sqlite3_vfs_find(NULL);
  cutting_vfs = *system_vfs;
  cutting_vfs.zName = "powercut";
  cutting_vfs.szOsFile = sizeof(File);
  cutting_vfs.xOpen = cut_open;
  cutting_vfs.xDelete = cut_delete;
  return sqlite3_vfs_register(&cutting_vfs, 1);
}

void powercut_after(int64_t operations) { operations_left = operations; }
int powercut_is_off(void) { return is_off; }
int64_t powercut_operations(void) { return operations; }
int64_t powercut_lost(void) { return lost; }

int powercut_restore(void) {
  for (Disk *disk = disks; disk; disk = disk->next) {
    settle(disk, 0);
    size_t length = strlen(disk->path);
    if (disk->size == 0 && length > 4 && strcmp(disk->path + length - 4, "-wal") == 0) {
      unlink(disk->path);
      continue;
    }
    FILE *file = fopen(disk->path, "wb");
    if (!file) return -1;
    int is_whole = fwrite(disk->bytes, 1, (size_t)disk->size, file) == (size_t)disk->size;
    if (fclose(file) != 0 || !is_whole) return -1;
    // Shared memory does not outlive the machine.
    char *shared = malloc(length + 5);
    strcpy(shared, disk->path);
    strcat(shared, "-shm");
    unlink(shared);
    free(shared);
  }
  operations_left = INT64_MAX;
  is_off = 0;
  return 0;
}
