// raster/blend.h: what fragments do to one colour target: factors, equations, dithering, logic operation, masks,
// conversion.
// In:     the colours of a block (planes of 64 lanes), the lanes that live, the block's texels in lane order.
// Out:    the texels, in the surface's own format and exact bits after every fragment.
// Formulas: d = the stored value, correctly rounded; s clamped to the target's range but not quantised (NaN gives 0);
//         result = fma(d, df, s * sf) with the equation's signs (the advanced ones: raster/blend_advanced_simd-inl.h);
//         then dithering (raster/dither_simd-inl.h) and the format's conversion (core/format.h). Integer targets are
//         not blended; float targets hold one canonical NaN. Padding and masked channels keep their bits.
// Errors: none.                                       Threads: texels have one owner.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/simd_target.h"
#include "raster/store.h"

namespace tessera::raster {

inline constexpr uint32_t kTexelWords = kMaxTexelBytes / 4;

// One target of one draw, made once a draw.
struct ColorWrite {
  void (*write)(const ColorWrite&, uint64_t mask, std::byte* texels) = nullptr;
  const float* source[4] = {};           // red, green, blue, alpha: 64 lanes each
  const float* source1[4] = {};          // the second source of dual-source blending
  bool source_is_uniform = false;        // all lanes have the colour `uniform`
  float uniform[4] = {};
  bool reads_source = true;              // false: a uniform colour is packed already, `source` need not be filled
  TargetBlend blend;
  AdvancedEquation advanced = AdvancedEquation::None;   // in place of what `blend` says, where that is enabled
  float constant[4] = {};                // blend colour, clamped to the target's range
  bool logic_op_enabled = false;
  LogicOp logic_op = LogicOp::Copy;
  bool clamp_color = false;              // clamp the fragment colour before anything else
  bool dithers = false;                  // one channel at least
  float dither_most[4] = {};             // by channel: 2^n - 1, or 0 where it is not dithered
  Format format = Format::NONE;
  uint32_t texel_bytes = 0;
  bool overwrites = false;               // covered texels do not depend on what they held
  enum class Range : uint8_t { Unlimited, Unorm, Snorm } range = Range::Unlimited;
  uint32_t write_bits[kTexelWords] = {};     // bits of a texel that may change
  uint32_t uniform_texel[kTexelWords] = {};  // the texel of a uniform source
};

// Which sources a target reads is filled in by the caller before: source, source1, source_is_uniform, uniform.
void choose_color_write(const BlendState& state, uint32_t target, Format format, const float blend_color[4],
                        bool clamp_color, SimdTarget simd, ColorWrite& write);

// The bits of a texel that a colour mask (bit 0 red .. bit 3 alpha) selects.
void channel_bits(Format format, uint8_t color_mask, uint32_t bits[kTexelWords]);

}  // namespace tessera::raster
