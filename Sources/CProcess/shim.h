// What Swift's module of the GNU C library leaves out: <malloc.h>.
#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

/// Sets the most arenas that threads allocate from; other C libraries have no such thing.
static inline void weir_limit_arenas(int most) {
#ifdef __GLIBC__
  mallopt(M_ARENA_MAX, most);
#endif
}
