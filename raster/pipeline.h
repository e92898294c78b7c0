// raster/pipeline.h: shaders plus the state that code is specialised on; made once, cached by content, immutable.
#pragma once

#include <memory>
#include <vector>

#include "core/result.h"
#include "raster/geometry_link.h"
#include "raster/samples.h"
#include "raster/state.h"
#include "shader/executor.h"

namespace tessera::raster {

struct PipelineDesc {
  std::shared_ptr<const Executable> vertex, fragment;    // fragment may be null: only depth is written
  GeometryPrograms geometry;
  StreamLayout stream_output;                            // of the last stage before the rasterizer
  std::vector<VertexElement> elements;
  BlendState blend;
  RasterizerState rasterizer;
  DepthStencilAlphaState depth_stencil_alpha;
  std::array<Format, kMaxColorTargets> color_formats{};  // NONE: a hole
  uint32_t color_count = 0;
  Format depth_format = Format::NONE;
  uint32_t samples = 1;
  uint32_t min_samples = 1;                              // above 1: shaded once a sample
};

// Where one fragment input word comes from.
struct FragmentInput {
  enum class Kind : uint8_t {
    Varying,        // interpolated vertex output
    Default,        // no matching output: 0, 0, 0, 1
    PositionX, PositionY, PositionZ, PositionW,          // window position, depth, 1/w
    FaceFloat,      // +1 front, -1 back
    FaceMask,       // ~0 front, 0 back (system value)
    TargetColor,    // the pixel's colour in target `varying` from before the fragment
    PrimitiveId, SampleId, SamplePosX, SamplePosY,
    TargetSamples,  // how many a pixel of the target has
    SampleMask, HelperMask, Zero,
    Corner,         // a varying at a vertex, of `part`
    PointCoord,     // the place in the point, 0 to 1; Default in other primitives
    SpriteCoord,    // the same in place of another input, which other primitives keep
    Triangle        // a number of the triangle or of the sample pattern, of `part`
  } kind = Kind::Default;
  ir::Interpolation interpolation = ir::Interpolation::Perspective;   // Color already resolved by state
  ir::Location location = ir::Location::Center;
  ir::InputPart part = ir::InputPart::Value;
  uint8_t component = 0;
  uint16_t varying = 0;        // Varying, Corner: word index in a vertex record's varyings
  uint16_t back_varying = kNoWord;   // of back faces, where they take another one
  bool is_sprite_coord = false;      // in points, SpriteCoord comes in its place
  static constexpr uint16_t kNoWord = 0xffff;
};

// Outputs of the last program before the rasterizer; ~0u: not written. The mask counts where both are.
struct ViewportOutputs {
  uint32_t mask = ~0u, index = ~0u, layer = ~0u;
  bool layer_is_relative = false;                // LAYER_VIEWPORT_RELATIVE

  bool has_mask() const { return mask != ~0u; }
  // Where the number of the viewport stands behind the copies, and the layer.
  uint32_t viewport_output() const { return has_mask() ? mask : index; }
  uint32_t layer_output() const { return layer_is_relative && layer == ~0u ? viewport_output() : layer; }
  bool needs_copies() const { return has_mask() || (layer_is_relative && index != ~0u); }
};

struct Pipeline {
  PipelineDesc desc;
  GeometryLink geometry;
  // Vertex outputs are those of the last stage before the rasterizer.
  uint32_t position_output[4];                 // vertex outputs that make POSITION; ~0u: default 0,0,0,1
  uint32_t clip_vertex_output[4];              // CLIPVERTEX, or POSITION
  uint32_t distance_output[kMaxClipPlanes];    // CLIPDIST words
  bool writes_distances = false;               // one of them at least: user planes do not count then
  uint32_t point_size_output = ~0u, edge_flag_output = ~0u;   // where the state uses them
  std::vector<uint32_t> varying_outputs;       // vertex outputs that become varyings, in record order
  std::vector<uint32_t> linear_words;          // of them, those that vary linearly in the window
  uint32_t layer_word = ~0u;                   // word of a record that chooses the target's layer; ~0u: layer 0
  uint32_t viewport_word = ~0u;                // and the viewport
  ViewportOutputs viewport_outputs;            // of the last stage before the rasterizer
  std::vector<FragmentInput> fragment_inputs;  // one for each fragment program input
  // Fragment outputs by use; ~0u: not written (colour reads 0,0,0,1? no: the target keeps its contents).
  std::array<std::array<uint32_t, 4>, kMaxColorTargets> color_output;
  uint32_t depth_output = ~0u, stencil_output = ~0u, sample_mask_output = ~0u;

  // Derived facts that tile code asks for.
  const SamplePattern* samples = &sample_pattern(1, true);
  bool per_sample = false;       // the program runs once a sample, at the sample's place
  bool alpha_to_coverage = false, alpha_to_one = false;
  bool has_geometry_stages = false;   // tessellation, a geometry program, stream output, or several viewports at once
  bool early_depth = false;      // depth and stencil may be tested and written before shading
  bool hiz_reject = false;       // a fragment that fails the depth test changes nothing: blocks of them may be dropped
  bool vertices_write_memory = false, fragments_write_memory = false;   // buffers or images, from a program
  bool reads_target = false;     // the program fetches from colour targets: triangles in order, a run a sample
  bool is_opaque = false;        // no blending, full colour mask, no kill, no alpha test: overwrites all samples unread
};

// The program whose outputs arrive at the rasterizer.
inline const ir::Program& last_program(const PipelineDesc& desc) {
  return last_stage(*desc.vertex, desc.geometry).program();
}

// Links the stages by semantic name and index and checks the state against the targets.
Result<std::shared_ptr<const Pipeline>> make_pipeline(PipelineDesc desc);

}  // namespace tessera::raster
