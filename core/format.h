// core/format.h: the formats of texels, vertex attributes and targets, each described once in formats.def.
// Names and numbers follow gallium; fields are listed from the least significant bit of the little-endian texel up.
// Source: the format descriptions of gallium and of OpenGL 4.6, chapter 8.5.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace tessera {

enum class Format : uint16_t {
#define FORMAT(name, ...) name,
#define BLOCKS(name, ...) name,
#include "core/formats.def"
#undef BLOCKS
#undef FORMAT
};

enum class FieldKind : uint8_t { None, Unorm, Snorm, Uscaled, Sscaled, Uint, Sint, Float, Fixed, SharedExp };
enum class ColorSpace : uint8_t { Linear, Srgb, DepthStencil };
// What a channel of the texel as the shader sees it comes from: a field, or a constant.
enum class Swizzle : uint8_t { X, Y, Z, W, Zero, One };

// How the blocks of a format become texels (texture/block_codec.h).
enum class BlockCodec : uint8_t {
  None,
  Bc1, Bc1Opaque, Bc2, Bc3, Bc4Unorm, Bc4Snorm, Bc5Unorm, Bc5Snorm, Bc6Unsigned, Bc6Signed, Bc7,
  Etc1, Etc2, Etc2Punch, Etc2Alpha, EacR, EacRSigned, EacRg, EacRgSigned,
  AstcLinear, AstcSrgb,
  PairRgbg, PairGrgb, PairRgrb, PairGrbr, PairUyvy, PairYuyv, PairVyuy, PairYvyu, Bits, DerivedBlue
};

struct FormatField { FieldKind kind = FieldKind::None; uint8_t shift = 0, bits = 0; };

struct FormatInfo {
  std::string_view name;          // "R8G8B8A8_UNORM"
  uint8_t block_bytes = 0;        // bytes a block (a texel, unless is_compressed)
  uint8_t block_width = 1, block_height = 1;
  FormatField field[4];           // at most four stored fields
  Swizzle swizzle[4] = {Swizzle::X, Swizzle::Y, Swizzle::Z, Swizzle::W};   // r, g, b, a from the fields
  ColorSpace space = ColorSpace::Linear;
  bool is_compressed = false;     // blocks that are decoded whole; no fields, no packing of single texels
  BlockCodec codec = BlockCodec::None;
  Format decoded = Format::NONE;  // what the texels of such blocks are

  bool is_depth_or_stencil() const { return space == ColorSpace::DepthStencil; }
  // Every field is an integer: such texels are words, not floats. (A stencil beside a depth does not count.)
  constexpr bool is_pure_integer() const {
    for (const FormatField& f : field)
      if (f.kind != FieldKind::None && f.kind != FieldKind::Uint && f.kind != FieldKind::Sint) return false;
    return field[0].kind != FieldKind::None;
  }
};

const FormatInfo& format_info(Format format);
std::span<const FormatInfo> all_formats();                        // indexed by Format
// "R8G8B8A8_UNORM", "r8g8b8a8_unorm" or "PIPE_FORMAT_R8G8B8A8_UNORM".
std::optional<Format> format_from_name(std::string_view name);

// Four channels as 32-bit words: floats, or integers for pure integer formats (and stencil).
struct Texel {
  uint32_t word[4] = {0, 0, 0, 0};
  bool operator==(const Texel&) const = default;
};

// Exact conversions (the numbers contract: core/README.md). Unpack applies the format's swizzle: missing colour
// channels read 0, missing alpha 1 (integer 1 in integer formats); sRGB decodes to linear; depth formats give
// (z, 0, 0, 1). Neither these nor the packing below take compressed formats.
Texel unpack_texel(Format format, const void* src);
// Pack: unorm clamps (NaN gives 0), multiplies by 2^n-1 in float (double for 24 and 32 bits), rounds half to even;
// integers saturate; scaled formats truncate and saturate; every NaN becomes the canonical one; unused bits, and the
// stencil beside a depth, become 0.
void pack_texel(Format format, const Texel& texel, void* dst);
void unpack_row(Format format, const void* src, uint32_t count, Texel* dst);
void pack_row(Format format, const Texel* src, uint32_t count, void* dst);

// Depth and stencil of a depth-stencil format, one at a time; the other part of the texel is kept. Stencil writes 8
// bits. Call them only where format_has_depth or format_has_stencil.
bool format_has_depth(Format format);
bool format_has_stencil(Format format);
float unpack_depth(Format format, const void* src);
void pack_depth(Format format, float depth, void* dst);
uint8_t unpack_stencil(Format format, const void* src);
void pack_stencil(Format format, uint8_t stencil, void* dst);

}  // namespace tessera
