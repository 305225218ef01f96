#pragma once
#include <stddef.h>
#include <stdint.h>

/// Returns XXH64 of `count` bytes.
uint64_t weir_xxh64(const void *bytes, size_t count, uint64_t seed);
