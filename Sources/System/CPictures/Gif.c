// Decodes GIF with giflib: the first frame, on the canvas of the whole picture.
#include "Scaler.h"

#include <stdlib.h>
#include <string.h>

#include <gif_lib.h>

struct source {
  const uint8_t *bytes;
  size_t left;
};

static int take(GifFileType *file, GifByteType *out, int size) {
  struct source *source = file->UserData;
  size_t count = (size_t)size < source->left ? (size_t)size : source->left;
  memcpy(out, source->bytes, count);
  source->bytes += count;
  source->left -= count;
  return (int)count;
}

/// Reads up to the first frame; gets its transparent colour, or -1. False if there is no frame.
static bool find_frame(GifFileType *file, int *transparent) {
  *transparent = -1;
  GifRecordType record;
  while (DGifGetRecordType(file, &record) == GIF_OK) {
    if (record == IMAGE_DESC_RECORD_TYPE) return DGifGetImageDesc(file) == GIF_OK;
    if (record != EXTENSION_RECORD_TYPE) return false;
    int code;
    GifByteType *block;
    if (DGifGetExtension(file, &code, &block) != GIF_OK) return false;
    while (block) {
      GraphicsControlBlock control;
      if (code == GRAPHICS_EXT_FUNC_CODE && block[0] >= 4 &&
          DGifExtensionToGCB(block[0], block + 1, &control) == GIF_OK) {
        *transparent = control.TransparentColor;
      }
      if (DGifGetExtensionNext(file, &block) != GIF_OK) return false;
    }
  }
  return false;
}

/// Returns the frame's colours by row. Missing rows have colour 0.
static uint8_t *read_indices(GifFileType *file, bool *has_rows) {
  int width = file->Image.Width, height = file->Image.Height;
  uint8_t *indices = calloc((size_t)width, (size_t)height);
  if (!indices) return NULL;
  static const int starts[] = {0, 4, 2, 1}, steps[] = {8, 8, 4, 2};
  int passes = file->Image.Interlace ? 4 : 1;
  for (int pass = 0; pass < passes; pass++) {
    int step = passes > 1 ? steps[pass] : 1;
    for (int y = passes > 1 ? starts[pass] : 0; y < height; y += step) {
      if (DGifGetLine(file, indices + (size_t)y * (size_t)width, width) != GIF_OK) return indices;
      *has_rows = true;
    }
  }
  return indices;
}

static enum weir_picture_end draw(
    GifFileType *file, uint32_t most_width, uint32_t most_height, struct weir_picture *picture) {
  int transparent;
  if (!find_frame(file, &transparent)) return WEIR_PICTURE_DAMAGED;
  uint32_t width = (uint32_t)file->SWidth, height = (uint32_t)file->SHeight;
  uint32_t left = (uint32_t)file->Image.Left, top = (uint32_t)file->Image.Top;
  uint32_t frame_width = (uint32_t)file->Image.Width, frame_height = (uint32_t)file->Image.Height;
  picture->source_width = width;
  picture->source_height = height;
  enum weir_picture_end end = weir_check_size(width, height);
  if (end != WEIR_PICTURE_DECODED) return end;
  end = weir_check_size(frame_width, frame_height);
  if (end != WEIR_PICTURE_DECODED) return end;
  ColorMapObject *map = file->Image.ColorMap ? file->Image.ColorMap : file->SColorMap;
  if (!map) return WEIR_PICTURE_DAMAGED;
  bool has_rows = false;
  uint8_t *indices = read_indices(file, &has_rows);
  uint8_t *row = malloc((size_t)width * 4);
  struct weir_scaler scaler = {0};
  uint32_t target_width, target_height;
  weir_fit(width, height, most_width, most_height, &target_width, &target_height);
  bool has_room =
      indices && row && weir_scaler_begin(&scaler, width, height, target_width, target_height);
  if (has_room && has_rows) {
    for (uint32_t y = 0; y < height; y++) {
      memset(row, 0, (size_t)width * 4);
      if (y >= top && y - top < frame_height) {
        const uint8_t *line = indices + (size_t)(y - top) * frame_width;
        for (uint32_t x = 0; x < frame_width && left + x < width; x++) {
          int color = line[x];
          if (color == transparent || color >= map->ColorCount) continue;
          uint8_t *pixel = row + (size_t)(left + x) * 4;
          pixel[0] = map->Colors[color].Red;
          pixel[1] = map->Colors[color].Green;
          pixel[2] = map->Colors[color].Blue;
          pixel[3] = 255;
        }
      }
      weir_scaler_row(&scaler, row);
    }
    weir_scaler_end(&scaler, picture);
  }
  weir_scaler_free(&scaler);
  free(indices);
  free(row);
  if (!has_room) return WEIR_PICTURE_NO_MEMORY;
  return has_rows ? WEIR_PICTURE_DECODED : WEIR_PICTURE_DAMAGED;
}

enum weir_picture_end weir_decode_gif(
    const uint8_t *bytes, size_t size, uint32_t most_width, uint32_t most_height,
    struct weir_picture *picture) {
  struct source source = {bytes, size};
  GifFileType *file = DGifOpen(&source, take, NULL);
  if (!file) return WEIR_PICTURE_DAMAGED;
  enum weir_picture_end end = draw(file, most_width, most_height, picture);
  DGifCloseFile(file, NULL);
  return end;
}
