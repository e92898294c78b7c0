#include <catch2/catch.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "core/format.h"
#include "core/scalar.h"
#include "core/srgb.h"
#include "tests/support/data.h"
#include "tests/support/random.h"

namespace tessera::tests {
namespace {
using scalar::bits_of;
using scalar::float_of;

constexpr size_t kMaxTexel_bytes = 32;
using Bytes = std::array<uint8_t, kMaxTexel_bytes>;

Format format_at(size_t i) { return static_cast<Format>(i); }

// ---- a slow oracle: bit by bit, in long double --------------------------------------------------------------------

uint64_t bits_at(const Bytes& texel, uint32_t shift, uint32_t bits) {
  uint64_t raw = 0;
  for (uint32_t i = 0; i < bits; ++i) raw |= uint64_t{texel[(shift + i) / 8] >> (shift + i) % 8 & 1u} << i;
  return raw;
}
void set_bits_at(Bytes& texel, uint32_t shift, uint32_t bits, uint64_t raw) {
  for (uint32_t i = 0; i < bits; ++i) {
    uint8_t& byte = texel[(shift + i) / 8];
    byte = static_cast<uint8_t>((byte & ~(1u << (shift + i) % 8)) | (raw >> i & 1u) << (shift + i) % 8);
  }
}

long double as_signed(uint64_t raw, uint32_t bits) {
  const long double value = static_cast<long double>(raw);
  return raw >> (bits - 1) & 1 ? value - std::ldexp(1.0L, static_cast<int>(bits)) : value;
}

// A float of any width by its definition: sign (except 10 and 11 bits), 5 exponent bits (8 of 32, 11 of 64), mantissa.
long double value_of_float(uint64_t raw, uint32_t bits) {
  const bool has_sign = bits >= 16;
  const int exponent_bits = bits == 64 ? 11 : (bits == 32 ? 8 : 5),
            mantissa_bits = static_cast<int>(bits) - exponent_bits - (has_sign ? 1 : 0);
  const int exponent = static_cast<int>(raw >> mantissa_bits & ((1u << exponent_bits) - 1)),
            bias = (1 << (exponent_bits - 1)) - 1;
  const long double mantissa = static_cast<long double>(raw & ((uint64_t{1} << mantissa_bits) - 1));
  const long double sign = has_sign && raw >> (bits - 1) & 1 ? -1 : 1;
  if (exponent == 2 * bias + 1) return mantissa != 0 ? NAN : sign * INFINITY;
  const long double magnitude =
      exponent == 0 ? std::ldexp(mantissa, 1 - bias - mantissa_bits)
                    : std::ldexp(mantissa + std::ldexp(1.0L, mantissa_bits), exponent - bias - mantissa_bits);
  return sign * magnitude;
}

// The word that a field means, by its definition.
uint32_t meaning(const FormatField& f, uint64_t raw, bool srgb) {
  const long double max = std::ldexp(1.0L, static_cast<int>(f.bits)) - 1,
                    signed_max = std::ldexp(1.0L, static_cast<int>(f.bits) - 1) - 1;
  switch (f.kind) {
    case FieldKind::Unorm:
      return bits_of(srgb ? kLinearFromSrgb8[raw] : static_cast<float>(static_cast<long double>(raw) / max));
    case FieldKind::Snorm: return bits_of(static_cast<float>(std::max(-1.0L, as_signed(raw, f.bits) / signed_max)));
    case FieldKind::Uscaled: return bits_of(static_cast<float>(static_cast<long double>(raw)));
    case FieldKind::Sscaled: return bits_of(static_cast<float>(as_signed(raw, f.bits)));
    case FieldKind::Uint: return static_cast<uint32_t>(raw);
    case FieldKind::Sint: return static_cast<uint32_t>(static_cast<int64_t>(as_signed(raw, f.bits)));
    case FieldKind::Float:
      return f.bits == 32 ? static_cast<uint32_t>(raw) : bits_of(static_cast<float>(value_of_float(raw, f.bits)));
    case FieldKind::Fixed: return bits_of(static_cast<float>(as_signed(raw, f.bits) / 65536.0L));
    case FieldKind::SharedExp:
    case FieldKind::None: break;
  }
  return 0;
}

Texel expected_texel(const FormatInfo& info, const Bytes& texel) {
  Texel result;
  for (uint32_t c = 0; c < 4; ++c) {
    const Swizzle from = info.swizzle[c];
    if (from == Swizzle::Zero) continue;
    if (from == Swizzle::One) {
      result.word[c] = info.is_pure_integer() ? 1 : bits_of(1.0f);
      continue;
    }
    const FormatField& f = info.field[static_cast<uint32_t>(from)];
    if (f.kind == FieldKind::SharedExp)
      result.word[c] = bits_of(static_cast<float>(
          std::ldexp(static_cast<double>(bits_at(texel, f.shift, 9)), static_cast<int>(bits_at(texel, 27, 5)) - 24)));
    else
      result.word[c] = meaning(f, bits_at(texel, f.shift, f.bits), info.space == ColorSpace::Srgb && c < 3);
  }
  return result;
}

bool same_values(const FormatInfo& info, const Texel& a, const Texel& b) {
  for (uint32_t c = 0; c < 4; ++c) {
    const bool both_nan =
        !info.is_pure_integer() && scalar::is_nan(float_of(a.word[c])) && scalar::is_nan(float_of(b.word[c]));
    if (a.word[c] != b.word[c] && !both_nan) return false;
  }
  return true;
}

template <class Visit>
void for_each_field(Visit visit) {
  for (size_t i = 1; i < all_formats().size(); ++i)
    for (uint32_t field = 0; field < 4; ++field)
      if (all_formats()[i].field[field].kind != FieldKind::None)
        visit(format_at(i), all_formats()[i], all_formats()[i].field[field]);
}

// Every code of a narrow field; the ends, the middle and a random choice of a wide one.
std::vector<uint64_t> codes(const FormatField& f, std::mt19937_64& random) {
  std::vector<uint64_t> list;
  const uint64_t max = f.bits == 64 ? ~uint64_t{0} : (uint64_t{1} << f.bits) - 1;
  if (f.bits <= 16)
    for (uint64_t raw = 0; raw <= max; ++raw) list.push_back(raw);
  else
    for (uint64_t i = 0; i < rounds(20000); ++i)
      list.push_back(i < 16 ? i : (i < 32 ? max - i + 16 : (i < 48 ? max / 2 + i - 40 : random() & max)));
  return list;
}

Texel floats(float r, float g, float b, float a) { return {{bits_of(r), bits_of(g), bits_of(b), bits_of(a)}}; }

// ---- the protocol's table: | no | name | bytes | channels | use |, channels as in "B:un8 R:un8 -:x8 (sRGB)" ----

struct TableField { char channel; uint32_t bits; };
struct TableRow {
  std::string name, bytes;
  std::vector<TableField> fields;
  bool is_srgb;
};

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find(separator, at), text.size());
    std::string_view part = text.substr(at, end - at);
    while (!part.empty() && part.front() == ' ') part.remove_prefix(1);
    while (!part.empty() && part.back() == ' ') part.remove_suffix(1);
    parts.emplace_back(part);
    at = end + 1;
  }
  return parts;
}

std::vector<TableRow> protocol_formats(std::string_view document) {
  const size_t begin = document.find("## 5.1"), end = document.find("## 5.2");
  std::vector<TableRow> rows;
  for (const std::string& line : split(document.substr(begin, end - begin), '\n')) {
    const std::vector<std::string> cells = split(line, '|');
    if (cells.size() < 6 || cells[2].find('_') == std::string::npos || cells[4].find(':') == std::string::npos)
      continue;
    TableRow row{cells[2], cells[3], {}, cells[4].ends_with("(sRGB)")};
    for (const std::string& word : split(cells[4], ' ')) {
      const size_t digits = word.find_first_of("0123456789");
      if (word[0] != '(') row.fields.push_back({word[0], static_cast<uint32_t>(std::stoul(word.substr(digits)))});
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

template <class T>
T packed(Format format, const Texel& texel) {
  REQUIRE(format_info(format).block_bytes == sizeof(T));
  T value;
  pack_texel(format, texel, &value);
  return value;
}

constexpr float kNan = std::numeric_limits<float>::quiet_NaN(), kInfinity = std::numeric_limits<float>::infinity();
}  // namespace

// ---- the table ----------------------------------------------------------------------------------------------------

TEST_CASE("the format table agrees with the protocol's, field by field", "[format]") {
  const auto path = data_path("spec/virgl-vtest.md");
  if (!path) return;
  const std::vector<TableRow> rows = protocol_formats(read_file(*path));
  CHECK(rows.size() > 200);
  for (const TableRow& row : rows) {
    CAPTURE(row.name);
    const auto format = format_from_name(row.name);
    REQUIRE(format);
    const FormatInfo& info = format_info(*format);
    CHECK(std::to_string(info.block_bytes) == row.bytes);
    CHECK((info.space == ColorSpace::Srgb) == row.is_srgb);
    uint32_t shift = 0, stored = 0;
    for (const TableField& field : row.fields) {
      if (field.channel != '-') {
        CHECK(info.field[stored].shift == shift);
        CHECK(info.field[stored].bits == field.bits);
        const bool beside_depth = field.channel == 'S' && row.fields.size() > 1 && format_has_depth(*format);
        // A channel in which the field must show: luminance in red, intensity in alpha, depth and stencil in red.
        const char shown_in = "RGBARARR"[std::string_view("RGBALIZS").find(field.channel)];
        const size_t shown = std::string_view("RGBA").find(shown_in);
        if (!beside_depth) CHECK(info.swizzle[shown] == static_cast<Swizzle>(stored));
        ++stored;
      }
      shift += field.bits;
    }
  }
}

TEST_CASE("the compressed formats of the protocol's table have its blocks", "[format]") {
  const auto path = data_path("spec/virgl-vtest.md");
  if (!path) return;
  const std::string document = read_file(*path);
  uint32_t count = 0;
  for (const std::string& line : split(document.substr(document.find("Compressed formats (use as above)")), '\n')) {
    const std::vector<std::string> cells = split(line, '|');   // | no | name | 4 × 4 | bytes | use |
    if (line.find("## ") == 0) break;
    if (cells.size() < 6 || cells[3].find("×") == std::string::npos) continue;
    CAPTURE(cells[2]);
    const auto format = format_from_name(cells[2]);
    REQUIRE(format);
    const FormatInfo& info = format_info(*format);
    CHECK(info.is_compressed);
    CHECK(std::to_string(info.block_width) + " × " + std::to_string(info.block_height) == cells[3]);
    CHECK(std::to_string(info.block_bytes) == cells[4]);
    CHECK((info.space == ColorSpace::Srgb) == (cells[2].find("SR") != std::string::npos));
    ++count;
  }
  CHECK(count == 58);
}

TEST_CASE("blocks decode to texels of their own colour space", "[format]") {
  for (const FormatInfo& info : all_formats()) {
    CAPTURE(info.name);
    CHECK(info.is_compressed == (info.codec != BlockCodec::None));
    CHECK(info.is_compressed == (info.decoded != Format::NONE));
    if (!info.is_compressed) continue;
    CHECK_FALSE(format_info(info.decoded).is_compressed);
    CHECK(format_info(info.decoded).space == info.space);
    CHECK((info.block_width <= 12 && info.block_height <= 12));
  }
}

TEST_CASE("a format is found by its name in any case, with or without gallium's prefix", "[format]") {
  for (size_t i = 0; i < all_formats().size(); ++i) CHECK(format_from_name(all_formats()[i].name) == format_at(i));
  CHECK(format_from_name("r8g8b8a8_unorm") == Format::R8G8B8A8_UNORM);
  CHECK(format_from_name("PIPE_FORMAT_B5G6R5_UNORM") == Format::B5G6R5_UNORM);
  CHECK(format_from_name("pipe_format_z16_unorm") == Format::Z16_UNORM);
  for (const std::string_view wrong : {"", "PIPE_FORMAT_", "R8G8B8A8", "R8G8B8A8_UNORM ", "R8G8B8A8_UNORMX", "DXT1"})
    CHECK_FALSE(format_from_name(wrong));
}

TEST_CASE("a format knows whether it is pure integer, depth or stencil", "[format]") {
  CHECK(format_info(Format::R8G8B8A8_UINT).is_pure_integer());
  CHECK(format_info(Format::A32_SINT).is_pure_integer());
  CHECK_FALSE(format_info(Format::R8_USCALED).is_pure_integer());
  CHECK_FALSE(format_info(Format::NONE).is_pure_integer());
  CHECK_FALSE(format_info(Format::Z24_UNORM_S8_UINT).is_pure_integer());
  CHECK_FALSE(format_info(Format::S8_UINT_Z24_UNORM).is_pure_integer());
  CHECK(format_info(Format::S8_UINT).is_pure_integer());
  CHECK((format_has_depth(Format::Z32_FLOAT) && !format_has_stencil(Format::Z32_FLOAT)));
  CHECK((!format_has_depth(Format::X24S8_UINT) && format_has_stencil(Format::X24S8_UINT)));
  CHECK((format_has_depth(Format::S8_UINT_Z24_UNORM) && format_has_stencil(Format::S8_UINT_Z24_UNORM)));
  CHECK_FALSE(format_has_depth(Format::R8_UINT));
  CHECK_FALSE(format_has_stencil(Format::R8_UINT));
}

// ---- unpack -------------------------------------------------------------------------------------------------------

TEST_CASE("every code of every field unpacks to its definition", "[format]") {
  std::mt19937_64 random(seed());
  for_each_field([&](Format format, const FormatInfo& info, const FormatField& f) {
    Bytes texel;
    for (uint8_t& byte : texel) byte = static_cast<uint8_t>(random());
    uint32_t wrong = 0;
    for (const uint64_t raw : codes(f, random)) {
      set_bits_at(texel, f.shift, f.bits, raw);
      wrong += !same_values(info, unpack_texel(format, texel.data()), expected_texel(info, texel));
    }
    CAPTURE(info.name, f.shift, seed());
    CHECK(wrong == 0);
  });
}

TEST_CASE("missing channels read 0, missing alpha 1", "[format]") {
  const uint8_t half[16] = {0x80};
  CHECK(unpack_texel(Format::R8_UNORM, half) == floats(128 / 255.0f, 0, 0, 1));
  CHECK(unpack_texel(Format::A8_UNORM, half) == floats(0, 0, 0, 128 / 255.0f));
  CHECK(unpack_texel(Format::L8_UNORM, half) == floats(128 / 255.0f, 128 / 255.0f, 128 / 255.0f, 1));
  CHECK(unpack_texel(Format::I8_UNORM, half) == floats(128 / 255.0f, 128 / 255.0f, 128 / 255.0f, 128 / 255.0f));
  CHECK(unpack_texel(Format::R8_UINT, half) == Texel{{128, 0, 0, 1}});
  CHECK(unpack_texel(Format::R8_SINT, half) == Texel{{static_cast<uint32_t>(-128), 0, 0, 1}});
  CHECK(unpack_texel(Format::X8R8G8B8_UNORM, half) == floats(0, 0, 0, 1));
  CHECK(unpack_texel(Format::X24S8_UINT, half) == Texel{{0, 0, 0, 1}});
  CHECK(unpack_texel(Format::Z16_UNORM, half) == floats(128 / 65535.0f, 0, 0, 1));
}

// ---- pack ---------------------------------------------------------------------------------------------------------

TEST_CASE("every code of every field comes back from its own value", "[format]") {
  std::mt19937_64 random(seed());
  for_each_field([&](Format format, const FormatInfo& info, const FormatField& f) {
    if (info.is_depth_or_stencil() && info.field[1].kind != FieldKind::None)
      return;  // only the depth of these is packed
    // Wide integers have more codes than floats can tell apart; shared exponents have more than one code a value.
    if (f.kind == FieldKind::SharedExp || f.kind == FieldKind::Fixed ||
        (f.bits >= 24 && f.kind != FieldKind::Float && !info.is_pure_integer()))
      return;
    uint32_t wrong = 0;
    for (const uint64_t raw : codes(f, random)) {
      Bytes texel{}, back{};
      set_bits_at(texel, f.shift, f.bits, raw);
      const Texel value = unpack_texel(format, texel.data());
      const bool is_nan = f.kind == FieldKind::Float && std::isnan(static_cast<double>(value_of_float(raw, f.bits)));
      const bool is_lowest = f.kind == FieldKind::Snorm && raw == uint64_t{1} << (f.bits - 1);   // -1 has two codes
      const bool is_rounded = f.kind == FieldKind::Float && f.bits == 64;
      if (is_nan || is_lowest || is_rounded) continue;
      pack_texel(format, value, back.data());
      wrong += bits_at(back, f.shift, f.bits) != raw;
    }
    CAPTURE(info.name, f.shift, seed());
    CHECK(wrong == 0);
  });
}

TEST_CASE("unorm packing clamps, multiplies once and rounds half to even", "[format]") {
  const auto red = [](float x) { return packed<uint8_t>(Format::R8_UNORM, floats(x, 0, 0, 0)); };
  CHECK(red(0.5f) == 128);                 // 127.5 ties to 128
  CHECK(red(0.5f / 255) == 0);             // 0.5 ties to 0 where the product is exact enough
  CHECK(red(1.5f / 255) == 2);
  CHECK(red(-1.0f) == 0);
  CHECK(red(-0.0f) == 0);
  CHECK(red(2.0f) == 255);
  CHECK(red(kInfinity) == 255);
  CHECK(red(-kInfinity) == 0);
  CHECK(red(kNan) == 0);
  CHECK(packed<uint16_t>(Format::B5G6R5_UNORM, floats(1, 0.5f, 0, 1)) == (31u << 11 | 32u << 5));
  CHECK(packed<uint32_t>(Format::B8G8R8A8_UNORM, floats(1, 0, 0.2f, 1)) == 0xffff0033u);
  CHECK(packed<uint32_t>(Format::Z32_UNORM, floats(0.5f, 0, 0, 0)) == 0x80000000u);
  CHECK(packed<uint32_t>(Format::Z24X8_UNORM, floats(0.5f, 0, 0, 0)) == 0x800000u);
}

TEST_CASE("unorm packing is exact against long double for all widths", "[format]") {
  std::mt19937 random(seed());
  for (const auto& [format, bits] : {std::pair{Format::B4G4R4A4_UNORM, 4},
                                     {Format::R8G8B8A8_UNORM, 8},
                                     {Format::R10G10B10A2_UNORM, 10},
                                     {Format::R16G16B16A16_UNORM, 16},
                                     {Format::R32G32B32A32_UNORM, 32}}) {
    const FormatInfo& info = format_info(format);
    const FormatField f = info.field[static_cast<uint32_t>(info.swizzle[0])];
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < rounds(20000); ++i) {
      const float x = static_cast<float>(random()) * 0x1p-32f;
      Bytes texel{};
      pack_texel(format, floats(x, 0, 0, 0), texel.data());
      const long double product = bits < 24 ? static_cast<long double>(x * static_cast<float>((1 << bits) - 1))
                                            : static_cast<long double>(static_cast<double>(x) * 4294967295.0);
      wrong += bits_at(texel, f.shift, f.bits) != static_cast<uint64_t>(std::rint(product));
    }
    CAPTURE(info.name, seed());
    CHECK(wrong == 0);
  }
}

TEST_CASE("snorm packing clamps to the symmetric range", "[format]") {
  const auto red = [](float x) { return static_cast<int8_t>(packed<uint8_t>(Format::R8_SNORM, floats(x, 0, 0, 0))); };
  CHECK(red(1.0f) == 127);
  CHECK(red(-1.0f) == -127);
  CHECK(red(-7.0f) == -127);
  CHECK(red(0.5f) == 64);    // 63.5 ties to 64
  CHECK(red(-0.5f) == -64);
  CHECK(red(kNan) == 0);
  CHECK(packed<uint32_t>(Format::R32_SNORM, floats(-1, 0, 0, 0)) == 0x80000001u);
}

TEST_CASE("integer packing saturates, scaled packing truncates first", "[format]") {
  CHECK(packed<uint8_t>(Format::R8_UINT, {{300, 0, 0, 0}}) == 255);
  CHECK(packed<uint8_t>(Format::R8_SINT, {{300, 0, 0, 0}}) == 127);
  CHECK(packed<uint8_t>(Format::R8_SINT, {{static_cast<uint32_t>(-300), 0, 0, 0}}) == 0x80);
  CHECK(packed<uint32_t>(Format::R10G10B10A2_UINT, {{5000, 1, 2, 9}}) == (0x3ffu | 1u << 10 | 2u << 20 | 3u << 30));
  CHECK(packed<uint32_t>(Format::R32_UINT, {{0xdeadbeef, 0, 0, 0}}) == 0xdeadbeef);
  CHECK(packed<uint8_t>(Format::R8_USCALED, floats(3.99f, 0, 0, 0)) == 3);
  CHECK(packed<uint8_t>(Format::R8_USCALED, floats(-1, 0, 0, 0)) == 0);
  CHECK(packed<uint8_t>(Format::R8_SSCALED, floats(-3.99f, 0, 0, 0)) == 0xfd);
  CHECK(packed<uint8_t>(Format::R8_SSCALED, floats(1e30f, 0, 0, 0)) == 127);
  CHECK(packed<uint8_t>(Format::R8_SSCALED, floats(kNan, 0, 0, 0)) == 0);
}

TEST_CASE("fixed-point packing rounds half to even and saturates", "[format]") {
  const auto red = [](float x) {
    return static_cast<int32_t>(packed<uint32_t>(Format::R32_FIXED, floats(x, 0, 0, 0)));
  };
  CHECK(red(1.0f) == 0x10000);
  CHECK(red(-1.5f) == -0x18000);
  CHECK(red(0x1p-17f) == 0);
  CHECK(red(0x1.8p-16f) == 2);
  CHECK(red(1e9f) == 0x7fffffff);
  CHECK(red(-1e9f) == std::numeric_limits<int32_t>::min());
  CHECK(red(kNan) == 0);
}

TEST_CASE("float packing writes the canonical NaN", "[format]") {
  const Texel nan = {{0xffc12345u, 0, 0, 0}};
  CHECK(packed<uint32_t>(Format::R32_FLOAT, nan) == 0x7fc00000u);
  CHECK(packed<uint16_t>(Format::R16_FLOAT, nan) == 0x7e00u);
  CHECK(packed<uint64_t>(Format::R64_FLOAT, nan) == 0x7ff8000000000000u);
  CHECK(packed<uint16_t>(Format::R16_FLOAT, floats(65520, 0, 0, 0)) == 0x7c00u);
  CHECK(packed<uint16_t>(Format::R16_FLOAT, floats(-0x1p-24f, 0, 0, 0)) == 0x8001u);
}

TEST_CASE("small floats round to nearest even and have no sign", "[format]") {
  const auto red = [](float x) { return packed<uint32_t>(Format::R11G11B10_FLOAT, floats(x, 0, 0, 0)); };
  const auto blue = [](float x) { return packed<uint32_t>(Format::R11G11B10_FLOAT, floats(0, 0, x, 0)) >> 22; };
  CHECK(red(1.0f) == 15u << 6);
  CHECK(red(1.0f + 0x1p-7f) == 15u << 6);            // a tie, to even
  CHECK(red(1.0f + 0x1.8p-6f) == ((15u << 6) + 2));  // a tie, to even
  CHECK(red(65024.0f) == 0x7bf);
  CHECK(red(1e30f) == 0x7bf);
  CHECK(red(kInfinity) == 0x7c0);
  CHECK(red(kNan) == 0x7e0);
  CHECK(red(-1.0f) == 0);
  CHECK(red(-kInfinity) == 0);
  CHECK(red(0x1p-20f) == 1);
  CHECK(red(0x1p-21f) == 0);
  CHECK(red(0x1.8p-20f) == 2);
  CHECK(blue(64512.0f) == 0x3df);
  CHECK(blue(0x1p-19f) == 1);
  CHECK(blue(kNan) == 0x3f0);
}

TEST_CASE("shared exponents follow the specification's formula", "[format]") {
  const auto pack = [](float r, float g, float b) {
    return packed<uint32_t>(Format::R9G9B9E5_FLOAT, floats(r, g, b, 1));
  };
  CHECK(pack(0, 0, 0) == 0);
  CHECK(pack(1, 0, 0) == (256u | 16u << 27));
  CHECK(pack(1e30f, 65408.0f, -1.0f) == (511u | 511u << 9 | 31u << 27));
  CHECK(pack(kNan, kInfinity, 0) == (511u << 9 | 31u << 27));
  CHECK(pack(0x1p-24f, 0x1p-25f, 0x1.fp-26f) == (1u | 1u << 9));
  // OpenGL 4.6, 8.5.2, in long double.
  std::mt19937 random(seed());
  uint32_t wrong = 0;
  for (uint32_t i = 0; i < rounds(50000); ++i) {
    float x[3];
    for (float& v : x)
      v = std::ldexp(1.0f + static_cast<float>(random() % 0x800000) * 0x1p-23f, static_cast<int>(random() % 48) - 30);
    const float greatest = std::min(std::max({x[0], x[1], x[2]}), 65408.0f);
    int exponent = std::max(-16, std::ilogb(greatest)) + 16;
    const auto mantissa = [&](float v) {
      return static_cast<uint32_t>(
          std::floor(std::ldexp(static_cast<long double>(std::min(v, 65408.0f)), 24 - exponent) + 0.5L));
    };
    if (mantissa(greatest) == 512) ++exponent;
    wrong += pack(x[0], x[1], x[2]) !=
             (mantissa(x[0]) | mantissa(x[1]) << 9 | mantissa(x[2]) << 18 | static_cast<uint32_t>(exponent) << 27);
  }
  CAPTURE(seed());
  CHECK(wrong == 0);
}

TEST_CASE("unused bits are written as zeros", "[format]") {
  uint32_t texel = ~0u;
  pack_texel(Format::B8G8R8X8_UNORM, floats(1, 1, 1, 1), &texel);
  CHECK(texel == 0x00ffffffu);
}

TEST_CASE("sRGB formats encode colour and leave alpha linear", "[format]") {
  CHECK(packed<uint32_t>(Format::R8G8B8A8_SRGB, floats(0.5f, 0, 1, 0.5f)) == (188u | 255u << 16 | 128u << 24));
  CHECK(packed<uint16_t>(Format::L8A8_SRGB, floats(0.5f, 0, 0, 0.5f)) == (188u | 128u << 8));
}

// ---- rows, depth and stencil ----------------------------------------------------------------------------------------

TEST_CASE("a row is its texels, long or short", "[format]") {
  std::mt19937 random(seed());
  for (size_t i = 1; i < all_formats().size(); ++i) {
    const Format format = format_at(i);
    const FormatInfo& info = all_formats()[i];
    if (info.is_compressed) continue;
    for (const uint32_t count : {1u, 5u, 700u}) {
      std::vector<uint8_t> source(size_t{count} * info.block_bytes + kMaxTexel_bytes), row(source), single(source);
      for (uint8_t& byte : source) byte = static_cast<uint8_t>(random());
      std::vector<Texel> texels(count);
      unpack_row(format, source.data(), count, texels.data());
      pack_row(format, texels.data(), count, row.data());
      uint32_t wrong = 0;
      for (uint32_t x = 0; x < count; ++x) {
        wrong += unpack_texel(format, &source[size_t{x} * info.block_bytes]) != texels[x];
        pack_texel(format, texels[x], &single[size_t{x} * info.block_bytes]);
      }
      CAPTURE(info.name, count, seed());
      CHECK(wrong == 0);
      CHECK(row == single);
    }
  }
}

TEST_CASE("depth and stencil are written one at a time", "[format]") {
  for (const Format format : {Format::Z24_UNORM_S8_UINT, Format::S8_UINT_Z24_UNORM, Format::Z32_FLOAT_S8X24_UINT}) {
    CAPTURE(format_info(format).name);
    uint8_t texel[8] = {};
    pack_depth(format, 0.25f, texel);
    pack_stencil(format, 0xa5, texel);
    CHECK(unpack_depth(format, texel) == Approx(0.25f).margin(1e-7));
    CHECK(unpack_stencil(format, texel) == 0xa5);
    pack_depth(format, 1.0f, texel);
    CHECK(unpack_stencil(format, texel) == 0xa5);
    CHECK(unpack_depth(format, texel) == 1.0f);
    pack_stencil(format, 0, texel);
    CHECK(unpack_depth(format, texel) == 1.0f);
  }
  uint32_t texel = 0;
  pack_stencil(Format::X24S8_UINT, 7, &texel);
  CHECK(texel == 7u << 24);
  pack_depth(Format::X8Z24_UNORM, 1.0f, &texel);
  CHECK(texel >> 8 == 0xffffffu);
}

TEST_CASE("24-bit depth is the nearest code of the float", "[format]") {
  std::mt19937 random(seed());
  uint32_t wrong = 0;
  for (uint32_t i = 0; i < rounds(50000); ++i) {
    const float z = static_cast<float>(random()) * 0x1p-32f;
    uint32_t texel = 0;
    pack_depth(Format::Z24X8_UNORM, z, &texel);
    wrong += (texel & 0xffffff) != static_cast<uint32_t>(std::rint(static_cast<double>(z) * 16777215.0));
    wrong += unpack_depth(Format::Z24X8_UNORM, &texel) != static_cast<float>((texel & 0xffffff) / 16777215.0L);
  }
  CAPTURE(seed());
  CHECK(wrong == 0);
}

}  // namespace tessera::tests
