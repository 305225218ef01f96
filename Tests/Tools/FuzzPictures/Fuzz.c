// Passes any bytes to the decoders of pictures: `make fuzz TARGET=picture`; `jpeg`, `png`, `gif`
// and `webp` pass every input to that decoder. A decoded picture has the reported size, and every
// pixel can be read.
#include "CPictures.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/// The first bytes of the kind that a macro selects; without a macro, the input decides.
static void stamp(uint8_t *bytes, size_t size) {
#if defined(WEIR_FUZZ_jpeg)
  if (size > 3) memcpy(bytes, "\xFF\xD8\xFF", 3);
#elif defined(WEIR_FUZZ_png)
  if (size > 8) memcpy(bytes, "\x89PNG\r\n\x1A\n", 8);
#elif defined(WEIR_FUZZ_gif)
  if (size > 6) memcpy(bytes, "GIF89a", 6);
#elif defined(WEIR_FUZZ_webp)
  if (size > 12) {
    memcpy(bytes, "RIFF", 4);
    memcpy(bytes + 8, "WEBP", 4);
  }
#else
  (void)bytes;
  (void)size;
#endif
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  // The first byte decides the size of the shown picture.
  if (size < 2) return 0;
  uint32_t most = 1 + bytes[0];
  // A copy of the exact size, so that a read beyond its end is found.
  uint8_t *file = malloc(size - 1);
  if (!file) return 0;
  memcpy(file, bytes + 1, size - 1);
  stamp(file, size - 1);
  struct weir_picture picture;
  enum weir_picture_end end = weir_picture_decode(file, size - 1, most, 2 * most, &picture);
  free(file);
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
