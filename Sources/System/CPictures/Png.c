// Decodes PNG with libpng, row by row; an interlaced picture is held whole.
#include "Scaler.h"

#include <stdlib.h>
#include <string.h>

#include <png.h>

struct source {
  const uint8_t *bytes;
  size_t left;
};

static void take(png_structp reader, png_bytep out, size_t size) {
  struct source *source = png_get_io_ptr(reader);
  if (size > source->left) png_error(reader, "end");
  memcpy(out, source->bytes, size);
  source->bytes += size;
  source->left -= size;
}

static void fail(png_structp reader, png_const_charp message) {
  (void)message;
  png_longjmp(reader, 1);
}

static void say_nothing(png_structp reader, png_const_charp message) {
  (void)reader;
  (void)message;
}

/// State that is still needed after longjmp.
struct state {
  struct weir_scaler scaler;
  uint8_t *row;
  uint8_t *whole;
  enum weir_picture_end end;
  bool has_rows;
};

static void read_rows(
    png_structp reader, png_infop info, uint32_t most_width, uint32_t most_height,
    struct weir_picture *picture, struct state *state) {
  png_read_info(reader, info);
  uint32_t width = png_get_image_width(reader, info);
  uint32_t height = png_get_image_height(reader, info);
  picture->source_width = width;
  picture->source_height = height;
  state->end = weir_check_size(width, height);
  if (state->end != WEIR_PICTURE_DECODED) return;
  png_set_expand(reader);
  png_set_strip_16(reader);
  png_set_gray_to_rgb(reader);
  png_set_add_alpha(reader, 0xFF, PNG_FILLER_AFTER);
  int passes = png_set_interlace_handling(reader);
  png_read_update_info(reader, info);
  uint32_t target_width, target_height;
  weir_fit(width, height, most_width, most_height, &target_width, &target_height);
  size_t stride = (size_t)width * 4;
  state->end = WEIR_PICTURE_NO_MEMORY;
  if (!weir_scaler_begin(&state->scaler, width, height, target_width, target_height)) return;
  if (passes > 1) {
    state->whole = calloc(height, stride);
    if (!state->whole) return;
    state->end = WEIR_PICTURE_DAMAGED;
    for (int pass = 0; pass < passes; pass++) {
      for (uint32_t y = 0; y < height; y++) {
        png_read_row(reader, state->whole + y * stride, NULL);
        state->has_rows = true;
      }
    }
  } else {
    state->row = malloc(stride);
    if (!state->row) return;
    state->end = WEIR_PICTURE_DAMAGED;
    for (uint32_t y = 0; y < height; y++) {
      png_read_row(reader, state->row, NULL);
      weir_scaler_row(&state->scaler, state->row);
      state->has_rows = true;
    }
  }
  state->end = WEIR_PICTURE_DECODED;
}

enum weir_picture_end weir_decode_png(
    const uint8_t *bytes, size_t size, uint32_t most_width, uint32_t most_height,
    struct weir_picture *picture) {
  struct source source = {bytes, size};
  // Allocates the state: after longjmp, changed local variables would be undefined.
  struct state *state = calloc(1, sizeof *state);
  if (!state) return WEIR_PICTURE_NO_MEMORY;
  png_structp reader = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, fail, say_nothing);
  png_infop info = reader ? png_create_info_struct(reader) : NULL;
  if (!info) {
    png_destroy_read_struct(&reader, NULL, NULL);
    free(state);
    return WEIR_PICTURE_NO_MEMORY;
  }
  state->end = WEIR_PICTURE_DAMAGED;
  if (!setjmp(png_jmpbuf(reader))) {
    png_set_read_fn(reader, &source, take);
    png_set_user_limits(reader, 1000000, 1000000);
    png_set_chunk_malloc_max(reader, WEIR_PICTURE_MOST_BYTES);
    png_set_chunk_cache_max(reader, 16);
    // Wrong checksums of a truncated or sloppy file do not matter for a picture that is only shown.
    png_set_crc_action(reader, PNG_CRC_QUIET_USE, PNG_CRC_QUIET_USE);
    read_rows(reader, info, most_width, most_height, picture, state);
  }
  png_destroy_read_struct(&reader, &info, NULL);
  enum weir_picture_end end = state->end;
  if (end == WEIR_PICTURE_DAMAGED && state->has_rows) end = WEIR_PICTURE_DECODED;
  if (end == WEIR_PICTURE_DECODED) {
    if (state->whole) {
      size_t stride = (size_t)state->scaler.source_width * 4;
      for (uint32_t y = 0; y < state->scaler.source_height; y++) {
        weir_scaler_row(&state->scaler, state->whole + y * stride);
      }
    }
    weir_scaler_end(&state->scaler, picture);
  } else {
    weir_scaler_free(&state->scaler);
  }
  free(state->row);
  free(state->whole);
  free(state);
  return end;
}
