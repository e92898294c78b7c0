// raster/depth_stencil.h: depth and stencil of a tile: tests, writes, bounds of a block for hierarchical Z.
//
// Inside a tile a sample's depth is a *key*, one 32-bit word: the float itself, or the unorm integer. What else the
// texel holds (stencil in the low 8 bits, or padding) is kept in a second word, the *rest*. Load and store convert
// without loss, so a tile holds the surface's exact bits.
//
// In:     keys of 64 lanes; a DepthTest made once a draw.
// Out:    masks of the lanes that pass; the tile's keys and rests.
// Range:  depth is clamped to the draw's depth range (NaN gives its lower end) before it becomes a key: unorm keys by
//         one multiply by 2^n - 1 (float up to 16 bits, double above), rounded half to even. Depth bounds are compared
//         with the stored values themselves, unorm ones being k / (2^n - 1) exactly.
// Errors: none.                                       Threads: a tile's planes have one owner.
#pragma once

#include <cstdint>
#include <span>

#include "core/simd_target.h"
#include "raster/frame.h"
#include "raster/samples.h"
#include "raster/store.h"

namespace tessera::raster {

// How depth and stencil lie in a texel.
struct DepthLayout {
  uint8_t texel_bytes = 0;
  uint8_t depth_bits = 0, depth_shift = 0;   // 0 bits: no depth
  uint8_t rest_shift = 0;                    // of the bits in the same 32-bit word that are no depth
  bool is_float = false;
  bool has_stencil = false, has_rest = false;
  uint32_t max_key() const { return depth_bits >= 32 ? ~0u : (1u << depth_bits) - 1u; }
};
DepthLayout depth_layout(Format format);

// One texel to key and rest (0 where the layout has none), and back.
void split_texel(const DepthLayout& layout, const std::byte* texel, uint32_t& key, uint32_t& rest);
void join_texel(const DepthLayout& layout, uint32_t key, uint32_t rest, std::byte* texel);

// Bounds of keys, exact as doubles for every kind of key.
struct KeyRange { double lo, hi; };

// What the draw's state makes of depth, chosen once a draw.
struct DepthTest {
  Compare func = Compare::Always;
  bool test = false, write = false;          // write only where the test is on
  bool stencil = false;
  bool is_float = true;
  uint8_t depth_bits = 32;
  float clamp_lo = 0, clamp_hi = 1;
  bool bounds = false;                       // only where the stored key lies in [bounds_lo, bounds_hi], if any does
  uint32_t bounds_lo = 0, bounds_hi = 0;
  StencilFace face[2];                       // front, back: resolved
  uint8_t stencil_ref[2] = {0, 0};
  // Compares keys with stored ones: lanes of `mask` that pass.
  uint64_t (*compare)(const uint32_t* keys, const uint32_t* stored, uint64_t mask) = nullptr;
};
DepthTest make_depth_test(const DrawState& draw, const DepthLayout& layout, SimdTarget simd);

// What bounds alone say of a test.
enum class RangeTest : uint8_t { AllFail, AllPass, Mixed };
RangeTest test_range(Compare func, KeyRange incoming, KeyRange stored);

struct DepthKernels {
  // Keys of the block at target pixel (x, y) from the triangle's depth plane, and the extreme keys over the pixels
  // [x0, x1) x [y0, y1), which the corners hold because the plane is monotone in x and y under its rounding.
  void (*plane_keys)(const DepthTest&, const SetupTriangle&, int32_t x, int32_t y, uint32_t* keys);
  KeyRange (*plane_range)(const DepthTest&, const SetupTriangle&, const IRect& pixels);
  // The same of blocks of 8x8 pixels side by side, the first one at (x, y): as many as `ranges` has, at most 8.
  void (*block_ranges)(const DepthTest&, const SetupTriangle&, int32_t x, int32_t y, std::span<KeyRange> ranges);
  // Bounds of the keys of all samples of those pixels: of the plane at the corners of the box around them.
  KeyRange (*sample_range)(const DepthTest&, const SetupTriangle&, const IRect& pixels, const SampleBox&);
  void (*keys_of)(const DepthTest&, const float* depth, uint32_t* keys);
  void (*write)(const uint32_t* keys, uint64_t mask, uint32_t* stored);
  KeyRange (*stored_range)(bool is_float, const uint32_t* stored);   // a NaN inside gives no bounds: -inf, +inf
  // The lanes of `mask` whose stored keys lie in the depth bounds.
  uint64_t (*inside_bounds)(const DepthTest&, const uint32_t* stored, uint64_t mask);
  // Stencil test, then depth test of what passes it; updates stencil. Gives the lanes that pass both. `refs`: the
  // reference of each lane, or null for the draw's.
  uint64_t (*stencil_and_depth)(const DepthTest&, bool front, const uint32_t* keys, const uint32_t* stored,
                                uint64_t mask, const uint32_t* refs, uint32_t* rest);
};
const DepthKernels& depth_kernels(SimdTarget simd);

}  // namespace tessera::raster
