// Draws, grids and clears.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "frontend/vtest/apply.h"
#include "frontend/vtest/command_stream.h"

namespace tessera::vtest {
namespace {

// Bits of CLEAR's first word: these, and color target i from kClearColor on.
enum ClearBit : uint32_t { kClearDepth = 0, kClearStencil = 1, kClearColor = 2 };

void note_write(const std::shared_ptr<const Surface>& surface) {
  if (surface) ++surface->resource->writes;
}

// Everything that programs may have written.
void note_writes(const StageBindings& stage) {
  for (const MemoryBinding& binding : stage.buffers)
    if (binding.resource) ++binding.resource->writes;
  for (const ImageBinding& binding : stage.images)
    if (binding.resource) ++binding.resource->writes;
}

void note_writes(const SubContext& sub) {
  for (const auto& surface : sub.color) note_write(surface);
  note_write(sub.depth_stencil);
  for (const StageBindings& stage : sub.stages) note_writes(stage);
  for (const auto& target : sub.stream_targets)
    if (target) ++target->buffer->writes;
}

Status apply_indices(Context& context, const IndexBufferBinding& index, raster::DrawInfo& info) {
  if (!index.resource || !index.resource->resource) return error("no index buffer is set");
  // The offset counts the draw's first index already, but for draws from the application's own memory it lacks it.
  const uint64_t start_bytes = uint64_t{info.start} * index.index_bytes;
  const uint64_t offset = index.offset_bytes == start_bytes ? start_bytes : index.offset_bytes + start_bytes;
  if (offset > index.resource->desc.width) return error("the indices begin behind the index buffer's end");
  info.start = 0;
  return context.set_index_buffer(index.resource->resource, index.index_bytes, static_cast<uint32_t>(offset));
}

// Drawing reaches the layers that all surfaces have; a clear reaches all layers of each, so it has to see them alone.
bool has_unequal_layers(const SubContext& sub) {
  uint32_t fewest = ~0u, most = 0;
  const auto count = [&](const std::shared_ptr<const Surface>& surface) {
    if (!surface) return;
    const uint32_t layers = surface->last_layer - surface->first_layer + 1;
    fewest = std::min(fewest, layers), most = std::max(most, layers);
  };
  for (const auto& surface : sub.color) count(surface);
  count(sub.depth_stencil);
  return fewest < most;
}

}  // namespace

Status CommandStream::clear(SubContext& sub, Words d) {
  if (!has_unequal_layers(sub)) return clear_surfaces(sub, d);
  const auto color = sub.color;
  const auto depth_stencil = sub.depth_stencil;
  Status status = Done{};
  for (uint32_t i = 0; i <= raster::kMaxColorTargets && status; ++i) {
    sub.color.fill(nullptr);
    if (i < raster::kMaxColorTargets) sub.color[i] = color[i];
    sub.depth_stencil = i == raster::kMaxColorTargets ? depth_stencil : nullptr;
    sub.changes.framebuffer = true;
    if ((i < raster::kMaxColorTargets && sub.color[i]) || sub.depth_stencil) status = clear_surfaces(sub, d);
  }
  sub.color = color;
  sub.depth_stencil = depth_stencil;
  sub.changes.framebuffer = true;
  return status;
}

Status CommandStream::clear_surfaces(SubContext& sub, Words d) {
  if (Status s = apply_for_clear(session_, sub); !s) return s;
  Context& context = session_.context;
  for (uint32_t i = 0; i < raster::kMaxColorTargets; ++i) {
    if (!d.bit(1, kClearColor + i) || !sub.color[i]) continue;
    if (Status s = context.clear_color(i, Texel{{d[2], d[3], d[4], d[5]}}); !s) return s;
    note_write(sub.color[i]);
  }
  if (!sub.depth_stencil) return Done{};
  const Format format = sub.depth_stencil->format;
  if (d.bit(1, kClearDepth) && format_has_depth(format))
    if (Status s = context.clear_depth(static_cast<float>(d.as_double(6))); !s) return s;
  if (d.bit(1, kClearStencil) && format_has_stencil(format))
    if (Status s = context.clear_stencil(static_cast<uint8_t>(d[8])); !s) return s;
  note_write(sub.depth_stencil);
  return Done{};
}

Status CommandStream::draw(SubContext& sub, Words d) {
  if (d[3] > static_cast<uint32_t>(raster::Primitive::Patches)) return error(fmt::format("mode: {} is none", d[3]));
  raster::DrawInfo info{.primitive = static_cast<raster::Primitive>(d[3]),
                        .start = d[1],
                        .count = d[2],
                        .instance_count = d[5],
                        .start_instance = d[7],
                        .base_vertex = d.as_int(6),
                        .indexed = d[4] != 0,
                        .primitive_restart = d[8] != 0,
                        .restart_index = d[9]};
  if (info.primitive == raster::Primitive::Patches) info.patch_vertices = d[13];
  info.draw_id = d[14];
  const bool is_direct = d[15] == 0 && d[12] == 0;
  if (is_direct && (info.count == 0 || info.instance_count == 0)) return Done{};
  if (Status s = apply_for_draw(session_, sub); !s) return s;
  if (info.indexed)
    if (Status s = apply_indices(session_.context, sub.index_buffer, info); !s) return s;
  note_writes(sub);
  if (d[15] != 0) return draw_indirect(info, d);
  if (d[12] != 0) return draw_streamed(sub, info, d[12]);
  return session_.context.draw(info);
}

Status CommandStream::draw_indirect(const raster::DrawInfo& info, Words d) {
  const Result<ClientResourceRef> buffer = session_.resources.find(d[15]);
  if (!buffer) return buffer.diags();
  IndirectDraws indirect{.buffer = (*buffer)->resource,
                         .offset_bytes = d[16],
                         .stride_bytes = d[17],
                         .draw_count = d[18],
                         .count_buffer = nullptr,
                         .count_offset_bytes = d[19]};
  if (d[20] != 0) {
    const Result<ClientResourceRef> count = session_.resources.find(d[20]);
    if (!count) return count.diags();
    indirect.count_buffer = (*count)->resource;
  }
  return session_.context.draw_indirect(info, indirect);
}

// The client names the target by its size alone: the one of that size that ended last, or rather whose buffer the
// vertices now come from.
Status CommandStream::draw_streamed(SubContext& sub, const raster::DrawInfo& info, uint32_t target_bytes) {
  std::shared_ptr<const StreamTarget> chosen;
  bool is_vertex_source = false;
  std::erase_if(sub.ended_targets, [](const auto& ended) { return ended.expired(); });
  for (const auto& ended : sub.ended_targets) {
    const std::shared_ptr<const StreamTarget> target = ended.lock();
    if (!target || target->size_bytes != target_bytes) continue;
    const bool feeds = std::ranges::any_of(sub.vertex_buffers, [&](const VertexBufferBinding& binding) {
      return binding.resource == target->buffer;
    });
    if (feeds || !is_vertex_source) chosen = target;
    is_vertex_source = is_vertex_source || feeds;
  }
  if (!chosen) return error(fmt::format("no target of stream output has {} bytes", target_bytes));
  return session_.context.draw_stream_output(info, chosen->target);
}

Status CommandStream::launch_grid(SubContext& sub, Words d) {
  Grid grid{.groups = {d[4], d[5], d[6]}, .block = {d[1], d[2], d[3]}};
  if (d[7] != 0) {
    const Result<ClientResourceRef> buffer = session_.resources.find(d[7]);
    if (!buffer) return buffer.diags();
    if (!(*buffer)->resource || !(*buffer)->is_buffer() || uint64_t{d[8]} + 12 > (*buffer)->desc.width)
      return error("indirect grid: not inside its buffer");
    if (Status s = session_.context.flush(); !s) return s;
    std::memcpy(grid.groups.data(), (*buffer)->resource->storage()->data() + d[8], 12);
  }
  if (grid.groups[0] == 0 || grid.groups[1] == 0 || grid.groups[2] == 0) return Done{};
  if (Status s = apply_for_grid(session_, sub, grid); !s) return s;
  note_writes(sub.stages[kComputeStage]);
  return session_.context.dispatch(grid);
}

}  // namespace tessera::vtest
