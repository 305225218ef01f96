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
