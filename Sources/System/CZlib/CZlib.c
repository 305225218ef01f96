#include "CZlib.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

uint32_t weir_crc32(const uint8_t *bytes, size_t count) {
  return (uint32_t)crc32_z(crc32_z(0, NULL, 0), bytes, count);
}

uint8_t *weir_deflate(const uint8_t *bytes, size_t count, size_t *length) {
  if (count > INT_MAX) return NULL;
  z_stream stream;
  memset(&stream, 0, sizeof stream);
  // Negative window bits leave out the header of zlib's own format.
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
    return NULL;
  }
  uLong bound = deflateBound(&stream, (uLong)count);
  uint8_t *data = malloc(bound);
  if (data != NULL) {
    stream.next_in = (Bytef *)bytes;
    stream.avail_in = (uInt)count;
    stream.next_out = data;
    stream.avail_out = (uInt)bound;
    if (deflate(&stream, Z_FINISH) != Z_STREAM_END) {
      free(data);
      data = NULL;
    }
    *length = stream.total_out;
  }
  deflateEnd(&stream);
  return data;
}

uint8_t *weir_gunzip(const uint8_t *bytes, size_t count, size_t limit, size_t *length) {
  if (count > INT_MAX || limit > INT_MAX) return NULL;
  z_stream stream;
  memset(&stream, 0, sizeof stream);
  // 16 more window bits mean gzip's format.
  if (inflateInit2(&stream, 15 + 16) != Z_OK) return NULL;
  size_t capacity = 0, filled = 0, whole = 0;
  uint8_t *data = NULL;
  int state = Z_OK;
  stream.next_in = (Bytef *)bytes;
  stream.avail_in = (uInt)count;
  while (state == Z_OK) {
    if (filled == capacity) {
      // One byte more than the limit shows that the data exceeds it.
      size_t larger = capacity == 0 ? count * 4 + 64 : capacity * 2;
      if (larger > limit + 1) larger = limit + 1;
      uint8_t *grown = larger > capacity ? realloc(data, larger) : NULL;
      if (grown == NULL) {
        whole = 0;
        break;
      }
      data = grown;
      capacity = larger;
    }
    stream.next_out = data + filled;
    stream.avail_out = (uInt)(capacity - filled);
    state = inflate(&stream, Z_NO_FLUSH);
    filled = capacity - stream.avail_out;
    if (state == Z_STREAM_END) {
      whole = filled;
      if (stream.avail_in > 0) state = inflateReset(&stream);
    }
  }
  inflateEnd(&stream);
  if (whole == 0 || whole > limit) {
    free(data);
    return NULL;
  }
  *length = whole;
  return data;
}
