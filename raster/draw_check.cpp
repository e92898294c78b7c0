#include "raster/draw_check.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "fmt/format.h"
#include "raster/assembly.h"
#include "raster/bin.h"
#include "raster/geometry_check.h"
#include "raster/planes.h"
#include "raster/tile.h"

namespace tessera::raster {
namespace {

Status finish(std::vector<Diag> errors) {
  if (errors.empty()) return Done{};
  return errors;
}

std::string_view format_name(Format format) {
  return size_t(format) < all_formats().size() ? format_info(format).name : "no format";
}

void check_surface(const Surface& s, std::string_view field, const Framebuffer& target, bool depth_stencil,
                   std::vector<Diag>& errors) {
  const ResourceDesc& desc = s.storage->desc();
  if (desc.kind == ResourceKind::Buffer) {
    errors.push_back(error(fmt::format("{}: a buffer cannot be rendered to", field)));
    return;
  }
  if (size_t(s.format) >= all_formats().size() || format_info(s.format).is_depth_or_stencil() != depth_stencil) {
    errors.push_back(error(fmt::format("{}.format: {} is not of this kind of target", field, format_name(s.format))));
    return;
  }
  if (format_info(s.format).block_bytes != format_info(desc.format).block_bytes || format_info(desc.format).is_compressed)
    errors.push_back(error(fmt::format("{}.format: {} does not fit the resource's {}", field, format_name(s.format),
                                       format_name(desc.format))));
  if (s.level >= desc.levels) {
    errors.push_back(error(fmt::format("{}.level: expected less than {}, found {}", field, desc.levels, s.level)));
    return;
  }
  const LevelLayout& level = s.storage->level(s.level);
  if (s.first_layer > s.last_layer || s.last_layer >= level.slices)
    errors.push_back(error(fmt::format("{}: layers {} to {} are not inside the level's {}", field, s.first_layer,
                                       s.last_layer, level.slices)));
  else if (s.last_layer - s.first_layer + 1 < target.layers)
    errors.push_back(error(fmt::format("{}: layers {} to {}, fewer than the framebuffer's {}", field, s.first_layer,
                                       s.last_layer, target.layers)));
  if (level.width < target.width || level.height < target.height)
    errors.push_back(error(fmt::format("{}: the level is {}x{}, smaller than the framebuffer's {}x{}", field,
                                       level.width, level.height, target.width, target.height)));
  if (desc.samples != target.samples)
    errors.push_back(error(
        fmt::format("{}: expected {} samples a pixel, found {}", field, target.samples, desc.samples)));
}

void check_formats(const Framebuffer& target, const PipelineDesc& desc, std::vector<Diag>& errors) {
  if (desc.color_count != target.color_count)
    errors.push_back(error(fmt::format("pipeline.color_count: the framebuffer has {} colour targets, the pipeline {}",
                                       target.color_count, desc.color_count)));
  for (uint32_t i = 0; i < std::min(desc.color_count, target.color_count); ++i) {
    const Format format = target.color[i].storage ? target.color[i].format : Format::NONE;
    if (format != desc.color_formats[i])
      errors.push_back(error(fmt::format("pipeline.color_formats[{}]: the framebuffer has {}, the pipeline {}", i,
                                         format_name(format), format_name(desc.color_formats[i]))));
  }
  const Format depth = target.depth_stencil.storage ? target.depth_stencil.format : Format::NONE;
  if (depth != desc.depth_format)
    errors.push_back(error(fmt::format("pipeline.depth_format: the framebuffer has {}, the pipeline {}",
                                       format_name(depth), format_name(desc.depth_format))));
  if (desc.samples != target.samples)
    errors.push_back(error(fmt::format("pipeline.samples: the framebuffer has {}, the pipeline {}", target.samples,
                                       desc.samples)));
}

bool is_finite(const Viewport& viewport) {
  const auto finite = [](float x) { return std::isfinite(x); };
  return std::all_of(std::begin(viewport.scale), std::end(viewport.scale), finite) &&
         std::all_of(std::begin(viewport.translate), std::end(viewport.translate), finite);
}

void check_viewports(const DrawCall& call, std::vector<Diag>& errors) {
  if (!is_finite(call.viewport)) errors.push_back(error("viewport: expected finite scales and translations"));
  for (uint32_t i = 1; i < kMaxViewports && call.viewports; ++i)
    if (!is_finite(call.viewports->viewport[i]))
      errors.push_back(error(fmt::format("viewports.viewport[{}]: expected finite scales and translations", i)));
}

void check_indices(const DrawCall& call, std::vector<Diag>& errors) {
  const IndexBuffer& b = call.index_buffer;
  if (!b.storage) {
    errors.push_back(error("index_buffer: an indexed draw needs an index buffer, found none"));
    return;
  }
  if (b.index_bytes != 1 && b.index_bytes != 2 && b.index_bytes != 4) {
    errors.push_back(
        error(fmt::format("index_buffer.index_bytes: expected 1, 2 or 4, found {}", unsigned(b.index_bytes))));
    return;
  }
  const uint64_t end = b.offset_bytes + (uint64_t{call.info.start} + call.info.count) * b.index_bytes;
  if (call.info.count != 0 && end > b.storage->size_bytes())
    errors.push_back(error(fmt::format("info.count: indices {} to {} end at byte {}, the index buffer has {}",
                                       call.info.start, uint64_t{call.info.start} + call.info.count - 1, end,
                                       b.storage->size_bytes())));
}

void check_vertex_buffers(const DrawCall& call, std::vector<Diag>& errors) {
  for (size_t i = 0; i < call.vertex_buffers.size(); ++i) {
    const VertexBuffer& b = call.vertex_buffers[i];
    if (b.storage && b.offset_bytes > b.storage->size_bytes())
      errors.push_back(error(fmt::format("vertex_buffers[{}].offset_bytes: {} is beyond the buffer's {} bytes", i,
                                         b.offset_bytes, b.storage->size_bytes())));
  }
  for (size_t i = 0; i < call.pipeline->desc.elements.size(); ++i) {
    const uint32_t buffer = call.pipeline->desc.elements[i].buffer;
    if (buffer >= call.vertex_buffers.size() || !call.vertex_buffers[buffer].storage)
      errors.push_back(error(fmt::format("vertex_buffers[{}]: element {} reads it, but none is bound", buffer, i)));
  }
}

}  // namespace

Status check_framebuffer(const Framebuffer& target) {
  std::vector<Diag> errors;
  if (target.color_count > kMaxColorTargets)
    return error(fmt::format("framebuffer.color_count: at most {} colour targets, found {}", kMaxColorTargets,
                             target.color_count));
  if (target.width == 0 || target.height == 0 || target.width > kMaxTargetSize_px || target.height > kMaxTargetSize_px)
    return error(fmt::format("framebuffer.width, height: expected 1 to {}, found {}x{}", kMaxTargetSize_px,
                             target.width, target.height));
  if (target.layers == 0 || target.layers > kMaxTargetLayers)
    return error(fmt::format("framebuffer.layers: expected 1 to {}, found {}", kMaxTargetLayers, target.layers));
  if (!is_sample_count(target.samples))
    return error(fmt::format("framebuffer.samples: expected 1, 2, 4, 8 or 16 samples a pixel, found {}",
                             target.samples));
  for (uint32_t i = 0; i < target.color_count; ++i) {
    if (target.color[i].storage)
      check_surface(target.color[i], fmt::format("framebuffer.color[{}]", i), target, false, errors);
  }
  if (target.depth_stencil.storage)
    check_surface(target.depth_stencil, "framebuffer.depth_stencil", target, true, errors);
  constexpr uint32_t kMost_bytes = kTileMemory_bytes / (kBlockSize_px * kBlockSize_px);
  if (errors.empty() && tile_bytes_per_pixel(target) > kMost_bytes)
    return error(fmt::format("framebuffer: all samples of a pixel take {} bytes, at most {} are supported",
                             tile_bytes_per_pixel(target), kMost_bytes));
  if (errors.empty() && !fits_frame(target, tile_size_for(target)))
    return error(fmt::format("framebuffer.layers: {} layers of {}x{} pixels are more than are drawn into at once",
                             target.layers, target.width, target.height));
  return finish(std::move(errors));
}

Status check_resolve(const Framebuffer& target, const ResolveCommand& resolve) {
  if (target.samples == 1) return error("resolve: the framebuffer has one sample a pixel");
  if (!resolve.depth && (resolve.color_target >= target.color_count || !target.color[resolve.color_target].storage))
    return error(fmt::format("resolve.color_target: the framebuffer has no colour target {}", resolve.color_target));
  const Surface& from = resolve.depth ? target.depth_stencil : target.color[resolve.color_target];
  if (!from.storage) return error("resolve.depth: the framebuffer has no depth");
  if (!resolve.to.storage) return error("resolve.to: no surface is given");
  std::vector<Diag> errors;
  Framebuffer one_sample = target;
  one_sample.samples = 1;
  check_surface(resolve.to, "resolve.to", one_sample, resolve.depth, errors);
  if (resolve.to.format != from.format)
    errors.push_back(error(fmt::format("resolve.to.format: expected {}, found {}", format_name(from.format),
                                       format_name(resolve.to.format))));
  return finish(std::move(errors));
}

Status check_clear(const Framebuffer& target, const ClearCommand& clear) {
  std::vector<Diag> errors;
  for (uint32_t i = 0; i < 32; ++i) {
    if ((clear.color_targets >> i & 1) == 0) continue;
    if (i >= target.color_count || !target.color[i].storage)
      errors.push_back(error(fmt::format("clear.color_targets: the framebuffer has no colour target {}", i)));
  }
  const Surface& surface = target.depth_stencil;
  if (clear.depth && !(surface.storage && format_has_depth(surface.format)))
    errors.push_back(error("clear.depth: the framebuffer has no depth"));
  if (clear.stencil && !(surface.storage && format_has_stencil(surface.format)))
    errors.push_back(error("clear.stencil: the framebuffer has no stencil"));
  if (clear.depth && !(clear.depth_value >= 0 && clear.depth_value <= 1))
    errors.push_back(error(fmt::format("clear.depth_value: expected 0 to 1, found {}", clear.depth_value)));
  return finish(std::move(errors));
}

Status check_draw(const Framebuffer& target, const DrawCall& call) {
  if (!call.pipeline) return error("pipeline: a draw needs a pipeline, found none");
  std::vector<Diag> errors;
  check_formats(target, call.pipeline->desc, errors);
  check_viewports(call, errors);
  if (call.pipeline->has_geometry_stages)
    check_geometry(call, errors);
  else if (!Assembly::is_supported(call.info.primitive))
    errors.push_back(error("info.primitive: patches need a tessellation evaluation program"));
  check_vertex_buffers(call, errors);
  if (call.info.indexed)
    check_indices(call, errors);
  else if (uint64_t{call.info.start} + call.info.count > uint64_t{UINT32_MAX} + 1)
    errors.push_back(error("info.count: vertex numbers beyond 2^32"));
  return finish(std::move(errors));
}

}  // namespace tessera::raster
