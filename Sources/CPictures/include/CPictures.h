// Decodes one picture of a stranger into pixels, in a process that can do nothing else. Only this
// target includes the headers of libjpeg-turbo, libpng, libwebp and giflib.
#ifndef WEIR_CPICTURES_H
#define WEIR_CPICTURES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// How the decoding of a picture ended.
enum weir_picture_end {
  WEIR_PICTURE_DECODED = 0,
  /// The first bytes are of no kind that is decoded here.
  WEIR_PICTURE_UNKNOWN = 1,
  /// The decoder rejects it, or it ends before its first row.
  WEIR_PICTURE_DAMAGED = 2,
  /// More than `WEIR_PICTURE_MOST_PIXELS`.
  WEIR_PICTURE_TOO_LARGE = 3,
  /// Memory ran out.
  WEIR_PICTURE_NO_MEMORY = 4,
};

/// Of the whole picture, before it is scaled.
#define WEIR_PICTURE_MOST_PIXELS 40000000u
/// Of the file.
#define WEIR_PICTURE_MOST_BYTES (8u << 20)
/// Of each side of what is returned.
#define WEIR_PICTURE_MOST_SIDE 4096u

/// A decoded picture: rows from top to bottom, four bytes a pixel (red, green, blue, alpha; not
/// premultiplied).
struct weir_picture {
  uint32_t source_width, source_height;
  uint32_t width, height;
  /// From malloc(3).
  uint8_t *pixels;
};

/// Decodes a JPEG, PNG, GIF (its first frame) or WebP (its first frame) by what its first bytes
/// are. It is scaled down until it fits, with its proportions, and never scaled up.
/// - Parameters:
///   - most_width, most_height: of what is returned, in pixels; from 1 to `WEIR_PICTURE_MOST_SIDE`.
enum weir_picture_end weir_picture_decode(
    const uint8_t *bytes, size_t size, uint32_t most_width, uint32_t most_height,
    struct weir_picture *picture);

/// A PNG of RGBA pixels, from malloc(3); null where memory runs out.
uint8_t *weir_picture_png(
    const uint8_t *pixels, uint32_t width, uint32_t height, size_t *length);

/// Takes from this process what decoding does not need: memory beyond 600 MB, processor time
/// beyond `seconds`, files, further processes and core dumps; on Linux also every system call but
/// those for memory and for reading and writing what is open. False where the system refuses a
/// limit.
bool weir_picture_confine(unsigned seconds);

/// The whole life of the decoding process: confines itself, reads one request from standard input,
/// decodes it, writes the reply to standard output. Numbers are of 32 bits, little-endian.
///
/// Request: "WPIC", most width, most height, number of bytes, and these bytes. Reply: "WPIX",
/// `weir_picture_end`, source width and height, width, height, and the pixels where it was decoded.
/// - Returns: the process's exit code.
int weir_picture_child(void);

#endif
