#include "texture/decode.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "texture/decode.cpp"
#include "hwy/foreach_target.h"

#include "core/simd.h"
#include "core/srgb.h"
#include "texture/gather.h"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {
namespace tex {

using ::tessera::texture::BoundTexture;
using ::tessera::texture::DecodeFn;
using ::tessera::texture::DecodeKind;

// kCount words of 32 bits, floats or integers, as they are.
template <uint32_t kCount>
void decode_words(const BoundTexture&, const uint8_t* texels, const uint32_t* index, float* out) {
  for (size_t lane = 0; lane < kLanes; ++lane)
    for (uint32_t n = 0; n < kCount; ++n)
      out[n * kLanes + lane] = load_as<float>(texels + (size_t{index[lane]} * kCount + n) * 4);
}

// kCount half floats.
template <uint32_t kCount>
void decode_halves(const BoundTexture&, const uint8_t* texels, const uint32_t* index, float* out) {
  const U32x i = load(index);
  const auto store_two = [out](U32x word, size_t n) HWY_ATTR {
    store(float_from_half(word), out + n * kLanes);
    store(float_from_half(hn::ShiftRight<16>(word)), out + (n + 1) * kLanes);
  };
  if constexpr (kCount == 1) {
    store(float_from_half(gather_elements<2>(texels, i)), out);
  } else if constexpr (kCount == 2) {
    store_two(gather_elements<4>(texels, i), 0);
  } else {
    const WordPair words = gather_pairs<8>(texels, i);
    store_two(words.first, 0);
    store_two(words.second, 2);
  }
}

HWY_INLINE U32x gather_texels(uint32_t bytes, const uint8_t* texels, U32x index) {
  if (bytes == 1) return gather_elements<1>(texels, index);
  return bytes == 2 ? gather_elements<2>(texels, index) : gather_elements<4>(texels, index);
}

// The value of one field of up to 24 bits; integers keep their words.
HWY_INLINE F32x field_value(FormatField field, U32x texel) {
  const uint32_t max = (1u << field.bits) - 1;
  const U32x raw = hn::ShiftRightSame(texel, field.shift) & splat(max);
  const I32x extended = hn::ShiftRightSame(hn::ShiftLeftSame(as_i32(raw), 32 - field.bits), 32 - field.bits);
  switch (field.kind) {
    case FieldKind::Unorm: return from_int(as_i32(raw)) / splat(static_cast<float>(max));
    case FieldKind::Snorm: return hn::Max(from_int(extended) / splat(static_cast<float>(max >> 1)), splat(-1.0f));
    case FieldKind::Uscaled: return from_int(as_i32(raw));
    case FieldKind::Sscaled: return from_int(extended);
    case FieldKind::Uint: return as_f32(raw);
    case FieldKind::Sint: return as_f32(extended);
    default: return splat(0.0f);
  }
}

// Texels of 1, 2 or 4 bytes with fields of any size and kind but floats.
void decode_fields(const BoundTexture& texture, const uint8_t* texels, const uint32_t* index, float* out) {
  const FormatInfo& format = *texture.format;
  const U32x texel = gather_texels(format.block_bytes, texels, load(index));
  for (uint32_t n = 0; n < 4 && format.field[n].kind != FieldKind::None; ++n)
    store(field_value(format.field[n], texel), out + n * kLanes);
}

// 8-bit fields of which red, green and blue are sRGB-encoded.
void decode_srgb(const BoundTexture& texture, const uint8_t* texels, const uint32_t* index, float* out) {
  const FormatInfo& format = *texture.format;
  const U32x texel = gather_texels(format.block_bytes, texels, load(index));
  for (uint32_t n = 0; n < 4 && format.field[n].kind != FieldKind::None; ++n) {
    const bool is_alpha = format.swizzle[3] == static_cast<Swizzle>(n) && format.swizzle[0] != format.swizzle[3];
    const U32x code = hn::ShiftRightSame(texel, format.field[n].shift) & splat(255u);
    const uint8_t* table = reinterpret_cast<const uint8_t*>(kLinearFromSrgb8.data());
    store(is_alpha ? field_value(format.field[n], texel) : as_f32(gather_elements<4>(table, code)), out + n * kLanes);
  }
}

// Everything else, texel by texel.
void decode_any(const BoundTexture& texture, const uint8_t* texels, const uint32_t* index, float* out) {
  for (size_t lane = 0; lane < kLanes; ++lane) {
    const Texel texel = unpack_texel(texture.view.format, texels + size_t{index[lane]} * texture.format->block_bytes);
    for (size_t n = 0; n < 4; ++n) std::memcpy(out + n * kLanes + lane, texel.word + n, 4);
  }
}

DecodeFn decode_function(DecodeKind kind) {
  switch (kind) {
    case DecodeKind::Words1: return decode_words<1>;
    case DecodeKind::Words2: return decode_words<2>;
    case DecodeKind::Words3: return decode_words<3>;
    case DecodeKind::Words4: return decode_words<4>;
    case DecodeKind::Halves1: return decode_halves<1>;
    case DecodeKind::Halves2: return decode_halves<2>;
    case DecodeKind::Halves4: return decode_halves<4>;
    case DecodeKind::Fields: return decode_fields;
    case DecodeKind::Srgb: return decode_srgb;
    case DecodeKind::Any: return decode_any;
  }
  return decode_any;
}

}  // namespace tex
}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tessera::texture {
namespace {

// Every field has `bits` bits and stands at a multiple of them. Gives the number of fields, 0 where it is not so.
uint32_t fields_of(const FormatInfo& format, uint32_t bits) {
  uint32_t count = 0;
  for (const FormatField& field : format.field) {
    if (field.kind == FieldKind::None) break;
    if (field.bits != bits || field.shift != count * bits) return 0;
    ++count;
  }
  return count * bits == format.block_bytes * 8u ? count : 0;
}

bool is_float(const FormatField& field) { return field.kind == FieldKind::Float; }
bool is_word(const FormatField& field) { return is_float(field) || field.kind == FieldKind::Uint || field.kind == FieldKind::Sint; }

bool fields_are_simple(const FormatInfo& format) {
  for (const FormatField& field : format.field)
    if (is_float(field) || field.kind == FieldKind::SharedExp || field.bits > 24) return false;
  return format.block_bytes == 1 || format.block_bytes == 2 || format.block_bytes == 4;
}

DecodeKind kind_for(const FormatInfo& format) {
  const uint32_t words = fields_of(format, 32), halves = fields_of(format, 16);
  if (words > 0 && is_word(format.field[0])) return static_cast<DecodeKind>(static_cast<uint32_t>(DecodeKind::Words1) + words - 1);
  if (halves > 0 && is_float(format.field[0])) {
    constexpr DecodeKind kHalves[] = {DecodeKind::Halves1, DecodeKind::Halves2, DecodeKind::Any, DecodeKind::Halves4};
    return kHalves[halves - 1];
  }
  if (fields_are_simple(format)) return format.space == ColorSpace::Srgb ? DecodeKind::Srgb : DecodeKind::Fields;
  return DecodeKind::Any;
}

}  // namespace

Decoder choose_decoder(const FormatInfo& format, SimdTarget simd) {
  const DecodeKind kind = kind_for(format);
  return {TESSERA_DISPATCH(tex::decode_function, simd)(kind), kind == DecodeKind::Any};
}

}  // namespace tessera::texture
#endif
