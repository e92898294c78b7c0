#include "core/format.h"

#include <algorithm>
#include <array>

#include "core/check.h"
#include "core/format_field.h"

namespace tessera {
namespace {

// ---- the table ------------------------------------------------------------------------------------------------

constexpr FieldKind kind_from(std::string_view word) {
  if (word == "un") return FieldKind::Unorm;
  if (word == "sn") return FieldKind::Snorm;
  if (word == "uc") return FieldKind::Uscaled;
  if (word == "sc") return FieldKind::Sscaled;
  if (word == "ui") return FieldKind::Uint;
  if (word == "si") return FieldKind::Sint;
  if (word == "f") return FieldKind::Float;
  if (word == "fx") return FieldKind::Fixed;
  return FieldKind::None;
}

// Which of r, g, b, a (bits 0 to 3) a channel letter feeds. Depth goes to red; stencil too, where no depth is.
constexpr uint32_t channels_fed_by(char letter) {
  switch (letter) {
    case 'R': case 'Z': case 'S': return 1;
    case 'G': return 2;
    case 'B': return 4;
    case 'A': return 8;
    case 'L': return 7;
    case 'I': return 15;
    default: return 0;
  }
}

// Reads the fields of formats.def: "B:un5 G:un6 R:un5".
constexpr FormatInfo parse_format(std::string_view name, ColorSpace space, std::string_view text) {
  FormatInfo info;
  info.name = name;
  info.space = space;
  for (uint32_t c = 0; c < 4; ++c) info.swizzle[c] = c < 3 ? Swizzle::Zero : Swizzle::One;
  const bool has_depth = text.find("Z:") != std::string_view::npos;
  uint32_t shift = 0, count = 0;
  for (size_t at = 0; at < text.size();) {
    const char letter = text[at];
    const size_t kind_at = at + 2, bits_at = text.find_first_of("0123456789", kind_at);
    uint32_t bits = 0;
    for (at = bits_at; at < text.size() && text[at] != ' '; ++at)
      bits = bits * 10 + static_cast<uint32_t>(text[at] - '0');
    ++at;
    FieldKind kind = kind_from(text.substr(kind_at, bits_at - kind_at));
    if (kind == FieldKind::Float && bits == 9) kind = FieldKind::SharedExp;
    if (kind != FieldKind::None) {
      info.field[count] = {kind, static_cast<uint8_t>(shift), static_cast<uint8_t>(bits)};
      const uint32_t fed = letter == 'S' && has_depth ? 0 : channels_fed_by(letter);
      for (uint32_t c = 0; c < 4; ++c)
        if (fed >> c & 1) info.swizzle[c] = static_cast<Swizzle>(count);
      ++count;
    }
    shift += bits;
  }
  info.block_bytes = static_cast<uint8_t>(shift / 8);
  return info;
}

constexpr FormatInfo block_format(std::string_view name, ColorSpace space, BlockCodec codec, uint8_t width,
                                  uint8_t height, uint8_t bytes, Format decoded) {
  return {.name = name, .block_bytes = bytes, .block_width = width, .block_height = height, .space = space,
          .is_compressed = true, .codec = codec, .decoded = decoded};
}

constexpr FormatInfo kFormats[] = {
#define FORMAT(name, space, fields) parse_format(#name, ColorSpace::space, fields),
#define BLOCKS(name, space, codec, width, height, bytes, decoded) \
  block_format(#name, ColorSpace::space, BlockCodec::codec, width, height, bytes, Format::decoded),
#include "core/formats.def"
#undef BLOCKS
#undef FORMAT
};

constexpr char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }

// ---- texels ---------------------------------------------------------------------------------------------------

bool is_srgb_channel(const FormatInfo& info, uint32_t channel) { return info.space == ColorSpace::Srgb && channel < 3; }

// The first channel that shows a field; 4 where none does (the stencil of a combined format).
uint32_t channel_of(const FormatInfo& info, uint32_t field) {
  const auto* at = std::find(std::begin(info.swizzle), std::end(info.swizzle), static_cast<Swizzle>(field));
  return static_cast<uint32_t>(at - std::begin(info.swizzle));
}

// Shared-exponent fields need the whole texel; every other kind decodes field by field.
bool has_shared_exponent(const FormatInfo& info) { return info.field[0].kind == FieldKind::SharedExp; }

Texel unpack_fields(const FormatInfo& info, const uint8_t* src) {
  TESSERA_CHECK(!info.is_compressed);
  uint32_t value[6] = {0, 0, 0, 0, 0, info.is_pure_integer() ? 1u : scalar::bits_of(1.0f)};   // X Y Z W Zero One
  if (has_shared_exponent(info)) {
    decode_shared_exponent(static_cast<uint32_t>(load_bits(src, {FieldKind::Uint, 0, 32})), value);
  } else {
    for (uint32_t i = 0; i < 4 && info.field[i].kind != FieldKind::None; ++i)
      value[i] = decode_field(info.field[i], load_bits(src, info.field[i]), is_srgb_channel(info, channel_of(info, i)));
  }
  Texel texel;
  for (uint32_t c = 0; c < 4; ++c) texel.word[c] = value[static_cast<uint32_t>(info.swizzle[c])];
  return texel;
}

void pack_fields(const FormatInfo& info, const Texel& texel, uint8_t* dst) {
  TESSERA_CHECK(!info.is_compressed);
  std::fill_n(dst, info.block_bytes, uint8_t{0});
  if (has_shared_exponent(info)) return store_bits(dst, {FieldKind::Uint, 0, 32}, encode_shared_exponent(texel.word));
  for (uint32_t i = 0; i < 4 && info.field[i].kind != FieldKind::None; ++i) {
    const uint32_t channel = channel_of(info, i);
    if (channel == 4) continue;
    store_bits(dst, info.field[i], encode_field(info.field[i], texel.word[channel], is_srgb_channel(info, channel)));
  }
}

// ---- rows -----------------------------------------------------------------------------------------------------

bool all_fields_are(const FormatInfo& info, uint32_t bits) {
  return std::all_of(std::begin(info.field), std::end(info.field), [bits](const FormatField& f) {
    return f.kind == FieldKind::None || (f.bits == bits && f.shift % bits == 0);
  });
}

// Formats of whole bytes decode through tables of 256 entries, one a field.
void unpack_row_of_bytes(const FormatInfo& info, const uint8_t* src, uint32_t count, Texel* dst) {
  std::array<std::array<uint32_t, 256>, 4> table;
  struct Channel { const uint32_t* decoded; uint32_t offset, constant; };
  Channel channel[4];
  uint32_t offset[4] = {};
  for (uint32_t i = 0; i < 4 && info.field[i].kind != FieldKind::None; ++i) {
    const bool srgb = is_srgb_channel(info, channel_of(info, i));
    for (uint32_t raw = 0; raw < 256; ++raw) table[i][raw] = decode_field(info.field[i], raw, srgb);
    offset[i] = info.field[i].shift / 8u;
  }
  for (uint32_t c = 0; c < 4; ++c) {
    const uint32_t from = static_cast<uint32_t>(info.swizzle[c]);
    const uint32_t one = info.is_pure_integer() ? 1u : scalar::bits_of(1.0f);
    channel[c] = from < 4 ? Channel{table[from].data(), offset[from], 0}
                          : Channel{nullptr, 0, info.swizzle[c] == Swizzle::One ? one : 0u};
  }
  for (uint32_t x = 0; x < count; ++x, src += info.block_bytes)
    for (uint32_t c = 0; c < 4; ++c)
      dst[x].word[c] = channel[c].decoded ? channel[c].decoded[src[channel[c].offset]] : channel[c].constant;
}

// Where the table pays for itself.
constexpr uint32_t kShortRow_texels = 256;

FormatField depth_field(const FormatInfo& info) {
  for (const FormatField& f : info.field)
    if (info.is_depth_or_stencil() && f.kind != FieldKind::Uint) return f;
  return {};
}
FormatField stencil_field(const FormatInfo& info) {
  for (const FormatField& f : info.field)
    if (info.is_depth_or_stencil() && f.kind == FieldKind::Uint) return f;
  return {};
}

const uint8_t* bytes(const void* p) { return static_cast<const uint8_t*>(p); }
uint8_t* bytes(void* p) { return static_cast<uint8_t*>(p); }

}  // namespace

const FormatInfo& format_info(Format format) {
  TESSERA_CHECK(static_cast<size_t>(format) < std::size(kFormats));
  return kFormats[static_cast<size_t>(format)];
}

std::span<const FormatInfo> all_formats() { return kFormats; }

std::optional<Format> format_from_name(std::string_view name) {
  constexpr std::string_view kPrefix = "PIPE_FORMAT_";
  const auto same = [](char a, char b) { return upper(a) == upper(b); };
  if (name.size() > kPrefix.size() &&
      std::equal(kPrefix.begin(), kPrefix.end(), name.begin(), same))
    name.remove_prefix(kPrefix.size());
  for (size_t i = 0; i < std::size(kFormats); ++i)
    if (std::equal(name.begin(), name.end(), kFormats[i].name.begin(), kFormats[i].name.end(), same))
      return static_cast<Format>(i);
  return std::nullopt;
}

Texel unpack_texel(Format format, const void* src) { return unpack_fields(format_info(format), bytes(src)); }

void pack_texel(Format format, const Texel& texel, void* dst) { pack_fields(format_info(format), texel, bytes(dst)); }

void unpack_row(Format format, const void* src, uint32_t count, Texel* dst) {
  const FormatInfo& info = format_info(format);
  if (count >= kShortRow_texels && all_fields_are(info, 8)) return unpack_row_of_bytes(info, bytes(src), count, dst);
  for (uint32_t x = 0; x < count; ++x) dst[x] = unpack_fields(info, bytes(src) + size_t{x} * info.block_bytes);
}

void pack_row(Format format, const Texel* src, uint32_t count, void* dst) {
  const FormatInfo& info = format_info(format);
  for (uint32_t x = 0; x < count; ++x) pack_fields(info, src[x], bytes(dst) + size_t{x} * info.block_bytes);
}

bool format_has_depth(Format format) { return depth_field(format_info(format)).kind != FieldKind::None; }
bool format_has_stencil(Format format) { return stencil_field(format_info(format)).kind != FieldKind::None; }

float unpack_depth(Format format, const void* src) {
  const FormatField field = depth_field(format_info(format));
  return scalar::float_of(decode_field(field, load_bits(bytes(src), field), false));
}
void pack_depth(Format format, float depth, void* dst) {
  const FormatField field = depth_field(format_info(format));
  store_bits(bytes(dst), field, encode_field(field, scalar::bits_of(depth), false));
}
uint8_t unpack_stencil(Format format, const void* src) {
  return static_cast<uint8_t>(load_bits(bytes(src), stencil_field(format_info(format))));
}
void pack_stencil(Format format, uint8_t stencil, void* dst) {
  store_bits(bytes(dst), stencil_field(format_info(format)), stencil);
}

}  // namespace tessera
