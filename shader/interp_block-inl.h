// shader/interp_block-inl.h: what the steps on whole blocks share: masks from words and back, filling, gathering.
// Included once for each SIMD target.
#if defined(TESSERA_SHADER_INTERP_BLOCK_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_SHADER_INTERP_BLOCK_INL_H_
#undef TESSERA_SHADER_INTERP_BLOCK_INL_H_
#else
#define TESSERA_SHADER_INTERP_BLOCK_INL_H_
#endif

#include <cstdint>

#include "core/simd.h"
#include "shader/executor.h"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {
namespace interp {

// ---- masks ----------------------------------------------------------------------------------------------------------

HWY_INLINE uint64_t lanes_where_true(const uint32_t* words) {
  uint64_t lanes = 0;
  for (size_t v = 0; v < kVectorsInBlock; ++v) lanes |= block_bits(is_true(load(words + v * kLanes)), v);
  return lanes;
}

HWY_INLINE void store_lanes(uint64_t lanes, uint32_t* words) {
  for (size_t v = 0; v < kVectorsInBlock; ++v) store(words_of(mask_of_block(lanes, v)), words + v * kLanes);
}

// All lanes of the quads that have one in `lanes`.
HWY_INLINE uint64_t whole_quads(uint64_t lanes) {
  lanes |= lanes >> 1;
  lanes |= lanes >> 2;
  return (lanes & 0x1111111111111111u) * 15;
}

// ---- words ---------------------------------------------------------------------------------------------------------

HWY_INLINE void fill(uint32_t word, uint32_t* result) {
  for (size_t lane = 0; lane < kBlockLanes; lane += kLanes) store(splat(word), result + lane);
}

HWY_INLINE bool all_lanes_equal(const uint32_t* words) {
  const U32x first = splat(words[0]);
  U32x differences = hn::Zero(u32);
  for (size_t lane = 0; lane < kBlockLanes; lane += kLanes) differences = differences | (load(words + lane) ^ first);
  return !any(is_true(differences));
}

// result[lane] = base[index[lane] * stride + lane * lane_step], or 0 where index[lane] >= count.
HWY_INLINE void gather_block(const uint32_t* base, uint32_t count, uint32_t stride, uint32_t lane_step,
                             const uint32_t* index, uint32_t* result) {
  if (count == 0) return fill(0, result);
  for (size_t lane = 0; lane < kBlockLanes; lane += kLanes) {
    const U32x wanted = load(index + lane), in_range = words_of(less(wanted, splat(count)));
    const U32x lanes = (lane_numbers() + splat(static_cast<uint32_t>(lane))) * splat(lane_step);
    store(gather(base, as_i32((wanted & in_range) * splat(stride) + lanes)) & in_range, result + lane);
  }
}

}  // namespace interp
}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#endif
