// core/simd.h: vectors of 32-bit lanes over Highway, with the operations whose bits the numbers contract fixes.
// Include only between HWY_BEFORE_NAMESPACE-style per-target compilation (after hwy/foreach_target.h in a kernel
// file); everything lies in tessera::HWY_NAMESPACE. kLanes is 4 (SSE4, NEON) or 8 (AVX2); a block of 64 lanes is
// a whole number of vectors on every target.
#if defined(TESSERA_CORE_SIMD_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_CORE_SIMD_H_
#undef TESSERA_CORE_SIMD_H_
#else
#define TESSERA_CORE_SIMD_H_
#endif

#include <cstdint>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// CappedTag keeps vectors at 8 lanes or fewer on every target.
using F32Tag = hn::CappedTag<float, 8>;
using I32Tag = hn::RebindToSigned<F32Tag>;
using U32Tag = hn::RebindToUnsigned<F32Tag>;
using F32x = hn::Vec<F32Tag>;
using I32x = hn::Vec<I32Tag>;
using U32x = hn::Vec<U32Tag>;
using Maskx = hn::Mask<F32Tag>;    // of F32x; U32x masks through hn::RebindMask
inline constexpr F32Tag f32{};
inline constexpr I32Tag i32{};
inline constexpr U32Tag u32{};
inline constexpr size_t kLanes = hn::MaxLanes(F32Tag{});

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#endif
