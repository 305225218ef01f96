// Decodes WebP with libwebp, which scales while it decodes; the first frame of an animation.
#include "Scaler.h"

#include <stdlib.h>
#include <string.h>

#include <webp/decode.h>
#include <webp/demux.h>

static enum weir_picture_end decode_frame(
    const uint8_t *bytes, size_t size, uint32_t most_width, uint32_t most_height,
    struct weir_picture *picture) {
  WebPDecoderConfig config;
  if (!WebPInitDecoderConfig(&config)) return WEIR_PICTURE_DAMAGED;
  if (WebPGetFeatures(bytes, size, &config.input) != VP8_STATUS_OK) return WEIR_PICTURE_DAMAGED;
  uint32_t source_width = (uint32_t)config.input.width;
  uint32_t source_height = (uint32_t)config.input.height;
  enum weir_picture_end end = weir_check_size(source_width, source_height);
  if (end != WEIR_PICTURE_DECODED) return end;
  uint32_t width, height;
  weir_fit(source_width, source_height, most_width, most_height, &width, &height);
  uint8_t *pixels = calloc((size_t)width * height, 4);
  if (!pixels) return WEIR_PICTURE_NO_MEMORY;
  config.options.use_scaling = width != source_width || height != source_height;
  config.options.scaled_width = (int)width;
  config.options.scaled_height = (int)height;
  config.output.colorspace = MODE_RGBA;
  config.output.is_external_memory = 1;
  config.output.u.RGBA.rgba = pixels;
  config.output.u.RGBA.stride = (int)width * 4;
  config.output.u.RGBA.size = (size_t)width * height * 4;
  VP8StatusCode status = WebPDecode(bytes, size, &config);
  WebPFreeDecBuffer(&config.output);
  if (status != VP8_STATUS_OK) {
    free(pixels);
    return status == VP8_STATUS_OUT_OF_MEMORY ? WEIR_PICTURE_NO_MEMORY : WEIR_PICTURE_DAMAGED;
  }
  picture->width = width;
  picture->height = height;
  picture->pixels = pixels;
  return WEIR_PICTURE_DECODED;
}

enum weir_picture_end weir_decode_webp(
    const uint8_t *bytes, size_t size, uint32_t most_width, uint32_t most_height,
    struct weir_picture *picture) {
  WebPBitstreamFeatures features;
  if (WebPGetFeatures(bytes, size, &features) != VP8_STATUS_OK) return WEIR_PICTURE_DAMAGED;
  picture->source_width = (uint32_t)features.width;
  picture->source_height = (uint32_t)features.height;
  enum weir_picture_end end = weir_check_size(picture->source_width, picture->source_height);
  if (end != WEIR_PICTURE_DECODED) return end;
  if (!features.has_animation) {
    return decode_frame(bytes, size, most_width, most_height, picture);
  }
  WebPData data = {bytes, size};
  WebPDemuxState state;
  WebPDemuxer *demuxer = WebPDemuxPartial(&data, &state);
  if (!demuxer) return WEIR_PICTURE_DAMAGED;
  WebPIterator frame;
  end = WEIR_PICTURE_DAMAGED;
  if (WebPDemuxGetFrame(demuxer, 1, &frame)) {
    end = decode_frame(frame.fragment.bytes, frame.fragment.size, most_width, most_height, picture);
    WebPDemuxReleaseIterator(&frame);
  }
  WebPDemuxDelete(demuxer);
  return end;
}
