// xxHash is compiled into the program, not linked.
#define XXH_INLINE_ALL
#define XXH_NO_XXH3
#include <xxhash.h>

#include "CXXHash.h"

uint64_t weir_xxh64(const void *bytes, size_t count, uint64_t seed) {
  return XXH64(bytes, count, seed);
}
