// core/format_field.h: one field of a texel: its bits in memory, and the word (float or integer) that they mean.
// In:     a field's kind and width (core/formats.def); raw bits in the low end of a uint64_t.
// Range:  fields of up to 64 bits, at most 8 bytes from first to last.
// Threads: pure functions.
// Source: OpenGL 4.6, 2.3.4 (small and shared-exponent floats) and 2.3.5 (normalised integers).
#pragma once

#include <cstdint>

#include "core/format.h"
#include "core/scalar.h"

namespace tessera {

inline uint64_t field_max(uint32_t bits) { return bits == 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1; }

inline uint64_t load_bits(const uint8_t* texel, FormatField field) {
  const uint32_t first = field.shift / 8u, end = (field.shift + field.bits + 7u) / 8u;
  uint64_t value = 0;
  for (uint32_t i = first; i < end; ++i) value |= uint64_t{texel[i]} << 8 * (i - first);
  return value >> field.shift % 8u & field_max(field.bits);
}

// Neighbouring fields keep their bits.
inline void store_bits(uint8_t* texel, FormatField field, uint64_t raw) {
  const uint32_t first = field.shift / 8u, end = (field.shift + field.bits + 7u) / 8u;
  const uint64_t mask = field_max(field.bits) << field.shift % 8u;
  raw <<= field.shift % 8u;
  for (uint32_t i = first; i < end; ++i) {
    const uint32_t at = 8 * (i - first);
    texel[i] = static_cast<uint8_t>((texel[i] & ~(mask >> at)) | (raw >> at & mask >> at));
  }
}

uint32_t decode_field(FormatField field, uint64_t raw, bool srgb);
uint64_t encode_field(FormatField field, uint32_t word, bool srgb);

// R9G9B9E5: three mantissas without a leading one, one exponent for all.
void decode_shared_exponent(uint32_t texel, uint32_t rgb[3]);
uint32_t encode_shared_exponent(const uint32_t rgb[3]);

}  // namespace tessera
