// Encodes pixels as PNG, for terminals that show files.
#include "CPictures.h"

#include <stdlib.h>
#include <string.h>

#include <png.h>

uint8_t *weir_picture_png(
    const uint8_t *pixels, uint32_t width, uint32_t height, size_t *length) {
  png_image image;
  memset(&image, 0, sizeof image);
  image.version = PNG_IMAGE_VERSION;
  image.width = width;
  image.height = height;
  image.format = PNG_FORMAT_RGBA;
  // The file goes through a pipe once, so that speed matters more than size.
  image.flags = PNG_IMAGE_FLAG_FAST;
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
  uint8_t *file = malloc(size);
  if (!file) return NULL;
  if (!png_image_write_to_memory(&image, file, &size, 0, pixels, 0, NULL)) {
    free(file);
    return NULL;
  }
  *length = size;
  return file;
}
