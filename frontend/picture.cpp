#include "frontend/picture.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <string>

namespace tessera {
namespace {

uint8_t unorm8(float x) { return static_cast<uint8_t>(std::rint((x > 0 ? (x < 1 ? x : 1.0f) : 0.0f) * 255.0f)); }

void to_rgba8(const Texel& texel, const FormatInfo& info, uint8_t* out) {
  for (size_t i = 0; i < 4; ++i)
    out[i] = info.is_pure_integer() ? static_cast<uint8_t>(std::min(texel.word[i], 255u))
                                    : unorm8(std::bit_cast<float>(texel.word[i]));
  if (info.is_depth_or_stencil()) out[1] = out[2] = out[0];
}

Texel from_rgba8(const uint8_t* rgba, bool is_integer) {
  Texel texel;
  for (size_t i = 0; i < 4; ++i)
    texel.word[i] = is_integer ? rgba[i] : std::bit_cast<uint32_t>(static_cast<float>(rgba[i]) / 255.0f);
  return texel;
}

}  // namespace

Format stored_format(Format format) {
  std::string name(format_info(format).name);
  const size_t at = name.find("_SRGB");
  if (at == std::string::npos) return format;
  return format_from_name(name.replace(at, 5, "_UNORM")).value_or(format);
}

Image picture_of(Format format, std::span<const std::byte> texels, uint32_t width, uint32_t height) {
  format = stored_format(format);
  const FormatInfo& info = format_info(format);
  Image picture{width, height, std::vector<uint8_t>(size_t{width} * height * 4)};
  if (format == Format::R8G8B8A8_UNORM) {
    std::memcpy(picture.rgba_un8.data(), texels.data(), picture.rgba_un8.size());
    return picture;
  }
  std::vector<Texel> row(width);
  for (uint32_t y = 0; y < height; ++y) {
    unpack_row(format, &texels[size_t{y} * width * info.block_bytes], width, row.data());
    for (uint32_t x = 0; x < width; ++x) to_rgba8(row[x], info, picture.texel(x, y));
  }
  return picture;
}

std::vector<std::byte> texels_of(const Image& picture, Format format) {
  format = stored_format(format);
  const FormatInfo& info = format_info(format);
  std::vector<std::byte> texels(size_t{picture.width} * picture.height * info.block_bytes);
  if (format == Format::R8G8B8A8_UNORM) {
    std::memcpy(texels.data(), picture.rgba_un8.data(), texels.size());
    return texels;
  }
  for (size_t i = 0; i < size_t{picture.width} * picture.height; ++i)
    pack_texel(format, from_rgba8(&picture.rgba_un8[i * 4], info.is_pure_integer()), &texels[i * info.block_bytes]);
  return texels;
}

}  // namespace tessera
