// texture/block_codec.h: a block of a compressed format -> its texels.
// In:     the bytes of one block; any bits are a block.
// Out:    block_width * block_height texels of the format's `decoded` format, row by row, without padding.
// Errors: none; encodings that a specification reserves give its error colour.      Threads: pure functions.
// Source: Khronos Data Format Specification 1.4, the chapters on S3TC, RGTC, BPTC, ETC1, ETC2 and ASTC.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "core/format.h"

namespace tessera::texture {

inline constexpr size_t kMaxBlockTexels = 12 * 12;
inline constexpr size_t kMaxBlock_bytes = kMaxBlockTexels * 8;   // decoded

// What values the texels of a format have, where their decoded format does not say it.
enum class ValueRange : uint8_t { AsDecoded, ZeroToOne, MinusOneToOne };

using DecodeBlockFn = void (*)(const FormatInfo& format, const uint8_t* block, std::byte* texels);

struct BlockCodecInfo {
  DecodeBlockFn decode = nullptr;
  ValueRange range = ValueRange::AsDecoded;
};
const BlockCodecInfo& block_codec(BlockCodec codec);   // not None

// ---- the codecs, one family a file ------------------------------------------------------------------------------

void decode_bc1(const FormatInfo& format, const uint8_t* block, std::byte* texels);          // decode_s3tc.cpp
void decode_bc1_opaque(const FormatInfo& format, const uint8_t* block, std::byte* texels);
void decode_bc2(const FormatInfo& format, const uint8_t* block, std::byte* texels);
void decode_bc3(const FormatInfo& format, const uint8_t* block, std::byte* texels);
void decode_bc4_unorm(const FormatInfo& format, const uint8_t* block, std::byte* texels);    // decode_rgtc.cpp
void decode_bc4_snorm(const FormatInfo& format, const uint8_t* block, std::byte* texels);
void decode_bc5_unorm(const FormatInfo& format, const uint8_t* block, std::byte* texels);
void decode_bc5_snorm(const FormatInfo& format, const uint8_t* block, std::byte* texels);
void decode_bc6_unsigned(const FormatInfo& format, const uint8_t* block, std::byte* texels); // decode_bc6h.cpp
void decode_bc6_signed(const FormatInfo& format, const uint8_t* block, std::byte* texels);
void decode_bc7(const FormatInfo& format, const uint8_t* block, std::byte* texels);          // decode_bc7.cpp
void decode_etc2(const FormatInfo& format, const uint8_t* block, std::byte* texels);         // decode_etc2.cpp
void decode_etc2_punch(const FormatInfo& format, const uint8_t* block, std::byte* texels);
void decode_etc2_alpha(const FormatInfo& format, const uint8_t* block, std::byte* texels);
void decode_eac_r(const FormatInfo& format, const uint8_t* block, std::byte* texels);        // decode_eac.cpp
void decode_eac_r_signed(const FormatInfo& format, const uint8_t* block, std::byte* texels);
void decode_eac_rg(const FormatInfo& format, const uint8_t* block, std::byte* texels);
void decode_eac_rg_signed(const FormatInfo& format, const uint8_t* block, std::byte* texels);
void decode_astc_linear(const FormatInfo& format, const uint8_t* block, std::byte* texels);  // decode_astc.cpp
void decode_astc_srgb(const FormatInfo& format, const uint8_t* block, std::byte* texels);
void decode_pair(const FormatInfo& format, const uint8_t* block, std::byte* texels);         // decode_packed.cpp
void decode_bits(const FormatInfo& format, const uint8_t* block, std::byte* texels);
void decode_derived_blue(const FormatInfo& format, const uint8_t* block, std::byte* texels);

// ---- what they share --------------------------------------------------------------------------------------------

// Texel `index` of a block, as an object of the decoded format's size.
template <class T>
void store_texel(std::byte* texels, size_t index, const T& texel) {
  std::memcpy(texels + index * sizeof(T), &texel, sizeof(T));
}

struct Rgba8 { uint8_t r = 0, g = 0, b = 0, a = 255; };

inline uint8_t clamp_to_byte(int32_t value) { return static_cast<uint8_t>(value < 0 ? 0 : value > 255 ? 255 : value); }

// Bits of a block of up to 128, counted from the lowest bit of the first byte.
struct BlockBits {
  uint64_t low = 0, high = 0;

  static BlockBits of(const uint8_t* block) {
    BlockBits bits;
    for (uint32_t i = 0; i < 8; ++i) {
      bits.low |= uint64_t{block[i]} << 8 * i;
      bits.high |= uint64_t{block[i + 8]} << 8 * i;
    }
    return bits;
  }
  // `count` bits (at most 32) from `first` on; those beyond bit 127 are 0.
  uint32_t get(uint32_t first, uint32_t count) const {
    const uint64_t mask = (uint64_t{1} << count) - 1;
    if (first >= 128) return 0;
    if (first >= 64) return static_cast<uint32_t>(high >> (first - 64) & mask);
    const uint64_t from_high = first == 0 ? 0 : high << (64 - first);
    return static_cast<uint32_t>((low >> first | from_high) & mask);
  }
};

inline uint64_t little_endian_64(const uint8_t* bytes) {
  uint64_t value = 0;
  for (uint32_t i = 0; i < 8; ++i) value |= uint64_t{bytes[i]} << 8 * i;
  return value;
}

inline uint64_t big_endian_64(const uint8_t* bytes) {
  uint64_t value = 0;
  for (uint32_t i = 0; i < 8; ++i) value = value << 8 | bytes[i];
  return value;
}

// The low `bits` bits of `value`, as a two's complement number.
inline int32_t sign_extend(uint32_t value, uint32_t bits) {
  const uint32_t unused = 32 - bits;
  return static_cast<int32_t>(value << unused) >> unused;
}

// The alpha values of a block of BC3, one of each texel.
void decode_alpha_ramp(const uint8_t* block, uint8_t alpha[16]);
// The 8-bit values of a block of EAC, as RGBA ETC2's alpha.
void decode_eac_alpha(const uint8_t* block, uint8_t alpha[16]);

}  // namespace tessera::texture
