// Draws and clears.
#include <fmt/format.h>

#include "frontend/vtest/apply.h"
#include "frontend/vtest/command_stream.h"

namespace tessera::vtest {
namespace {

// Bits of CLEAR's first word: these, and color target i from kClearColor on.
enum ClearBit : uint32_t { kClearDepth = 0, kClearStencil = 1, kClearColor = 2 };

void note_write(const std::shared_ptr<const Surface>& surface) {
  if (surface) ++surface->resource->writes;
}

}  // namespace

Status CommandStream::clear(SubContext& sub, Words d) {
  if (Status s = apply_framebuffer(session_, sub); !s) return s;
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
  if (d[12] != 0) return error("drawing what stream output recorded is not served");
  if (d[15] != 0) return error("indirect draws are not served");
  raster::DrawInfo info{.primitive = static_cast<raster::Primitive>(d[3]),
                        .start = d[1],
                        .count = d[2],
                        .instance_count = d[5],
                        .start_instance = d[7],
                        .base_vertex = d.as_int(6),
                        .indexed = d[4] != 0,
                        .primitive_restart = d[8] != 0,
                        .restart_index = d[9]};
  if (info.count == 0 || info.instance_count == 0) return Done{};
  if (Status s = apply_for_draw(session_, sub); !s) return s;
  if (info.indexed) {
    const IndexBufferBinding& index = sub.index_buffer;
    if (!index.resource || !index.resource->resource) return error("no index buffer is set");
    // The offset counts the draw's first index already, but for draws from the application's own memory it lacks it.
    const uint64_t start_bytes = uint64_t{info.start} * index.index_bytes;
    const uint64_t offset = index.offset_bytes == start_bytes ? start_bytes : index.offset_bytes + start_bytes;
    if (offset > index.resource->desc.width) return error("the indices begin behind the index buffer's end");
    info.start = 0;
    if (Status s = session_.context.set_index_buffer(index.resource->resource, index.index_bytes,
                                                     static_cast<uint32_t>(offset)); !s)
      return s;
  }
  for (const auto& surface : sub.color) note_write(surface);
  note_write(sub.depth_stencil);
  return session_.context.draw(info);
}

}  // namespace tessera::vtest
