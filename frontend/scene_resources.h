// frontend/scene_resources.h: what a scene's sections describe → resources of a device.
// Files are read here; errors carry the place in the scene that asked for them.
#pragma once

#include <string>

#include "frontend/device.h"
#include "frontend/scene.h"

namespace tessera::scene {

struct TargetImages {
  std::array<ResourceRef, raster::kMaxColorTargets> color;
  ResourceRef depth;
};

struct GeometryBuffers {
  std::vector<raster::VertexElement> elements;   // buffer 0: vertices, buffer 1: instances
  std::vector<std::optional<VertexUsage>> usages;   // of each that has one
  ResourceRef vertices, instances, indices;
  uint32_t vertex_stride = 0, instance_stride = 0, index_bytes = 0;
  uint32_t vertex_count = 0, index_count = 0;
};

Result<TargetImages> make_target(Device& device, const Target& target);
// Not for textures that show a target.
Result<ResourceRef> make_texture(Device& device, const Texture& texture, const std::string& directory);
Result<GeometryBuffers> make_geometry(Device& device, const Geometry& geometry, const std::string& directory);
// A quadrilateral in clip space: x y width height; attribute 0 is the position, 1 runs from 0 to 1 from the top left.
Result<GeometryBuffers> make_rect(Device& device, const std::array<float, 4>& rect);

}  // namespace tessera::scene
