#include "core/format_field.h"

#include <algorithm>

#include "core/check.h"
#include "core/srgb.h"

namespace tessera {
namespace {
using scalar::bits_of;
using scalar::float_of;

int64_t sign_extend(uint64_t raw, uint32_t bits) { return static_cast<int64_t>(raw << (64 - bits)) >> (64 - bits); }

// Up to 24 bits both operands are exact in float and the quotient is rounded once. 32-bit fields divide in double: the
// quotient's binary digits repeat with the period 32, so a double never looks like a tie between floats that it is not.
float divide(int64_t value, int64_t max) {
  if (max < int64_t{1} << 24) return static_cast<float>(value) / static_cast<float>(max);
  return static_cast<float>(static_cast<double>(value) / static_cast<double>(max));
}

// One multiply (in double from 24 bits on), then round half to even.
int64_t scale(float value, uint32_t bits, int64_t max) {
  if (bits < 24) return static_cast<int64_t>(scalar::round_even(value * static_cast<float>(max)));
  return static_cast<int64_t>(scalar::round_even(static_cast<double>(value) * static_cast<double>(max)));
}

// 16.16, rounded half to even; saturates, NaN gives 0.
int64_t to_fixed(float value) {
  if (scalar::is_nan(value)) return 0;
  const double scaled = scalar::round_even(static_cast<double>(value) * 65536.0);
  return static_cast<int64_t>(std::clamp(scaled, -0x1p31, 0x1p31 - 1));
}

// Floats of 10 and 11 bits: 5 exponent bits as in half precision, no sign.
float decode_small_float(uint64_t raw, uint32_t bits) {
  return scalar::float_from_half(static_cast<uint16_t>(raw << (15 - bits)));
}

// Round to nearest even; negative values give 0, finite ones stop at the largest finite value, infinity and NaN stay.
uint64_t encode_small_float(float value, uint32_t bits) {
  const uint32_t mantissa_bits = bits - 5, infinity = 31u << mantissa_bits;
  if (scalar::is_nan(value)) return infinity | 1u << (mantissa_bits - 1);
  if (!(value > 0.0f)) return 0;
  if (bits_of(value) == 0x7f800000u) return infinity;
  const uint32_t drop = 23 - mantissa_bits, magnitude = bits_of(value);
  if (magnitude < 0x38800000u) {   // below 2^-14 the unit is that of floats in [2^(9 - mantissa_bits), twice that)
    const float anchor = float_of((127u + 9u - mantissa_bits) << 23);
    return bits_of(value + anchor) - bits_of(anchor);
  }
  const uint32_t rounded = (magnitude + (1u << (drop - 1)) - 1 + (magnitude >> drop & 1u) - (112u << 23)) >> drop;
  return std::min(rounded, infinity - 1);
}

uint32_t decode_float(uint64_t raw, uint32_t bits) {
  switch (bits) {
    case 64: return bits_of(static_cast<float>(std::bit_cast<double>(raw)));
    case 32: return static_cast<uint32_t>(raw);
    case 16: return bits_of(scalar::float_from_half(static_cast<uint16_t>(raw)));
    default: return bits_of(decode_small_float(raw, bits));
  }
}

uint64_t encode_float(float value, uint32_t bits) {
  value = scalar::canonical(value);
  switch (bits) {
    case 64: return std::bit_cast<uint64_t>(static_cast<double>(value));
    case 32: return bits_of(value);
    case 16: return scalar::half_from_float(value);
    default: return encode_small_float(value, bits);
  }
}
}  // namespace

uint32_t decode_field(FormatField field, uint64_t raw, bool srgb) {
  const int64_t max = static_cast<int64_t>(field_max(field.bits) >> (field.kind == FieldKind::Snorm ? 1 : 0));
  switch (field.kind) {
    case FieldKind::Unorm: return bits_of(srgb ? kLinearFromSrgb8[raw] : divide(static_cast<int64_t>(raw), max));
    case FieldKind::Snorm: return bits_of(std::max(-1.0f, divide(sign_extend(raw, field.bits), max)));
    case FieldKind::Uscaled: return bits_of(static_cast<float>(raw));
    case FieldKind::Sscaled: return bits_of(static_cast<float>(sign_extend(raw, field.bits)));
    case FieldKind::Uint: return static_cast<uint32_t>(raw);
    case FieldKind::Sint: return static_cast<uint32_t>(sign_extend(raw, field.bits));
    case FieldKind::Float: return decode_float(raw, field.bits);
    case FieldKind::Fixed: return bits_of(static_cast<float>(sign_extend(raw, field.bits)) * 0x1p-16f);
    case FieldKind::SharedExp:
    case FieldKind::None: break;
  }
  TESSERA_CHECK(!"a field that decodes alone");
  return 0;
}

uint64_t encode_field(FormatField field, uint32_t word, bool srgb) {
  const float value = float_of(word);
  const int64_t max = static_cast<int64_t>(field_max(field.bits)), signed_max = max >> 1;
  const int64_t truncated = scalar::is_nan(value) ? 0 : static_cast<int64_t>(std::clamp(value, -0x1p40f, 0x1p40f));
  int64_t raw = 0;
  switch (field.kind) {
    case FieldKind::Unorm:
      raw = srgb ? srgb8_from_linear(value) : scale(scalar::saturate(value), field.bits, max);
      break;
    case FieldKind::Snorm:
      raw = scalar::is_nan(value) ? 0 : scale(std::clamp(value, -1.0f, 1.0f), field.bits, signed_max);
      break;
    case FieldKind::Uscaled: raw = std::clamp<int64_t>(truncated, 0, max); break;
    case FieldKind::Sscaled: raw = std::clamp(truncated, -signed_max - 1, signed_max); break;
    case FieldKind::Uint: raw = std::min<int64_t>(word, max); break;
    case FieldKind::Sint: raw = std::clamp<int64_t>(static_cast<int32_t>(word), -signed_max - 1, signed_max); break;
    case FieldKind::Float: return encode_float(value, field.bits);
    case FieldKind::Fixed: raw = to_fixed(value); break;
    case FieldKind::SharedExp:
    case FieldKind::None: TESSERA_CHECK(!"a field that encodes alone");
  }
  return static_cast<uint64_t>(raw) & field_max(field.bits);
}

void decode_shared_exponent(uint32_t texel, uint32_t rgb[3]) {
  // mantissa * 2^(exponent - 24): exact, and at least 2^-24, so the scale is a normal float.
  const float unit = float_of((127u - 24u + (texel >> 27)) << 23);
  for (uint32_t c = 0; c < 3; ++c) rgb[c] = bits_of(static_cast<float>(texel >> 9 * c & 511u) * unit);
}

uint32_t encode_shared_exponent(const uint32_t rgb[3]) {
  constexpr float kLargest = 65408.0f;   // 511 * 2^7
  float value[3], greatest = 0.0f;
  for (uint32_t c = 0; c < 3; ++c) {
    const float x = float_of(rgb[c]);
    value[c] = x > 0.0f ? std::min(x, kLargest) : 0.0f;
    greatest = std::max(greatest, value[c]);
  }
  // The exponent that makes the greatest mantissa 256..511; floor(m + 0.5) may reach 512, which takes the next one.
  const auto mantissa = [](float x, uint32_t exponent) {
    const double per_unit = std::bit_cast<double>(uint64_t{1023 + 24 - exponent} << 52);
    return static_cast<uint32_t>(static_cast<double>(x) * per_unit + 0.5);
  };
  const uint32_t biased = bits_of(greatest) >> 23;   // of greatest = 1.f * 2^(biased - 127)
  uint32_t exponent = biased > 111 ? biased - 111 : 0;
  if (mantissa(greatest, exponent) == 512) ++exponent;
  return mantissa(value[0], exponent) | mantissa(value[1], exponent) << 9 | mantissa(value[2], exponent) << 18 |
         exponent << 27;
}

}  // namespace tessera
