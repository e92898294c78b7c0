// frontend/image_io.h: pictures of 8-bit RGBA texels, and their files. The one place that knows stb.
// In:     PNG with 8 bits a channel (grey, RGB, RGBA, palette), baseline and progressive JPEG.
// Out:    PNG, RGBA or of a palette; the same picture gives the same file: fixed compression, no time stamps.
// Errors: unreadable, truncated or too large files; sizes are checked before anything is allocated.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/result.h"

namespace tessera {

inline constexpr uint32_t kMaxImageSide_px = 16384;

struct Image {
  uint32_t width = 0, height = 0;
  std::vector<uint8_t> rgba_un8;   // row by row from the top

  const uint8_t* texel(uint32_t x, uint32_t y) const { return &rgba_un8[(size_t{y} * width + x) * 4]; }
  uint8_t* texel(uint32_t x, uint32_t y) { return &rgba_un8[(size_t{y} * width + x) * 4]; }
  bool operator==(const Image&) const = default;
};

Result<Image> read_image_file(const std::string& path);
Result<Image> decode_image(const std::vector<uint8_t>& file);
std::vector<uint8_t> encode_png(const Image& image);
// Of a palette where the picture has at most 256 colours, all opaque, else as above: a diagram's file in a fraction of
// the time, since it has a quarter of the bytes and no filter helps it.
std::vector<uint8_t> encode_diagram(const Image& image);
Status write_png_file(const std::string& path, const Image& image);
Status write_diagram_file(const std::string& path, const Image& image);

// Whole files. Writing goes to a temporary name first, so that no half-written file is left.
Result<std::vector<uint8_t>> read_file(const std::string& path);
Status write_file(const std::string& path, const void* data, size_t size_bytes);

}  // namespace tessera
