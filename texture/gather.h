// texture/gather.h: texels of a vector of lanes from memory, and the 16-bit operations of the integer filter.
// In:     indices in units of the element, below 2^32; nothing outside the indexed elements is read.
// Why scalar loads: hardware gathers cost 28 cycles a vector on the measured machine (microcode against data
// sampling), eight loads and inserts 8; a 64-bit load brings both neighbours of a row at once.
// Include per target, as core/simd.h.
#if defined(TESSERA_TEXTURE_GATHER_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_TEXTURE_GATHER_H_
#undef TESSERA_TEXTURE_GATHER_H_
#else
#define TESSERA_TEXTURE_GATHER_H_
#endif

#include <cstring>

#include "core/simd.h"
#if HWY_ARCH_X86
#include <immintrin.h>
#endif

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {
namespace tex {

using U16Tag = hn::Repartition<uint16_t, U32Tag>;
using I16Tag = hn::RebindToSigned<U16Tag>;
using U8Tag = hn::Repartition<uint8_t, U32Tag>;
using U16x = hn::Vec<U16Tag>;
using I16x = hn::Vec<I16Tag>;
inline constexpr U16Tag u16{};
inline constexpr I16Tag i16{};

// A vector's lanes as scalars, for addresses. They go through memory, which the compiler would replace by extractions
// of two operations each, all on the port that shuffles need.
struct Indices {
  alignas(32) uint32_t lane[kLanes];
  explicit HWY_INLINE Indices(U32x v) {
    store(v, lane);
    asm("" : "+m"(lane));
  }
};

template <class T>
HWY_INLINE T load_as(const uint8_t* p) {
  T value;
  std::memcpy(&value, p, sizeof value);
  return value;
}

// Element i of kBytes (1, 2 or 4) bytes, in the low end of a word.
template <uint32_t kBytes>
HWY_INLINE int32_t element(const uint8_t* base, uint32_t i) {
  if constexpr (kBytes == 1)
    return base[i];
  else if constexpr (kBytes == 2)
    return load_as<uint16_t>(base + size_t{i} * 2);
  else
    return load_as<int32_t>(base + size_t{i} * 4);
}

template <uint32_t kBytes>
HWY_INLINE U32x gather_elements(const uint8_t* base, U32x index) {
  const Indices i(index);
#define AT(lane_number) element<kBytes>(base, i.lane[lane_number])
#if HWY_ARCH_X86 && HWY_TARGET == HWY_AVX2
  return U32x{_mm256_setr_epi32(AT(0), AT(1), AT(2), AT(3), AT(4), AT(5), AT(6), AT(7))};
#elif HWY_ARCH_X86
  return U32x{_mm_setr_epi32(AT(0), AT(1), AT(2), AT(3))};
#else
  alignas(32) int32_t words[kLanes];
  for (size_t lane = 0; lane < kLanes; ++lane) words[lane] = AT(lane);
  return as_u32(load(words));
#endif
#undef AT
}

// kBytes bytes from byte `offset` on.
template <uint32_t kBytes>
HWY_INLINE U32x gather_at(const uint8_t* base, U32x offset) {
  const Indices i(offset);
  alignas(32) int32_t words[kLanes];
  for (size_t lane = 0; lane < kLanes; ++lane) words[lane] = element<kBytes>(base + i.lane[lane], 0);
  return as_u32(load(words));
}

struct WordPair {
  U32x first, second;
};

#if HWY_ARCH_X86
HWY_INLINE __m128i load_two_pairs(const uint8_t* a, const uint8_t* b) {
  const __m128 low = _mm_castsi128_ps(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(a)));
  return _mm_castps_si128(_mm_loadh_pi(low, reinterpret_cast<const __m64*>(b)));
}
#endif

// Two neighbouring words from byte address base + index * kStride on.
template <uint32_t kStride>
HWY_INLINE WordPair gather_pairs(const uint8_t* base, U32x index) {
  const Indices i(index);
#define AT(lane_number) (base + size_t{i.lane[lane_number]} * kStride)
#if HWY_ARCH_X86 && HWY_TARGET == HWY_AVX2
  const __m256i a = _mm256_setr_m128i(load_two_pairs(AT(0), AT(1)), load_two_pairs(AT(4), AT(5)));
  const __m256i b = _mm256_setr_m128i(load_two_pairs(AT(2), AT(3)), load_two_pairs(AT(6), AT(7)));
  const __m256 af = _mm256_castsi256_ps(a), bf = _mm256_castsi256_ps(b);
  return {U32x{_mm256_castps_si256(_mm256_shuffle_ps(af, bf, 0x88))},
          U32x{_mm256_castps_si256(_mm256_shuffle_ps(af, bf, 0xdd))}};
#elif HWY_ARCH_X86
  const __m128 af = _mm_castsi128_ps(load_two_pairs(AT(0), AT(1)));
  const __m128 bf = _mm_castsi128_ps(load_two_pairs(AT(2), AT(3)));
  return {U32x{_mm_castps_si128(_mm_shuffle_ps(af, bf, 0x88))}, U32x{_mm_castps_si128(_mm_shuffle_ps(af, bf, 0xdd))}};
#else
  alignas(32) uint32_t words[2][kLanes];
  for (size_t lane = 0; lane < kLanes; ++lane)
    for (size_t k = 0; k < 2; ++k) words[k][lane] = load_as<uint32_t>(AT(lane) + 4 * k);
  return {load(words[0]), load(words[1])};
#endif
#undef AT
}

// Two neighbouring words at an index, and the two that lie `stride_bytes` further.
struct Quads {
  WordPair top, bottom;
};

HWY_INLINE Quads gather_quads(const uint8_t* base, size_t stride_bytes, U32x index) {
#if HWY_ARCH_X86
  const Indices i(index);
  const uint8_t* next = base + stride_bytes;
#define TOP(a, b) load_two_pairs(base + size_t{i.lane[a]} * 4, base + size_t{i.lane[b]} * 4)
#define BOTTOM(a, b) load_two_pairs(next + size_t{i.lane[a]} * 4, next + size_t{i.lane[b]} * 4)
#if HWY_TARGET == HWY_AVX2
  const __m256 ta = _mm256_castsi256_ps(_mm256_setr_m128i(TOP(0, 1), TOP(4, 5)));
  const __m256 ba = _mm256_castsi256_ps(_mm256_setr_m128i(BOTTOM(0, 1), BOTTOM(4, 5)));
  const __m256 tb = _mm256_castsi256_ps(_mm256_setr_m128i(TOP(2, 3), TOP(6, 7)));
  const __m256 bb = _mm256_castsi256_ps(_mm256_setr_m128i(BOTTOM(2, 3), BOTTOM(6, 7)));
  return {{U32x{_mm256_castps_si256(_mm256_shuffle_ps(ta, tb, 0x88))},
           U32x{_mm256_castps_si256(_mm256_shuffle_ps(ta, tb, 0xdd))}},
          {U32x{_mm256_castps_si256(_mm256_shuffle_ps(ba, bb, 0x88))},
           U32x{_mm256_castps_si256(_mm256_shuffle_ps(ba, bb, 0xdd))}}};
#else
  const __m128 ta = _mm_castsi128_ps(TOP(0, 1)), tb = _mm_castsi128_ps(TOP(2, 3));
  const __m128 ba = _mm_castsi128_ps(BOTTOM(0, 1)), bb = _mm_castsi128_ps(BOTTOM(2, 3));
  return {{U32x{_mm_castps_si128(_mm_shuffle_ps(ta, tb, 0x88))}, U32x{_mm_castps_si128(_mm_shuffle_ps(ta, tb, 0xdd))}},
          {U32x{_mm_castps_si128(_mm_shuffle_ps(ba, bb, 0x88))}, U32x{_mm_castps_si128(_mm_shuffle_ps(ba, bb, 0xdd))}}};
#endif
#undef TOP
#undef BOTTOM
#else
  return {gather_pairs<4>(base, index), gather_pairs<4>(base + stride_bytes, index)};
#endif
}

// The even 16-bit lanes of `even`, the odd ones of `odd`.
HWY_INLINE U16x blend16(U16x even, U16x odd) {
#if HWY_ARCH_X86 && HWY_TARGET == HWY_AVX2
  return U16x{_mm256_blend_epi16(even.raw, odd.raw, 0xaa)};
#else
  return hn::OddEven(odd, even);
#endif
}

// a.even * b.even + a.odd * b.odd of each pair of signed 16-bit lanes.
HWY_INLINE I32x multiply_pairs(I16x a, I16x b) {
#if HWY_ARCH_X86 && HWY_TARGET == HWY_AVX2
  return I32x{_mm256_madd_epi16(a.raw, b.raw)};
#elif HWY_ARCH_X86
  return I32x{_mm_madd_epi16(a.raw, b.raw)};
#else
  const I32x a32 = hn::BitCast(i32, a), b32 = hn::BitCast(i32, b);
  const I32x even = hn::ShiftRight<16>(hn::ShiftLeft<16>(a32)) * hn::ShiftRight<16>(hn::ShiftLeft<16>(b32));
  return even + hn::ShiftRight<16>(a32) * hn::ShiftRight<16>(b32);
#endif
}

}  // namespace tex
}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#endif
