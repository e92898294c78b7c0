// tests/unit/texture/spec_bc6h.h: one texel of a BC6H block, slowly, as ARB_texture_compression_bptc_float writes it down.
// It shares nothing with texture/ but the tables of BPTC's partitions.
#pragma once

#include <array>
#include <cstdint>

namespace tessera::tests {

std::array<long double, 4> bc6h_texel(const uint8_t* block, bool is_signed, uint32_t x, uint32_t y);

// The lowest five bits of a block of each mode that is not reserved; of the first two modes, two bits.
struct Bc6hMode { uint32_t number, bits; };
inline constexpr Bc6hMode kBc6hModes[14] = {{0, 2},  {1, 2},  {2, 5},  {6, 5},  {10, 5}, {14, 5}, {18, 5},
                                            {22, 5}, {26, 5}, {30, 5}, {3, 5},  {7, 5},  {11, 5}, {15, 5}};

}  // namespace tessera::tests
