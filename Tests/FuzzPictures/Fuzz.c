// The decoders of pictures with any bytes: `make fuzz TARGET=picture`. What it decodes has the size
// that is said of it, and every pixel can be read.
#include "CPictures.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  // The first byte chooses how large the picture is shown.
  if (size < 2) return 0;
  uint32_t most = 1 + bytes[0];
  struct weir_picture picture;
  enum weir_picture_end end = weir_picture_decode(bytes + 1, size - 1, most, 2 * most, &picture);
  if (end != WEIR_PICTURE_DECODED) {
    if (picture.pixels) abort();
    return 0;
  }
  if (picture.width == 0 || picture.width > most) abort();
  if (picture.height == 0 || picture.height > 2 * most) abort();
  volatile uint32_t sum = 0;
  for (size_t i = 0; i < (size_t)picture.width * picture.height * 4; i++) sum += picture.pixels[i];
  free(picture.pixels);
  return 0;
}
