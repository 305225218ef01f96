// Decodes one untrusted picture into pixels, in a process that can do nothing else. Only this
// target includes the headers of libjpeg-turbo, libpng, libwebp and giflib.
#ifndef WEIR_CPICTURES_H
#define WEIR_CPICTURES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The outcome of decoding a picture.
enum weir_picture_end {
  WEIR_PICTURE_DECODED = 0,
  /// The first bytes are of no supported format.
  WEIR_PICTURE_UNKNOWN = 1,
  /// The decoder rejects the picture, or the picture ends before its first row.
  WEIR_PICTURE_DAMAGED = 2,
  /// The picture has more than `WEIR_PICTURE_MOST_PIXELS`.
  WEIR_PICTURE_TOO_LARGE = 3,
  WEIR_PICTURE_NO_MEMORY = 4,
};

/// Pixels of the whole picture, before it is scaled.
#define WEIR_PICTURE_MOST_PIXELS 40000000u
/// Bytes of the file.
#define WEIR_PICTURE_MOST_BYTES (8u << 20)
/// Pixels of each side of the result.
#define WEIR_PICTURE_MOST_SIDE 4096u

/// A decoded picture: rows from top to bottom, four bytes per pixel (red, green, blue, alpha; not
/// premultiplied).
struct weir_picture {
  uint32_t source_width, source_height;
  uint32_t width, height;
  /// Allocated by malloc(3).
  uint8_t *pixels;
};

/// Decodes a JPEG, PNG, GIF or WebP (the first frame), recognised by its first bytes. Scales the
/// picture down until it fits, with its proportions; never up.
/// - Parameters:
///   - most_width, most_height: of the result, in pixels; from 1 to `WEIR_PICTURE_MOST_SIDE`.
enum weir_picture_end weir_picture_decode(
    const uint8_t *bytes, size_t size, uint32_t most_width, uint32_t most_height,
    struct weir_picture *picture);

/// Returns a PNG of RGBA pixels, from malloc(3), or NULL if memory runs out.
uint8_t *weir_picture_png(
    const uint8_t *pixels, uint32_t width, uint32_t height, size_t *length);

/// Returns a JPEG of RGBA pixels without regard to their alpha, from malloc(3), or NULL if memory
/// runs out.
/// - Parameter quality: from 1 to 100, as libjpeg defines it.
uint8_t *weir_picture_jpeg(
    const uint8_t *pixels, uint32_t width, uint32_t height, int quality, size_t *length);

/// Limits this process to what decoding needs: 600 MB of memory, `seconds` of processor time, no
/// new files, processes or core dumps; on Linux also to the system calls for memory and for reading
/// and writing open files. Returns false if the system refuses a limit.
bool weir_picture_confine(unsigned seconds);

/// Runs the decoding process: confines it, reads one request from standard input, decodes the
/// picture and writes the reply to standard output. Numbers have 32 bits, little-endian.
///
/// Request: "WPIC", most width, most height, number of bytes, and these bytes. Reply: "WPIX",
/// `weir_picture_end`, source width and height, width, height, and the pixels of a decoded picture.
/// - Returns: the process's exit code.
int weir_picture_child(void);

#endif
