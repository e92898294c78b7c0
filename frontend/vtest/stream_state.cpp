// State that is set by value.
#include <fmt/format.h>

#include <algorithm>

#include "frontend/vtest/command_stream.h"

namespace tessera::vtest {

void SubContext::mark_all_changed() {
  changes = {};
  for (StageBindings& stage : stages) {
    stage.changed_constants.set();
    stage.changed_views.set();
    stage.changed_samplers.set();
    stage.changed_buffers.set();
    stage.changed_images.set();
  }
}

Status CommandStream::set_viewport(SubContext& sub, Words d) {
  const size_t count = (d.size() - 2) / 6;
  if (d[1] >= raster::kMaxViewports || count > raster::kMaxViewports - d[1])
    return error(fmt::format("slots: {} from {} on are more than {}", count, d[1], raster::kMaxViewports));
  for (size_t v = 0; v < count; ++v)
    for (size_t i = 0; i < 3; ++i) {
      sub.viewports[d[1] + v].scale[i] = d.as_float(2 + 6 * v + i);
      sub.viewports[d[1] + v].translate[i] = d.as_float(5 + 6 * v + i);
    }
  sub.changes.viewport = true;
  return Done{};
}

Status CommandStream::set_scissor(SubContext& sub, Words d) {
  const size_t count = (d.size() - 2) / 2;
  if (d[1] >= raster::kMaxViewports || count > raster::kMaxViewports - d[1])
    return error(fmt::format("slots: {} from {} on are more than {}", count, d[1], raster::kMaxViewports));
  for (size_t v = 0; v < count; ++v) {
    const size_t i = 2 + 2 * v;
    sub.scissors[d[1] + v] = {static_cast<int32_t>(d.field(i, 0, 16)), static_cast<int32_t>(d.field(i, 16, 16)),
                              static_cast<int32_t>(d.field(i + 1, 0, 16)), static_cast<int32_t>(d.field(i + 1, 16, 16))};
  }
  sub.changes.scissor = true;
  return Done{};
}

Status CommandStream::set_empty_framebuffer(SubContext& sub, Words d) {
  sub.empty.width = d.field(1, 0, 16), sub.empty.height = d.field(1, 16, 16);
  sub.empty.layers = std::max(1u, d.field(2, 0, 16)), sub.empty.samples = std::max(1u, d.field(2, 16, 8));
  sub.changes.framebuffer = true;
  return Done{};
}

Status CommandStream::set_framebuffer(SubContext& sub, Words d) {
  const uint32_t count = d[1];
  if (count > raster::kMaxColorTargets || d.size() < 3 + count)
    return error(fmt::format("color targets: {} in {} words", count, d.size() - 1));
  const auto depth_stencil = find_or_null<const Surface>(sub.objects, d[2]);
  if (!depth_stencil) return depth_stencil.diags();
  std::array<std::shared_ptr<const Surface>, raster::kMaxColorTargets> color;
  for (uint32_t i = 0; i < count; ++i) {
    const auto surface = find_or_null<const Surface>(sub.objects, d[3 + i]);
    if (!surface) return surface.diags();
    color[i] = *surface;
  }
  sub.color = std::move(color);
  sub.depth_stencil = *depth_stencil;
  sub.changes.framebuffer = true;
  return Done{};
}

Status CommandStream::set_stencil_reference(SubContext& sub, Words d) {
  for (uint32_t face = 0; face < 2; ++face)
    sub.stencil_reference[face] = static_cast<uint8_t>(d.field(1, 8 * face, 8));
  sub.changes.other = true;
  return Done{};
}

Status CommandStream::set_blend_color(SubContext& sub, Words d) {
  for (size_t i = 0; i < 4; ++i) sub.blend_color[i] = d.as_float(1 + i);
  sub.changes.other = true;
  return Done{};
}

Status CommandStream::set_polygon_stipple(SubContext& sub, Words d) {
  for (size_t row = 0; row < sub.polygon_stipple.size(); ++row) sub.polygon_stipple[row] = d[1 + row];
  sub.changes.other = true;
  return Done{};
}

Status CommandStream::set_clip_planes(SubContext& sub, Words d) {
  for (size_t plane = 0; plane < raster::kMaxClipPlanes; ++plane)
    for (size_t i = 0; i < 4; ++i) sub.clip_planes[plane][i] = d.as_float(1 + 4 * plane + i);
  sub.changes.other = true;
  return Done{};
}

Status CommandStream::set_sample_mask(SubContext& sub, Words d) {
  sub.sample_mask = d[1];
  sub.changes.other = true;
  return Done{};
}

Status CommandStream::set_min_samples(SubContext& sub, Words d) {
  sub.min_samples = d[1];
  sub.changes.other = true;
  return Done{};
}

Status CommandStream::set_tessellation(SubContext& sub, Words d) {
  for (size_t i = 0; i < 4; ++i) sub.outer_levels[i] = d.as_float(1 + i);
  for (size_t i = 0; i < 2; ++i) sub.inner_levels[i] = d.as_float(5 + i);
  sub.changes.other = true;
  return Done{};
}

}  // namespace tessera::vtest
