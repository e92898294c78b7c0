// core/simd_target.h: which instruction set the kernels use; chosen at run time, once a device.
// Every kernel file is compiled once for each target through Highway's foreach_target.h and hands out its
// functions with TESSERA_DISPATCH. All targets give the same bits (core/simd.h), so the choice is only speed.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "hwy/detect_targets.h"

namespace tessera {

enum class SimdTarget : unsigned char { Sse4, Avx2, Neon };

SimdTarget best_simd_target();                              // the fastest that this machine and build have
std::vector<SimdTarget> available_simd_targets();           // slowest first; never empty
std::optional<SimdTarget> simd_target_from_name(std::string_view name);  // "sse4", "avx2", "neon"
std::string_view simd_target_name(SimdTarget target);

}  // namespace tessera

// The address of `fn`, defined in every target's namespace tessera::HWY_NAMESPACE, for `target`.
#if HWY_ARCH_X86
#define TESSERA_DISPATCH(fn, target) \
  ((target) == ::tessera::SimdTarget::Avx2 ? ::tessera::N_AVX2::fn : ::tessera::N_SSE4::fn)
#else
#define TESSERA_DISPATCH(fn, target) (static_cast<void>(target), ::tessera::N_NEON::fn)
#endif
