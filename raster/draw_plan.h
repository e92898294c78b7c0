// raster/draw_plan.h: what a tile needs to know of a draw, chosen once when it comes to it: kernels, modes, slots.
// In:     a DrawState; the planes of the tile.
// Out:    a DrawPlan: no further decision on state is left to the loops over blocks.
// Errors: none: make_pipeline refused what cannot be drawn.     Threads: one owner.
#pragma once

#include <cstdint>
#include <memory>

#include "core/simd_target.h"
#include "raster/blend.h"
#include "raster/depth_stencil.h"
#include "raster/frame.h"
#include "raster/interpolate.h"
#include "raster/planes.h"
#include "raster/slot_file.h"

namespace tessera::raster {

enum class DepthMode : uint8_t {
  None,        // neither tested nor written
  Early,       // tested and written before shading
  Late,        // after it: the shader drops fragments or writes depth
  LateTested   // after it, but fragments that cannot pass then are dropped before shading
};

struct DrawPlan {
  const DrawState* draw = nullptr;         // null: none yet
  const Pipeline* pipeline = nullptr;
  const Executable* fragment = nullptr;    // null: only depth and stencil are written
  uint32_t* slots = nullptr;
  bool uniforms_loaded = false;
  bool runs_program = false, needs_inputs = false;

  DepthMode depth_mode = DepthMode::None;
  DepthTest depth;
  bool ranges = false;                     // ranges of depth may show that a test fails,
  bool ranges_pass = false;                // and that it passes
  const float* depth_output = nullptr;     // lanes of the shader's depth, or null
  const uint32_t* stencil_output = nullptr;      // the same of its stencil reference and sample mask
  const uint32_t* sample_mask_output = nullptr;
  bool alpha_test = false;
  Compare alpha_func = Compare::Always;
  float alpha_ref = 0;
  const float* alpha = nullptr;            // lanes of colour 0's alpha

  InputPlan inputs;
  uint32_t color_count = 0;
  ColorWrite color[kMaxColorTargets];
  uint8_t color_target[kMaxColorTargets] = {};
  bool packs = false;                      // small triangles share batches
  bool draws_nothing = false;              // the sample mask leaves no sample
  uint32_t viewport = ~0u;                 // whose depth range holds; ~0u: that of viewport 0, or all have one

  // With several samples a pixel.
  const SamplePattern* samples = nullptr;
  bool per_sample = false;
  uint32_t sample_bits = 1;                // the draw's sample mask
  const float* coverage_alpha = nullptr;   // lanes of the alpha that leaves samples covered, or null
  bool coverage_dither = false;
  bool order_matters = false;              // fragments of one batch may not write one sample twice

  // Where alpha is multiplied by coverage: that of the lanes about to be shaded, and where the products go.
  bool smooth = false;
  alignas(64) float coverage[64];
  struct SmoothAlpha { const float* from; alignas(64) float lanes[64]; } smooth_alpha[kMaxColorTargets + 1];
  uint32_t smooth_count = 0;

  void assign(const DrawState& draw, TilePlanes& planes, const Framebuffer& target, SimdTarget simd,
              SlotFile& slot_file);
  // Where DrawState::depth_ranges differ, before the first triangle of another viewport.
  void use_viewport(uint32_t number);
  // Spreads the draw's uniform values over the slots, before the first program run.
  void load_uniforms();
  // Is there anything between the early tests and the colours' kernels?
  bool needs_run() const {
    return runs_program || needs_inputs || alpha_test || sample_mask_output || coverage_alpha || smooth;
  }
  void multiply_alpha();                   // by coverage, after the program

 private:
  void assign_depth(const TilePlanes& planes, SimdTarget simd);
  void assign_color(uint32_t target, Format format, SimdTarget simd);
  void assign_late_outputs();
  void assign_samples();
  // Lanes of a program output; of one that is not written, 0 or (alpha) 1. Notes whether all that are read are uniform.
  // Where `alpha`, lanes of a program's output, is found times coverage.
  const float* smoothed(const float* alpha);
  const float* lanes_of(uint32_t output, uint32_t component);
  const uint32_t* words_of(uint32_t output);
  bool all_uniform_ = true;
};

}  // namespace tessera::raster
