// Functions of zlib, whose stream structure Swift would have to fill by hand.
#ifndef WEIR_CZLIB_H
#define WEIR_CZLIB_H

#include <stddef.h>
#include <stdint.h>

/// Returns the CRC-32 of ISO 3309, which ZIP files use.
uint32_t weir_crc32(const uint8_t *bytes, size_t count);

/// Compresses bytes to raw DEFLATE data (RFC 1951).
/// - Parameter length: set to the length of the result.
/// - Returns: the data, from malloc(3); NULL if memory runs out or if there is too much data.
uint8_t *weir_deflate(const uint8_t *bytes, size_t count, size_t *length);

/// Decompresses the members of a gzip file (RFC 1952, §2.2); ignores what follows the last one.
/// - Parameters:
///   - limit: the maximum size of the result.
///   - length: set to the length of the result.
/// - Returns: the data, from malloc(3); NULL if the first member is damaged or not complete, if the
///   data exceeds the limit, or if memory runs out.
uint8_t *weir_gunzip(const uint8_t *bytes, size_t count, size_t limit, size_t *length);

#endif
