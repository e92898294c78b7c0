// frontend/scene_d3d9.h: the commands of a scene with Direct3D 9 shaders, carried out on a Direct3d9.
#pragma once

#include <map>
#include <string>

#include "frontend/direct3d9.h"
#include "frontend/scene.h"
#include "frontend/scene_resources.h"

namespace tessera::scene {

class D3d9Scene {
 public:
  D3d9Scene(Device& device, const Scene& scene) : d3d_(device), scene_(scene) {}

  // Diags have places in the scene.
  Status compile(ir::Stage stage, const std::string& name, const ShaderText& text);
  Status use_shader(ir::Stage stage, const std::string& name) { return d3d_.set_shader(shaders_.at({stage, name})); }
  void unset_shader(ir::Stage stage) { d3d_.unset_shader(stage); }
  Status use_target(const TargetImages& images);
  Status use_texture(const UseTexture& use, const TextureView& view);
  void use_state(const State& state, const Target& target);
  Status set_constants(const SetConstants& set);
  // The context has the buffers.
  Status draw(const GeometryBuffers& geometry, const raster::DrawInfo& info);

 private:
  Direct3d9 d3d_;
  const Scene& scene_;
  std::map<std::pair<ir::Stage, std::string>, D3d9ShaderRef> shaders_;
};

}  // namespace tessera::scene
