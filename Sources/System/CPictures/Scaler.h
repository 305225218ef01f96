// Scales a decoder's rows down: each pixel is the mean of the pixels that it covers (box filter),
// weighted by alpha.
#ifndef WEIR_SCALER_H
#define WEIR_SCALER_H

#include "CPictures.h"

struct weir_scaler {
  uint32_t source_width, source_height, width, height;
  /// Number of source rows received.
  uint32_t row;
  /// The target row in progress and the sums of its pixels: red, green, blue times alpha, alpha,
  /// number.
  uint32_t target_row;
  uint64_t *sums;
  uint8_t *pixels;
};

/// Computes the size into which a picture fits with its proportions.
void weir_fit(
    uint32_t source_width, uint32_t source_height, uint32_t most_width, uint32_t most_height,
    uint32_t *width, uint32_t *height);

/// Starts scaling to this size, at most the source's. Returns false if memory runs out.
bool weir_scaler_begin(
    struct weir_scaler *scaler, uint32_t source_width, uint32_t source_height, uint32_t width,
    uint32_t height);
/// Adds one row of RGBA, from top to bottom.
void weir_scaler_row(struct weir_scaler *scaler, const uint8_t *row);
/// Moves the pixels to `picture`; missing rows are transparent.
void weir_scaler_end(struct weir_scaler *scaler, struct weir_picture *picture);
/// Frees memory that `weir_scaler_end` did not move.
void weir_scaler_free(struct weir_scaler *scaler);

// The decoders, one for each library.

enum weir_picture_end weir_decode_jpeg(
    const uint8_t *bytes, size_t size, uint32_t most_width, uint32_t most_height,
    struct weir_picture *picture);
enum weir_picture_end weir_decode_png(
    const uint8_t *bytes, size_t size, uint32_t most_width, uint32_t most_height,
    struct weir_picture *picture);
enum weir_picture_end weir_decode_gif(
    const uint8_t *bytes, size_t size, uint32_t most_width, uint32_t most_height,
    struct weir_picture *picture);
enum weir_picture_end weir_decode_webp(
    const uint8_t *bytes, size_t size, uint32_t most_width, uint32_t most_height,
    struct weir_picture *picture);

/// Returns `WEIR_PICTURE_DECODED` for a size that is decoded, else the error.
static inline enum weir_picture_end weir_check_size(uint32_t width, uint32_t height) {
  if (width == 0 || height == 0) return WEIR_PICTURE_DAMAGED;
  return (uint64_t)width * height > WEIR_PICTURE_MOST_PIXELS ? WEIR_PICTURE_TOO_LARGE
                                                             : WEIR_PICTURE_DECODED;
}

#endif
