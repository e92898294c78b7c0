#include "tests/support/simd_limit.h"

#include <cstdio>
#include <cstdlib>

#include "core/simd_target.h"
#include "hwy/highway.h"

namespace tessera::test {

bool limit_simd() {
  const char* const name = std::getenv("TESSERA_TEST_SIMD");
  if (!name) return true;
  const std::optional<SimdTarget> most = simd_target_from_name(name);
#if HWY_ARCH_X86
  if (most == SimdTarget::Sse4) hwy::DisableTargets(HWY_AVX2);
#endif
  if (most && available_simd_targets().back() == *most) return true;
  std::fprintf(stderr, "TESSERA_TEST_SIMD=%s: no instruction set that this machine can be kept to\n", name);
  return false;
}

}  // namespace tessera::test
