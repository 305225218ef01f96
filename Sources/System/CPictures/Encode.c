// Encodes pixels as PNG, for terminals that show files, and as JPEG, for books.
#include "CPictures.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>
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

struct jpeg_failure {
  struct jpeg_error_mgr manager;
  jmp_buf place;
};

static void fail(j_common_ptr info) { longjmp(((struct jpeg_failure *)info->err)->place, 1); }

static void say_nothing(j_common_ptr info) { (void)info; }

uint8_t *weir_picture_jpeg(
    const uint8_t *pixels, uint32_t width, uint32_t height, int quality, size_t *length) {
  struct jpeg_compress_struct info;
  struct jpeg_failure failure;
  // libjpeg moves the output as it grows. It is read after a jump, so that no register may hold it.
  unsigned char *volatile output = NULL;
  unsigned long size = 0;
  info.err = jpeg_std_error(&failure.manager);
  failure.manager.error_exit = fail;
  failure.manager.output_message = say_nothing;
  if (setjmp(failure.place)) {
    jpeg_destroy_compress(&info);
    free(output);
    return NULL;
  }
  jpeg_create_compress(&info);
  jpeg_mem_dest(&info, (unsigned char **)&output, &size);
  info.image_width = width;
  info.image_height = height;
  info.input_components = 4;
  info.in_color_space = JCS_EXT_RGBX;
  jpeg_set_defaults(&info);
  jpeg_set_quality(&info, quality, TRUE);
  jpeg_start_compress(&info, TRUE);
  while (info.next_scanline < height) {
    JSAMPROW row = (JSAMPROW)(pixels + (size_t)info.next_scanline * width * 4);
    jpeg_write_scanlines(&info, &row, 1);
  }
  jpeg_finish_compress(&info);
  jpeg_destroy_compress(&info);
  *length = size;
  return output;
}
