#include "tests/unit/raster/slow_pixel.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/scalar.h"
#include "raster/store.h"
#include "tests/unit/raster/slow_advanced.h"

namespace tessera::raster::tests {

std::byte* texel_address(const Surface& surface, int32_t x, int32_t y, uint32_t sample) {
  const LevelLayout& level = surface.storage->level(surface.level);
  return surface.storage->slice(surface.level, surface.first_layer, sample) +
         static_cast<size_t>(y) * level.row_bytes + static_cast<size_t>(x) * format_info(surface.format).block_bytes;
}

Offset sample_offset(uint32_t samples, uint32_t sample) {
  // Vulkan's table of standard sample locations, from the pixel's upper left corner.
  struct Place { double x, y; };
  static constexpr Place k2[] = {{0.75, 0.75}, {0.25, 0.25}};
  static constexpr Place k4[] = {{0.375, 0.125}, {0.875, 0.375}, {0.125, 0.625}, {0.625, 0.875}};
  static constexpr Place k8[] = {{0.5625, 0.3125}, {0.4375, 0.6875}, {0.8125, 0.5625}, {0.3125, 0.1875},
                                 {0.1875, 0.8125}, {0.0625, 0.4375}, {0.6875, 0.9375}, {0.9375, 0.0625}};
  static constexpr Place k16[] = {{0.5625, 0.5625}, {0.4375, 0.3125}, {0.3125, 0.625}, {0.75, 0.4375},
                                  {0.1875, 0.375},  {0.625, 0.8125},  {0.8125, 0.6875}, {0.6875, 0.1875},
                                  {0.375, 0.875},   {0.5, 0.0625},    {0.25, 0.125},   {0.125, 0.75},
                                  {0.0, 0.5},       {0.9375, 0.25},   {0.875, 0.9375}, {0.0625, 0.0}};
  if (samples == 1) return {};
  const Place place = (samples == 2 ? k2 : samples == 4 ? k4 : samples == 8 ? k8 : k16)[sample];
  return {static_cast<int32_t>(place.x * 256) - 128, static_cast<int32_t>(place.y * 256) - 128};
}

Sample sample_of(const SetupTriangle& t, int32_t x, int32_t y, Offset offset) {
  const float dx = static_cast<float>(x * 256 + 128 + offset.x_fx8 - t.x0_fx8) / 256.0f,
              dy = static_cast<float>(y * 256 + 128 + offset.y_fx8 - t.y0_fx8) / 256.0f;
  Sample s;
  s.lambda1 = std::fma(dy, t.l1_dy, dx * t.l1_dx);
  s.lambda2 = std::fma(dy, t.l2_dy, dx * t.l2_dx);
  s.z = std::fma(dy, t.z_dy, std::fma(dx, t.z_dx, t.z0));
  s.i = s.lambda1;
  s.j = s.lambda2;
  if (!t.affine) {
    const float r = 1.0f / std::fma(s.lambda2, t.rw[2] - t.rw[0], std::fma(s.lambda1, t.rw[1] - t.rw[0], t.rw[0]));
    s.i = s.lambda1 * t.rw[1] * r;
    s.j = s.lambda2 * t.rw[2] * r;
  }
  return s;
}

float interpolate_slowly(const Chunk& chunk, const SetupTriangle& t, const Sample& s, const FragmentInput& input) {
  if (input.kind != FragmentInput::Kind::Varying) return input.component == 3 ? 1.0f : 0.0f;
  const auto word = [&](uint32_t record) { return chunk.records[size_t{record} * chunk.stride + input.varying]; };
  if (input.interpolation == ir::Interpolation::Constant) return word(t.provoking);
  const bool linear = input.interpolation == ir::Interpolation::Linear;
  const float i = linear ? s.lambda1 : s.i, j = linear ? s.lambda2 : s.j, a0 = word(t.vertex[0]);
  return std::fma(j, word(t.vertex[2]) - a0, std::fma(i, word(t.vertex[1]) - a0, a0));
}

bool compare_slowly(Compare func, double a, double b) {
  switch (func) {
    case Compare::Never: return false;
    case Compare::Less: return a < b;
    case Compare::Equal: return a == b;
    case Compare::Lequal: return a <= b;
    case Compare::Greater: return a > b;
    case Compare::NotEqual: return a != b;
    case Compare::Gequal: return a >= b;
    case Compare::Always: break;
  }
  return true;
}

namespace {

uint8_t stencil_slowly(StencilOp op, uint8_t value, uint8_t ref) {
  switch (op) {
    case StencilOp::Keep: return value;
    case StencilOp::Zero: return 0;
    case StencilOp::Replace: return ref;
    case StencilOp::Incr: return value == 255 ? value : static_cast<uint8_t>(value + 1);
    case StencilOp::Decr: return value == 0 ? value : static_cast<uint8_t>(value - 1);
    case StencilOp::IncrWrap: return static_cast<uint8_t>(value + 1);
    case StencilOp::DecrWrap: return static_cast<uint8_t>(value - 1);
    case StencilOp::Invert: return static_cast<uint8_t>(~value);
  }
  return value;
}

}  // namespace

// The stored depth against the bounds: a unorm one is k / (2^n - 1), both sides multiplied out in 128 bits.
bool inside_depth_bounds_slowly(const DepthStencilAlphaState& state, Format format, const std::byte* texel) {
  __extension__ typedef __int128 Int128;
  const float bounds[2] = {state.depth_bounds_min, state.depth_bounds_max};
  const FormatInfo& info = format_info(format);
  const FormatField& field = info.field[static_cast<size_t>(info.swizzle[0])];
  if (field.kind == FieldKind::Float) {
    const float depth = unpack_depth(format, texel);
    return bounds[0] <= depth && depth <= bounds[1];
  }
  uint32_t word = 0;
  std::memcpy(&word, texel, std::min<size_t>(4, info.block_bytes));
  const Int128 most = (Int128{1} << field.bits) - 1, key = (word >> field.shift) & static_cast<uint32_t>(most);
  // A bound as a whole multiple of 2^-80, cut off below.
  const auto scaled = [](float x) { return static_cast<Int128>(std::ldexp(static_cast<double>(x), 60)) << 20; };
  const auto times = [](Int128 a, Int128 b) { return a * b; };
  return times(key, Int128{1} << 80) >= times(scaled(bounds[0]), most) &&
         times(key, Int128{1} << 80) <= times(scaled(bounds[1]), most);
}

bool test_depth_stencil_slowly(const DrawState& draw, bool front, float depth, const uint32_t* stencil_ref,
                               const Surface& surface, int32_t x, int32_t y, uint32_t sample) {
  const DepthStencilAlphaState& state = draw.pipeline->desc.depth_stencil_alpha;
  std::byte* texel = texel_address(surface, x, y, sample);
  depth = depth > draw.depth_min ? depth : draw.depth_min;
  depth = depth < draw.depth_max ? depth : draw.depth_max;
  // The depth that would be stored is what is compared.
  std::byte fresh[8];
  std::memcpy(fresh, texel, format_info(surface.format).block_bytes);
  const bool has_depth = format_has_depth(surface.format);
  if (has_depth && state.depth_bounds_test && !inside_depth_bounds_slowly(state, surface.format, texel)) return false;
  if (has_depth) pack_depth(surface.format, depth, fresh);
  const bool depth_pass = !state.depth_test || !has_depth ||
                          compare_slowly(state.depth_func, static_cast<double>(unpack_depth(surface.format, fresh)),
                                         static_cast<double>(unpack_depth(surface.format, texel)));
  bool stencil_pass = true;
  if (state.stencil[0].enabled && format_has_stencil(surface.format)) {
    const int side = front || !state.stencil[1].enabled ? 0 : 1;
    const StencilFace& face = state.stencil[side];
    const uint8_t ref = stencil_ref ? static_cast<uint8_t>(*stencil_ref) : draw.stencil_ref[side], old = unpack_stencil(surface.format, texel);
    stencil_pass = compare_slowly(face.func, ref & face.value_mask, old & face.value_mask);
    const StencilOp op = !stencil_pass ? face.fail : depth_pass ? face.depth_pass : face.depth_fail;
    const uint8_t next = stencil_slowly(op, old, ref);
    pack_stencil(surface.format, static_cast<uint8_t>((next & face.write_mask) | (old & ~face.write_mask)), texel);
  }
  if (!stencil_pass || !depth_pass) return false;
  if (state.depth_test && state.depth_write && has_depth) pack_depth(surface.format, depth, texel);
  return true;
}

namespace {

float factor_slowly(BlendFactor factor, int channel, const float s[4], const float s1[4], const float d[4],
                    const float constant[4]) {
  switch (factor) {
    case BlendFactor::Zero: return 0;
    case BlendFactor::One: return 1;
    case BlendFactor::SrcColor: return s[channel];
    case BlendFactor::InvSrcColor: return 1 - s[channel];
    case BlendFactor::SrcAlpha: return s[3];
    case BlendFactor::InvSrcAlpha: return 1 - s[3];
    case BlendFactor::DstColor: return d[channel];
    case BlendFactor::InvDstColor: return 1 - d[channel];
    case BlendFactor::DstAlpha: return d[3];
    case BlendFactor::InvDstAlpha: return 1 - d[3];
    case BlendFactor::ConstColor: return constant[channel];
    case BlendFactor::InvConstColor: return 1 - constant[channel];
    case BlendFactor::ConstAlpha: return constant[3];
    case BlendFactor::InvConstAlpha: return 1 - constant[3];
    case BlendFactor::SrcAlphaSaturate: return channel == 3 ? 1.0f : scalar::min(s[3], 1 - d[3]);
    case BlendFactor::Src1Color: return s1[channel];
    case BlendFactor::InvSrc1Color: return 1 - s1[channel];
    case BlendFactor::Src1Alpha: return s1[3];
    case BlendFactor::InvSrc1Alpha: return 1 - s1[3];
  }
  return 0;
}

float clamp_to(Format format, float x) {
  const FieldKind kind = format_info(format).field[0].kind;
  if (kind == FieldKind::Unorm) return scalar::saturate(x);
  if (kind == FieldKind::Snorm) return x != x ? 0.0f : x < -1 ? -1.0f : x > 1 ? 1.0f : x;
  return x;
}

}  // namespace

float blend_slowly(const TargetBlend& b, int channel, const float s[4], const float s1[4], const float d[4],
                   const float constant[4]) {
  const bool rgb = channel < 3;
  const float sf = factor_slowly(rgb ? b.rgb_src : b.alpha_src, channel, s, s1, d, constant);
  const float df = factor_slowly(rgb ? b.rgb_dst : b.alpha_dst, channel, s, s1, d, constant);
  const float a = s[channel], old = d[channel];
  switch (rgb ? b.rgb_equation : b.alpha_equation) {
    case BlendEquation::Add: return std::fma(old, df, a * sf);
    case BlendEquation::Subtract: return std::fma(-old, df, a * sf);
    case BlendEquation::ReverseSubtract: return std::fma(old, df, -(a * sf));
    case BlendEquation::Min: return scalar::min(a, old);
    case BlendEquation::Max: return scalar::max(a, old);
  }
  return 0;
}

void merge_channels_slowly(Format format, uint8_t color_mask, const std::byte* fresh, std::byte* texel) {
  const FormatInfo& info = format_info(format);
  for (uint32_t f = 0; f < 4; ++f) {
    int channel = 0;
    while (channel < 4 && static_cast<uint32_t>(info.swizzle[channel]) != f) ++channel;
    if (channel == 4 || !(color_mask >> channel & 1)) continue;
    for (uint32_t bit = info.field[f].shift; bit < uint32_t{info.field[f].shift} + info.field[f].bits; ++bit) {
      const auto one = static_cast<std::byte>(1u << bit % 8);
      texel[bit / 8] = (texel[bit / 8] & ~one) | (fresh[bit / 8] & one);
    }
  }
}

namespace {

// One of the two codes around x, by the pixel's place in the ordered matrix of raster/dither_simd-inl.h.
float dither_slowly(const FormatInfo& info, int channel, float x, int32_t pixel_x, int32_t pixel_y) {
  const auto from = static_cast<uint32_t>(info.swizzle[channel]);
  if (info.space != ColorSpace::Linear || from >= 4 || info.field[from].kind != FieldKind::Unorm) return x;
  if (info.field[from].bits > 16) return x;
  constexpr float kMatrix[16] = {0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5};
  const float most = static_cast<float>((1u << info.field[from].bits) - 1);
  const float threshold = (2 * kMatrix[4 * (pixel_y % 4) + pixel_x % 4] + 1) / 32;
  return std::min(std::floor(scalar::saturate(x) * most + threshold), most) / most;
}

}  // namespace

void write_color_slowly(const DrawState& draw, uint32_t target, const float source[4], const float source1[4],
                        std::byte* texel, int32_t pixel_x, int32_t pixel_y) {
  const PipelineDesc& desc = draw.pipeline->desc;
  const Format format = desc.color_formats[target];
  const FormatInfo& info = format_info(format);
  const TargetBlend& blend = desc.blend.of(target);
  float s[4], s1[4], d[4], constant[4];
  const Texel old = unpack_texel(format, texel);
  for (int c = 0; c < 4; ++c) {
    s[c] = info.is_pure_integer() ? source[c] : clamp_to(format, source[c]);
    s1[c] = clamp_to(format, source1[c]);
    d[c] = scalar::float_of(old.word[c]);
    constant[c] = clamp_to(format, draw.blend_color[c]);
  }
  const bool is_float = info.field[0].kind == FieldKind::Float;
  const bool logic = desc.blend.logic_op_enabled && info.space == ColorSpace::Linear && !is_float;
  Texel fresh;
  float advanced[4];
  const bool is_blended = blend.enabled && !info.is_pure_integer() && !logic;
  if (desc.blend.advanced != AdvancedEquation::None) blend_advanced_slowly(desc.blend.advanced, s, d, advanced);
  for (int c = 0; c < 4; ++c) {
    float x = s[c];
    if (is_blended && desc.blend.advanced != AdvancedEquation::None) x = advanced[c];
    else if (is_blended) x = blend_slowly(blend, c, s, s1, d, constant);
    if (desc.blend.dither) x = dither_slowly(info, c, x, pixel_x, pixel_y);
    fresh.word[c] = scalar::bits_of(is_float ? scalar::canonical(x) : x);
  }
  std::byte packed[kMaxTexelBytes], before[kMaxTexelBytes];
  std::memcpy(before, texel, info.block_bytes);
  pack_texel(format, fresh, packed);
  const auto table = static_cast<uint32_t>(desc.blend.logic_op);
  for (uint32_t bit = 0; bit < 8u * info.block_bytes && logic; ++bit) {
    const uint32_t sb = static_cast<uint32_t>(packed[bit / 8]) >> bit % 8 & 1,
                   db = static_cast<uint32_t>(before[bit / 8]) >> bit % 8 & 1;
    const auto one = static_cast<std::byte>(1u << bit % 8);
    packed[bit / 8] = (table >> (2 * sb + db) & 1) ? packed[bit / 8] | one : packed[bit / 8] & ~one;
  }
  merge_channels_slowly(format, blend.color_mask, packed, texel);
}

}  // namespace tessera::raster::tests
