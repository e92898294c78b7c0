// shader/interp_memory-inl.h: the steps of memory operations: buffers and shared memory here, images through services.
// Included once for each SIMD target.
//
// Bytes are reached word by word: word = offset / 4, and a word that is not wholly inside is outside. Offsets divided
// by 4 stay below 2^30, so that adding the few words of an access never wraps.
#if defined(TESSERA_SHADER_INTERP_MEMORY_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_SHADER_INTERP_MEMORY_INL_H_
#undef TESSERA_SHADER_INTERP_MEMORY_INL_H_
#else
#define TESSERA_SHADER_INTERP_MEMORY_INL_H_
#endif

#include <atomic>
#include <bit>
#include <cstdint>

#include "core/simd.h"
#include "shader/atomic.h"
#include "shader/interp.h"
#include "shader/interp_block-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {
namespace interp {

using namespace tessera::interp;
namespace mem_arg = ir::mem_arg;

// ---- the operands of a step -----------------------------------------------------------------------------------------

struct MemoryStep {
  const ir::MemoryOp* op;
  uint32_t result_count;
  uint32_t* result[4];
  const uint32_t* arg[mem_arg::Count];     // null: absent
  Code next;
};

// Result count, results, mem_arg::Count operands or kNoPlace, the memory operation.
HWY_INLINE MemoryStep memory_step(Code at, uint32_t* slots, const Run& run) {
  MemoryStep s{};
  s.result_count = *at++;
  for (uint32_t k = 0; k < s.result_count; ++k) s.result[k] = slots + *at++;
  for (const uint32_t*& arg : s.arg) {
    arg = *at != kNoPlace ? slots + *at : nullptr;
    ++at;
  }
  s.op = &run.program->memory_ops[*at++];
  s.next = at;
  return s;
}

// The lanes among `rest` that reach the same resource as the first of them; takes them out of `rest`.
struct ResourceLanes { uint32_t number; uint64_t lanes; };
HWY_INLINE ResourceLanes next_resource(const MemoryStep& s, uint64_t& rest) {
  const uint32_t* index = s.arg[mem_arg::Index];
  ResourceLanes r{s.op->binding, rest};
  if (index) {
    const uint32_t first = index[std::countr_zero(rest)];
    r.number += first;
    for (size_t v = 0; v < kVectorsInBlock; ++v)
      r.lanes &= ~block_bits(not_equal(load(index + v * kLanes), splat(first)), v);
  }
  rest &= ~r.lanes;
  return r;
}

HWY_INLINE MemoryView memory_view(const MemoryStep& s, const Run& run, uint32_t number) {
  const std::span<const MemoryView> views = run.bindings->memory[static_cast<size_t>(s.op->space)];
  return number < views.size() ? views[number] : MemoryView{};
}

HWY_INLINE const void* image_at(const Run& run, uint32_t number) {
  return number < run.bindings->images.size() ? run.bindings->images[number] : nullptr;
}

HWY_INLINE void fill_lanes(uint32_t word, uint64_t lanes, uint32_t* result) {
  for (size_t v = 0; v < kVectorsInBlock; ++v) {
    uint32_t* to = result + v * kLanes;
    store(select(mask_of_block(lanes, v), splat(word), load(to)), to);
  }
}

// ---- bytes ----------------------------------------------------------------------------------------------------------

// Every lane's offset lies `step` bytes behind the one of the lane before.
HWY_INLINE bool is_stepped(const uint32_t* offset, uint32_t step) {
  U32x differences = hn::Zero(u32);
  for (size_t lane = 0; lane < kBlockLanes; lane += kLanes) {
    const U32x expected = splat(offset[0] + static_cast<uint32_t>(lane) * step) + lane_numbers() * splat(step);
    differences = differences | (load(offset + lane) ^ expected);
  }
  return !any(is_true(differences));
}

// All 64 lanes reach words [first, first + span_words) of a buffer of `count` words, in steps of `step` bytes.
HWY_INLINE bool is_dense(const uint32_t* offset, uint32_t first, uint32_t step, uint32_t span_words, uint32_t count) {
  return uint64_t{first} + span_words <= count && is_stepped(offset, step);
}

// The next block of a grid reads on where this one ends, as a rule.
HWY_INLINE void prefetch_words(const uint32_t* words, uint32_t span_words) {
  constexpr uint32_t kLineWords = 16;
  for (uint32_t w = 0; w < span_words; w += kLineWords) __builtin_prefetch(words + span_words + w);
}

HWY_INLINE void gather_words(const uint32_t* words, uint32_t count, const uint32_t* offset, uint32_t word,
                             uint64_t lanes, uint32_t* result) {
  for (size_t v = 0; v < kVectorsInBlock; ++v) {
    const Maskx mask = mask_of_block(lanes, v);
    const U32x wanted = hn::ShiftRight<2>(load(offset + v * kLanes)) + splat(word);
    const U32x in_range = words_of(less(wanted, splat(count))) & words_of(mask);
    const U32x found = gather(words, as_i32(wanted & in_range)) & in_range;
    store(select(mask, found, load(result + v * kLanes)), result + v * kLanes);
  }
}

HWY_INLINE void load_words(const MemoryView& view, const MemoryStep& s, uint64_t lanes) {
  const uint32_t count = view.size_bytes / 4;
  const auto* words = reinterpret_cast<const uint32_t*>(view.data);
  const uint32_t* offset = s.arg[mem_arg::X];
  if (count == 0) {
    for (uint32_t k = 0; k < s.result_count; ++k) fill_lanes(0, lanes, s.result[k]);
    return;
  }
  const uint32_t first = offset[0] / 4 + s.op->first_word;
  if (lanes == ~0ull && is_dense(offset, first, 4, kBlockLanes + s.result_count - 1, count)) {
    prefetch_words(words + first, kBlockLanes);
    for (uint32_t k = 0; k < s.result_count; ++k)
      for (size_t lane = 0; lane < kBlockLanes; lane += kLanes)
        store(load_unaligned(words + first + k + lane), s.result[k] + lane);
    return;
  }
  if (lanes == ~0ull && s.result_count == 4 && is_dense(offset, first, 16, 4 * kBlockLanes, count)) {
    prefetch_words(words + first, 4 * kBlockLanes);
    for (size_t lane = 0; lane < kBlockLanes; lane += kLanes) {
      U32x x, y, z, w;
      hn::LoadInterleaved4(u32, words + first + 4 * lane, x, y, z, w);
      store(x, s.result[0] + lane), store(y, s.result[1] + lane);
      store(z, s.result[2] + lane), store(w, s.result[3] + lane);
    }
    return;
  }
  for (uint32_t k = 0; k < s.result_count; ++k)
    gather_words(words, count, offset, s.op->first_word + k, lanes, s.result[k]);
}

HWY_INLINE bool stores_only(const MemoryStep& s, uint32_t value) {
  for (uint32_t k = 0; k < 4; ++k)
    if ((s.arg[mem_arg::Value + k] != nullptr) != (k == value)) return false;
  return true;
}

HWY_INLINE bool stores_all(const MemoryStep& s) {
  for (uint32_t k = 0; k < 4; ++k)
    if (!s.arg[mem_arg::Value + k]) return false;
  return true;
}

HWY_INLINE void store_words(const MemoryView& view, const MemoryStep& s, uint64_t lanes) {
  if (view.is_read_only) return;
  const uint32_t count = view.size_bytes / 4;
  auto* words = reinterpret_cast<uint32_t*>(view.data);
  const uint32_t *offset = s.arg[mem_arg::X], first = offset[0] / 4;
  const uint32_t* const* value = s.arg + mem_arg::Value;
  if (lanes == ~0ull && stores_only(s, 0) && is_dense(offset, first, 4, kBlockLanes, count)) {
    for (size_t lane = 0; lane < kBlockLanes; lane += kLanes)
      store_unaligned(load(value[0] + lane), words + first + lane);
    return;
  }
  if (lanes == ~0ull && stores_all(s) && is_dense(offset, first, 16, 4 * kBlockLanes, count)) {
    for (size_t lane = 0; lane < kBlockLanes; lane += kLanes)
      hn::StoreInterleaved4(load(value[0] + lane), load(value[1] + lane), load(value[2] + lane),
                            load(value[3] + lane), u32, words + first + 4 * lane);
    return;
  }
  for (; lanes != 0; lanes &= lanes - 1) {
    const size_t lane = static_cast<size_t>(std::countr_zero(lanes));
    const uint32_t word = offset[lane] / 4;
    for (uint32_t k = 0; k < 4; ++k)
      if (value[k] && word + k < count) words[word + k] = value[k][lane];
  }
}

// Shared memory belongs to the thread that runs the work group.
HWY_INLINE void update_words(const MemoryView& view, const MemoryStep& s, uint64_t lanes) {
  if (view.is_read_only) return;
  const uint32_t count = view.size_bytes / 4;
  auto* words = reinterpret_cast<uint32_t*>(view.data);
  const uint32_t *value = s.arg[mem_arg::Value], *other = s.arg[mem_arg::Value + 1];
  const bool is_own = s.op->space == ir::MemorySpace::Shared;
  for (; lanes != 0; lanes &= lanes - 1) {
    const size_t lane = static_cast<size_t>(std::countr_zero(lanes));
    const uint32_t word = s.arg[mem_arg::X][lane] / 4, second = other ? other[lane] : 0;
    if (word >= count) continue;
    uint32_t& old = s.result[0][lane];
    if (!is_own) {
      old = update_atomically(words + word, s.op->atomic, value[lane], second);
    } else {
      old = words[word];
      words[word] = updated_word(s.op->atomic, old, value[lane], second);
    }
  }
}

// ---- images ---------------------------------------------------------------------------------------------------------

HWY_INLINE void access_image(const MemoryStep& s, const Run& run, ImageAccess access, uint32_t number, uint64_t lanes) {
  const void* image = image_at(run, number);
  if (!image) {
    for (uint32_t k = 0; k < s.result_count; ++k) fill_lanes(0, lanes, s.result[k]);
    return;
  }
  ImageArgs args;
  args.access = access;
  args.op = s.op;
  args.x = s.arg[mem_arg::X];
  args.y = s.arg[mem_arg::Y];
  args.slice = s.arg[mem_arg::Slice];
  args.sample = s.arg[mem_arg::Sample];
  for (uint32_t k = 0; k < 4; ++k) args.value[k] = s.arg[mem_arg::Value + k], args.out[k] = s.result[k];
  args.lanes = lanes;
  run.bindings->services.access_image(image, args);
}

// ---- steps ----------------------------------------------------------------------------------------------------------

Code interp_MemLoad(Code at, uint32_t* slots, Run& run) {
  const MemoryStep s = memory_step(at, slots, run);
  for (uint64_t rest = whole_quads(run.exec); rest != 0;) {
    const ResourceLanes r = next_resource(s, rest);
    if (s.op->space == ir::MemorySpace::Image) access_image(s, run, ImageAccess::Load, r.number, r.lanes);
    else load_words(memory_view(s, run, r.number), s, r.lanes);
  }
  return s.next;
}

Code interp_MemStore(Code at, uint32_t* slots, Run& run) {
  const MemoryStep s = memory_step(at, slots, run);
  for (uint64_t rest = run.exec & run.live; rest != 0;) {
    const ResourceLanes r = next_resource(s, rest);
    if (s.op->space == ir::MemorySpace::Image) access_image(s, run, ImageAccess::Store, r.number, r.lanes);
    else store_words(memory_view(s, run, r.number), s, r.lanes);
  }
  return s.next;
}

Code interp_MemAtomic(Code at, uint32_t* slots, Run& run) {
  const MemoryStep s = memory_step(at, slots, run);
  fill(0, s.result[0]);
  for (uint64_t rest = run.exec & run.live; rest != 0;) {
    const ResourceLanes r = next_resource(s, rest);
    if (s.op->space == ir::MemorySpace::Image) access_image(s, run, ImageAccess::Atomic, r.number, r.lanes);
    else update_words(memory_view(s, run, r.number), s, r.lanes);
  }
  return s.next;
}

Code interp_MemSize(Code at, uint32_t* slots, Run& run) {
  const MemoryStep s = memory_step(at, slots, run);
  for (uint64_t rest = whole_quads(run.exec); rest != 0;) {
    const ResourceLanes r = next_resource(s, rest);
    uint32_t size[4] = {};
    if (s.op->space != ir::MemorySpace::Image) size[0] = memory_view(s, run, r.number).size_bytes;
    else if (const void* image = image_at(run, r.number)) run.bindings->services.image_size(image, size);
    for (uint32_t k = 0; k < s.result_count; ++k) fill_lanes(size[k], r.lanes, s.result[k]);
  }
  return s.next;
}

Code interp_MemFence(Code at, uint32_t*, Run&) {
  std::atomic_thread_fence(std::memory_order_seq_cst);
  return at;
}

Code interp_Barrier(Code at, uint32_t*, Run& run) {
  if (!run.stops_at_barriers) return at;
  run.waiting_at = at;
  return nullptr;
}

}  // namespace interp
}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#endif
