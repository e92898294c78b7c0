#include "texture/astc_sequence.h"

#include <iterator>

namespace tessera::texture::astc {
namespace {

constexpr uint32_t bit(uint32_t value, uint32_t at) { return value >> at & 1; }

struct Digits { uint8_t digit[5]; };

constexpr Digits trits_of(uint32_t t) {
  uint32_t c, d[5] = {};
  if ((t >> 2 & 7) == 7) {
    c = (t >> 5) << 2 | (t & 3);
    d[4] = d[3] = 2;
  } else {
    c = t & 31;
    const bool is_two = (t >> 5 & 3) == 3;
    d[4] = is_two ? 2 : bit(t, 7);
    d[3] = is_two ? bit(t, 7) : t >> 5 & 3;
  }
  if ((c & 3) == 3) {
    d[2] = 2;
    d[1] = bit(c, 4);
    d[0] = bit(c, 3) << 1 | (bit(c, 2) & ~bit(c, 3));
  } else if ((c >> 2 & 3) == 3) {
    d[2] = d[1] = 2;
    d[0] = c & 3;
  } else {
    d[2] = bit(c, 4);
    d[1] = c >> 2 & 3;
    d[0] = bit(c, 1) << 1 | (bit(c, 0) & ~bit(c, 1));
  }
  Digits digits{};
  for (uint32_t i = 0; i < 5; ++i) digits.digit[i] = static_cast<uint8_t>(d[i]);
  return digits;
}

constexpr Digits quints_of(uint32_t q) {
  uint32_t d[3] = {};
  if ((q >> 1 & 3) == 3 && (q >> 5 & 3) == 0) {
    d[2] = bit(q, 0) << 2 | (bit(q, 4) & ~bit(q, 0)) << 1 | (bit(q, 3) & ~bit(q, 0));
    d[1] = d[0] = 4;
  } else {
    const bool is_four = (q >> 1 & 3) == 3;
    const uint32_t c = is_four ? (q >> 3 & 3) << 3 | (~(q >> 5) & 3) << 1 | bit(q, 0) : q & 31;
    d[2] = is_four ? 4 : q >> 5 & 3;
    d[1] = (c & 7) == 5 ? 4 : c >> 3 & 3;
    d[0] = (c & 7) == 5 ? c >> 3 & 3 : c & 7;
  }
  return {{static_cast<uint8_t>(d[0]), static_cast<uint8_t>(d[1]), static_cast<uint8_t>(d[2]), 0, 0}};
}

struct DigitTables {
  Digits trits[256], quints[128];
  constexpr DigitTables() : trits(), quints() {
    for (uint32_t i = 0; i < 256; ++i) trits[i] = trits_of(i);
    for (uint32_t i = 0; i < 128; ++i) quints[i] = quints_of(i);
  }
};
constexpr DigitTables kDigits;

// How the packed digits are spread between the bits of the block's integers.
struct Packing { uint8_t integers, digit_bits[5]; };
constexpr Packing kTritPacking = {5, {2, 2, 1, 2, 1}}, kQuintPacking = {3, {3, 2, 2, 0, 0}};

// ---- what integers mean -----------------------------------------------------------------------------------------

// The bits of `value`, most significant first, repeated until `width` bits are full.
constexpr uint32_t replicate(uint32_t value, uint32_t bits, uint32_t width) {
  uint32_t result = 0;
  for (uint32_t i = 0; i < width; ++i) result = result << 1 | bit(value, bits - 1 - i % bits);
  return result;
}

// A digit's constant, and where the bits of the integer go: letters name them from the lowest on, as in the
// specification.
struct Unquantization { uint8_t trits, quints, bits; uint16_t c; const char* b; };
constexpr Unquantization kColorRules[] = {
    {1, 0, 1, 204, "000000000"}, {0, 1, 1, 113, "000000000"}, {1, 0, 2, 93, "b000b0bb0"}, {0, 1, 2, 54, "b0000bb00"},
    {1, 0, 3, 44, "cb000cbcb"},  {0, 1, 3, 26, "cb0000cbc"},  {1, 0, 4, 22, "dcb000dcb"}, {0, 1, 4, 13, "dcb0000dc"},
    {1, 0, 5, 11, "edcb000ed"},  {0, 1, 5, 6, "edcb0000e"},   {1, 0, 6, 5, "fedcb000f"}};
constexpr Unquantization kWeightRules[] = {{1, 0, 1, 50, "0000000"},
                                           {0, 1, 1, 28, "0000000"},
                                           {1, 0, 2, 23, "b000b0b"},
                                           {0, 1, 2, 13, "b0000b0"},
                                           {1, 0, 3, 11, "cb000cb"}};

// The specification's two steps; `high` is the bit that is kept of A.
constexpr uint32_t apply(const Unquantization& rule, uint32_t value, uint32_t high) {
  const uint32_t digit = value >> rule.bits, a = (value & 1) ? ~0u : 0u;
  uint32_t b = 0, width = 0;
  for (; rule.b[width]; ++width)
    b = b << 1 | (rule.b[width] == '0' ? 0 : bit(value, static_cast<uint32_t>(rule.b[width] - 'a')));
  const uint32_t mixed = ((digit * rule.c + b) ^ a) & ((1u << width) - 1);
  return (a & high) | mixed >> 2;
}

template <size_t kRules>
constexpr uint32_t by_rule(const Unquantization (&rules)[kRules], IntegerRange range, uint32_t value, uint32_t high) {
  for (const Unquantization& rule : rules)
    if (rule.trits == range.trits && rule.quints == range.quints && rule.bits == range.bits)
      return apply(rule, value, high);
  return 0;
}

constexpr uint32_t color_of(IntegerRange range, uint32_t value) {
  if (!range.trits && !range.quints) return replicate(value, range.bits, 8);
  return by_rule(kColorRules, range, value, 0x80);
}

constexpr uint32_t weight_of(IntegerRange range, uint32_t value) {
  constexpr uint8_t kTritAlone[] = {0, 32, 63}, kQuintAlone[] = {0, 16, 32, 47, 63};
  uint32_t weight;
  if (!range.trits && !range.quints) weight = replicate(value, range.bits, 6);
  else if (range.bits == 0) weight = range.trits ? kTritAlone[value] : kQuintAlone[value];
  else weight = by_rule(kWeightRules, range, value, 0x20);
  return weight > 32 ? weight + 1 : weight;
}

constexpr uint32_t values_of(IntegerRange range) { return (range.trits ? 3u : range.quints ? 5u : 1u) << range.bits; }

struct MeaningTables {
  uint8_t color[std::size(kColorRanges)][256], weight[std::size(kWeightRanges)][32];
  constexpr MeaningTables() : color(), weight() {
    for (size_t r = 0; r < std::size(kColorRanges); ++r)
      for (uint32_t v = 0; v < values_of(kColorRanges[r]); ++v)
        color[r][v] = static_cast<uint8_t>(color_of(kColorRanges[r], v));
    for (size_t r = 0; r < std::size(kWeightRanges); ++r)
      for (uint32_t v = 0; v < values_of(kWeightRanges[r]); ++v)
        weight[r][v] = static_cast<uint8_t>(weight_of(kWeightRanges[r], v));
  }
};
const MeaningTables kMeanings;

}  // namespace

void read_sequence(const BlockBits& bits, uint32_t first, IntegerRange range, uint32_t count, uint8_t* values) {
  const uint32_t end = first + range.sequence_bits(count);
  auto take = [&, at = first](uint32_t wanted) mutable {
    const uint32_t available = at < end ? end - at : 0, taken = wanted < available ? wanted : available;
    const uint32_t value = bits.get(at, taken);
    at += wanted;
    return value;
  };
  if (!range.trits && !range.quints) {
    for (uint32_t i = 0; i < count; ++i) values[i] = static_cast<uint8_t>(take(range.bits));
    return;
  }
  const Packing& packing = range.trits ? kTritPacking : kQuintPacking;
  for (uint32_t begin = 0; begin < count; begin += packing.integers) {
    uint32_t low[5] = {}, digits = 0, digit_bits = 0;
    for (uint32_t i = 0; i < packing.integers; ++i) {
      low[i] = take(range.bits);
      digits |= take(packing.digit_bits[i]) << digit_bits;
      digit_bits += packing.digit_bits[i];
    }
    const Digits& digit = range.trits ? kDigits.trits[digits] : kDigits.quints[digits];
    for (uint32_t i = 0; i < packing.integers && begin + i < count; ++i)
      values[begin + i] = static_cast<uint8_t>(static_cast<uint32_t>(digit.digit[i]) << range.bits | low[i]);
  }
}

uint8_t unquantize_color(uint32_t range, uint32_t value) { return kMeanings.color[range][value]; }
uint8_t unquantize_weight(uint32_t range, uint32_t value) { return kMeanings.weight[range][value]; }

}  // namespace tessera::texture::astc
