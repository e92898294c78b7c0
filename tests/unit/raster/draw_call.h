// Draw calls over CopyShader pipelines, for the tests of raster/.
#pragma once

#include <array>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

#include "core/resource.h"
#include "raster/renderer.h"
#include "tests/unit/raster/copy_shader.h"

namespace tessera::tests {

using Vec4 = std::array<float, 4>;

template <class T>
std::shared_ptr<Storage> buffer_of(std::span<const T> items) {
  ResourceDesc desc;
  desc.kind = ResourceKind::Buffer;
  desc.format = Format::R8_UINT;
  desc.width = uint32_t(std::max<size_t>(1, items.size_bytes()));
  auto storage = std::make_shared<Storage>(desc);
  if (!items.empty()) std::memcpy(storage->data(), items.data(), items.size_bytes());
  return storage;
}

inline std::shared_ptr<Storage> image_of(Format format, uint32_t width, uint32_t height) {
  ResourceDesc desc;
  desc.format = format;
  desc.width = width;
  desc.height = height;
  return std::make_shared<Storage>(desc);
}

inline raster::Framebuffer target_of(uint32_t width, uint32_t height, Format depth = Format::NONE) {
  raster::Framebuffer target;
  target.color_count = 1;
  target.color[0] = {image_of(Format::R8G8B8A8_UNORM, width, height), Format::R8G8B8A8_UNORM, 0, 0, 0};
  if (depth != Format::NONE) target.depth_stencil = {image_of(depth, width, height), depth, 0, 0, 0};
  target.width = width;
  target.height = height;
  return target;
}

// Vertices of a position and a colour, 32 bytes each; the colour is COLOR[0].
struct Vertex {
  Vec4 position, color = {1, 1, 1, 1};
};

inline raster::PipelineDesc color_pipeline_desc(const raster::Framebuffer& target) {
  raster::PipelineDesc desc;
  desc.vertex = copy_vertex_shader(1);
  desc.fragment = copy_fragment_shader(1);
  desc.elements.resize(2);
  desc.elements[1].offset_bytes = 16;
  desc.color_count = target.color_count;
  for (uint32_t i = 0; i < target.color_count; ++i) desc.color_formats[i] = target.color[i].format;
  desc.depth_format = target.depth_stencil.format;
  return desc;
}

// Clip space y up over the whole target.
inline raster::Viewport full_viewport(const raster::Framebuffer& target) {
  raster::Viewport v;
  v.scale[0] = float(target.width) / 2;
  v.scale[1] = -float(target.height) / 2;
  v.translate[0] = float(target.width) / 2;
  v.translate[1] = float(target.height) / 2;
  return v;
}

inline raster::DrawCall draw_of(const raster::Framebuffer& target, std::shared_ptr<const raster::Pipeline> pipeline,
                                std::span<const Vertex> vertices) {
  raster::DrawCall call;
  call.pipeline = std::move(pipeline);
  call.viewport = full_viewport(target);
  call.scissor = {0, 0, int32_t(target.width), int32_t(target.height)};
  call.vertex_buffers = {{buffer_of(vertices), 0, sizeof(Vertex)}};
  call.info.count = uint32_t(vertices.size());
  return call;
}

inline void set_indices(raster::DrawCall& call, std::span<const uint32_t> indices) {
  call.index_buffer = {buffer_of(indices), 0, 4};
  call.info.indexed = true;
  call.info.count = uint32_t(indices.size());
}

}  // namespace tessera::tests
