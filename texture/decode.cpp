#include "texture/decode.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "texture/decode.cpp"
#include "hwy/foreach_target.h"

#include "core/simd.h"
#include "texture/texels.h"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {
namespace tex {

using ::tessera::texture::BoundTexture;
using ::tessera::texture::DecodeFn;
using ::tessera::texture::DecodeKind;

// Every decoder stores its texels' words one after the other, a vector each.
template <class Texels>
void decode_with(const BoundTexture& texture, const uint8_t* texels, const uint32_t* index, float* out) {
  const Color color = Texels::color(texture, texels, load(index));
  for (size_t n = 0; n < 4; ++n) store(color.word[n], out + n * kLanes);
}

// Everything that no vector code decodes, texel by texel.
void decode_any(const BoundTexture& texture, const uint8_t* texels, const uint32_t* index, float* out) {
  for (size_t lane = 0; lane < kLanes; ++lane) {
    const Texel texel = unpack_texel(texture.view.format, texels + size_t{index[lane]} * texture.format->block_bytes);
    for (size_t n = 0; n < 4; ++n) std::memcpy(out + n * kLanes + lane, texel.word + n, 4);
  }
}

DecodeFn decode_function(DecodeKind kind) {
  switch (kind) {
    case DecodeKind::Words1: return decode_with<WordTexels<1>>;
    case DecodeKind::Words2: return decode_with<WordTexels<2>>;
    case DecodeKind::Words4: return decode_with<WordTexels<4>>;
    case DecodeKind::Halves2: return decode_with<HalfTexels<2>>;
    case DecodeKind::Halves4: return decode_with<HalfTexels<4>>;
    case DecodeKind::Srgb4: return decode_with<SrgbTexels>;
    case DecodeKind::SharedExponent: return decode_with<SharedExponentTexels>;
    case DecodeKind::Fields: return decode_with<FieldTexels>;
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

// The number of fields where each has `bits` bits and stands at a multiple of them; else 0.
uint32_t fields_of(const FormatInfo& format, uint32_t bits) {
  uint32_t count = 0;
  for (const FormatField& field : format.field) {
    if (field.kind == FieldKind::None) break;
    if (field.bits != bits || field.shift != count * bits) return 0;
    ++count;
  }
  return count * bits == format.block_bytes * 8u ? count : 0;
}

bool is_word(const FormatField& field) {
  return field.kind == FieldKind::Float || field.kind == FieldKind::Uint || field.kind == FieldKind::Sint;
}

// What field_value of texels.h can read: fields of whole bytes, or any in a texel of up to four bytes.
bool can_read_as_field(const FormatInfo& format, const FormatField& field) {
  if (field.kind == FieldKind::None) return true;
  const bool whole_bytes = field.shift % 8 == 0 && (field.bits == 8 || field.bits == 16 || field.bits == 32);
  const bool small_texel = format.block_bytes == 1 || format.block_bytes == 2 || format.block_bytes == 4;
  if (field.kind == FieldKind::Float) return field.bits <= 32 && (whole_bytes || small_texel);
  return (whole_bytes || small_texel) &&
         (field.bits <= 24 || field.kind == FieldKind::Uint || field.kind == FieldKind::Sint);
}

// 8-bit sRGB colours with alpha, or without use, in the last byte.
bool is_srgb4(const FormatInfo& format) {
  if (format.space != ColorSpace::Srgb || format.block_bytes != 4) return false;
  for (uint32_t n = 0; n < 4; ++n) {
    const FormatField& field = format.field[n];
    if (field.kind != FieldKind::None && (field.kind != FieldKind::Unorm || field.bits != 8 || field.shift != 8 * n))
      return false;
  }
  return format.swizzle[3] == Swizzle::W || format.swizzle[3] == Swizzle::One;
}

DecodeKind kind_for(const FormatInfo& format) {
  const uint32_t words = fields_of(format, 32), halves = fields_of(format, 16);
  if (is_word(format.field[0])) {
    if (words == 1) return DecodeKind::Words1;
    if (words == 2) return DecodeKind::Words2;
    if (words == 4) return DecodeKind::Words4;
  }
  if (format.field[0].kind == FieldKind::Float && halves == 2) return DecodeKind::Halves2;
  if (format.field[0].kind == FieldKind::Float && halves == 4) return DecodeKind::Halves4;
  if (format.field[0].kind == FieldKind::SharedExp) return DecodeKind::SharedExponent;
  if (is_srgb4(format)) return DecodeKind::Srgb4;
  for (const FormatField& field : format.field)
    if (!can_read_as_field(format, field)) return DecodeKind::Any;
  return DecodeKind::Fields;
}

}  // namespace

Decoder choose_decoder(const FormatInfo& format, SimdTarget simd) {
  const DecodeKind kind = kind_for(format);
  return {TESSERA_DISPATCH(tex::decode_function, simd)(kind), kind};
}

}  // namespace tessera::texture
#endif
