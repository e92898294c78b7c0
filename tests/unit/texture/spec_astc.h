// tests/unit/texture/spec_astc.h: one texel of an ASTC block of low dynamic range, slowly, straight from the words of the
// specification, for any block size. It shares nothing with texture/.
#pragma once

#include <array>
#include <cstdint>

namespace tessera::tests {

// Red, green, blue and alpha as the 16-bit results of interpolation; errors are 65535, 0, 65535, 65535.
std::array<uint32_t, 4> spec_astc_texel(const uint8_t* block, uint32_t width, uint32_t height, bool srgb, uint32_t x,
                                        uint32_t y);

}  // namespace tessera::tests
