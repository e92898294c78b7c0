#include "frontend/direct3d9/formats.h"

#include <string>

namespace tessera::direct3d9 {
namespace {

constexpr Swizzle X = Swizzle::X, Y = Swizzle::Y, Z = Swizzle::Z, W = Swizzle::W, Zero = Swizzle::Zero,
                  One = Swizzle::One;

constexpr TextureFormat kTextureFormats[] = {
    {"A8R8G8B8", Format::B8G8R8A8_UNORM},
    {"X8R8G8B8", Format::B8G8R8X8_UNORM},
    {"A8B8G8R8", Format::R8G8B8A8_UNORM},
    {"X8B8G8R8", Format::R8G8B8X8_UNORM},
    {"R8G8B8", Format::B8G8R8_UNORM},
    {"R5G6B5", Format::B5G6R5_UNORM},
    {"X1R5G5B5", Format::B5G5R5A1_UNORM, {X, Y, Z, One}},
    {"A1R5G5B5", Format::B5G5R5A1_UNORM},
    {"A4R4G4B4", Format::B4G4R4A4_UNORM},
    {"X4R4G4B4", Format::B4G4R4X4_UNORM},
    {"R3G3B2", Format::B2G3R3_UNORM},
    {"A8R3G3B2", Format::B2G3R3A8_UNORM},
    {"A2B10G10R10", Format::R10G10B10A2_UNORM},
    {"A2R10G10B10", Format::B10G10R10A2_UNORM},
    {"A16B16G16R16", Format::R16G16B16A16_UNORM},
    {"G16R16", Format::R16G16_UNORM, {X, Y, One, One}},
    {"A8", Format::A8_UNORM, {Zero, Zero, Zero, W}},
    {"L8", Format::L8_UNORM},
    {"A8L8", Format::L8A8_UNORM},
    {"A4L4", Format::L4A4_UNORM},
    {"L16", Format::L16_UNORM},
    {"V8U8", Format::R8G8_SNORM, {X, Y, One, One}},
    {"V16U16", Format::R16G16_SNORM, {X, Y, One, One}},
    {"Q8W8V8U8", Format::R8G8B8A8_SNORM},
    {"X8L8V8U8", Format::R8SG8SB8UX8U_NORM, {X, Y, Z, One}},
    {"L6V5U5", Format::R5SG5SB6U_NORM, {X, Y, Z, One}},
    {"A2W10V10U10", Format::R10SG10SB10SA2U_NORM},
    {"R16F", Format::R16_FLOAT, {X, One, One, One}},
    {"G16R16F", Format::R16G16_FLOAT, {X, Y, One, One}},
    {"A16B16G16R16F", Format::R16G16B16A16_FLOAT},
    {"R32F", Format::R32_FLOAT, {X, One, One, One}},
    {"G32R32F", Format::R32G32_FLOAT, {X, Y, One, One}},
    {"A32B32G32R32F", Format::R32G32B32A32_FLOAT},
    {"DXT1", Format::DXT1_RGBA},
    {"DXT2", Format::DXT3_RGBA},                 // 2 and 4: colours times alpha already, which sampling does not see
    {"DXT3", Format::DXT3_RGBA},
    {"DXT4", Format::DXT5_RGBA},
    {"DXT5", Format::DXT5_RGBA},
    {"YUY2", Format::YUYV},
    {"UYVY", Format::UYVY},
    {"R8G8_B8G8", Format::R8G8_B8G8_UNORM},
    {"G8R8_G8B8", Format::G8R8_G8B8_UNORM},
};

struct ElementFormat {
  std::string_view text;
  Format format;
};
constexpr ElementFormat kElementFormats[] = {
    {"float1", Format::R32_FLOAT},
    {"float2", Format::R32G32_FLOAT},
    {"float3", Format::R32G32B32_FLOAT},
    {"float4", Format::R32G32B32A32_FLOAT},
    {"d3dcolor", Format::B8G8R8A8_UNORM},
    {"ubyte4", Format::R8G8B8A8_USCALED},
    {"ubyte4n", Format::R8G8B8A8_UNORM},
    {"short2", Format::R16G16_SSCALED},
    {"short4", Format::R16G16B16A16_SSCALED},
    {"short2n", Format::R16G16_SNORM},
    {"short4n", Format::R16G16B16A16_SNORM},
    {"ushort2n", Format::R16G16_UNORM},
    {"ushort4n", Format::R16G16B16A16_UNORM},
    {"udec3", Format::R10G10B10X2_USCALED},
    {"dec3n", Format::R10G10B10X2_SNORM},
    {"float16_2", Format::R16G16_FLOAT},
    {"float16_4", Format::R16G16B16A16_FLOAT},
};

}  // namespace

std::optional<TextureFormat> texture_format(std::string_view text) {
  for (const TextureFormat& f : kTextureFormats)
    if (f.text == text) return f;
  return std::nullopt;
}

std::optional<Format> element_format(std::string_view text) {
  for (const ElementFormat& f : kElementFormats)
    if (f.text == text) return f.format;
  return std::nullopt;
}

Format srgb_format(Format format) {
  constexpr std::string_view kUnorm = "_UNORM";
  const std::string_view name = format_info(format).name;
  if (!name.ends_with(kUnorm)) return format;
  return format_from_name(std::string(name.substr(0, name.size() - kUnorm.size())) + "_SRGB").value_or(format);
}

}  // namespace tessera::direct3d9
