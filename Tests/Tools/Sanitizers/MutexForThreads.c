// Linked into programs that `make tsan` builds. A contended Swift Mutex goes through these
// functions of a library without the thread sanitiser's instrumentation, so that the sanitiser
// would report each use of the guarded value as a race. These versions also report the transfer of
// the lock to it.
#define _GNU_SOURCE 1
#include <dlfcn.h>
#include <stdint.h>

#define SELF __attribute__((swift_context)) void *self
#define SWIFT __attribute__((swiftcall, visibility("default")))

extern void __tsan_acquire(void *address);
extern void __tsan_release(void *address);

typedef __attribute__((swiftcall)) void lock_function(uint32_t thread, SELF);
typedef __attribute__((swiftcall)) void unlock_function(SELF);

// Synchronization._MutexHandle._lockSlow(UInt32) and _unlockSlow().
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

SWIFT void lock_slow(uint32_t thread, SELF) __asm__(LOCK);
SWIFT void unlock_slow(SELF) __asm__(UNLOCK);

SWIFT void lock_slow(uint32_t thread, SELF) {
  static lock_function *original;
  if (!original) original = (lock_function *)dlsym(RTLD_NEXT, LOCK);
  original(thread, self);
  __tsan_acquire(self);
}

SWIFT void unlock_slow(SELF) {
  static unlock_function *original;
  if (!original) original = (unlock_function *)dlsym(RTLD_NEXT, UNLOCK);
  __tsan_release(self);
  original(self);
}
