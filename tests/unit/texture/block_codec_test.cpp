// Blocks of compressed formats -> texels: against a slow oracle, other decoders' results, examples of the
// specifications, and whole small spaces.
#include <bit>
#include <cmath>
#include <set>
#include <sstream>

#include <catch2/catch.hpp>

#include "../../support/data.h"
#include "../../support/random.h"
#include "spec_astc.h"
#include "spec_bc6h.h"
#include "spec_blocks.h"
#include "texture/astc_sequence.h"
#include "texture/block_codec.h"

namespace tessera::tests {
namespace {

using texture::block_codec;

std::vector<Format> block_formats() {
  std::vector<Format> formats;
  for (size_t i = 0; i < all_formats().size(); ++i)
    if (all_formats()[i].is_compressed) formats.push_back(static_cast<Format>(i));
  return formats;
}

// The texels of a block as words; what is sRGB-encoded stays so.
struct Decoded {
  Format format;
  uint32_t width, height;
  std::vector<Texel> texels;
  const Texel& at(uint32_t x, uint32_t y) const { return texels[size_t{y} * width + x]; }
  float value(uint32_t x, uint32_t y, uint32_t channel) const { return std::bit_cast<float>(at(x, y).word[channel]); }
};

Format as_stored(Format decoded) {
  return decoded == Format::R8G8B8A8_SRGB   ? Format::R8G8B8A8_UNORM
         : decoded == Format::R8G8B8X8_SRGB ? Format::R8G8B8X8_UNORM
                                            : decoded;
}

Decoded decode(Format format, const uint8_t* block) {
  const FormatInfo& info = format_info(format);
  std::byte bytes[texture::kMaxBlock_bytes + 1];
  const size_t texels = size_t{info.block_width} * info.block_height,
               texel_bytes = format_info(info.decoded).block_bytes;
  bytes[texels * texel_bytes] = std::byte{0x5a};
  block_codec(info.codec).decode(info, block, bytes);
  REQUIRE(bytes[texels * texel_bytes] == std::byte{0x5a});
  Decoded decoded{as_stored(info.decoded), info.block_width, info.block_height, std::vector<Texel>(texels)};
  unpack_row(decoded.format, bytes, static_cast<uint32_t>(texels), decoded.texels.data());
  return decoded;
}

// By hand: bytes in hexadecimal.
std::vector<uint8_t> block_of(std::string_view hex) {
  std::vector<uint8_t> bytes;
  for (size_t i = 0; i + 1 < hex.size(); i += 2)
    bytes.push_back(static_cast<uint8_t>(std::stoul(std::string(hex.substr(i, 2)), nullptr, 16)));
  return bytes;
}

// The bytes of a block that is written as one number, highest byte first.
std::array<uint8_t, 8> big_endian(uint64_t word) {
  std::array<uint8_t, 8> bytes;
  for (uint32_t i = 0; i < 8; ++i) bytes[i] = static_cast<uint8_t>(word >> (56 - 8 * i));
  return bytes;
}

using Rgb = std::array<int, 3>;
Rgb bytes_at(const Decoded& d, uint32_t x, uint32_t y) {
  Rgb rgb;
  for (uint32_t c = 0; c < 3; ++c) rgb[c] = static_cast<int>(std::lround(d.value(x, y, c) * 255));
  return rgb;
}

// How often a decoded block is not what the oracle says: a nearest 8-bit value, or the nearest float.
uint32_t count_wrong(Format format, const uint8_t* block) {
  const Decoded decoded = decode(format, block);
  const bool is_bytes = decoded.format == Format::R8G8B8A8_UNORM || decoded.format == Format::R8G8B8X8_UNORM;
  uint32_t wrong = 0;
  for (uint32_t y = 0; y < decoded.height; ++y)
    for (uint32_t x = 0; x < decoded.width; ++x) {
      const SpecTexel exact = spec_texel(format, block, x, y);
      for (uint32_t c = 0; c < 4; ++c) {
        const float got = decoded.value(x, y, c);
        // Half a step, and what the oracle's own rounding makes of ties.
        if (is_bytes) wrong += std::abs(std::round(got * 255.0L) - exact[c] * 255) > 0.5L + 1e-12L;
        else wrong += got != static_cast<float>(exact[c]);
      }
    }
  return wrong;
}

uint32_t crc32(const std::vector<uint8_t>& bytes) {
  uint32_t crc = ~0u;
  for (uint8_t byte : bytes) {
    crc ^= byte;
    for (int i = 0; i < 8; ++i) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
  }
  return ~crc;
}

}  // namespace

TEST_CASE("random blocks decode to what the specifications say, texel by texel", "[texture][blocks]") {
  std::mt19937 random(seed());
  for (Format format : block_formats()) {
    if (!has_spec_texel(format)) continue;
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < rounds(300); ++i) {
      uint8_t block[16];
      for (uint8_t& byte : block) byte = static_cast<uint8_t>(random());
      if (format == Format::BPTC_RGBA_UNORM || format == Format::BPTC_SRGBA) {   // each mode as often
        const uint32_t mode = i % 9;
        block[0] = static_cast<uint8_t>(mode == 8 ? 0 : (block[0] | 1) << mode);
      }
      wrong += count_wrong(format, block);
    }
    CAPTURE(format_info(format).name, seed());
    CHECK(wrong == 0);
  }
}

TEST_CASE("recorded blocks decode to what other decoders make of them", "[texture][blocks]") {
  std::istringstream lines(read_file(source_path("tests/unit/texture/blocks.txt")));
  uint32_t count = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream words(line);
    std::string name, hex, sum;
    words >> name >> hex >> sum;
    const Format format = format_from_name(name).value();
    const Decoded decoded = decode(format, block_of(hex).data());
    const bool is_half = decoded.format == Format::R16G16B16A16_FLOAT || decoded.format == Format::R16G16B16X16_FLOAT;
    const double scale = decoded.format == Format::R8G8B8A8_UNORM || decoded.format == Format::R8G8B8X8_UNORM ? 255
                         : name.find("SNORM") != std::string::npos                                             ? 1023
                                                                                                               : 2047;
    std::vector<uint8_t> codes;
    for (const Texel& texel : decoded.texels)
      for (uint32_t word : texel.word) {
        const float value = std::bit_cast<float>(word);
        uint16_t code;
        if (is_half) pack_texel(Format::R16_FLOAT, {{word, 0, 0, 0}}, &code);
        else code = static_cast<uint16_t>(std::lround(value * scale));
        codes.push_back(static_cast<uint8_t>(code));
        codes.push_back(static_cast<uint8_t>(code >> 8));
      }
    CAPTURE(line);
    CHECK(crc32(codes) == std::stoul(sum, nullptr, 16));
    ++count;
  }
  CHECK(count > 1000);
}

TEST_CASE("LATC, sRGB and ETC1 blocks are those of their relatives", "[texture][blocks]") {
  std::mt19937 random(seed());
  const std::pair<Format, Format> pairs[] = {
      {Format::LATC1_UNORM, Format::RGTC1_UNORM},    {Format::LATC1_SNORM, Format::RGTC1_SNORM},
      {Format::LATC2_UNORM, Format::RGTC2_UNORM},    {Format::LATC2_SNORM, Format::RGTC2_SNORM},
      {Format::ETC1_RGB8, Format::ETC2_RGB8},        {Format::DXT1_SRGBA, Format::DXT1_RGBA},
      {Format::BPTC_SRGBA, Format::BPTC_RGBA_UNORM}, {Format::ETC2_SRGB8A1, Format::ETC2_RGB8A1}};
  for (const auto& [one, other] : pairs)
    for (uint32_t i = 0; i < 50; ++i) {
      uint8_t block[16];
      for (uint8_t& byte : block) byte = static_cast<uint8_t>(random());
      std::byte a[texture::kMaxBlock_bytes] = {}, b[texture::kMaxBlock_bytes] = {};
      block_codec(format_info(one).codec).decode(format_info(one), block, a);
      block_codec(format_info(other).codec).decode(format_info(other), block, b);
      CAPTURE(format_info(one).name, seed());
      CHECK(std::memcmp(a, b, sizeof a) == 0);
    }
  const uint8_t half[16] = {128, 128};
  CHECK(decode(Format::LATC1_UNORM, half).at(0, 0) ==
        Texel{{0x3f008081, 0x3f008081, 0x3f008081, 0x3f800000}});   // 128 / 255
}

// ---- S3TC, RGTC -------------------------------------------------------------------------------------------------

TEST_CASE("every pair of BC1's colours gives the four exact colours, a channel at a time", "[texture][blocks]") {
  uint32_t wrong = 0;
  const auto check = [&](uint32_t color0, uint32_t color1) {
    const uint8_t block[8] = {static_cast<uint8_t>(color0),
                              static_cast<uint8_t>(color0 >> 8),
                              static_cast<uint8_t>(color1),
                              static_cast<uint8_t>(color1 >> 8),
                              0xe4,
                              0,
                              0,
                              0};   // the first row has codes 0 1 2 3
    wrong += count_wrong(Format::DXT1_RGBA, block);
  };
  for (uint32_t a = 0; a < 32; ++a)
    for (uint32_t b = 0; b < 32; ++b) {
      check(a << 11 | a, b << 11 | b);
      for (uint32_t high = 0; high < 4; ++high) check((a * 2 + high % 2) << 5, (b * 2 + high / 2) << 5);
    }
  CHECK(wrong == 0);
}

TEST_CASE("BC1's example of the specification, and its swapped form with black", "[texture][blocks]") {
  // (29/31, 60/63, 1/31) and (20/31, 2/63, 30/31): 29 > 20, so two colours lie between.
  const uint16_t c0 = 29 << 11 | 60 << 5 | 1, c1 = 20 << 11 | 2 << 5 | 30;
  uint8_t block[8] = {c0 & 255, c0 >> 8, c1 & 255, c1 >> 8, 0xe4, 0xe4, 0xe4, 0xe4};
  const Decoded four = decode(Format::DXT1_RGBA, block);
  CHECK(bytes_at(four, 0, 0) == Rgb{239, 243, 8});     // 238.55, 242.9, 8.2
  CHECK(bytes_at(four, 1, 1) == Rgb{165, 8, 247});     // 164.52, 8.1, 246.8
  CHECK(bytes_at(four, 2, 2) == Rgb{214, 165, 88});    // 213.9, 164.6, 87.7
  CHECK(bytes_at(four, 3, 3) == Rgb{189, 86, 167});    // 189.2, 86.4, 167.3
  std::swap(block[0], block[2]);
  std::swap(block[1], block[3]);
  const Decoded three = decode(Format::DXT1_RGBA, block);
  CHECK(bytes_at(three, 2, 0) == Rgb{202, 125, 128});  // 201.53, 125.48, and 127.5, which goes to even
  CHECK(three.at(3, 0) == Texel{{0, 0, 0, 0}});
  CHECK(decode(Format::DXT1_RGB, block).at(3, 0) == Texel{{0, 0, 0, 0x3f800000}});
}

TEST_CASE("every pair of BC4's ends gives the eight exact values, unsigned and signed", "[texture][blocks]") {
  uint32_t wrong = 0;
  for (uint32_t pair = 0; pair < 65536; ++pair) {
    // Codes 0 to 7 in the first eight texels.
    const uint8_t block[8] = {static_cast<uint8_t>(pair), static_cast<uint8_t>(pair >> 8), 0x88, 0xc6, 0xfa, 0, 0, 0};
    std::byte unorm[64], snorm[64];
    block_codec(BlockCodec::Bc4Unorm).decode(format_info(Format::RGTC1_UNORM), block, unorm);
    block_codec(BlockCodec::Bc4Snorm).decode(format_info(Format::RGTC1_SNORM), block, snorm);
    for (uint32_t i = 0; i < 8; ++i) {
      float u, s;
      std::memcpy(&u, unorm + 4 * i, 4);
      std::memcpy(&s, snorm + 4 * i, 4);
      wrong += u != static_cast<float>(spec_texel(Format::RGTC1_UNORM, block, i % 4, i / 4)[0]);
      wrong += s != static_cast<float>(spec_texel(Format::RGTC1_SNORM, block, i % 4, i / 4)[0]);
    }
  }
  CHECK(wrong == 0);
}

// ---- ETC --------------------------------------------------------------------------------------------------------

TEST_CASE("every table, base and index of ETC1 gives the exact colour", "[texture][blocks]") {
  uint32_t wrong = 0;
  for (uint32_t table = 0; table < 8; ++table)
    for (uint32_t base = 0; base < 16; ++base) {
      const uint64_t word = uint64_t{base} << 60 | uint64_t{15 - base} << 56 | uint64_t{base} << 52 |
                            uint64_t{base} << 44 | uint64_t{table} << 37 | uint64_t{7 - table} << 34 |
                            0xf0f0'3333ull;   // all four indices
      for (uint64_t flip = 0; flip < 2; ++flip)
        wrong += count_wrong(Format::ETC1_RGB8, big_endian(word | flip << 32).data());
    }
  for (uint32_t base = 0; base < 32; ++base)
    for (uint32_t delta = 0; delta < 8; ++delta)
      for (uint64_t differential = 2; differential < 4; ++differential) {
        const uint64_t word = uint64_t{base} << 59 | uint64_t{delta} << 56 | uint64_t{16} << 51 | uint64_t{16} << 43 |
                              uint64_t{base & 7} << 37 | differential << 32 | 0xa5a5'3c3cull;
        wrong += count_wrong(Format::ETC2_RGB8, big_endian(word).data());
      }
  CHECK(wrong == 0);
}

TEST_CASE("the worked examples of the ETC2 specification decode to its tables", "[texture][blocks]") {
  constexpr uint64_t kAllIndices = 0xff00'f0f0ull;   // texels (0, 0), (1, 0), (2, 0), (3, 0): 0, 1, 2, 3
  // Individual mode: bases (4, 11, 9) with table 4 and (14, 3, 8) with table 0, side by side.
  const uint64_t individual = uint64_t{4} << 60 | uint64_t{14} << 56 | uint64_t{11} << 52 | uint64_t{3} << 48 |
                              uint64_t{9} << 44 | uint64_t{8} << 40 | uint64_t{4} << 37 | kAllIndices;
  const Decoded i = decode(Format::ETC2_RGB8, big_endian(individual).data());
  CHECK(bytes_at(i, 0, 0) == Rgb{86, 205, 171});
  CHECK(bytes_at(i, 1, 0) == Rgb{128, 247, 213});
  CHECK(bytes_at(i, 2, 0) == Rgb{236, 49, 134});
  CHECK(bytes_at(i, 3, 0) == Rgb{230, 43, 128});

  // Differential mode: (29, 26, 8), offset (-4, -3, +3), tables 2 and 3.
  const uint64_t differential = uint64_t{29} << 59 | uint64_t{4} << 56 | uint64_t{26} << 51 | uint64_t{5} << 48 |
                                uint64_t{8} << 43 | uint64_t{3} << 40 | uint64_t{2} << 37 | uint64_t{3} << 34 |
                                uint64_t{1} << 33 | kAllIndices;
  const Decoded d = decode(Format::ETC2_RGB8, big_endian(differential).data());
  CHECK(bytes_at(d, 0, 0) == Rgb{248, 223, 75});
  CHECK(bytes_at(d, 1, 0) == Rgb{255, 243, 95});   // 268 is clamped
  CHECK(bytes_at(d, 2, 0) == Rgb{193, 176, 77});
  CHECK(bytes_at(d, 3, 0) == Rgb{164, 147, 48});

  // T mode: (13, 1, 8) and (4, 12, 13), distance index 5. Bits 63 to 61 make red overflow: 3 << 2 | 1 is 13, so bits
  // 60..59 are 3 and 57..56 are 1; with bit 58 clear the sum 31 + 1 is 32.
  const uint64_t t = uint64_t{7} << 61 | uint64_t{3} << 59 | uint64_t{1} << 56 | uint64_t{1} << 52 | uint64_t{8} << 48 |
                     uint64_t{4} << 44 | uint64_t{12} << 40 | uint64_t{13} << 36 | uint64_t{2} << 34 |
                     uint64_t{1} << 33 | uint64_t{1} << 32 | kAllIndices;
  const Decoded td = decode(Format::ETC2_RGB8, big_endian(t).data());
  CHECK(bytes_at(td, 0, 0) == Rgb{221, 17, 136});
  CHECK(bytes_at(td, 1, 0) == Rgb{100, 236, 253});
  CHECK(bytes_at(td, 2, 0) == Rgb{68, 204, 221});
  CHECK(bytes_at(td, 3, 0) == Rgb{36, 172, 189});

  // Planar mode: (12, 64, 62), (50, 5, 37), (40, 112, 45). Blue overflows: bits 47..43 are 111 and 11, 42..40 are 0 and
  // 11.
  const uint64_t planar = uint64_t{12} << 57 | uint64_t{1} << 56 | uint64_t{1} << 48 | uint64_t{7} << 45 |
                          uint64_t{3} << 43 | uint64_t{6} << 39 | uint64_t{25} << 34 | uint64_t{1} << 33 |
                          uint64_t{5} << 25 | uint64_t{37} << 19 | uint64_t{40} << 13 | uint64_t{112} << 6 | 45;
  const Decoded p = decode(Format::ETC2_RGB8, big_endian(planar).data());
  constexpr Rgb kPlanar[16] = {{48, 129, 251},  {87, 99, 226},   {126, 70, 201},  {164, 40, 175},
                               {77, 153, 234},  {115, 123, 209}, {154, 94, 183},  {193, 64, 158},
                               {105, 177, 217}, {144, 147, 191}, {183, 118, 166}, {221, 88, 141},
                               {134, 201, 199}, {172, 171, 174}, {211, 142, 149}, {250, 112, 124}};
  for (uint32_t n = 0; n < 16; ++n) {
    CAPTURE(n);
    CHECK(bytes_at(p, n % 4, n / 4) == kPlanar[n]);
  }
}

TEST_CASE("every base, multiplier, table and index of EAC gives the exact value", "[texture][blocks]") {
  uint32_t wrong = 0;
  for (uint32_t base = 0; base < 256; base += 5)
    for (uint32_t multiplier = 0; multiplier < 16; ++multiplier)
      for (uint32_t table = 0; table < 16; ++table) {
        const uint64_t word =
            uint64_t{base} << 56 | uint64_t{multiplier} << 52 | uint64_t{table} << 48 | 0x053977'053977ull;
        wrong += count_wrong(Format::ETC2_R11_UNORM, big_endian(word).data());
        wrong += count_wrong(Format::ETC2_R11_SNORM, big_endian(word).data());
      }
  CHECK(wrong == 0);
  // The specification's examples: base 103, table 13, index 3; multipliers 2 and 0. -128 counts as -127.
  const auto first = [](Format format, uint64_t base, uint64_t multiplier) {
    return decode(format, big_endian(base << 56 | multiplier << 52 | uint64_t{13} << 48 | uint64_t{3} << 45).data())
        .value(0, 0, 0);
  };
  CHECK(first(Format::ETC2_R11_UNORM, 103, 2) == 668 / 2047.0f);
  CHECK(first(Format::ETC2_R11_UNORM, 103, 0) == 818 / 2047.0f);
  CHECK(first(Format::ETC2_R11_SNORM, 60, 2) == 320 / 1023.0f);
  CHECK(first(Format::ETC2_R11_SNORM, 60, 0) == 470 / 1023.0f);
  CHECK(first(Format::ETC2_R11_SNORM, 0x80, 0) == first(Format::ETC2_R11_SNORM, 0x81, 0));
}

// ---- BPTC -------------------------------------------------------------------------------------------------------

TEST_CASE("reserved modes of BPTC are zeros", "[texture][blocks]") {
  std::vector<uint8_t> block(16, 0xff);
  block[0] = 0;
  for (const Texel& texel : decode(Format::BPTC_RGBA_UNORM, block.data()).texels) CHECK(texel == Texel{});
  for (const uint8_t mode : {19, 23, 27, 31}) {
    block[0] = static_cast<uint8_t>(0xe0 | mode);
    for (const Texel& texel : decode(Format::BPTC_RGB_FLOAT, block.data()).texels)
      CHECK(texel == Texel{{0, 0, 0, 0x3f800000}});
  }
}

TEST_CASE("each bit of each mode of BC6H means what the specification says", "[texture][blocks]") {
  std::mt19937 random(seed());
  for (Format format : {Format::BPTC_RGB_UFLOAT, Format::BPTC_RGB_FLOAT})
    for (const Bc6hMode& mode : kBc6hModes) {
      uint32_t wrong = 0;
      const auto check = [&](uint8_t* block) {
        block[0] = static_cast<uint8_t>((block[0] & ~((1u << mode.bits) - 1)) | mode.number);
        wrong += count_wrong(format, block);
      };
      for (uint32_t bit = 0; bit < 128; ++bit)         // one that is unlike all others
        for (const uint8_t background : {0x00, 0xff}) {
          uint8_t block[16];
          std::fill(std::begin(block), std::end(block), background);
          block[bit / 8] ^= static_cast<uint8_t>(1 << bit % 8);
          check(block);
        }
      for (uint32_t i = 0; i < rounds(300); ++i) {
        uint8_t block[16];
        for (uint8_t& byte : block) byte = static_cast<uint8_t>(random());
        check(block);
      }
      CAPTURE(format_info(format).name, mode.number, seed());
      CHECK(wrong == 0);
    }
}

TEST_CASE("BC6H reaches its largest values, and minus infinity only where it is signed", "[texture][blocks]") {
  // Mode 3: endpoints of 10 bits that stand for themselves. All ones, index 15 for texel 1, 0 for the others.
  std::vector<uint8_t> block = block_of("e3ffffffffffffff0100000000000000");
  block[8] = 0x01 | 0xf << 4;   // bits 65..67 are texel 0's index, 68..71 texel 1's
  CHECK(decode(Format::BPTC_RGB_UFLOAT, block.data()).value(1, 0, 0) == 65504.0f);
  CHECK(decode(Format::BPTC_RGB_FLOAT, block.data()).value(0, 0, 0) ==
        -93 * 0x1p-24f);   // -1 -> -96 -> -93, a denormal half
  // Mode 15: 16 bits; the first endpoint -32768, offset 0.
  uint8_t lowest[16] = {15};
  lowest[4] = 0x80;   // R0 bit 15 is bit 39 of the block
  CHECK(std::isinf(decode(Format::BPTC_RGB_FLOAT, lowest).value(0, 0, 0)));
  CHECK(decode(Format::BPTC_RGB_UFLOAT, lowest).value(0, 0, 0) == 1.5f);   // 0x8000 * 31 / 64 = 0x3e00
}

// ---- ASTC -------------------------------------------------------------------------------------------------------

TEST_CASE("ASTC's ranges unquantize to distinct values from end to end", "[texture][blocks]") {
  using namespace texture::astc;
  for (uint32_t r = 0; r < std::size(kColorRanges); ++r) {
    const IntegerRange range = kColorRanges[r];
    const uint32_t count = (range.trits ? 3u : range.quints ? 5u : 1u) << range.bits;
    std::set<uint32_t> values;
    for (uint32_t v = 0; v < count; ++v) values.insert(unquantize_color(r, v));
    CAPTURE(r);
    CHECK(values.size() == count);
    CHECK((*values.begin() == 0 && *values.rbegin() == 255));
    for (uint32_t v : values) CHECK(values.count(255 - v) == 1);   // mirrored
  }
  for (uint32_t r = 0; r < std::size(kWeightRanges); ++r) {
    const IntegerRange range = kWeightRanges[r];
    const uint32_t count = (range.trits ? 3u : range.quints ? 5u : 1u) << range.bits;
    std::set<uint32_t> values;
    for (uint32_t v = 0; v < count; ++v) values.insert(unquantize_weight(r, v));
    CAPTURE(r);
    CHECK(values.size() == count);
    CHECK((*values.begin() == 0 && *values.rbegin() == 64));
    for (uint32_t v : values) CHECK(values.count(64 - v) == 1);
  }
}

TEST_CASE("every packed group of trits and quints is read, and all combinations occur", "[texture][blocks]") {
  using namespace texture::astc;
  std::set<std::vector<uint8_t>> trits, quints;
  for (uint64_t packed = 0; packed < 256; ++packed) {
    std::vector<uint8_t> five(5), three(3);
    read_sequence({packed, 0}, 0, {1, 0, 0}, 5, five.data());
    for (uint8_t t : five) CHECK(t < 3);
    trits.insert(five);
    if (packed >= 128) continue;
    read_sequence({packed, 0}, 0, {0, 1, 0}, 3, three.data());
    for (uint8_t q : three) CHECK(q < 5);
    quints.insert(three);
  }
  CHECK(trits.size() == 243);
  CHECK(quints.size() == 125);
}

// A random block of ASTC whose grid of weights mostly fits.
std::array<uint8_t, 16> random_astc(const FormatInfo& format, std::mt19937& random) {
  std::array<uint8_t, 16> block;
  for (int tries = 0; tries < 40; ++tries) {
    for (uint8_t& byte : block) byte = static_cast<uint8_t>(random());
    const auto texel = spec_astc_texel(block.data(), format.block_width, format.block_height, false, 0, 0);
    if (texel != std::array<uint32_t, 4>{65535, 0, 65535, 65535}) break;
  }
  return block;
}

TEST_CASE("random blocks of ASTC decode to what the specification says, for every block size", "[texture][blocks]") {
  std::mt19937 random(seed());
  for (size_t n = 0; n < all_formats().size(); ++n) {
    const FormatInfo& info = all_formats()[n];
    const bool is_srgb = info.codec == BlockCodec::AstcSrgb;
    if (!is_srgb && info.codec != BlockCodec::AstcLinear) continue;
    uint32_t wrong = 0, legal = 0;
    for (uint32_t i = 0; i < rounds(24); ++i) {
      const std::array<uint8_t, 16> block = random_astc(info, random);
      const Decoded decoded = decode(static_cast<Format>(n), block.data());
      for (uint32_t y = 0; y < info.block_height; ++y)
        for (uint32_t x = 0; x < info.block_width; ++x) {
          const auto expected = spec_astc_texel(block.data(), info.block_width, info.block_height, is_srgb, x, y);
          legal += expected != std::array<uint32_t, 4>{65535, 0, 65535, 65535};
          for (uint32_t c = 0; c < 4; ++c) {
            const float got = decoded.value(x, y, c);
            if (is_srgb) {
              wrong += std::lround(got * 255) != static_cast<long>(expected[c] >> 8);
            } else {   // the half just below n / 65536, or 1
              const double exact = expected[c] == 65535 ? 1.0 : expected[c] / 65536.0;
              const double unit = std::ldexp(1.0, std::max(std::ilogb(std::max(exact, 0x1p-14)), -14) - 10);
              wrong += got != std::floor(exact / unit) * unit;
            }
          }
        }
    }
    CAPTURE(info.name, seed());
    CHECK(wrong == 0);
    CHECK(legal > 0);
  }
}

TEST_CASE("an ASTC block of one colour has it everywhere, and errors are magenta", "[texture][blocks]") {
  const Texel magenta = {{0x3f800000, 0, 0x3f800000, 0x3f800000}};
  const auto all_are = [](Format format, const std::vector<uint8_t>& block, const Texel& texel) {
    for (const Texel& t : decode(format, block.data()).texels)
      if (t != texel) return false;
    return true;
  };
  // Red 0xffff, green 0x8000, blue 0x0001, alpha 0x1234; all coordinates ones.
  const std::string color = "ffff" "0080" "0100" "3412";
  CHECK(all_are(Format::ASTC_6x6, block_of("fcfdffffffffffff" + color),
                {{0x3f800000, 0x3f000000, 0x37800000, std::bit_cast<uint32_t>(0x1.234p-4f)}}));
  const Decoded srgb = decode(Format::ASTC_6x6_SRGB, block_of("fcfdffffffffffff" + color).data());
  CHECK(bytes_at(srgb, 5, 5) == Rgb{255, 128, 0});
  CHECK(std::lround(srgb.value(5, 5, 3) * 255) == 0x12);
  CHECK(all_are(Format::ASTC_4x4, block_of("fcffffffffffffff" + color), magenta));   // high dynamic range
  CHECK(all_are(Format::ASTC_4x4, block_of("fcf9ffffffffffff" + color), magenta));   // bit 10 is 0
  CHECK(all_are(Format::ASTC_4x4, block_of("fcf5ffffffffffff" + color), magenta));   // bit 11 is 0
  CHECK(all_are(Format::ASTC_4x4, block_of("fc0d000000000000" + color), magenta));   // an empty extent
  CHECK(all_are(Format::ASTC_4x4, block_of("00000000000000000000000000000000"), magenta));   // a reserved mode
  CHECK(all_are(Format::ASTC_4x4, block_of("c0010000000000000000000000000000"), magenta));
  // A grid of 5 x 2 weights is wider than a block of 4, and fits one of 5: bits 7 and 8 are the width less 4.
  CHECK(all_are(Format::ASTC_4x4, block_of("93000000000000000000000000000000"), magenta));
  CHECK_FALSE(all_are(Format::ASTC_5x4, block_of("93000000000000000000000000000000"), magenta));
  // Two planes and four partitions.
  CHECK(all_are(Format::ASTC_4x4, block_of("421c0000000000000000000000000000"), magenta));
}

TEST_CASE("an ASTC block interpolates between its endpoints by its weights", "[texture][blocks]") {
  // Luminance, direct (mode 0), 4 x 4 weights of 2 bits: 32 bits of weights, and two values of 8 bits from bit 17 on.
  // Block mode: width 4 (bits 8..7: 0), height 4 (bits 6..5: 2), range 4 = 2 bits (bits 0, 1, 4: 0, 1, 0).
  uint8_t block[16] = {0x42};
  const uint32_t low = 0x20, high = 0xe0;
  const uint64_t values = uint64_t{low} << 17 | uint64_t{high} << 25;
  for (uint32_t i = 0; i < 8; ++i) block[i] = static_cast<uint8_t>(block[i] | values >> 8 * i);
  for (uint32_t i = 12; i < 16; ++i)
    block[i] = 0x27;   // reversed, a byte is the weights 0, 1, 2, 3 (low bits first): 0xe4
  const Decoded decoded = decode(Format::ASTC_4x4_SRGB, block);
  const uint32_t weights[4] = {0, 21, 43, 64};   // of 2 bits: 0, 21, 42, 63, and one more above 32
  for (uint32_t x = 0; x < 4; ++x) {
    const uint32_t expected = ((low << 8 | 0x80) * (64 - weights[x]) + (high << 8 | 0x80) * weights[x] + 32) / 64 >> 8;
    for (uint32_t y = 0; y < 4; ++y) CHECK(bytes_at(decoded, x, y)[0] == static_cast<int>(expected));
    CHECK(decoded.value(x, 0, 3) == 1.0f);
  }
}

// ---- others -----------------------------------------------------------------------------------------------------

TEST_CASE("pairs of texels share two of their colours", "[texture][blocks]") {
  const uint8_t pair[4] = {10, 20, 30, 40};
  const auto texels = [&](Format format) {
    const Decoded d = decode(format, pair);
    return std::pair(bytes_at(d, 0, 0), bytes_at(d, 1, 0));
  };
  CHECK(texels(Format::R8G8_B8G8_UNORM) == std::pair(Rgb{10, 20, 30}, Rgb{10, 40, 30}));
  CHECK(texels(Format::G8R8_G8B8_UNORM) == std::pair(Rgb{20, 10, 40}, Rgb{20, 30, 40}));
  CHECK(texels(Format::R8G8_R8B8_UNORM) == std::pair(Rgb{10, 20, 40}, Rgb{30, 20, 40}));
  CHECK(texels(Format::G8R8_B8R8_UNORM) == std::pair(Rgb{20, 10, 30}, Rgb{40, 10, 30}));
}

TEST_CASE("YUV is that of video: 16 is black, 235 white, 128 grey", "[texture][blocks]") {
  const auto first = [](Format format, std::array<uint8_t, 4> pair) {
    return bytes_at(decode(format, pair.data()), 0, 0);
  };
  CHECK(first(Format::UYVY, {128, 16, 128, 235}) == Rgb{0, 0, 0});
  CHECK(bytes_at(decode(Format::UYVY, std::array<uint8_t, 4>{128, 16, 128, 235}.data()), 1, 0) == Rgb{255, 255, 255});
  CHECK(first(Format::UYVY, {90, 81, 240, 81}) == Rgb{255, 0, 0});      // red of colour bars
  CHECK(first(Format::YUYV, {81, 90, 81, 240}) == Rgb{255, 0, 0});
  CHECK(first(Format::VYUY, {240, 81, 90, 81}) == Rgb{255, 0, 0});
  CHECK(first(Format::YVYU, {81, 240, 81, 90}) == Rgb{255, 0, 0});
}

TEST_CASE("bits are eight texels a byte, the highest first", "[texture][blocks]") {
  const uint8_t bits = 0xa1;
  const Decoded d = decode(Format::R1_UNORM, &bits);
  for (uint32_t x = 0; x < 8; ++x) CHECK(d.value(x, 0, 0) == ((x == 0 || x == 2 || x == 7) ? 1.0f : 0.0f));
}

TEST_CASE("derived blue completes red and green to length one", "[texture][blocks]") {
  const auto texel = [](uint8_t r, uint8_t g) {
    const uint8_t block[2] = {r, g};
    return decode(Format::R8G8Bx_SNORM, block);
  };
  CHECK(texel(0, 0).at(0, 0) == Texel{{0, 0, 0x3f800000, 0x3f800000}});
  CHECK(texel(127, 0).value(0, 0, 2) == 0.0f);
  CHECK(texel(0x80, 127).value(0, 0, 2) == 0.0f);   // longer than one
  CHECK(std::abs(texel(76, 0).value(0, 0, 2) - std::sqrt(1 - 76.0 * 76 / 127 / 127)) < 1e-6);
}

TEST_CASE("any bits are a block of any format", "[texture][blocks]") {
  std::mt19937 random(seed());
  for (Format format : block_formats())
    for (uint32_t i = 0; i < rounds(400); ++i) {
      // On the heap and of the exact size, so that the address sanitizer sees a byte too many.
      std::vector<uint8_t> block(format_info(format).block_bytes);
      for (uint8_t& byte : block) byte = static_cast<uint8_t>(random());
      if (i % 8 == 0) block[0] = static_cast<uint8_t>(random() % 4 == 0 ? 0 : 1 << random() % 8);
      if (i % 8 == 1 && block.size() > 1) block[0] = 0xfc, block[1] |= 1;
      const Decoded decoded = decode(format, block.data());
      if (decoded.format == Format::R16G16B16X16_FLOAT) continue;   // infinities are in range
      for (const Texel& texel : decoded.texels)
        for (uint32_t word : texel.word)
          if (std::bit_cast<float>(word) < -1 || std::bit_cast<float>(word) > 1 ||
              std::isnan(std::bit_cast<float>(word)))
            FAIL(format_info(format).name << " gives a value out of range");
    }
}

}  // namespace tessera::tests
