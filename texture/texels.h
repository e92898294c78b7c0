// texture/texels.h: a vector of texels of one format -> the words of their colours. One type for each way of decoding, with
//     static Color color(const BoundTexture& texture, const uint8_t* texels, U32x index);
// The values are core's unpack_texel to the bit. Words follow the format's fields, or, for ByteTexels, its bytes.
// Include per target, as core/simd.h.
#if defined(TESSERA_TEXTURE_TEXELS_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_TEXTURE_TEXELS_H_
#undef TESSERA_TEXTURE_TEXELS_H_
#else
#define TESSERA_TEXTURE_TEXELS_H_
#endif

#include "core/simd.h"
#include "core/srgb.h"
#include "texture/coordinates.h"
#include "texture/gather.h"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {
namespace tex {

// ---- up to four 8-bit unorm fields ------------------------------------------------------------------------------

// k / 255 for the four bytes k of each word. 3 * k times the float nearest 1 / 765 is correctly rounded for every k;
// k times the float nearest 1 / 255 is not.
HWY_INLINE Color color_of_bytes(U32x texel) {
  const F32x scale = splat(0x1.56ac02p-10f);
  const I16x even = hn::BitCast(i16, texel & splat(0x00ff00ffu)),
             odd = hn::BitCast(i16, hn::ShiftRight<8>(hn::BitCast(u16, texel)));
  const I16x low = hn::BitCast(i16, splat(3)), high = hn::BitCast(i16, splat(3 << 16));
  return {{from_int(multiply_pairs(even, low)) * scale, from_int(multiply_pairs(odd, low)) * scale,
           from_int(multiply_pairs(even, high)) * scale, from_int(multiply_pairs(odd, high)) * scale}};
}

template <uint32_t kBytes>
struct ByteTexels {
  static HWY_INLINE Color color(const BoundTexture&, const uint8_t* texels, U32x index) {
    return color_of_bytes(gather_elements<kBytes>(texels, index));
  }
};

// ---- 32-bit words, half floats ----------------------------------------------------------------------------------

// kCount floats or integers as they are.
template <uint32_t kCount>
struct WordTexels {
  static HWY_INLINE Color color(const BoundTexture&, const uint8_t* texels, U32x index) {
    const F32x zero = splat(0.0f);
    if constexpr (kCount == 1) {
      return {{as_f32(gather_elements<4>(texels, index)), zero, zero, zero}};
    } else {
      const WordPair low = gather_pairs<4 * kCount>(texels, index);
      if constexpr (kCount == 2) return {{as_f32(low.first), as_f32(low.second), zero, zero}};
      const WordPair high = gather_pairs<4 * kCount>(texels + 8, index);
      return {{as_f32(low.first), as_f32(low.second), as_f32(high.first), as_f32(high.second)}};
    }
  }
};

template <uint32_t kCount>
struct HalfTexels {
  static HWY_INLINE Color color(const BoundTexture&, const uint8_t* texels, U32x index) {
    if constexpr (kCount == 2) {
      const U32x word = gather_elements<4>(texels, index);
      return {{float_from_half(word), float_from_half(hn::ShiftRight<16>(word)), splat(0.0f), splat(0.0f)}};
    } else {
      const WordPair words = gather_pairs<8>(texels, index);
      return {{float_from_half(words.first), float_from_half(hn::ShiftRight<16>(words.first)),
               float_from_half(words.second), float_from_half(hn::ShiftRight<16>(words.second))}};
    }
  }
};

// ---- sRGB -------------------------------------------------------------------------------------------------------

HWY_INLINE F32x linear_from_srgb(U32x code) {
  return as_f32(gather_elements<4>(reinterpret_cast<const uint8_t*>(kLinearFromSrgb8.data()), code));
}

// Three sRGB-encoded bytes and a linear one.
struct SrgbTexels {
  static HWY_INLINE Color color(const BoundTexture&, const uint8_t* texels, U32x index) {
    const U32x texel = gather_elements<4>(texels, index), byte = splat(255u);
    return {{linear_from_srgb(texel & byte), linear_from_srgb(hn::ShiftRight<8>(texel) & byte),
             linear_from_srgb(hn::ShiftRight<16>(texel) & byte),
             from_int(as_i32(hn::ShiftRight<24>(texel) * splat(3u))) * splat(0x1.56ac02p-10f)}};
  }
};

// ---- any fields of up to 32 bits --------------------------------------------------------------------------------

// Three mantissas of nine bits and an exponent: mantissa * 2^(exponent - 24).
struct SharedExponentTexels {
  static HWY_INLINE Color color(const BoundTexture&, const uint8_t* texels, U32x index) {
    const U32x texel = gather_elements<4>(texels, index), mantissa = splat(511u);
    const F32x scale = as_f32(hn::ShiftLeft<23>(hn::ShiftRight<27>(texel) + splat(127u - 24)));
    return {{from_int(as_i32(texel & mantissa)) * scale, from_int(as_i32(hn::ShiftRight<9>(texel) & mantissa)) * scale,
             from_int(as_i32(hn::ShiftRight<18>(texel) & mantissa)) * scale, splat(0.0f)}};
  }
};

// A field of 8, 16 or 32 bits that starts at a byte; what lies above it is 0.
HWY_INLINE U32x gather_field(const FormatInfo& format, FormatField field, const uint8_t* texels, U32x index) {
  const uint8_t* first = texels + field.shift / 8;
  const U32x offset = index * splat(uint32_t{format.block_bytes});
  if (field.bits == 8) return gather_at<1>(first, offset);
  return field.bits == 16 ? gather_at<2>(first, offset) : gather_at<4>(first, offset);
}

HWY_INLINE U32x gather_small_texel(uint32_t bytes, const uint8_t* texels, U32x index) {
  if (bytes == 1) return gather_elements<1>(texels, index);
  return bytes == 2 ? gather_elements<2>(texels, index) : gather_elements<4>(texels, index);
}

HWY_INLINE U32x field_of_small_texel(FormatField field, U32x texel) {
  const uint32_t mask = field.bits == 32 ? ~0u : (1u << field.bits) - 1;
  return hn::ShiftRightSame(texel, field.shift) & splat(mask);
}

HWY_INLINE F32x field_float(uint32_t bits, U32x raw) {
  if (bits == 32) return as_f32(raw);
  // Floats of 11 and 10 bits are halves without a sign and with shorter mantissas.
  return float_from_half(bits == 16 ? raw : bits == 11 ? hn::ShiftLeft<4>(raw) : hn::ShiftLeft<5>(raw));
}

// The value of a field; integers keep their words.
HWY_INLINE F32x field_value(FormatField field, U32x raw) {
  const int unused = 32 - field.bits;
  const I32x extended = hn::ShiftRightSame(hn::ShiftLeftSame(as_i32(raw), unused), unused);
  const uint32_t max = field.bits == 32 ? ~0u : (1u << field.bits) - 1;
  switch (field.kind) {
    case FieldKind::Unorm: return from_int(as_i32(raw)) / splat(static_cast<float>(max));
    case FieldKind::Snorm: return hn::Max(from_int(extended) / splat(static_cast<float>(max >> 1)), splat(-1.0f));
    case FieldKind::Uscaled: return from_int(as_i32(raw));
    case FieldKind::Sscaled: return from_int(extended);
    case FieldKind::Uint: return as_f32(raw);
    case FieldKind::Sint: return as_f32(extended);
    case FieldKind::Float: return field_float(field.bits, raw);
    default: return splat(0.0f);
  }
}

struct FieldTexels {
  static HWY_INLINE Color color(const BoundTexture& texture, const uint8_t* texels, U32x index) {
    const FormatInfo& format = *texture.format;
    const bool is_small = format.block_bytes <= 4 && format.block_bytes != 3;
    const U32x texel = is_small ? gather_small_texel(format.block_bytes, texels, index) : splat(0u);
    Color color{{splat(0.0f), splat(0.0f), splat(0.0f), splat(0.0f)}};
    for (uint32_t n = 0; n < 4 && format.field[n].kind != FieldKind::None; ++n) {
      const U32x raw = is_small ? field_of_small_texel(format.field[n], texel)
                                : gather_field(format, format.field[n], texels, index);
      const bool is_encoded = format.space == ColorSpace::Srgb && format.swizzle[3] != static_cast<Swizzle>(n);
      color.word[n] = is_encoded ? linear_from_srgb(raw) : field_value(format.field[n], raw);
    }
    return color;
  }
};

// ---- through the texture's decoder ------------------------------------------------------------------------------

struct DecodedTexels {
  static HWY_INLINE Color color(const BoundTexture& texture, const uint8_t* texels, U32x index) {
    const Indices indices(index);
    alignas(32) float words[4 * kLanes];
    texture.decode(texture, texels, indices.lane, words);
    return {{load(words), load(words + kLanes), load(words + 2 * kLanes), load(words + 3 * kLanes)}};
  }
};

// ---- texels that may be missing ---------------------------------------------------------------------------------

// Is a lane's texel missing?
HWY_INLINE bool is_cold(const LevelImage& level, U32x index) { return any(less(index, splat(level.cold_texels))); }

// The texels of a vector of lanes, side by side: lane n is texel n of `bytes`.
struct CollectedTexels {
  alignas(32) uint8_t bytes[kLanes * ::tessera::texture::kMaxDecodedTexel_bytes + kReadSlack_bytes];
  CollectedTexels(const LevelImage& level, U32x index, size_t texel_bytes) {
    ::tessera::texture::collect_texels(level, Indices(index).lane, kLanes, texel_bytes, bytes);
  }
  static U32x lanes() { return hn::Iota(u32, 0); }
};

template <class Texels>
struct ColdTexels {
  static HWY_INLINE Color color(const BoundTexture& texture, const uint8_t* texels, U32x index) {
    for (uint32_t i = 0; i < texture.cold.size(); ++i) {   // one but for small images
      const LevelImage& level = texture.levels[i];
      if (texels == level.texels && is_cold(level, index)) return collected(texture, level, index);
    }
    return Texels::color(texture, texels, index);
  }

 private:
  static HWY_NOINLINE Color collected(const BoundTexture& texture, const LevelImage& level, U32x index) {
    const CollectedTexels near(level, index, texture.format->block_bytes);
    return Texels::color(texture, near.bytes, near.lanes());
  }
};

// Texels of kBytes bytes of a level as words, alone and with their neighbours.
template <uint32_t kBytes, bool kMayBeCold>
struct ByteReader {
  static HWY_INLINE U32x one(const LevelImage& level, U32x index) {
    if constexpr (kMayBeCold)
      if (is_cold(level, index)) return cold(level, index);
    return gather_elements<kBytes>(level.texels, index);
  }
  // And the one to the right.
  static HWY_INLINE WordPair pair(const LevelImage& level, U32x index) {
    if constexpr (kMayBeCold)
      if (is_cold(level, index)) return cold_pair(level, index);
    return gather_pairs<4>(level.texels, index);
  }
  // And the two below.
  static HWY_INLINE Quads quads(const LevelImage& level, U32x index) {
    if constexpr (kMayBeCold)
      if (is_cold(level, index)) return {cold_pair(level, index), cold_pair(level, index + splat(level.row_texels))};
    return gather_quads(level.texels, size_t{level.row_texels} * 4, index);
  }

 private:
  static HWY_NOINLINE U32x cold(const LevelImage& level, U32x index) {
    const CollectedTexels near(level, index, kBytes);
    return gather_elements<kBytes>(near.bytes, near.lanes());
  }
  static HWY_INLINE WordPair cold_pair(const LevelImage& level, U32x index) {
    return {cold(level, index), cold(level, index + splat(1u))};
  }
};

}  // namespace tex
}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#endif
