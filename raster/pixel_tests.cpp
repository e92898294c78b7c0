#include "raster/pixel_tests.h"

#include <bit>

#include "raster/compare.h"
#include "raster/sample_block.h"

namespace tessera::raster {
namespace {

using Kind = PixelTestKind;

class Explainer {
 public:
  Explainer(const TileWork& work, const WatchedFragment& fragment, const PixelState& before, const ProgramRun* run,
            std::vector<PixelTest>& tests)
      : work_(work), plan_(work.plan), fragment_(fragment), before_(before), run_(run), tests_(tests) {}

  bool explain() {
    if (!stipple() || !sample_mask()) return false;
    if (plan_.depth_mode == DepthMode::Early && !depth_and_stencil(true)) return false;
    if (plan_.depth_mode == DepthMode::LateTested && fails_early()) return false;
    if (plan_.fragment && !program()) return false;
    const bool is_late = plan_.depth_mode == DepthMode::Late || plan_.depth_mode == DepthMode::LateTested;
    return !is_late || depth_and_stencil(false);
  }

 private:
  bool add(PixelTest test) {
    tests_.push_back(test);
    return test.passed;
  }

  bool stipple() {
    return !fragment_.has_stipple || add({.kind = Kind::Stipple, .is_early = true, .passed = fragment_.on_stipple});
  }

  bool sample_mask() {
    if (plan_.sample_bits == plan_.samples->all()) return true;
    return add(mask_test(Kind::SampleMask, true, plan_.sample_bits));
  }

  PixelTest mask_test(Kind kind, bool is_early, uint32_t mask) const {
    const uint32_t bit = 1u << fragment_.sample;
    return {.kind = kind, .is_early = is_early, .passed = (mask & bit) != 0, .value = static_cast<double>(mask),
            .against = static_cast<double>(bit), .value_bits = mask, .against_bits = bit};
  }

  // ---- the program and what follows from it ----

  // A component of an output of the program in the fragment's lane; `missing` where it is not written.
  uint32_t output(uint32_t number, uint32_t missing) const {
    return run_ && number != ~0u ? run_->outputs[number][run_->lane] : missing;
  }
  float alpha_of_color0() const {
    return std::bit_cast<float>(output(plan_.pipeline->color_output[0][3], std::bit_cast<uint32_t>(1.0f)));
  }

  bool program() {
    if (plan_.fragment->program().uses_kill && run_ &&
        !add({.kind = Kind::Kill, .passed = (run_->live_after >> run_->lane & 1) != 0}))
      return false;
    const bool one_sample = plan_.samples->count == 1;
    if (plan_.sample_mask_output && one_sample && !program_mask()) return false;
    if (plan_.alpha_test && !alpha_test()) return false;
    if (plan_.sample_mask_output && !one_sample && !program_mask()) return false;
    return !plan_.coverage_alpha || alpha_to_coverage();
  }

  bool program_mask() {
    return add(mask_test(Kind::ProgramMask, false, output(plan_.pipeline->sample_mask_output, ~0u)));
  }

  bool alpha_test() {
    float alpha = plan_.pipeline->alpha_to_one ? 1.0f : alpha_of_color0();
    if (plan_.smooth) alpha *= fragment_.coverage;
    if (plan_.pipeline->desc.rasterizer.clamp_fragment_color)
      alpha = alpha > 0.0f ? (alpha < 1.0f ? alpha : 1.0f) : 0.0f;
    return add({.kind = Kind::Alpha, .passed = holds(plan_.alpha_func, alpha, plan_.alpha_ref),
                .func = plan_.alpha_func, .value = alpha, .against = plan_.alpha_ref,
                .value_bits = std::bit_cast<uint32_t>(alpha),
                .against_bits = std::bit_cast<uint32_t>(plan_.alpha_ref)});
  }

  // The formula stands above surviving_samples().
  bool alpha_to_coverage() {
    constexpr float kDither[4] = {0.125f, 0.625f, 0.875f, 0.375f};
    const float threshold = plan_.coverage_dither ? kDither[fragment_.lane & 3] : 0.5f;
    const float value = alpha_of_color0() * static_cast<float>(plan_.samples->count);
    const float against = static_cast<float>(fragment_.sample) + threshold;
    return add({.kind = Kind::AlphaToCoverage, .passed = value > against, .func = Compare::Greater, .value = value,
                .against = against, .value_bits = std::bit_cast<uint32_t>(value),
                .against_bits = std::bit_cast<uint32_t>(against)});
  }

  // ---- depth and stencil ----

  double depth_of(uint32_t key) const {
    if (plan_.depth.is_float) return static_cast<double>(std::bit_cast<float>(key));
    const auto most = static_cast<double>(plan_.depth.depth_bits >= 32 ? ~0u : (1u << plan_.depth.depth_bits) - 1);
    return static_cast<double>(key) / most;
  }

  template <class F>
  bool compare_keys(uint32_t a, uint32_t b, F&& compare) const {
    return plan_.depth.is_float ? compare(std::bit_cast<float>(a), std::bit_cast<float>(b)) : compare(a, b);
  }

  uint32_t fragment_key() const {
    alignas(64) uint32_t keys[64];
    if (plan_.depth_output) {
      const auto depth = std::bit_cast<float>(output(plan_.pipeline->depth_output, 0));
      alignas(64) float lanes[64];
      for (float& lane : lanes) lane = depth;
      work_.depth->keys_of(plan_.depth, lanes, keys);
    } else {
      work_.depth->plane_keys(plan_.depth, seen_from(*fragment_.triangle, *plan_.samples, fragment_.sample),
                              fragment_.block_x, fragment_.block_y, keys);
    }
    return keys[fragment_.lane];
  }

  PixelTest depth_test(bool is_early) const {
    const uint32_t key = fragment_key(), stored = before_.depth_key;
    const bool passed = compare_keys(key, stored, [&](auto a, auto b) { return holds(plan_.depth.func, a, b); });
    return {.kind = Kind::Depth, .is_early = is_early, .passed = passed, .func = plan_.depth.func,
            .value = depth_of(key), .against = depth_of(stored), .value_bits = key, .against_bits = stored};
  }

  bool depth_and_stencil(bool is_early) {
    if (plan_.depth.bounds && !depth_bounds(is_early)) return false;
    if (plan_.depth.stencil && !stencil(is_early)) return false;
    return !plan_.depth.test || add(depth_test(is_early));
  }

  // Before the program, fragments that cannot pass after it are dropped; the test that counts is the late one.
  bool fails_early() {
    const PixelTest test = depth_test(true);
    if (!plan_.depth.test || test.passed) return false;
    tests_.push_back(test);
    return true;
  }

  bool depth_bounds(bool is_early) {
    const DepthTest& t = plan_.depth;
    const uint32_t stored = before_.depth_key;
    const auto not_above = [](auto a, auto b) { return a <= b; };
    return add({.kind = Kind::DepthBounds, .is_early = is_early,
                .passed = compare_keys(t.bounds_lo, stored, not_above) && compare_keys(stored, t.bounds_hi, not_above),
                .func = Compare::Gequal, .value = depth_of(stored), .against = depth_of(t.bounds_lo),
                .upper = depth_of(t.bounds_hi), .value_bits = stored, .against_bits = t.bounds_lo});
  }

  bool stencil(bool is_early) {
    const StencilFace& face = plan_.depth.face[fragment_.triangle->front ? 0 : 1];
    const uint32_t given = plan_.depth.stencil_ref[fragment_.triangle->front ? 0 : 1];
    const uint32_t reference = (plan_.stencil_output ? output(plan_.pipeline->stencil_output, given) : given) & 255;
    const uint32_t value = reference & face.value_mask, against = before_.depth_rest & 255 & face.value_mask;
    return add({.kind = Kind::Stencil, .is_early = is_early, .passed = holds(face.func, value, against),
                .func = face.func, .value = static_cast<double>(value), .against = static_cast<double>(against),
                .value_bits = value, .against_bits = against});
  }

  const TileWork& work_;
  const DrawPlan& plan_;
  const WatchedFragment& fragment_;
  const PixelState& before_;
  const ProgramRun* run_;
  std::vector<PixelTest>& tests_;
};

}  // namespace

bool explain_tests(const TileWork& work, const WatchedFragment& fragment, const PixelState& before,
                   const ProgramRun* run, std::vector<PixelTest>& tests) {
  return Explainer(work, fragment, before, run, tests).explain();
}

}  // namespace tessera::raster
