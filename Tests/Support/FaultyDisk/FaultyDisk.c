#include "FaultyDisk.h"

#include <pthread.h>
#include <sqlite3.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char watched[1024];
static long count, first_failing;
static bool stays_broken;

typedef struct {
  sqlite3_file base;
  bool is_watched;
  // The real layer's file follows.
} Watched;

static sqlite3_vfs *real;
static sqlite3_vfs layer;

static sqlite3_file *inner(sqlite3_file *file) { return (sqlite3_file *)((Watched *)file + 1); }

/// True if this call must fail.
static bool fails(bool is_watched) {
  if (!is_watched) return false;
  pthread_mutex_lock(&lock);
  count++;
  bool result = first_failing > 0
    && (count == first_failing || (stays_broken && count > first_failing));
  pthread_mutex_unlock(&lock);
  return result;
}

static bool is_below(const char *path) {
  pthread_mutex_lock(&lock);
  bool result = path && watched[0] && strncmp(path, watched, strlen(watched)) == 0;
  pthread_mutex_unlock(&lock);
  return result;
}

static bool is_failing(sqlite3_file *file) { return fails(((Watched *)file)->is_watched); }

static int file_write(sqlite3_file *f, const void *bytes, int size, sqlite3_int64 at) {
  if (is_failing(f)) return SQLITE_IOERR_WRITE;
  return inner(f)->pMethods->xWrite(inner(f), bytes, size, at);
}
static int file_sync(sqlite3_file *f, int flags) {
  if (is_failing(f)) return SQLITE_IOERR_FSYNC;
  return inner(f)->pMethods->xSync(inner(f), flags);
}
static int file_truncate(sqlite3_file *f, sqlite3_int64 size) {
  if (is_failing(f)) return SQLITE_IOERR_TRUNCATE;
  return inner(f)->pMethods->xTruncate(inner(f), size);
}
static int file_close(sqlite3_file *f) { return inner(f)->pMethods->xClose(inner(f)); }
static int file_read(sqlite3_file *f, void *bytes, int size, sqlite3_int64 at) {
  return inner(f)->pMethods->xRead(inner(f), bytes, size, at);
}
static int file_size(sqlite3_file *f, sqlite3_int64 *size) {
  return inner(f)->pMethods->xFileSize(inner(f), size);
}
static int file_lock(sqlite3_file *f, int level) {
  return inner(f)->pMethods->xLock(inner(f), level);
}
static int file_unlock(sqlite3_file *f, int level) {
  return inner(f)->pMethods->xUnlock(inner(f), level);
}
static int file_reserved(sqlite3_file *f, int *result) {
  return inner(f)->pMethods->xCheckReservedLock(inner(f), result);
}
static int file_control(sqlite3_file *f, int operation, void *argument) {
  return inner(f)->pMethods->xFileControl(inner(f), operation, argument);
}
static int file_sector(sqlite3_file *f) { return inner(f)->pMethods->xSectorSize(inner(f)); }
static int file_traits(sqlite3_file *f) {
  return inner(f)->pMethods->xDeviceCharacteristics(inner(f));
}
static int file_map(sqlite3_file *f, int page, int size, int extends, void volatile **memory) {
  return inner(f)->pMethods->xShmMap(inner(f), page, size, extends, memory);
}
static int file_shared_lock(sqlite3_file *f, int offset, int n, int flags) {
  return inner(f)->pMethods->xShmLock(inner(f), offset, n, flags);
}
static void file_barrier(sqlite3_file *f) { inner(f)->pMethods->xShmBarrier(inner(f)); }
static int file_unmap(sqlite3_file *f, int deletes) {
  return inner(f)->pMethods->xShmUnmap(inner(f), deletes);
}
static int file_fetch(sqlite3_file *f, sqlite3_int64 at, int size, void **memory) {
  return inner(f)->pMethods->xFetch(inner(f), at, size, memory);
}
static int file_unfetch(sqlite3_file *f, sqlite3_int64 at, void *memory) {
  return inner(f)->pMethods->xUnfetch(inner(f), at, memory);
}

static const sqlite3_io_methods methods = {
  .iVersion = 3,
  .xClose = file_close,
  .xRead = file_read,
  .xWrite = file_write,
  .xTruncate = file_truncate,
  .xSync = file_sync,
  .xFileSize = file_size,
  .xLock = file_lock,
  .xUnlock = file_unlock,
  .xCheckReservedLock = file_reserved,
  .xFileControl = file_control,
  .xSectorSize = file_sector,
  .xDeviceCharacteristics = file_traits,
  .xShmMap = file_map,
  .xShmLock = file_shared_lock,
  .xShmBarrier = file_barrier,
  .xShmUnmap = file_unmap,
  .xFetch = file_fetch,
  .xUnfetch = file_unfetch,
};

static int layer_open(sqlite3_vfs *vfs, const char *path, sqlite3_file *file, int flags, int *out) {
  (void)vfs;
  Watched *watcher = (Watched *)file;
  watcher->base.pMethods = 0;
  watcher->is_watched = is_below(path);
  memset(inner(file), 0, (size_t)real->szOsFile);
  int code = real->xOpen(real, path, inner(file), flags, out);
  if (inner(file)->pMethods) watcher->base.pMethods = &methods;
  return code;
}

static int layer_delete(sqlite3_vfs *vfs, const char *path, int syncs) {
  (void)vfs;
  if (fails(is_below(path))) return SQLITE_IOERR_DELETE;
  return real->xDelete(real, path, syncs);
}

static void install(void) {
  sqlite3_initialize();
  real = sqlite3_vfs_find(0);
  layer = *real;
  layer.zName = "faulty";
  layer.pNext = 0;
  layer.szOsFile = (int)sizeof(Watched) + real->szOsFile;
  layer.xOpen = layer_open;
  layer.xDelete = layer_delete;
  sqlite3_vfs_register(&layer, 1);
}

void faulty_disk_install(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, install);
}

void faulty_disk_arm(const char *folder, long failing, bool for_ever) {
  pthread_mutex_lock(&lock);
  strncpy(watched, folder, sizeof watched - 1);
  count = 0;
  first_failing = failing;
  stays_broken = for_ever;
  pthread_mutex_unlock(&lock);
}

long faulty_disk_disarm(void) {
  pthread_mutex_lock(&lock);
  long result = count;
  watched[0] = 0;
  first_failing = 0;
  pthread_mutex_unlock(&lock);
  return result;
}
