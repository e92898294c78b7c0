// BC6H (BPTC, RGB of half floats).
#include <algorithm>

#include "texture/block_codec.h"
#include "texture/bptc_tables.h"

namespace tessera::texture {
namespace {

// Where a mode's bits go, in the notation of the specification's table "Block descriptions for BC6H block modes": from
// the lowest bit after the mode's on, a channel's letter, an endpoint's number, and the bits that are filled from the
// last named to the first; P is the partition.
struct Mode {
  uint8_t number, endpoint_bits, delta_bits[3];   // delta bits 0: endpoints stand for themselves
  const char* layout;
};
constexpr Mode kModes[] = {
    {0, 10, {5, 5, 5},
     "G2.4 B2.4 B3.4 R0.9-0 G0.9-0 B0.9-0 R1.4-0 G3.4 G2.3-0 G1.4-0 B3.0 G3.3-0 B1.4-0 B3.1 B2.3-0 R2.4-0 B3.2 "
     "R3.4-0 B3.3 P0.4-0"},
    {1, 7, {6, 6, 6},
     "G2.5 G3.4 G3.5 R0.6-0 B3.0 B3.1 B2.4 G0.6-0 B2.5 B3.2 G2.4 B0.6-0 B3.3 B3.5 B3.4 R1.5-0 G2.3-0 G1.5-0 "
     "G3.3-0 B1.5-0 B2.3-0 R2.5-0 R3.5-0 P0.4-0"},
    {2, 11, {5, 4, 4},
     "R0.9-0 G0.9-0 B0.9-0 R1.4-0 R0.10 G2.3-0 G1.3-0 G0.10 B3.0 G3.3-0 B1.3-0 B0.10 B3.1 B2.3-0 R2.4-0 B3.2 "
     "R3.4-0 B3.3 P0.4-0"},
    {6, 11, {4, 5, 4},
     "R0.9-0 G0.9-0 B0.9-0 R1.3-0 R0.10 G3.4 G2.3-0 G1.4-0 G0.10 G3.3-0 B1.3-0 B0.10 B3.1 B2.3-0 R2.3-0 B3.0 B3.2 "
     "R3.3-0 G2.4 B3.3 P0.4-0"},
    {10, 11, {4, 4, 5},
     "R0.9-0 G0.9-0 B0.9-0 R1.3-0 R0.10 B2.4 G2.3-0 G1.3-0 G0.10 B3.0 G3.3-0 B1.4-0 B0.10 B2.3-0 R2.3-0 B3.1 B3.2 "
     "R3.3-0 B3.4 B3.3 P0.4-0"},
    {14, 9, {5, 5, 5},
     "R0.8-0 B2.4 G0.8-0 G2.4 B0.8-0 B3.4 R1.4-0 G3.4 G2.3-0 G1.4-0 B3.0 G3.3-0 B1.4-0 B3.1 B2.3-0 R2.4-0 B3.2 "
     "R3.4-0 B3.3 P0.4-0"},
    {18, 8, {6, 5, 5},
     "R0.7-0 G3.4 B2.4 G0.7-0 B3.2 G2.4 B0.7-0 B3.3 B3.4 R1.5-0 G2.3-0 G1.4-0 B3.0 G3.3-0 B1.4-0 B3.1 B2.3-0 "
     "R2.5-0 R3.5-0 P0.4-0"},
    {22, 8, {5, 6, 5},
     "R0.7-0 B3.0 B2.4 G0.7-0 G2.5 G2.4 B0.7-0 G3.5 B3.4 R1.4-0 G3.4 G2.3-0 G1.5-0 G3.3-0 B1.4-0 B3.1 B2.3-0 "
     "R2.4-0 B3.2 R3.4-0 B3.3 P0.4-0"},
    {26, 8, {5, 5, 6},
     "R0.7-0 B3.1 B2.4 G0.7-0 B2.5 G2.4 B0.7-0 B3.5 B3.4 R1.4-0 G3.4 G2.3-0 G1.4-0 B3.0 G3.3-0 B1.5-0 B2.3-0 "
     "R2.4-0 B3.2 R3.4-0 B3.3 P0.4-0"},
    {30, 6, {0, 0, 0},
     "R0.5-0 G3.4 B3.0 B3.1 B2.4 G0.5-0 G2.5 B2.5 B3.2 G2.4 B0.5-0 G3.5 B3.3 B3.5 B3.4 R1.5-0 G2.3-0 G1.5-0 "
     "G3.3-0 B1.5-0 B2.3-0 R2.5-0 R3.5-0 P0.4-0"},
    {3, 10, {0, 0, 0}, "R0.9-0 G0.9-0 B0.9-0 R1.9-0 G1.9-0 B1.9-0"},
    {7, 11, {9, 9, 9}, "R0.9-0 G0.9-0 B0.9-0 R1.8-0 R0.10 G1.8-0 G0.10 B1.8-0 B0.10"},
    {11, 12, {8, 8, 8}, "R0.9-0 G0.9-0 B0.9-0 R1.7-0 R0.10-11 G1.7-0 G0.10-11 B1.7-0 B0.10-11"},
    {15, 16, {4, 4, 4}, "R0.9-0 G0.9-0 B0.9-0 R1.3-0 R0.10-15 G1.3-0 G0.10-15 B1.3-0 B0.10-15"}};

// The same, a step a run of bits.
struct Run { uint8_t field = 0, count = 0, first = 0; bool descends = false; };   // field: 4 * channel + endpoint
constexpr uint8_t kPartitionField = 12;
struct Layout { uint8_t runs = 0; Run run[28]; };

constexpr Layout parse_layout(const char* at) {
  Layout layout;
  while (*at) {
    Run& run = layout.run[layout.runs++];
    const uint8_t channel = *at == 'R' ? 0 : *at == 'G' ? 1 : *at == 'B' ? 2 : 3;
    run.field = static_cast<uint8_t>(4 * channel + (at[1] - '0'));
    at += 3;
    uint8_t bound[2] = {0, 0}, bounds = 0;
    for (; *at && *at != ' '; ++at) {
      if (*at == '-') ++bounds;
      else bound[bounds] = static_cast<uint8_t>(10 * bound[bounds] + (*at - '0'));
    }
    if (bounds == 0) bound[1] = bound[0];
    run.first = bound[1];
    run.descends = bound[0] < bound[1];
    run.count = static_cast<uint8_t>(1 + (run.descends ? bound[1] - bound[0] : bound[0] - bound[1]));
    if (*at == ' ') ++at;
  }
  return layout;
}

struct Layouts {
  Layout of[std::size(kModes)];
  constexpr Layouts() {
    for (size_t i = 0; i < std::size(kModes); ++i) of[i] = parse_layout(kModes[i].layout);
  }
};
constexpr Layouts kLayouts;

// A mode by its number's bits; the table's size where it is reserved.
size_t find_mode(uint32_t low_bits) {
  const uint32_t number = (low_bits & 3) < 2 ? low_bits & 3 : low_bits & 31;
  size_t at = 0;
  while (at < std::size(kModes) && kModes[at].number != number) ++at;
  return at;
}

struct Fields { uint32_t value[13] = {}; };   // three channels of four endpoints; the partition

Fields read_fields(const BlockBits& bits, const Layout& layout, uint32_t at) {
  Fields fields;
  for (uint32_t r = 0; r < layout.runs; ++r) {
    const Run& run = layout.run[r];
    for (uint32_t i = 0; i < run.count; ++i, ++at)
      fields.value[run.field] |= bits.get(at, 1) << (run.descends ? run.first - i : run.first + i);
  }
  return fields;
}

int32_t unquantize_unsigned(int32_t x, uint32_t bits) {
  if (bits >= 15 || x == 0) return x;
  if (x == (1 << bits) - 1) return 0xffff;
  return ((x << 15) + 0x4000) >> (bits - 1);
}

int32_t unquantize_signed(int32_t x, uint32_t bits) {
  if (bits >= 16 || x == 0) return x;
  const int32_t size = x < 0 ? -x : x;
  const int32_t value = size >= (1 << (bits - 1)) - 1 ? 0x7fff : ((size << 15) + 0x4000) >> (bits - 1);
  return x < 0 ? -value : value;
}

// Endpoint `e` of a channel, ready for interpolation.
int32_t endpoint_of(const Mode& mode, const Fields& fields, uint32_t channel, uint32_t e, bool is_signed) {
  const uint32_t bits = mode.endpoint_bits, delta_bits = mode.delta_bits[channel];
  uint32_t value = fields.value[4 * channel + e];
  if (e > 0 && delta_bits) {   // the sum wraps at the endpoint's bits
    value = fields.value[4 * channel] + static_cast<uint32_t>(sign_extend(value, delta_bits));
    value &= (1u << bits) - 1;
  }
  return is_signed ? unquantize_signed(sign_extend(value, bits), bits)
                   : unquantize_unsigned(static_cast<int32_t>(value), bits);
}

uint16_t half_of(int32_t value, bool is_signed) {
  if (!is_signed) return static_cast<uint16_t>(value * 31 >> 6);
  return static_cast<uint16_t>(value < 0 ? (-value * 31 >> 5) | 0x8000 : value * 31 >> 5);
}

struct HalfTexel { uint16_t channel[4] = {}; };

void decode_halves(const BlockBits& bits, size_t at, bool is_signed, HalfTexel texel[16]) {
  const Mode& mode = kModes[at];
  const Fields fields = read_fields(bits, kLayouts.of[at], mode.number < 2 ? 2 : 5);
  const bool has_two = mode.number % 4 != 3;
  const Partition partition{has_two ? 2u : 1u, fields.value[kPartitionField]};
  int32_t endpoint[4][3];
  for (uint32_t e = 0; e < 4; ++e)
    for (uint32_t c = 0; c < 3; ++c) endpoint[e][c] = endpoint_of(mode, fields, c, e, is_signed);
  const uint32_t index_bits = has_two ? 3 : 4;
  uint32_t position = has_two ? 82 : 65;
  for (uint32_t i = 0; i < 16; ++i) {
    const uint32_t count = index_bits - (partition.is_anchor(i) ? 1 : 0), subset = partition.subset(i);
    const int32_t weight = kBptcWeights[index_bits - 2][bits.get(position, count)];
    position += count;
    for (uint32_t c = 0; c < 3; ++c)
      texel[i].channel[c] =
          half_of(bptc_interpolate(endpoint[2 * subset][c], endpoint[2 * subset + 1][c], weight), is_signed);
  }
}

void decode_bc6h(const uint8_t* block, bool is_signed, std::byte* texels) {
  HalfTexel texel[16];
  const BlockBits bits = BlockBits::of(block);
  if (const size_t at = find_mode(bits.get(0, 5)); at < std::size(kModes)) decode_halves(bits, at, is_signed, texel);
  std::memcpy(texels, texel, sizeof texel);   // reserved: zeros
}

}  // namespace

void decode_bc6_unsigned(const FormatInfo&, const uint8_t* block, std::byte* texels) {
  decode_bc6h(block, false, texels);
}
void decode_bc6_signed(const FormatInfo&, const uint8_t* block, std::byte* texels) { decode_bc6h(block, true, texels); }

}  // namespace tessera::texture
