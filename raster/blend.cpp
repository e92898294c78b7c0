#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "raster/blend.cpp"
#include "hwy/foreach_target.h"

#include <bit>
#include <cstring>
#include <iterator>

#include "core/format.h"
#include "core/scalar.h"
#include "core/simd.h"
#include "raster/blend.h"
#include "raster/blend_advanced_simd-inl.h"
#include "raster/blend_simd-inl.h"
#include "raster/blend_un8.h"
#include "raster/dither_simd-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {
namespace {

using raster::ColorWrite;

// The colours of a block as planes.
struct Planes { alignas(64) float c[4][64]; };

void read_source(const ColorWrite& w, const float* const* from, bool is_integer, Planes& to) {
  for (int c = 0; c < 4; ++c)
    for (size_t lane = 0; lane < 64; lane += kLanes) {
      F32x x = load(from[c] + lane);
      if (w.clamp_color && !is_integer) x = saturate(x);
      if (w.range == ColorWrite::Range::Unorm) x = saturate(x);
      else if (w.range == ColorWrite::Range::Snorm) x = clamp_snorm(x);
      store(x, to.c[c] + lane);
    }
}

HWY_INLINE Channels channels_of(const Planes& p, size_t lane) {
  return {{load(p.c[0] + lane), load(p.c[1] + lane), load(p.c[2] + lane), load(p.c[3] + lane)}};
}

void blend_planes(const ColorWrite& w, const Planes& s, const Planes& s1, const Planes& d, Planes& out) {
  for (size_t lane = 0; lane < 64; lane += kLanes) {
    const Channels result = blend_channels(w, channels_of(s, lane), channels_of(s1, lane), channels_of(d, lane));
    for (int c = 0; c < 4; ++c) store(result.c[c], out.c[c] + lane);
  }
}

using BlendFn = void (*)(const ColorWrite& w, const Planes& s, const Planes& s1, const Planes& d, Planes& out);

template <raster::AdvancedEquation kMode>
void blend_planes_advanced(const ColorWrite&, const Planes& s, const Planes&, const Planes& d, Planes& out) {
  for (size_t lane = 0; lane < 64; lane += kLanes) {
    const Channels result = blend_advanced<kMode>(channels_of(s, lane), channels_of(d, lane));
    for (int c = 0; c < 4; ++c) store(result.c[c], out.c[c] + lane);
  }
}

// By AdvancedEquation.
#define TESSERA_ADVANCED(mode) blend_planes_advanced<raster::AdvancedEquation::mode>
constexpr BlendFn kBlendFns[] = {
    blend_planes, TESSERA_ADVANCED(Multiply), TESSERA_ADVANCED(Screen), TESSERA_ADVANCED(Overlay),
    TESSERA_ADVANCED(Darken), TESSERA_ADVANCED(Lighten), TESSERA_ADVANCED(ColorDodge), TESSERA_ADVANCED(ColorBurn),
    TESSERA_ADVANCED(HardLight), TESSERA_ADVANCED(SoftLight), TESSERA_ADVANCED(Difference),
    TESSERA_ADVANCED(Exclusion), TESSERA_ADVANCED(HslHue), TESSERA_ADVANCED(HslSaturation),
    TESSERA_ADVANCED(HslColor), TESSERA_ADVANCED(HslLuminosity)};
#undef TESSERA_ADVANCED
static_assert(std::size(kBlendFns) == static_cast<size_t>(raster::AdvancedEquation::HslLuminosity) + 1);

void dither_planes(const ColorWrite& w, Planes& planes) {
  for (int c = 0; c < 4; ++c)
    for (size_t lane = 0; lane < 64 && w.dither_most[c] != 0; lane += kLanes)
      store(dithered(load(planes.c[c] + lane), w.dither_most[c], lane), planes.c[c] + lane);
}

void to_planes(const Texel* texels, Planes& planes) {
  for (size_t lane = 0; lane < 64; ++lane)
    for (int c = 0; c < 4; ++c) planes.c[c][lane] = std::bit_cast<float>(texels[lane].word[c]);
}

void to_texels(const ColorWrite& w, const Planes& planes, Texel* texels) {
  const bool is_float = w.range == ColorWrite::Range::Unlimited;
  const bool is_integer = format_info(w.format).is_pure_integer();
  for (size_t lane = 0; lane < 64; ++lane)
    for (int c = 0; c < 4; ++c) {
      uint32_t word = std::bit_cast<uint32_t>(planes.c[c][lane]);
      if (is_float && !is_integer && (word & 0x7fffffffu) > 0x7f800000u) word = 0x7fc00000u;
      texels[lane].word[c] = word;
    }
}

// Truth table: bit (2 * s + d).
HWY_INLINE uint32_t apply_logic(raster::LogicOp op, uint32_t s, uint32_t d) {
  const auto table = static_cast<uint32_t>(op);
  return (table & 1 ? ~s & ~d : 0) | (table & 2 ? ~s & d : 0) | (table & 4 ? s & ~d : 0) | (table & 8 ? s & d : 0);
}

// Moves the bits that may change from `fresh` into the covered texels.
void merge_texels(const ColorWrite& w, uint64_t mask, const std::byte* fresh, std::byte* texels) {
  const size_t size = w.texel_bytes;
  const auto* write_bits = reinterpret_cast<const unsigned char*>(w.write_bits);
  for (; mask; mask &= mask - 1) {
    const size_t first = static_cast<size_t>(std::countr_zero(mask)) * size;
    for (size_t i = 0; i < size; ++i) {
      const auto bits = std::byte{write_bits[i]};
      texels[first + i] = (fresh[first + i] & bits) | (texels[first + i] & ~bits);
    }
  }
}

void write_any(const ColorWrite& w, uint64_t mask, std::byte* texels) {
  const bool is_integer = format_info(w.format).is_pure_integer();
  Planes source;
  read_source(w, w.source, is_integer, source);
  Texel fresh[64];
  if (w.blend.enabled) {
    Planes source1, stored, result;
    if (w.source1[0]) read_source(w, w.source1, is_integer, source1);
    Texel old[64];
    unpack_row(w.format, texels, 64, old);
    to_planes(old, stored);
    kBlendFns[static_cast<size_t>(w.advanced)](w, source, w.source1[0] ? source1 : source, stored, result);
    source = result;
  }
  if (w.dithers) dither_planes(w, source);
  to_texels(w, source, fresh);
  alignas(8) std::byte packed[64 * raster::kMaxTexelBytes];
  pack_row(w.format, fresh, 64, packed);
  if (w.logic_op_enabled) {
    for (size_t i = 0; i < size_t{64} * w.texel_bytes; ++i)
      packed[i] = static_cast<std::byte>(
          apply_logic(w.logic_op, static_cast<uint32_t>(packed[i]), static_cast<uint32_t>(texels[i])));
  }
  merge_texels(w, mask, packed, texels);
}

}  // namespace

extern const raster::ColorWriteFn kWriteAny;
const raster::ColorWriteFn kWriteAny = write_any;

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tessera::raster {
namespace {

ColorWrite::Range range_of(const FormatInfo& info) {
  if (info.field[0].kind == FieldKind::Unorm) return ColorWrite::Range::Unorm;
  if (info.field[0].kind == FieldKind::Snorm) return ColorWrite::Range::Snorm;
  return ColorWrite::Range::Unlimited;
}

float clamp_constant(ColorWrite::Range range, float x) {
  if (range == ColorWrite::Range::Unlimited) return x;
  if (x != x) return 0.0f;
  const float lo = range == ColorWrite::Range::Snorm ? -1.0f : 0.0f;
  return x > lo ? (x < 1.0f ? x : 1.0f) : lo;
}

// Logic operations work on the stored integers; on float and sRGB targets they have no effect.
bool has_logic_op(const FormatInfo& info) {
  const FieldKind kind = info.field[0].kind;
  return info.space == ColorSpace::Linear && kind != FieldKind::Float;
}

// Unorm channels of up to 16 bits are dithered; sRGB-encoded ones are not.
void choose_dither(const BlendState& state, const FormatInfo& info, ColorWrite& w) {
  w.dithers = false;
  for (uint32_t c = 0; c < 4; ++c) {
    w.dither_most[c] = 0;
    const auto from = static_cast<uint32_t>(info.swizzle[c]);
    if (!state.dither || info.space != ColorSpace::Linear || from >= 4) continue;
    const FormatField& field = info.field[from];
    if (field.kind == FieldKind::Unorm && field.bits <= 16)
      w.dither_most[c] = static_cast<float>((1u << field.bits) - 1u);
    w.dithers = w.dithers || w.dither_most[c] != 0;
  }
}

uint32_t full_bits(uint32_t texel_bytes, uint32_t word) { return 4 * word < texel_bytes ? ~0u : 0u; }

// Packs a uniform colour once, where the kernel that fills with it will do.
void prepare_uniform(ColorWrite& w, SimdTarget simd) {
  w.reads_source = true;
  if (!w.source_is_uniform || w.blend.enabled || w.logic_op_enabled || w.dithers || w.texel_bytes != 4) return;
  const bool is_integer = format_info(w.format).is_pure_integer();
  Texel texel;
  for (int c = 0; c < 4; ++c) {
    const float value = w.clamp_color && !is_integer ? scalar::saturate(w.uniform[c]) : w.uniform[c];
    const bool keeps_bits = is_integer || w.range != ColorWrite::Range::Unlimited;
    texel.word[c] = scalar::bits_of(keeps_bits ? value : scalar::canonical(value));
  }
  pack_texel(w.format, texel, w.uniform_texel);
  w.write = uniform_write(simd);
  w.reads_source = false;
}

// Bits [first, end) of a texel.
void set_bits(uint32_t first, uint32_t end, uint32_t* words) {
  for (uint32_t word = first / 32; 32 * word < end; ++word) {
    const uint32_t lo = first > 32 * word ? first - 32 * word : 0, hi = end - 32 * word;
    words[word] |= (hi >= 32 ? ~0u : (1u << hi) - 1u) & ~((1u << lo) - 1u);
  }
}

}  // namespace

void channel_bits(Format format, uint8_t color_mask, uint32_t bits[kTexelWords]) {
  const FormatInfo& info = format_info(format);
  for (uint32_t word = 0; word < kTexelWords; ++word) bits[word] = 0;
  for (uint32_t field = 0; field < 4; ++field) {
    // The first channel that shows a field is the one that writes it.
    uint32_t channel = 0;
    while (channel < 4 && static_cast<uint32_t>(info.swizzle[channel]) != field) ++channel;
    if (channel < 4 && (color_mask >> channel & 1))
      set_bits(info.field[field].shift, uint32_t{info.field[field].shift} + info.field[field].bits, bits);
  }
}

void choose_color_write(const BlendState& state, uint32_t target, Format format, const float blend_color[4],
                        bool clamp_color, SimdTarget simd, ColorWrite& w) {
  const FormatInfo& info = format_info(format);
  w.format = format;
  w.texel_bytes = info.block_bytes;
  w.blend = state.of(target);
  w.advanced = state.advanced;
  w.range = range_of(info);
  w.clamp_color = clamp_color;
  w.logic_op_enabled = state.logic_op_enabled && has_logic_op(info);
  w.logic_op = state.logic_op;
  if (info.is_pure_integer() || w.logic_op_enabled) w.blend.enabled = false;
  choose_dither(state, info, w);
  for (int c = 0; c < 4; ++c) w.constant[c] = clamp_constant(w.range, blend_color[c]);

  channel_bits(format, w.blend.color_mask, w.write_bits);
  w.overwrites = !w.blend.enabled && !w.logic_op_enabled;
  for (uint32_t i = 0; i < kTexelWords; ++i)
    w.overwrites = w.overwrites && w.write_bits[i] == full_bits(w.texel_bytes, i);

  w.write = find_un8_write(w, simd);
  if (!w.write) w.write = TESSERA_DISPATCH(kWriteAny, simd);
  prepare_uniform(w, simd);
}

}  // namespace tessera::raster
#endif
