// Calls of the C library that Swift's modules lack.
#include "CProcess.h"

#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#ifdef __linux__
#include <sys/prctl.h>
#endif

void weir_limit_arenas(int most) {
#ifdef __GLIBC__
  mallopt(M_ARENA_MAX, most);
#else
  (void)most;
#endif
}

void weir_hide_memory(void) {
#ifdef __linux__
  prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
#endif
}

#ifdef __GLIBC__
// On Linux, Swift's library reads the arguments from /proc/self/cmdline, and ends the program if
// there is no /proc. The GNU C library passes them to constructors.
extern void _swift_stdlib_overrideUnsafeArgvArgc(char **arguments, int count);

__attribute__((constructor)) static void give_arguments(int count, char **arguments) {
  _swift_stdlib_overrideUnsafeArgvArgc(arguments, count);
}
#endif
