// frontend/picture.h: texels of any colour or depth format ↔ pictures of 8-bit RGBA.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/format.h"
#include "frontend/image_io.h"

namespace tessera {

// The format whose channels are the stored numbers: sRGB texels stay encoded.
Format stored_format(Format format);

// Unorm bytes as they are stored; other formats clamped to 0..1, NaN gives 0, ties to even; integers clamped to 255;
// depth as grey.
Image picture_of(Format format, std::span<const std::byte> texels, uint32_t width, uint32_t height);

// The texels of `format` that hold the picture's bytes as they are stored.
std::vector<std::byte> texels_of(const Image& picture, Format format);

}  // namespace tessera
