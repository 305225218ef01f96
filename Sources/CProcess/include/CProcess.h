// Calls of the C library that Swift's modules leave out.
#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#ifdef __linux__
#include <sys/prctl.h>
#endif

/// Sets the most arenas that threads allocate from; other C libraries have no such setting.
static inline void weir_limit_arenas(int most) {
#ifdef __GLIBC__
  mallopt(M_ARENA_MAX, most);
#endif
}

/// Keeps the memory of this process out of core files and away from other processes of the user.
/// Programs that it starts are not affected (prctl(2), PR_SET_DUMPABLE). Linux only; macOS writes
/// no core files by default.
static inline void weir_hide_memory(void) {
#ifdef __linux__
  prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
#endif
}
