#include "raster/draw_plan.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <new>

namespace tessera::raster {
namespace {

// What a colour component reads that the program does not write.
struct ConstantLanes { alignas(64) float v[64]; };
constexpr ConstantLanes filled(float value) {
  ConstantLanes lanes{};
  for (float& v : lanes.v) v = value;
  return lanes;
}
constexpr ConstantLanes kZeros = filled(0.0f), kOnes = filled(1.0f);

bool uses_second_source(const TargetBlend& b) {
  const auto is_second = [](BlendFactor f) { return f >= BlendFactor::Src1Color; };
  return b.enabled &&
         (is_second(b.rgb_src) || is_second(b.rgb_dst) || is_second(b.alpha_src) || is_second(b.alpha_dst));
}

bool writes_any(const std::array<uint32_t, 4>& outputs) {
  for (const uint32_t output : outputs)
    if (output != ~0u) return true;
  return false;
}

// The comparison can only turn from pass to fail as later fragments write: failing early means failing late.
bool failure_is_final(const DepthTest& depth) {
  const Compare func = depth.func;
  return !depth.write || func == Compare::Never || func == Compare::Less || func == Compare::Lequal ||
         func == Compare::Greater || func == Compare::Gequal;
}

DepthMode depth_mode_of(const Pipeline& pipeline, const DepthTest& depth) {
  if (!depth.test && !depth.stencil && !depth.bounds) return DepthMode::None;
  if (pipeline.early_depth) return DepthMode::Early;
  // A program that writes memory does so for fragments that then fail, too.
  const bool may_skip = pipeline.depth_output == ~0u && !pipeline.fragments_write_memory;
  return may_skip && !depth.stencil && failure_is_final(depth) ? DepthMode::LateTested : DepthMode::Late;
}

}  // namespace

void DrawPlan::load_uniforms() {
  if (uniforms_loaded) return;
  uniforms_loaded = true;
  fragment->load_uniforms(draw->fragment_uniforms, slots);
}

const float* DrawPlan::lanes_of(uint32_t output, uint32_t c) {
  if (output == ~0u) return c == 3 ? kOnes.v : kZeros.v;
  all_uniform_ = all_uniform_ && fragment->output_is_uniform(output);
  return reinterpret_cast<const float*>(slots + size_t{fragment->output_slot(output)} * kBlockLanes);
}

const uint32_t* DrawPlan::words_of(uint32_t output) { return reinterpret_cast<const uint32_t*>(lanes_of(output, 0)); }

const float* DrawPlan::smoothed(const float* alpha) {
  SmoothAlpha& to = smooth_alpha[smooth_count++];
  to.from = alpha;
  return to.lanes;
}

void DrawPlan::multiply_alpha() {
  for (uint32_t i = 0; i < smooth_count; ++i)
    for (uint32_t lane = 0; lane < 64; ++lane)
      smooth_alpha[i].lanes[lane] = smooth_alpha[i].from[lane] * coverage[lane];
}

void DrawPlan::assign_depth(const TilePlanes& planes, SimdTarget simd) {
  depth = make_depth_test(*draw, planes.has_depth() ? planes.depth().layout : DepthLayout{}, simd);
  depth_mode = depth_mode_of(*pipeline, depth);
  ranges = depth.test && !depth.bounds && pipeline->hiz_reject &&
           (depth_mode == DepthMode::Early || depth_mode == DepthMode::LateTested);
  ranges_pass = ranges && !depth.stencil;
  packs = !depth.stencil && !depth.bounds && !pipeline->per_sample && !pipeline->reads_target &&
          !pipeline->desc.blend.dither && !smooth;
}

void DrawPlan::assign_samples() {
  samples = pipeline->samples;
  per_sample = pipeline->per_sample;
  const bool is_masked = samples->count == 1 || pipeline->desc.rasterizer.multisample;
  sample_bits = is_masked ? draw->sample_mask & samples->all() : samples->all();
  draws_nothing = sample_bits == 0;
}

void DrawPlan::assign_color(uint32_t target, Format format, SimdTarget simd) {
  const std::array<uint32_t, 4>& outputs = pipeline->color_output[target];
  ColorWrite& w = color[color_count];
  w = {};
  const FieldKind kind = format_info(format).field[0].kind;
  const bool scales_alpha = smooth && kind != FieldKind::Uint && kind != FieldKind::Sint;
  w.source_is_uniform = !scales_alpha;
  for (uint32_t c = 0; c < 4; ++c) {
    w.source[c] = c == 3 && pipeline->alpha_to_one ? kOnes.v : lanes_of(outputs[c], c);
    w.source_is_uniform = w.source_is_uniform && !pipeline->alpha_to_one && outputs[c] != ~0u &&
                          fragment->output_is_uniform(outputs[c]);
    if (w.source_is_uniform) w.uniform[c] = std::bit_cast<float>(draw->fragment_uniforms[fragment->output_slot(outputs[c])]);
  }
  if (scales_alpha) w.source[3] = smoothed(w.source[3]);
  if (uses_second_source(pipeline->desc.blend.of(target)))
    for (uint32_t c = 0; c < 4; ++c)
      w.source1[c] = c == 3 && pipeline->alpha_to_one ? kOnes.v : lanes_of(pipeline->color_output[1][c], c);
  choose_color_write(pipeline->desc.blend, target, format, draw->blend_color,
                     pipeline->desc.rasterizer.clamp_fragment_color, simd, w);
  // Where the mask leaves no channel, nothing of the target is loaded, changed or stored.
  if (std::count(std::begin(w.write_bits), std::end(w.write_bits), 0u) == kTexelWords) return;
  if ((w.source_is_uniform || pipeline->alpha_to_one) && w.reads_source) load_uniforms();
  color_target[color_count++] = static_cast<uint8_t>(target);
}

// What the program gives besides colours, all of it used after the program has run.
void DrawPlan::assign_late_outputs() {
  const DepthStencilAlphaState& state = pipeline->desc.depth_stencil_alpha;
  if (depth_mode == DepthMode::Late) {
    if (pipeline->depth_output != ~0u) depth_output = lanes_of(pipeline->depth_output, 0);
    if (pipeline->stencil_output != ~0u) stencil_output = words_of(pipeline->stencil_output);
    if (depth_output || stencil_output) load_uniforms();   // they may be uniform, and the program not run at all
  }
  if (pipeline->sample_mask_output != ~0u)
    sample_mask_output = words_of(pipeline->sample_mask_output);
  if (state.alpha_test && state.alpha_func != Compare::Always) {
    alpha_test = true;
    alpha_func = state.alpha_func;
    alpha_ref = state.alpha_ref;
    alpha = pipeline->alpha_to_one ? kOnes.v : lanes_of(pipeline->color_output[0][3], 3);
    if (smooth) alpha = smoothed(alpha);
  }
  if (pipeline->alpha_to_coverage) {
    coverage_alpha = lanes_of(pipeline->color_output[0][3], 3);
    coverage_dither = pipeline->desc.blend.alpha_to_coverage_dither;
  }
}

void DrawPlan::use_viewport(uint32_t number) {
  viewport = number;
  depth.clamp_lo = draw->depth_ranges[number].min;
  depth.clamp_hi = depth.is_float ? draw->depth_ranges[number].max : std::min(draw->depth_ranges[number].max, 1.0f);
}

void DrawPlan::assign(const DrawState& new_draw, TilePlanes& planes, const Framebuffer& target, SimdTarget simd,
                      SlotFile& slot_file) {
  draw = &new_draw;
  pipeline = new_draw.pipeline.get();
  fragment = pipeline->desc.fragment.get();
  uniforms_loaded = false;
  viewport = ~0u;
  coverage_alpha = nullptr;
  smooth = new_draw.smooth;
  smooth_count = 0;
  color_count = 0;
  depth_output = nullptr;
  stencil_output = sample_mask_output = nullptr;
  alpha_test = runs_program = needs_inputs = false;
  assign_samples();
  assign_depth(planes, simd);
  order_matters = depth_mode == DepthMode::Late || depth_mode == DepthMode::LateTested;
  if (!fragment) return;

  slots = slot_file.reserve(fragment->slot_count());
  all_uniform_ = true;
  for (uint32_t i = 0; i < target.color_count; ++i)
    if (planes.has_color(i) && writes_any(pipeline->color_output[i])) assign_color(i, planes.color(i).format, simd);
  for (uint32_t i = 0; i < color_count; ++i) order_matters = order_matters || !color[i].overwrites;
  assign_late_outputs();
  runs_program = !fragment->is_empty();
  needs_inputs = runs_program || !all_uniform_;
  if (needs_inputs) inputs.assign(*pipeline, target.height);
}

}  // namespace tessera::raster
