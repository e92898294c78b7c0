#include "core/simd_target.h"

#include <algorithm>

#include "hwy/highway.h"

namespace tessera {
namespace {
struct Named { SimdTarget target; std::string_view name; long long hwy_bit; };
constexpr Named kNamed[] = {
    {SimdTarget::Sse4, "sse4", HWY_SSE4}, {SimdTarget::Avx2, "avx2", HWY_AVX2}, {SimdTarget::Neon, "neon", HWY_NEON}};
}  // namespace

std::vector<SimdTarget> available_simd_targets() {
  // The static target is the baseline this build assumes: always there, whatever the probe says of its extras.
  const long long usable = (hwy::SupportedTargets() & HWY_TARGETS) | HWY_STATIC_TARGET;
  std::vector<SimdTarget> found;
  for (const Named& n : kNamed)
    if (usable & n.hwy_bit) found.push_back(n.target);
  return found;
}

// Asked for each constant that is folded, while a probe of the processor takes microseconds in a virtual machine.
SimdTarget best_simd_target() {
  static const SimdTarget best = available_simd_targets().back();
  return best;
}

std::optional<SimdTarget> simd_target_from_name(std::string_view name) {
  for (const Named& n : kNamed)
    if (n.name == name) return n.target;
  return std::nullopt;
}

std::string_view simd_target_name(SimdTarget target) {
  for (const Named& n : kNamed)
    if (n.target == target) return n.name;
  return "?";
}
}  // namespace tessera
