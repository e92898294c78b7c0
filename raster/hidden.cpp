#include "raster/hidden.h"

#include <algorithm>

#include "core/fixed.h"
#include "raster/sample_coverage.h"
#include "raster/tile_setup.h"

namespace tessera::raster {
namespace {

// Does a fragment count even where a later one takes its place?
bool leaves_traces(const DrawState& draw) {
  return draw.pipeline->fragments_write_memory || draw.query_interval != kNoInterval;
}

bool affects_only_color(const DrawState& draw) {
  const PipelineDesc& desc = draw.pipeline->desc;
  const DepthStencilAlphaState& state = desc.depth_stencil_alpha;
  const bool writes_depth =
      desc.depth_format != Format::NONE && ((state.depth_test && state.depth_write) || state.stencil[0].enabled);
  return !writes_depth && !leaves_traces(draw) &&
         (draw.budget == 0 || !desc.fragment || desc.fragment->is_empty());
}

bool overwrites_everything(const DrawState& draw) {
  const PipelineDesc& desc = draw.pipeline->desc;
  const DepthStencilAlphaState& state = desc.depth_stencil_alpha;
  const bool tested = desc.depth_format != Format::NONE &&
                      ((state.depth_test && state.depth_func != Compare::Always) || state.stencil[0].enabled ||
                       state.depth_bounds_test);
  const uint32_t all = draw.pipeline->samples->all();
  const bool is_masked = (draw.sample_mask & all) != all && (all == 1 || desc.rasterizer.multisample);
  return draw.pipeline->is_opaque && !tested && !is_masked;
}

// May a triangle with these vertices reach all pixels?
bool surrounds(const Chunk& chunk, const uint32_t vertex[3], const IRect& pixels) {
  const WinVertex &a = chunk.window[vertex[0]], &b = chunk.window[vertex[1]], &c = chunk.window[vertex[2]];
  return std::min({a.x_fx8, b.x_fx8, c.x_fx8}) < (pixels.x0 + 1) * kOne_fx8 &&
         std::min({a.y_fx8, b.y_fx8, c.y_fx8}) < (pixels.y0 + 1) * kOne_fx8 &&
         std::max({a.x_fx8, b.x_fx8, c.x_fx8}) > (pixels.x1 - 1) * kOne_fx8 &&
         std::max({a.y_fx8, b.y_fx8, c.y_fx8}) > (pixels.y1 - 1) * kOne_fx8;
}

bool covers(const SetupTriangle& t, const SamplePattern& pattern, const IRect& pixels) {
  SampleEdges edges;
  return t.bbox_x0 <= pixels.x0 && t.bbox_y0 <= pixels.y0 && t.bbox_x1 >= pixels.x1 && t.bbox_y1 >= pixels.y1 &&
         cross_tile(t, pattern, pixels.x0, pixels.y0, pixels, edges) && edges.count == 0;
}

bool covers(const Chunk& chunk, uint32_t binned, const IRect& pixels) {
  const SamplePattern& pattern = *chunk.draw->pipeline->samples;
  if ((binned & Chunk::kSmall) == 0) return covers(chunk.triangles[binned], pattern, pixels);
  const SmallTriangle& small = chunk.small[binned & ~Chunk::kSmall];
  return surrounds(chunk, small.vertex, pixels) && covers(set_up(chunk, small), pattern, pixels);
}

}  // namespace

FirstVisible first_visible(const Frame& frame, const std::vector<TileCommand>& commands, const IRect& pixels) {
  FirstVisible first;
  for (uint32_t i = 0; i < commands.size(); ++i) {
    const TileCommand& command = commands[i];
    if (command.kind == TileCommand::Kind::Clear) continue;
    if (command.kind == TileCommand::Kind::Resolve) break;       // it reads what is drawn before it
    const Chunk& chunk = *frame.chunks[command.index];
    if (chunk.shapes.empty() && overwrites_everything(*chunk.draw)) {
      for (uint32_t b = command.end; b > command.begin; --b) {
        if (!covers(chunk, chunk.binned[b - 1], pixels)) continue;
        first = {i, leaves_traces(*chunk.draw) ? command.begin : b - 1};
        break;
      }
    }
    if (!affects_only_color(*chunk.draw)) break;
  }
  return first;
}

}  // namespace tessera::raster
