// Decodes JPEG with libjpeg-turbo, which scales by 1/2, 1/4 or 1/8; the scaler does the rest.
#include "Scaler.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include <jpeglib.h>

struct failure {
  struct jpeg_error_mgr manager;
  jmp_buf place;
  enum weir_picture_end end;
};

static void fail(j_common_ptr info) {
  struct failure *failure = (struct failure *)info->err;
  // JERR_OUT_OF_MEMORY
  failure->end =
      failure->manager.msg_code == 56 ? WEIR_PICTURE_NO_MEMORY : WEIR_PICTURE_DAMAGED;
  longjmp(failure->place, 1);
}

// A progressive picture may have any number of scans, each of which costs as much as the whole
// picture: ten are usual. `most_scanned` counts all pixels of the picture once per scan.
static const int most_scans = 64;
static const uint64_t most_scanned = 480000000;

static void limit_scans(j_common_ptr common) {
  j_decompress_ptr info = (j_decompress_ptr)common;
  int scans = info->input_scan_number;
  uint64_t pixels = (uint64_t)info->image_width * info->image_height;
  if (scans <= most_scans && (uint64_t)scans * pixels <= most_scanned) return;
  struct failure *failure = (struct failure *)common->err;
  failure->end = WEIR_PICTURE_TOO_LARGE;
  longjmp(failure->place, 1);
}

static void say_nothing(j_common_ptr info) { (void)info; }

/// Converts CMYK (inverted by Adobe) to RGBA in place: each pixel has four bytes before and after.
static void convert_cmyk(uint8_t *row, uint32_t width, bool is_inverted) {
  for (uint32_t x = 0; x < width; x++, row += 4) {
    unsigned black = is_inverted ? row[3] : 255u - row[3];
    for (int i = 0; i < 3; i++) {
      unsigned ink = is_inverted ? row[i] : 255u - row[i];
      row[i] = (uint8_t)(ink * black / 255);
    }
    row[3] = 255;
  }
}

enum weir_picture_end weir_decode_jpeg(
    const uint8_t *bytes, size_t size, uint32_t most_width, uint32_t most_height,
    struct weir_picture *picture) {
  struct jpeg_decompress_struct info;
  struct failure failure;
  struct weir_scaler scaler = {0};
  uint8_t *volatile row = NULL;
  volatile bool has_rows = false;
  info.err = jpeg_std_error(&failure.manager);
  failure.manager.error_exit = fail;
  failure.manager.output_message = say_nothing;
  failure.end = WEIR_PICTURE_DAMAGED;
  jpeg_create_decompress(&info);
  if (setjmp(failure.place)) {
    jpeg_destroy_decompress(&info);
    free(row);
    if (has_rows && failure.end == WEIR_PICTURE_DAMAGED) {
      // Shows the rows that were decoded before the damage.
      weir_scaler_end(&scaler, picture);
      return WEIR_PICTURE_DECODED;
    }
    weir_scaler_free(&scaler);
    return failure.end;
  }
  struct jpeg_progress_mgr progress = {.progress_monitor = limit_scans};
  info.progress = &progress;
  info.mem->max_memory_to_use = 400l << 20;
  jpeg_mem_src(&info, bytes, size);
  jpeg_read_header(&info, TRUE);
  picture->source_width = info.image_width;
  picture->source_height = info.image_height;
  enum weir_picture_end checked = weir_check_size(info.image_width, info.image_height);
  if (checked != WEIR_PICTURE_DECODED) {
    jpeg_destroy_decompress(&info);
    return checked;
  }
  uint32_t width, height;
  weir_fit(info.image_width, info.image_height, most_width, most_height, &width, &height);
  info.scale_num = 1;
  info.scale_denom = 1;
  while (info.scale_denom < 8 && info.image_width / (info.scale_denom * 2) >= width &&
         info.image_height / (info.scale_denom * 2) >= height) {
    info.scale_denom *= 2;
  }
  bool is_cmyk = info.jpeg_color_space == JCS_CMYK || info.jpeg_color_space == JCS_YCCK;
  info.out_color_space = is_cmyk ? JCS_CMYK : JCS_EXT_RGBA;
  info.dct_method = JDCT_IFAST;
  jpeg_start_decompress(&info);
  row = malloc((size_t)info.output_width * 4);
  if (!row || !weir_scaler_begin(&scaler, info.output_width, info.output_height, width, height)) {
    jpeg_destroy_decompress(&info);
    free(row);
    weir_scaler_free(&scaler);
    return WEIR_PICTURE_NO_MEMORY;
  }
  while (info.output_scanline < info.output_height) {
    JSAMPROW rows[1] = {row};
    if (jpeg_read_scanlines(&info, rows, 1) != 1) break;
    if (is_cmyk) convert_cmyk(row, info.output_width, info.saw_Adobe_marker);
    weir_scaler_row(&scaler, row);
    has_rows = true;
  }
  jpeg_destroy_decompress(&info);
  free(row);
  weir_scaler_end(&scaler, picture);
  return WEIR_PICTURE_DECODED;
}
