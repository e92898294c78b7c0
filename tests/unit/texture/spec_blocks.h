// tests/unit/texture/spec_blocks.h: one texel of a block, slowly, straight from the words of the specifications: S3TC,
// RGTC, BPTC (BC6H: spec_bc6h.h), ETC2, EAC. It shares nothing with texture/ but the tables of BPTC's partitions.
#pragma once

#include <array>
#include <cstdint>

#include "core/format.h"

namespace tessera::tests {

// The exact red, green, blue and alpha of the texel at (x, y); sRGB stays encoded.
using SpecTexel = std::array<long double, 4>;
SpecTexel spec_texel(Format format, const uint8_t* block, uint32_t x, uint32_t y);
bool has_spec_texel(Format format);

}  // namespace tessera::tests
