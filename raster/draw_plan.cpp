#include "raster/draw_plan.h"

#include <new>

namespace tessera::raster {
namespace {

// What a colour component reads that the program does not write.
struct ConstantLanes { alignas(64) float v[64]; };
constexpr ConstantLanes lanes_of(float value) {
  ConstantLanes lanes{};
  for (float& v : lanes.v) v = value;
  return lanes;
}
constexpr ConstantLanes kZeros = lanes_of(0.0f), kOnes = lanes_of(1.0f);

bool uses_second_source(const TargetBlend& b) {
  const auto is_second = [](BlendFactor f) { return f >= BlendFactor::Src1Color; };
  return b.enabled && (is_second(b.rgb_src) || is_second(b.rgb_dst) || is_second(b.alpha_src) || is_second(b.alpha_dst));
}

bool writes_any(const std::array<uint32_t, 4>& outputs) {
  for (const uint32_t output : outputs)
    if (output != ~0u) return true;
  return false;
}

// The comparison can only turn from pass to fail as later fragments write: failing early means failing late.
bool failure_is_final(Compare func) {
  return func == Compare::Never || func == Compare::Less || func == Compare::Lequal || func == Compare::Greater || func == Compare::Gequal;
}

DepthMode depth_mode_of(const Pipeline& pipeline, const DepthTest& depth) {
  if (!depth.test && !depth.stencil) return DepthMode::None;
  if (pipeline.early_depth) return DepthMode::Early;
  const bool plane_depth = pipeline.depth_output == ~0u;
  return plane_depth && !depth.stencil && failure_is_final(depth.func) ? DepthMode::LateTested : DepthMode::Late;
}

}  // namespace

uint32_t* SlotFile::reserve(uint32_t slots) {
  if (slots > size_) {
    const size_t words = size_t{slots} * kBlockLanes;
    words_.reset(new (std::align_val_t{64}) uint32_t[words]());
    size_ = slots;
  }
  return words_.get();
}

void SlotFile::Free::operator()(uint32_t* words) const { ::operator delete[](words, std::align_val_t{64}); }

void DrawPlan::load_uniforms() {
  if (uniforms_loaded) return;
  uniforms_loaded = true;
  fragment->load_uniforms(draw->fragment_uniforms, slots);
}

void DrawPlan::assign(const DrawState& new_draw, TilePlanes& planes, const Framebuffer& target, SimdTarget simd, SlotFile& slot_file) {
  draw = &new_draw;
  pipeline = new_draw.pipeline.get();
  fragment = pipeline->desc.fragment.get();
  uniforms_loaded = false;
  draws_nothing = (new_draw.sample_mask & 1) == 0;
  depth = make_depth_test(new_draw, planes.has_depth() ? planes.depth().layout : DepthLayout{}, simd);
  depth_mode = depth_mode_of(*pipeline, depth);
  ranges = depth.test && !depth.stencil && (depth_mode == DepthMode::Early || depth_mode == DepthMode::LateTested);
  packs = !depth.stencil;
  color_count = 0;
  depth_output = nullptr;
  sample_mask_output = nullptr;
  alpha_test = false;
  runs_program = needs_inputs = false;
  if (!fragment) return;

  slots = slot_file.reserve(fragment->slot_count());
  const auto lanes = [&](uint32_t output) { return reinterpret_cast<const float*>(slots + size_t{fragment->output_slot(output)} * kBlockLanes); };
  const auto component = [&](uint32_t output, uint32_t c) { return output != ~0u ? lanes(output) : c == 3 ? kOnes.v : kZeros.v; };
  const DepthStencilAlphaState& state = pipeline->desc.depth_stencil_alpha;
  bool all_uniform = true;
  const auto note = [&](uint32_t output) { all_uniform = all_uniform && (output == ~0u || fragment->output_is_uniform(output)); };

  for (uint32_t i = 0; i < target.color_count; ++i) {
    const std::array<uint32_t, 4>& outputs = pipeline->color_output[i];
    if (!planes.has_color(i) || !writes_any(outputs)) continue;
    ColorWrite& w = color[color_count];
    w = {};
    w.source_is_uniform = true;
    for (uint32_t c = 0; c < 4; ++c) {
      w.source[c] = component(outputs[c], c);
      w.source_is_uniform = w.source_is_uniform && outputs[c] != ~0u && fragment->output_is_uniform(outputs[c]);
      note(outputs[c]);
    }
    if (uses_second_source(pipeline->desc.blend.of(i))) {
      for (uint32_t c = 0; c < 4; ++c) {
        w.source1[c] = component(pipeline->color_output[1][c], c);
        note(pipeline->color_output[1][c]);
      }
    }
    if (w.source_is_uniform) load_uniforms();
    choose_color_write(pipeline->desc.blend, i, planes.color(i).format, new_draw.blend_color,
                       pipeline->desc.rasterizer.clamp_fragment_color, simd, w);
    color_target[color_count++] = static_cast<uint8_t>(i);
  }
  if (pipeline->depth_output != ~0u && depth_mode != DepthMode::Early) depth_output = lanes(pipeline->depth_output);
  if (pipeline->sample_mask_output != ~0u) sample_mask_output = reinterpret_cast<const uint32_t*>(lanes(pipeline->sample_mask_output));
  if (state.alpha_test && state.alpha_func != Compare::Always) {
    alpha_test = true;
    alpha_func = state.alpha_func;
    alpha_ref = state.alpha_ref;
    alpha = component(pipeline->color_output[0][3], 3);
    note(pipeline->color_output[0][3]);
  }
  note(pipeline->depth_output);
  note(pipeline->sample_mask_output);
  runs_program = !fragment->is_empty();
  needs_inputs = runs_program || !all_uniform;
  if (needs_inputs) inputs.assign(*pipeline, target.height);
}

}  // namespace tessera::raster
