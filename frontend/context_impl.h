// frontend/context_impl.h: what device.cpp, context.cpp and transfer.cpp share.
#pragma once

#include <unordered_map>

#include "frontend/device.h"
#include "frontend/fixed_function.h"
#include "frontend/pixel_runs.h"
#include "frontend/pipeline_cache.h"
#include "texture/decompress.h"

namespace tessera {

struct Device::Impl {
  DeviceOptions options;
  std::unordered_map<std::string, ShaderRef> shaders;   // by stage, dialect and text
  std::unique_ptr<raster::Renderer> renderer;
  std::unique_ptr<Context> context;
  PipelineCache pipelines;
  FixedFunctionCache fixed_function;
};

// One stage's inputs as they are set, and its textures as they were last bound.
struct StageState {
  ShaderRef shader;
  std::shared_ptr<const Executable> program;            // what runs: the shader, perhaps with fixed-function state
  std::vector<std::shared_ptr<const std::vector<uint32_t>>> constants;
  std::array<TextureView, kMaxTextureUnits> views;
  std::array<texture::Sampler, kMaxTextureUnits> samplers;
  std::vector<std::shared_ptr<const texture::BoundTexture>> bound;   // by Program::texture_bindings
  std::vector<const Storage*> bound_storage;                         // of each, kept alive by `bound`
  bool bound_dirty = true;
  std::array<std::vector<BufferRange>, ir::kMemorySpaces> memory;    // by space, then by slot
  std::vector<ShaderImage> images;                                   // by slot
  std::vector<std::shared_ptr<const texture::BoundImage>> bound_images;
};

struct VertexBufferSlot {
  ResourceRef buffer;
  uint32_t offset_bytes = 0, stride_bytes = 0;
};

struct ViewportRect { float x, y, width, height, near_depth, far_depth; };

// A viewport as it was set; neither: the whole target.
struct ViewChoice {
  std::optional<raster::Viewport> viewport;
  std::optional<ViewportRect> rect;
};

struct Context::Impl {
  Device& device;
  raster::Renderer& renderer;

  std::array<Attachment, raster::kMaxColorTargets> color;
  Attachment depth;
  StageState vertex, control, evaluation, geometry, fragment, compute;
  raster::TessLevels tessellation_levels;
  std::array<StreamTargetRef, raster::kMaxStreamBuffers> stream_targets;

  std::vector<QueryRef> active_queries;
  std::shared_ptr<raster::QueryInterval> interval;   // that they count in
  QueryRef condition;                              // of rendering; null: none
  bool is_condition_inverted = false;
  std::optional<bool> condition_holds;             // once it is known

  texture::DecodedCopies decoded;                  // of compressed textures
  bool allows_feedback = false;                    // of textures that are drawn into
  raster::Framebuffer empty_target;                // where nothing is attached; width 0: none
  std::array<VertexBufferSlot, kMaxVertexBuffers> vertex_buffers;
  VertexBufferSlot index_buffer;
  uint32_t index_bytes = 0;
  std::array<ViewChoice, raster::kMaxViewports> views;
  std::array<raster::IRect, raster::kMaxViewports> scissors;

  RasterPosition raster_position;
  PixelTransfer pixel_transfer;

  std::optional<combiners::FragmentState> fixed_function;
  combiners::FragmentState linked_state;           // that the programs were linked for

  raster::PipelineDesc pipeline_desc;              // vertex elements and state live here
  std::shared_ptr<const raster::Pipeline> pipeline;
  bool pipeline_dirty = true;
  raster::DrawCall call;                           // reused from draw to draw

  StageState& stage(ir::Stage s) {
    StageState* const states[] = {&vertex, &fragment, &geometry, &control, &evaluation, &compute};
    return *states[static_cast<size_t>(s)];
  }
  // Those between the vertex shader and the rasterizer.
  std::array<StageState*, 3> stages_between() { return {&control, &evaluation, &geometry}; }
  Result<raster::Framebuffer> framebuffer() const;
  StageState& last_vertex_stage();                 // whose outputs are rasterized
  Status prepare_programs();
  Result<LinkedPrograms> link_programs(const LinkedPrograms& shaders);
  Status prepare_pipeline(const raster::Framebuffer& target);
  Status prepare_vertex_input(const raster::DrawInfo& info);
  Status prepare_textures(StageState& stage, const raster::Framebuffer& target);
  // The stage's buffers and images as its program takes them. Images that are drawn into are refused.
  Status prepare_memory(StageState& stage, const raster::Framebuffer& target);
  raster::StageInputs stage_inputs(const StageState& stage) const;
  void prepare_viewports(const raster::Framebuffer& target);
  Status prepare_stages_between(const raster::Framebuffer& target);
  raster::StreamTargets bound_stream_targets() const;
  void begin_interval();
  Result<bool> may_render();                       // by the render condition
  template <class Work>
  Status when_allowed(Work work) {
    if (!condition) return work();
    const Result<bool> allowed = may_render();
    if (!allowed) return allowed.diags();
    return *allowed ? work() : Status(Done{});
  }

  Status bind_textures(StageState& stage, const ir::Program& program, const raster::Framebuffer& target);
  bool decode(texture::View& view);                // of a compressed image; false: out of memory
  class DrawingState;
  Result<PixelGrid> pixel_grid() const;            // where a rectangle at the raster position lies
  Status draw_instances(Context& context, const std::vector<PixelInstance>& instances, PixelKind kind);
  Result<ResourceRef> resolve_layers(Context& context, const BlitImage& image);
  Status flush();

  // Before `resource` is read by the CPU: recorded work that draws into it is run.
  Status finish_writes(const Resource& resource);
  // Before it is written by the CPU: lets go of the versions that only this context holds, so that they are not copied.
  void release_bindings();
};

// Is it a stage that things are bound to?
Status check_stage(ir::Stage stage);
// Is it an image; and one with one sample a pixel?
Status check_image(const ResourceRef& image, std::string_view field);
Status check_single(const ResourceRef& image, std::string_view field);
// Is `box` inside the level? The Diag names the field.
Status check_box(const Resource& resource, uint32_t level, const Box& box);
Status check_level_and_slice(const Resource& resource, uint32_t level, uint32_t slice);

}  // namespace tessera
