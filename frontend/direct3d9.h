// frontend/direct3d9.h: Direct3D 9's way to draw: its shaders, states by name, vertex declarations by usage, constants by
// register, fixed function where a shader is missing. A layer over one Context, whose targets, buffers and textures it
// uses; between its draws the context's state is its own.
//
//     Direct3d9 d3d(*device);
//     d3d.set_color_target(0, {target});
//     d3d.set_shader(Direct3d9::create_shader(ir::Stage::Vertex, text_or_bytecode).value());
//     d3d.states.render[size_t(direct3d9::RenderState::CullMode)] = 1;
//     d3d.set_declaration({{{d3d9::Usage::Position, 0}, {.format = Format::R32G32B32_FLOAT}}});
//     d3d.draw({.count = 3});
//
// Errors: as Context. A sampler that is declared for another kind of texture than is bound samples what is bound.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "frontend/direct3d9/link.h"
#include "frontend/direct3d9/states.h"
#include "frontend/device.h"

namespace tessera {

using D3d9ShaderRef = std::shared_ptr<const d3d9::Program>;

struct VertexUsage {
  d3d9::Usage usage = d3d9::Usage::Position;
  uint8_t index = 0;
  bool operator==(const VertexUsage&) const = default;
};
struct DeclaredElement {
  VertexUsage usage;
  raster::VertexElement element;             // its buffer is a slot of the context
};

using Matrix3d9 = std::array<float, 16>;     // row vectors: v' = v M, row by row
inline constexpr Matrix3d9 kIdentity3d9 = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};

class Direct3d9 {
 public:
  explicit Direct3d9(Device& device);

  // Text or bytecode, checked.
  static Result<D3d9ShaderRef> create_shader(ir::Stage stage, std::string_view content);

  direct3d9::States states;                  // plain values; draw() checks them
  Matrix3d9 world = kIdentity3d9, view = kIdentity3d9, projection = kIdentity3d9;
  std::array<Matrix3d9, direct3d9::kStages> texture_matrix;
  std::array<raster::ClipPlane, raster::kMaxClipPlanes> clip_planes{};
  direct3d9::Material material;              // of fixed function's lighting
  std::array<direct3d9::Light, direct3d9::kMaxLights> lights;

  Status set_color_target(uint32_t index, const Attachment& attachment);
  Status set_depth_target(const Attachment& attachment);
  void set_viewport(float x, float y, float width, float height, float near_depth = 0, float far_depth = 1);
  void set_scissor(const raster::IRect& rect) { context_.set_scissor(rect); }
  void unset_viewport() { viewport_.reset(); }                   // the whole target
  Status set_shader(const D3d9ShaderRef& shader);                // by its version's stage
  void unset_shader(ir::Stage stage);                            // fixed function
  void set_declaration(std::vector<DeclaredElement> declaration) { declaration_ = std::move(declaration); }
  std::optional<VertexUsage> usage_of_input(uint32_t number) const;   // v# of the vertex shader
  // Words from register `first` on: four a register of floats and integers, one of booleans.
  Status set_constants(ir::Stage stage, d3d9::File file, uint32_t first, std::span<const uint32_t> words);
  // The same by the name in the shader's constant table.
  Status set_constants(ir::Stage stage, std::string_view name, std::span<const uint32_t> words);
  // Samplers 0 to 15 are those of pixel shaders, 16 to 19 those of vertex shaders. `lowest_level`: the texture's limit.
  Status set_texture(uint32_t sampler, const TextureView& view, uint32_t lowest_level = 0);

  Status draw(const raster::DrawInfo& info);

 private:
  struct BoundTexture {
    TextureView view;
    uint32_t lowest_level = 0;
  };
  struct Made {
    direct3d9::DrawPrograms key;
    ShaderRef vertex, fragment;
  };
  struct StageConstants {
    std::array<std::vector<uint32_t>, 5> words;                  // by buffer: floats, integers, booleans, stages, state
    std::array<bool, 5> is_dirty{};
  };
  struct ViewportRect { float x, y, width, height, near_depth, far_depth; };

  struct Size { uint32_t width = ~0u, height = ~0u; };

  bool is_transformed() const;
  Size target_size() const;
  bool has_depth_range() const { return viewport_ && viewport_->near_depth != viewport_->far_depth; }
  StageConstants& constants_of(ir::Stage stage) { return constants_[stage == ir::Stage::Fragment]; }
  Status check_states() const;
  Result<direct3d9::DrawPrograms> draw_programs(raster::Primitive primitive) const;
  d3d9::LowerOptions lower_options(uint32_t first_sampler, uint32_t count) const;
  Status describe_fixed_vertex(bool draws_points, direct3d9::FixedVertex& out) const;
  direct3d9::Lighting describe_lighting() const;
  direct3d9::FixedPixel describe_fixed_pixel(const d3d9::LowerOptions& options) const;
  direct3d9::Ending ending() const;
  uint8_t divided_by(uint32_t stage) const;
  Status use_programs(const direct3d9::DrawPrograms& key);
  Status use_targets();
  Status use_vertices();
  Status use_textures();
  Status use_constants();
  void use_states();
  void fill_state_constants(bool draws_points);
  void fill_points(std::vector<uint32_t>& words) const;
  void fill_lighting(const Matrix3d9& eye_from_obj, std::vector<uint32_t>& words) const;
  void put(ir::Stage stage, uint32_t buffer, std::vector<uint32_t> words);

  Device& device_;
  Context& context_;
  D3d9ShaderRef vertex_, pixel_;
  std::vector<DeclaredElement> declaration_;
  std::array<BoundTexture, direct3d9::kSamplers> textures_;
  std::array<Attachment, raster::kMaxColorTargets> color_;
  Attachment depth_;
  std::optional<ViewportRect> viewport_;
  StageConstants constants_[2];                                  // vertex, pixel
  std::map<std::pair<const void*, const void*>, std::vector<std::unique_ptr<Made>>> made_;   // by shaders
  ResourceRef zeros_;                                            // what a missing attribute reads
};

}  // namespace tessera
