// raster/renderer.h: draws and clears in, pixels in the targets' storage out. Records work into the current frame;
// flush() runs it: vertex work in parallel over chunks, then tiles in parallel. Work with another framebuffer ends
// the frame before it. Memory of recorded and binned work is bounded by options: beyond it the frame is run in
// parts, in order, which no image shows.
#pragma once

#include <functional>
#include <memory>
#include <string_view>

#include "core/counters.h"
#include "core/result.h"
#include "core/tasks.h"
#include "raster/frame.h"
#include "raster/geometry_inputs.h"
#include "raster/query.h"
#include "raster/stage_inputs.h"

namespace tessera::raster {

// Diag::id of a draw that went over its instruction budget: the only error of work that was recorded.
inline constexpr std::string_view kOverBudgetId = "instruction-budget";

struct RendererOptions {
  uint32_t threads = 0;                        // 0: all
  SimdTarget simd = best_simd_target();
  int32_t tile_size_px = 64;                   // at most; 64, 32 and 16 exist
  uint64_t binning_budget_bytes = 256u << 20;  // vertices, triangles and bins in flight
  bool drop_hidden = true;
  uint32_t instruction_budget = 0;             // loop back-edges a lane; 0: none
  uint64_t draw_limit = 0;                     // vertices of all instances of a draw, invocations of a grid; 0: none
  uint64_t shuffle_tiles = 0;                  // not 0: seed of a random tile order (tests)
  bool time_tiles = false;                     // keep the time of every tile (benchmarks)
};

// Of programs that choose by VIEWPORT_INDEX: the provoking vertex's number, 0 where it is beyond the last.
struct ViewportArray {
  std::array<Viewport, kMaxViewports> viewport;
  std::array<IRect, kMaxViewports> scissor;
};

struct DrawCall {
  std::shared_ptr<const Pipeline> pipeline;
  Viewport viewport;
  IRect scissor;                               // used when the rasterizer state says so
  std::shared_ptr<const ViewportArray> viewports;   // null: all are the two above; else number 0 is not read
  float blend_color[4] = {0, 0, 0, 0};
  uint8_t stencil_ref[2] = {0, 0};
  uint32_t sample_mask = ~0u;
  std::array<ClipPlane, kMaxClipPlanes> clip_planes{};
  StipplePattern polygon_stipple = kSolidStipple;
  std::vector<VertexBuffer> vertex_buffers;
  IndexBuffer index_buffer;
  StageInputs vertex_inputs, fragment_inputs;
  std::shared_ptr<const GeometryInputs> geometry;   // null: nothing for the stages between
  DrawInfo info;
};

class FrameLog;
class PixelWatch;

class Renderer {
 public:
  explicit Renderer(const RendererOptions& options);
  ~Renderer();

  // Invalid state gives an error that names the field; nothing is recorded then.
  Status clear(const Framebuffer& target, const ClearCommand& clear);
  Status draw(const Framebuffer& target, const DrawCall& call);
  // The samples of one target to a surface of one sample a pixel.
  Status resolve(const Framebuffer& target, const ResolveCommand& resolve);
  // Draws from now on add to `interval`; null: to none.
  void set_query_interval(std::shared_ptr<QueryInterval> interval);
  // What happens to a pixel from now on is recorded (raster/pixel_watch.h); null: no longer.
  void set_pixel_watch(std::shared_ptr<PixelWatch> watch);
  // What the work from now on takes is written down (raster/frame_log.h); null: no longer.
  void set_frame_log(std::shared_ptr<FrameLog> log);
  // Runs all recorded work. Error: a draw over its instruction budget (named by number); targets are then undefined.
  Status flush();
  // Is `storage` a target of recorded work, what it resolves to, or may its programs write to it? Its reader must flush
  // first.
  bool writes_pending(const Storage* storage) const;

  const Counters& counters() const;            // since the last reset, exact after flush()
  void reset_counters();
  const std::vector<float>& tile_times_us() const;   // of the last flushes since reset, when time_tiles
  TaskArena& arena();
  const RendererOptions& options() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tessera::raster
