// frontend/direct3d9/formats.h: Direct3D 9's formats of textures and vertex elements by name.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "core/format.h"

namespace tessera::direct3d9 {

// A channel that the format lacks reads 1.
struct TextureFormat {
  std::string_view text;                       // "A8R8G8B8"
  Format format;
  std::array<Swizzle, 4> swizzle = {Swizzle::X, Swizzle::Y, Swizzle::Z, Swizzle::W};
};
std::optional<TextureFormat> texture_format(std::string_view text);

std::optional<Format> element_format(std::string_view lower_case_text);   // "float3", "d3dcolor"

// The format whose colours are encoded by sRGB's curve; the format itself where there is none.
Format srgb_format(Format format);

}  // namespace tessera::direct3d9
