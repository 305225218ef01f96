#include "Scaler.h"

#include <stdlib.h>
#include <string.h>

void weir_fit(
    uint32_t source_width, uint32_t source_height, uint32_t most_width, uint32_t most_height,
    uint32_t *width, uint32_t *height) {
  *width = source_width;
  *height = source_height;
  if (*width > most_width) {
    *width = most_width;
    *height = (uint32_t)((uint64_t)source_height * most_width / source_width);
  }
  if (*height > most_height) {
    *height = most_height;
    *width = (uint32_t)((uint64_t)source_width * most_height / source_height);
  }
  if (*width == 0) *width = 1;
  if (*height == 0) *height = 1;
}

bool weir_scaler_begin(
    struct weir_scaler *scaler, uint32_t source_width, uint32_t source_height, uint32_t width,
    uint32_t height) {
  *scaler = (struct weir_scaler){
      .source_width = source_width,
      .source_height = source_height,
      .width = width,
      .height = height,
  };
  scaler->sums = calloc((size_t)width * 5, sizeof *scaler->sums);
  scaler->pixels = calloc((size_t)width * height, 4);
  return scaler->sums && scaler->pixels;
}

/// Writes the target row from its sums.
static void finish_row(struct weir_scaler *scaler) {
  if (scaler->target_row >= scaler->height) return;
  uint8_t *out = scaler->pixels + (size_t)scaler->target_row * scaler->width * 4;
  for (uint32_t x = 0; x < scaler->width; x++, out += 4) {
    uint64_t *sum = scaler->sums + (size_t)x * 5;
    uint64_t alpha = sum[3], count = sum[4];
    if (count == 0) continue;
    for (int i = 0; i < 3 && alpha > 0; i++) out[i] = (uint8_t)((sum[i] + alpha / 2) / alpha);
    out[3] = (uint8_t)((alpha + count / 2) / count);
  }
  memset(scaler->sums, 0, (size_t)scaler->width * 5 * sizeof *scaler->sums);
}

void weir_scaler_row(struct weir_scaler *scaler, const uint8_t *row) {
  if (scaler->row >= scaler->source_height) return;
  uint32_t target = (uint32_t)((uint64_t)scaler->row * scaler->height / scaler->source_height);
  if (target != scaler->target_row) {
    finish_row(scaler);
    scaler->target_row = target;
  }
  // Pixel x of the source belongs to the pixel x * width / source_width of the target.
  uint32_t column = 0, error = 0;
  for (uint32_t x = 0; x < scaler->source_width; x++, row += 4) {
    uint64_t *sum = scaler->sums + (size_t)column * 5;
    uint32_t alpha = row[3];
    sum[0] += row[0] * alpha;
    sum[1] += row[1] * alpha;
    sum[2] += row[2] * alpha;
    sum[3] += alpha;
    sum[4] += 1;
    error += scaler->width;
    if (error >= scaler->source_width) {
      error -= scaler->source_width;
      if (column + 1 < scaler->width) column++;
    }
  }
  scaler->row++;
}

void weir_scaler_end(struct weir_scaler *scaler, struct weir_picture *picture) {
  if (scaler->row > 0) finish_row(scaler);
  picture->width = scaler->width;
  picture->height = scaler->height;
  picture->pixels = scaler->pixels;
  scaler->pixels = NULL;
  weir_scaler_free(scaler);
}

void weir_scaler_free(struct weir_scaler *scaler) {
  free(scaler->sums);
  free(scaler->pixels);
  scaler->sums = NULL;
  scaler->pixels = NULL;
}
