// Main function of the decoding process, and its protocol.
#include "Scaler.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum weir_picture_end weir_picture_decode(
    const uint8_t *bytes, size_t size, uint32_t most_width, uint32_t most_height,
    struct weir_picture *picture) {
  *picture = (struct weir_picture){0};
  if (most_width == 0 || most_height == 0) return WEIR_PICTURE_UNKNOWN;
  if (most_width > WEIR_PICTURE_MOST_SIDE) most_width = WEIR_PICTURE_MOST_SIDE;
  if (most_height > WEIR_PICTURE_MOST_SIDE) most_height = WEIR_PICTURE_MOST_SIDE;
  static const uint8_t png[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
  if (size > 3 && bytes[0] == 0xFF && bytes[1] == 0xD8 && bytes[2] == 0xFF) {
    return weir_decode_jpeg(bytes, size, most_width, most_height, picture);
  }
  if (size > sizeof png && memcmp(bytes, png, sizeof png) == 0) {
    return weir_decode_png(bytes, size, most_width, most_height, picture);
  }
  if (size > 6 && (memcmp(bytes, "GIF87a", 6) == 0 || memcmp(bytes, "GIF89a", 6) == 0)) {
    return weir_decode_gif(bytes, size, most_width, most_height, picture);
  }
  if (size > 12 && memcmp(bytes, "RIFF", 4) == 0 && memcmp(bytes + 8, "WEBP", 4) == 0) {
    return weir_decode_webp(bytes, size, most_width, most_height, picture);
  }
  return WEIR_PICTURE_UNKNOWN;
}

static bool read_all(uint8_t *buffer, size_t size) {
  while (size > 0) {
    ssize_t count = read(STDIN_FILENO, buffer, size);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    buffer += count;
    size -= (size_t)count;
  }
  return true;
}

static bool write_all(const uint8_t *bytes, size_t size) {
  while (size > 0) {
    ssize_t count = write(STDOUT_FILENO, bytes, size);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    bytes += count;
    size -= (size_t)count;
  }
  return true;
}

static uint32_t number(const uint8_t *bytes) {
  return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
         (uint32_t)bytes[3] << 24;
}

static void put(uint8_t *bytes, uint32_t value) {
  for (int i = 0; i < 4; i++) bytes[i] = (uint8_t)(value >> (8 * i));
}

enum { seconds = 5, failed = 1, misused = 64 };

int weir_picture_child(void) {
  if (!weir_picture_confine(seconds)) return failed;
  uint8_t request[16];
  if (!read_all(request, sizeof request) || memcmp(request, "WPIC", 4) != 0) return misused;
  uint32_t size = number(request + 12);
  if (size > WEIR_PICTURE_MOST_BYTES) return misused;
  uint8_t *bytes = malloc(size > 0 ? size : 1);
  if (!bytes || !read_all(bytes, size)) return failed;
  struct weir_picture picture;
  enum weir_picture_end end =
      weir_picture_decode(bytes, size, number(request + 4), number(request + 8), &picture);
  free(bytes);
  uint8_t reply[24] = "WPIX";
  put(reply + 4, (uint32_t)end);
  put(reply + 8, picture.source_width);
  put(reply + 12, picture.source_height);
  put(reply + 16, picture.width);
  put(reply + 20, picture.height);
  if (!write_all(reply, sizeof reply)) return failed;
  if (end == WEIR_PICTURE_DECODED &&
      !write_all(picture.pixels, (size_t)picture.width * picture.height * 4)) {
    return failed;
  }
  return 0;
}
