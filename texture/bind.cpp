#include <algorithm>
#include <bit>

#include "texture/block_codec.h"
#include "texture/bound.h"
#include "texture/constants.h"
#include "texture/decode.h"
#include "texture/decompress.h"
#include "texture/kind.h"
#include "texture/sample.h"
#include "texture/texel_count.h"

namespace tessera::texture {

const FilterConstants kFilterConstants;

namespace {

// ---- what is sampled --------------------------------------------------------------------------------------------

void bind_size(Axis& axis, uint32_t size) {
  axis.size_texels = static_cast<int32_t>(size);
  axis.last_texel = axis.size_texels - 1;
}

void bind_levels(BoundTexture& t) {
  const View& view = t.view;
  const Storage& storage = view.decoded ? view.decoded->texels : *view.storage;
  const bool of_buffer = view.kind == ResourceKind::Buffer;
  t.level_count = view.last_level - view.first_level + 1;
  for (uint32_t i = 0; i < t.level_count; ++i) {
    const LevelLayout& layout = storage.level(view.first_level + i);
    const uint32_t first_slice = of_buffer || view.kind == ResourceKind::Tex3D ? 0 : view.first_layer;
    LevelImage& level = t.levels[i];
    level.texels = reinterpret_cast<const uint8_t*>(storage.slice(view.first_level + i, first_slice));
    if (of_buffer) level.texels += size_t{view.first_layer} * t.format->block_bytes;
    const uint32_t elements = view.last_layer - view.first_layer + 1;
    const uint32_t size[3] = {of_buffer ? elements : layout.width, t.dimensions > 1 ? layout.height : 1,
                              t.dimensions > 2 ? layout.depth : 1};
    for (uint32_t d = 0; d < 3; ++d) bind_size(level.axis[d], size[d]);
    level.row_texels = size[0];
    level.sample_texels = size[0] * size[1];
    level.slice_texels = level.sample_texels * t.sample_count;
  }
}

// A decoded copy lacks its texels before its byte `cold_bytes`: the first ones of level 0, or more levels than that.
void bind_cold(BoundTexture& t, const FormatInfo& blocks) {
  const View& view = t.view;
  const uint32_t first_slice = view.kind == ResourceKind::Tex3D ? 0 : view.first_layer;
  t.cold.reserve(t.level_count);   // levels point into it
  for (uint32_t i = 0; i < t.level_count; ++i) {
    const uint32_t number = view.first_level + i;
    const LevelLayout &layout = view.storage->level(number), &texels = view.decoded->texels.level(number);
    const size_t start = texels.offset_bytes + first_slice * texels.slice_bytes,
                 end = texels.offset_bytes + texels.slices * texels.slice_bytes, cold_end = view.decoded->cold_bytes;
    if (cold_end <= start) return;
    const auto* first = reinterpret_cast<const uint8_t*>(view.storage->slice(number, first_slice));
    t.levels[i].cold = &t.cold.emplace_back(ColdBlocks{&blocks, first, layout.row_bytes, layout.slice_bytes, number,
                                                       first_slice, cold_end >= end, view.decoded->number});
    t.levels[i].cold_texels = static_cast<uint32_t>((std::min(cold_end, end) - start) / t.format->block_bytes);
  }
}

// A compressed image is sampled through its decoded copy, as a view of that copy's format.
void bind_blocks(BoundTexture& t) {
  const FormatInfo& format = format_info(t.view.format);
  if (!format.is_compressed) {
    t.view.decoded = nullptr;
    return;
  }
  if (!t.view.decoded) t.view.decoded = decompress(*t.view.storage, t.view.format);
  t.view.format = format.decoded;
  const ValueRange range = block_codec(format.codec).range;
  if (range == ValueRange::AsDecoded) return;
  const float least = range == ValueRange::ZeroToOne ? 0.0f : -1.0f;
  for (uint32_t& word : t.sampler.border) {
    const float value = std::bit_cast<float>(word);
    word = std::bit_cast<uint32_t>(value > least ? std::min(value, 1.0f) : least);
  }
}

// Up to four unorm fields, each a byte of the texel.
bool is_bytes(const FormatInfo& format) {
  if (format.space != ColorSpace::Linear ||
      (format.block_bytes != 1 && format.block_bytes != 2 && format.block_bytes != 4))
    return false;
  return std::all_of(std::begin(format.field), std::end(format.field), [](const FormatField& f) {
    return f.kind == FieldKind::None || (f.kind == FieldKind::Unorm && f.bits == 8 && f.shift % 8 == 0);
  });
}

TexelClass bytes_class(uint32_t bytes) {
  return bytes == 1 ? TexelClass::Bytes1 : bytes == 2 ? TexelClass::Bytes2 : TexelClass::Bytes4;
}

bool is_bytes_class(TexelClass c) { return c <= TexelClass::Bytes4; }

TexelClass float_class(DecodeKind kind) {
  switch (kind) {
    case DecodeKind::Srgb4: return TexelClass::Srgb4;
    case DecodeKind::Halves4: return TexelClass::Halves4;
    case DecodeKind::Words1: return TexelClass::Word;
    default: return TexelClass::Decoded;
  }
}

// The colour word that holds `source`: a channel of the format (X to W) or a constant.
uint8_t word_of(const BoundTexture& t, Swizzle source, bool words_are_channels) {
  if (source >= Swizzle::Zero) return static_cast<uint8_t>(source);
  if (words_are_channels) return static_cast<uint8_t>(source);
  const Swizzle field = t.format->swizzle[static_cast<uint32_t>(source)];
  if (field >= Swizzle::Zero || !is_bytes_class(t.texel_class)) return static_cast<uint8_t>(field);
  return t.format->field[static_cast<uint32_t>(field)].shift / 8;
}

// The bits of the nearest value that the field can hold.
uint32_t integer_in_range(const FormatField& field, uint32_t bits) {
  if (field.bits == 32) return bits;
  if (field.kind == FieldKind::Uint) return std::min(bits, (1u << field.bits) - 1);
  const int32_t most = (1 << (field.bits - 1)) - 1;
  return static_cast<uint32_t>(std::clamp(static_cast<int32_t>(bits), -most - 1, most));
}

float border_in_range(const FormatInfo& format, const FormatField& field, uint32_t bits) {
  if (field.kind == FieldKind::Uint || field.kind == FieldKind::Sint)
    return std::bit_cast<float>(integer_in_range(field, bits));
  const float value = std::bit_cast<float>(bits);
  if (field.kind == FieldKind::Unorm || format.space == ColorSpace::Srgb)
    return value > 0 ? std::min(value, 1.0f) : 0.0f;
  if (field.kind == FieldKind::Snorm) return value > -1 ? std::min(value, 1.0f) : -1.0f;
  return value;
}

void bind_format(BoundTexture& t, SimdTarget simd) {
  const FormatInfo& format = *t.format;
  const bool plain = t.sampler.reduction == Reduction::Average && !t.compares;
  t.is_integer = format.is_pure_integer() && !format_has_depth(t.view.format);
  const Decoder decoder = choose_decoder(format, simd);
  t.texel_class = plain && is_bytes(format) ? bytes_class(format.block_bytes) : float_class(decoder.kind);
  const bool channels = t.texel_class == TexelClass::Decoded && decoder.kind == DecodeKind::Any;
  t.decode = decoder.decode;
  for (uint32_t c = 0; c < 4; ++c) {
    const Swizzle seen = t.view.swizzle[c];
    t.select[c] = word_of(t, seen, channels);
    // A comparison gives its result as red, green and blue, and alpha 1.
    t.select_compared[c] = seen < Swizzle::W ? 0 : seen == Swizzle::Zero ? 4 : 5;
  }
  const uint8_t red = word_of(t, Swizzle::X, channels);
  t.compared_word = red < 4 ? red : 0;
  const uint32_t red_field = static_cast<uint32_t>(format.swizzle[0]);
  t.clamps_reference = red_field < 4 && format.field[red_field].kind == FieldKind::Unorm;
  for (uint32_t c = 4; c-- > 0;) {
    const uint8_t word = word_of(t, static_cast<Swizzle>(c), channels);
    const Swizzle field = format.swizzle[c];
    if (word < 4 && field < Swizzle::Zero)
      t.border[word] = border_in_range(format, format.field[static_cast<uint32_t>(field)], t.sampler.border[c]);
    else if (word < 4)
      t.border[word] = field == Swizzle::One ? 1.0f : 0.0f;
  }
}

// ---- how it is sampled ------------------------------------------------------------------------------------------

AxisMode axis_mode(Wrap wrap, int32_t size, bool in_texels) {
  switch (wrap) {
    case Wrap::Repeat:
      return in_texels                                          ? AxisMode::ClampToEdge
             : std::has_single_bit(static_cast<uint32_t>(size)) ? AxisMode::RepeatPow2
                                                                : AxisMode::Repeat;
    case Wrap::Clamp: return AxisMode::Clamp;
    case Wrap::ClampToEdge: return AxisMode::ClampToEdge;
    case Wrap::ClampToBorder: return AxisMode::ClampToBorder;
    case Wrap::MirrorRepeat: return in_texels ? AxisMode::ClampToEdge : AxisMode::MirrorRepeat;
    case Wrap::MirrorClamp: return AxisMode::MirrorClamp;
    case Wrap::MirrorClampToEdge: return AxisMode::MirrorClampToEdge;
    case Wrap::MirrorClampToBorder: return AxisMode::MirrorClampToBorder;
  }
  return AxisMode::ClampToEdge;
}

bool can_reach_border(AxisMode mode) {
  return mode == AxisMode::Clamp || mode == AxisMode::ClampToBorder || mode == AxisMode::MirrorClamp ||
         mode == AxisMode::MirrorClampToBorder;
}

void bind_axes(BoundTexture& t) {
  const Wrap wraps[3] = {t.sampler.wrap_s, t.sampler.wrap_t, t.sampler.wrap_r};
  const bool in_texels = t.sampler.unnormalized || t.view.kind == ResourceKind::Rect;
  constexpr float kFar_texels = 0x1p20f;
  for (uint32_t i = 0; i < t.level_count; ++i)
    for (uint32_t d = 0; d < 3; ++d) {
      Axis& axis = t.levels[i].axis[d];
      const float size = static_cast<float>(axis.size_texels);
      const bool to_edge = t.seamless || d >= t.dimensions;
      axis.mode = to_edge ? AxisMode::ClampToEdge : axis_mode(wraps[d], axis.size_texels, in_texels);
      axis.scale = in_texels ? 1.0f : size;
      axis.scale_fx8 = axis.scale * 256.0f;
      axis.stop_high_texels = axis.mode == AxisMode::Clamp || axis.mode == AxisMode::MirrorClamp ? size : kFar_texels;
      axis.stop_low_texels = axis.mode == AxisMode::Clamp ? 0.0f : -axis.stop_high_texels;
      t.may_border |= can_reach_border(axis.mode);
    }
}

void bind_lod(BoundTexture& t) {
  const Sampler& s = t.sampler;
  const bool filters = !t.is_integer;
  t.min_linear = filters && s.min_filter == Filter::Linear;
  t.mag_linear = filters && s.mag_filter == Filter::Linear;
  t.mip_linear = filters && s.mip_filter == MipFilter::Linear;
  t.last_mip = s.mip_filter == MipFilter::None ? 0 : t.level_count - 1;
  t.lod_bias = s.lod_bias;
  t.min_lod = s.min_lod;
  t.max_lod = s.max_lod;
  // A minified texture must not look sharper than a magnified one: OpenGL's rule for this pair of filters.
  t.d3d9_levels = s.level_rule == LevelRule::Direct3d9;
  const bool switches_late =
      s.mag_filter == Filter::Linear && s.min_filter == Filter::Nearest && s.mip_filter != MipFilter::None;
  t.magnify_limit = switches_late && !t.d3d9_levels ? 0.5f : 0.0f;
  // The limits decide nothing about the filter where lambda counts before them.
  const bool always_magnified = !t.d3d9_levels && s.max_lod <= t.magnify_limit;
  const bool always_minified = !t.d3d9_levels && s.min_lod > t.magnify_limit && s.max_lod > t.magnify_limit;
  const bool one_filter = t.min_linear == t.mag_linear || always_magnified || (always_minified && t.last_mip == 0);
  t.needs_lod = !(one_filter && (t.last_mip == 0 || always_magnified));
  t.max_probes = filters && t.dimensions > 1 && s.reduction == Reduction::Average
                     ? static_cast<float>(std::clamp<int>(s.max_anisotropy, 1, 16))
                     : 1.0f;
  t.needs_lod |= t.max_probes > 1;
  t.fixed_linear = always_magnified ? t.mag_linear : t.min_linear;
}

Shape shape_of(const BoundTexture& t) {
  if (t.seamless && !t.is_array) return Shape::SeamlessCube;
  if (t.dimensions != 2 || t.has_slices) return Shape::Any;
  for (uint32_t i = 0; i < t.level_count; ++i)
    if (t.levels[i].axis[0].mode != AxisMode::RepeatPow2 || t.levels[i].axis[1].mode != AxisMode::RepeatPow2)
      return Shape::Any;
  return Shape::Repeat2D;
}

void sample_null(const BoundTexture&, const SampleArgs& args) {
  for (uint32_t c = 0; c < 4; ++c)
    if (args.out[c]) std::fill_n(args.out[c], kBlockLanes, c == 3 ? 0x3f800000u : 0u);
}

// A thread's own: a counter that threads share would cost more than what it counts.
thread_local uint64_t lanes_read = 0;

void give_zeros(const BoundTexture&, const SampleArgs& args) {
  for (uint32_t* out : args.out)
    if (out) std::fill_n(out, kBlockLanes, 0u);
}

}  // namespace

std::shared_ptr<const BoundTexture> bind_texture(const View& view, const Sampler& sampler, SimdTarget simd) {
  auto t = std::make_shared<BoundTexture>();
  t->sampler = sampler;
  t->sample = t->sample_with_offsets = t->fetch = t->gather = sample_null;
  t->query_lod = give_zeros;
  if (!check_view(view).ok() || !check_sampler(sampler).ok()) return t;
  t->view = view;
  bind_blocks(*t);
  t->format = &format_info(t->view.format);
  const KindFacts& facts = kind_facts(view.kind);
  t->dimensions = facts.dimensions;
  t->is_cube = facts.is_cube;
  t->is_array = facts.is_array;
  t->has_slices = facts.is_cube || facts.is_array;
  t->seamless = facts.is_cube && sampler.seamless_cube;
  t->layer_count = (view.last_layer - view.first_layer + 1) / (facts.is_cube ? 6u : 1u);
  t->sample_count = view.storage->desc().samples;
  t->compares = sampler.compare;
  bind_levels(*t);
  if (t->view.decoded) bind_cold(*t, format_info(view.format));
  bind_format(*t, simd);
  bind_axes(*t);
  bind_lod(*t);
  t->shape = shape_of(*t);
  const bool may_be_cold = t->may_be_cold();
  t->fetch = choose_fetch(t->texel_class, may_be_cold, simd);
  if (view.kind == ResourceKind::Buffer || t->sample_count > 1) return t;   // they are fetched only
  t->sample = choose_sample(t->texel_class, t->shape, may_be_cold, simd);
  t->sample_with_offsets = choose_sample(t->texel_class, Shape::Any, may_be_cold, simd);
  t->gather = choose_gather(t->texel_class, may_be_cold, simd);
  t->query_lod = choose_query_lod(simd);
  return t;
}

uint64_t texels_read() { return lanes_read; }

void sample_block(const void* bound_texture, const SampleArgs& args) {
  const auto& texture = *static_cast<const BoundTexture*>(bound_texture);
  if (args.op->kind < ir::TextureKind::QuerySize) lanes_read += static_cast<uint64_t>(std::popcount(args.exec));
  switch (args.op->kind) {
    case ir::TextureKind::Sample:
    case ir::TextureKind::SampleBias:
    case ir::TextureKind::SampleLod:
    case ir::TextureKind::SampleGrad:
      return (args.op->offset_count == 0 ? texture.sample : texture.sample_with_offsets)(texture, args);
    case ir::TextureKind::Fetch: return texture.fetch(texture, args);
    case ir::TextureKind::Gather: return texture.gather(texture, args);
    case ir::TextureKind::QuerySize: return query_size(texture, args);
    case ir::TextureKind::QueryLod: return texture.query_lod(texture, args);
    case ir::TextureKind::QuerySamples: return query_samples(texture, args);
  }
}

}  // namespace tessera::texture
