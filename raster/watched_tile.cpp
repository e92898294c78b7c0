#include "raster/watched_tile.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <unordered_map>

#include "raster/lanes.h"
#include "raster/pixel_tests.h"
#include "raster/resolve.h"
#include "raster/shape_cover.h"
#include "raster/shape_draw.h"
#include "raster/tile_setup.h"
#include "raster/watched_program.h"

namespace tessera::raster {
namespace {

IRect intersect(const SetupTriangle& t, const IRect& tile) {
  return {std::max<int32_t>(t.bbox_x0, tile.x0), std::max<int32_t>(t.bbox_y0, tile.y0),
          std::min<int32_t>(t.bbox_x1, tile.x1), std::min<int32_t>(t.bbox_y1, tile.y1)};
}

class WatchedTile {
 public:
  WatchedTile(TileWork& work, const Frame& frame, SimdTarget simd, PixelWatch& watch)
      : w_(work), frame_(frame), simd_(simd), watch_(watch), pixel_(watch.pixel()) {
    const IRect& tile = w_.planes.pixels();
    const int32_t x = pixel_.x - tile.x0, y = pixel_.y - tile.y0;
    block_ = (y >> 3) * w_.planes.blocks_in_row() + (x >> 3);
    lane_ = lane_at(x & 7, y & 7);
  }

  void run(const std::vector<TileCommand>& commands) {
    for (const TileCommand& command : commands) {
      if (w_.failed) break;
      switch (command.kind) {
        case TileCommand::Kind::Clear: clear(frame_.clears[command.index]); break;
        case TileCommand::Kind::Resolve: resolve_tile(w_.planes, frame_.resolves[command.index], simd_); break;
        case TileCommand::Kind::Triangles: triangles(command); break;
      }
    }
    w_.tally.switch_to(kNoInterval, w_.counters);
  }

 private:
  // ---- the pixel ----

  PixelState state() {
    PixelState state;
    for (uint32_t i = 0; i < frame_.target.color_count; ++i) {
      if (!w_.planes.has_color(i)) continue;
      w_.planes.ready_color(i, block_);
      const size_t bytes = w_.planes.color(i).surface.texel_bytes;
      std::memcpy(state.color[i].data(),
                  w_.planes.color_texels(i, block_, pixel_.sample) + static_cast<size_t>(lane_) * bytes, bytes);
    }
    if (!w_.planes.has_depth()) return state;
    w_.planes.ready_depth(block_, false);
    const DepthPlane& z = w_.planes.depth();
    const size_t at = pixel_.sample * z.sample_words + static_cast<size_t>(64 * block_ + lane_);
    state.depth_key = z.keys[at];
    state.depth_rest = z.rest ? z.rest[at] : 0;
    return state;
  }

  PixelEvent event(PixelEvent::Kind kind) {
    PixelEvent event;
    event.kind = kind;
    for (uint32_t i = 0; i < frame_.target.color_count; ++i)
      if (w_.planes.has_color(i)) event.color_format[i] = w_.planes.color(i).format;
    if (w_.planes.has_depth()) event.depth_format = w_.planes.depth().format;
    event.before = state();
    return event;
  }

  void clear(const ClearCommand& command) {
    const IRect& r = command.rect;
    if (pixel_.x < r.x0 || pixel_.x >= r.x1 || pixel_.y < r.y0 || pixel_.y >= r.y1) return w_.planes.clear(command);
    PixelEvent cleared = event(PixelEvent::Kind::Clear);
    w_.planes.clear(command);
    cleared.after = state();
    watch_.add_clear(command.number, std::move(cleared));
  }

  // ---- draws ----

  // The draw with a program that can be watched in place of its own.
  void use(const DrawState& draw) {
    if (source_ == &draw) return;
    source_ = &draw;
    w_.tally.switch_to(draw.query_interval, w_.counters);
    draw_ = draw;
    program_ = nullptr;
    if (const std::shared_ptr<const Executable>& fragment = draw.pipeline->desc.fragment) {
      std::shared_ptr<const WatchedProgram>& watched = programs_[fragment.get()];
      if (!watched) watched = std::make_shared<WatchedProgram>(fragment, simd_);
      program_ = watched.get();
      auto pipeline = std::make_shared<Pipeline>(*draw.pipeline);
      pipeline->desc.fragment = watched;
      draw_.pipeline = std::move(pipeline);
      draw_.fragment_uniforms.assign(watched->uniform_count(), 0);
      watched->run_uniform(draw_.fragment_bindings, draw_.fragment_uniforms);
    }
    w_.plan.assign(draw_, w_.planes, frame_.target, simd_, w_.slot_file);
    w_.plan.packs = false;
    w_.program_sample = -1;
  }

  void triangles(const TileCommand& command) {
    const Chunk& chunk = *frame_.chunks[command.index];
    use(*chunk.draw);
    if (!chunk.shapes.empty()) {                     // set up all by the front
      for (uint32_t b = command.begin; b < command.end && !w_.failed; ++b)
        triangle(chunk.triangles[chunk.binned[b]], chunk.shapes[chunk.binned[b]], chunk);
      return;
    }
    for (uint32_t b = command.begin; b < command.end; b += TileSetup::kGroup) {
      const uint32_t count = std::min(TileSetup::kGroup, command.end - b);
      for (const SetupTriangle* t : w_.setup.group(chunk, &chunk.binned[b], count, simd_)) {
        if (w_.failed) return;
        triangle(*t, Shape{}, chunk);
      }
    }
  }

  void triangle(const SetupTriangle& t, const Shape& shape, const Chunk& chunk) {
    if (!w_.plan.draw->depth_ranges.empty() && w_.plan.viewport != t.viewport) w_.plan.use_viewport(t.viewport);
    const IRect& tile = w_.planes.pixels();
    const IRect pixels = intersect(t, tile);
    if (pixels.empty()) return;
    const SamplePattern& pattern = shape.smooth ? smooth_pattern() : *w_.plan.samples;
    ShapeCover cover;
    if (!cover.begin(t, shape, pattern, *draw_.polygon_stipple, tile.x0, tile.y0, pixels)) return;
    for (int32_t y = (pixels.y0 - tile.y0) & ~7; y < pixels.y1 - tile.y0; y += 8) {
      for (int32_t x = (pixels.x0 - tile.x0) & ~7; x < pixels.x1 - tile.x0; x += 8) {
        const int32_t block = (y >> 3) * w_.planes.blocks_in_row() + (x >> 3);
        uint64_t masks[kMaxSamples] = {};
        const bool is_covered = cover.block(*w_.sample_coverage, x, y, masks);
        if (block == block_) watched_block(t, shape, chunk, pattern, {x, y, x + 8, y + 8}, pixels, masks);
        else if (is_covered && !w_.plan.draws_nothing) shade_masks(w_, t, shape, chunk, block, masks);
      }
    }
  }

  // Lanes' samples without the polygon stipple, to see what it took away.
  bool is_covered_without_stipple(const SetupTriangle& t, Shape shape, const SamplePattern& pattern, const IRect& block,
                                  const IRect& pixels) const {
    shape.stippled = false;
    const IRect& tile = w_.planes.pixels();
    ShapeCover cover;
    uint64_t masks[kMaxSamples] = {};
    return cover.begin(t, shape, pattern, *draw_.polygon_stipple, tile.x0, tile.y0, pixels) &&
           cover.block(*w_.sample_coverage, block.x0, block.y0, masks) && covers(masks, shape, pattern);
  }

  // Is the watched sample covered? A smooth primitive covers all samples of a pixel that it touches.
  bool covers(const uint64_t* masks, const Shape& shape, const SamplePattern& pattern) const {
    if (!shape.smooth) return masks[pixel_.sample] >> lane_ & 1;
    return std::any_of(masks, masks + pattern.count, [&](uint64_t mask) { return mask >> lane_ & 1; });
  }

  void watched_block(const SetupTriangle& t, const Shape& shape, const Chunk& chunk, const SamplePattern& pattern,
                     const IRect& block, const IRect& pixels, uint64_t* masks) {
    const bool on_stipple = covers(masks, shape, pattern);
    const bool is_hit = on_stipple || (shape.stippled && is_covered_without_stipple(t, shape, pattern, block, pixels));
    const auto shade = [&] {
      if (std::any_of(masks, masks + pattern.count, [](uint64_t mask) { return mask != 0; }) && !w_.plan.draws_nothing)
        shade_masks(w_, t, shape, chunk, block_, masks);
    };
    if (!is_hit) return shade();

    PixelEvent fragment = event(PixelEvent::Kind::Fragment);
    describe(t, shape, pattern, masks, fragment);
    if (program_) program_->arm({lane_, pixel_.sample, &w_.program_sample, watch_.traces_next()});
    shade();
    if (program_) fragment.program = program_->take();
    const IRect& tile = w_.planes.pixels();
    const WatchedFragment watched{&t, tile.x0 + block.x0, tile.y0 + block.y0, lane_, pixel_.sample,
                                  shape.stippled, on_stipple, fragment.coverage};
    fragment.is_written = explain_tests(w_, watched, fragment.before, fragment.program.get(), fragment.tests);
    fragment.after = state();
    watch_.add_fragment(draw_.draw_number, std::move(fragment));
  }

  void describe(const SetupTriangle& t, const Shape& shape, const SamplePattern& pattern, const uint64_t* masks,
                PixelEvent& fragment) const {
    fragment.draw_number = draw_.draw_number;
    fragment.primitive = t.primitive_id;
    fragment.is_front = t.front;
    fragment.is_point = t.is_point;
    fragment.samples = w_.planes.samples();
    fragment.covered_samples = 0;
    uint64_t any = 0;
    for (uint32_t s = 0; s < pattern.count; ++s) {
      any |= masks[s];
      fragment.covered_samples |= static_cast<uint32_t>(masks[s] >> lane_ & 1) << s;
    }
    fragment.quad_cover = static_cast<uint8_t>(any >> (lane_ & ~3) & 15);
    if (!shape.smooth) return;
    fragment.coverage = static_cast<float>(std::popcount(fragment.covered_samples)) / static_cast<float>(pattern.count);
    fragment.covered_samples = w_.plan.samples->all();
  }

  TileWork& w_;
  const Frame& frame_;
  const SimdTarget simd_;
  PixelWatch& watch_;
  const PixelPlace pixel_;
  int32_t block_ = 0, lane_ = 0;
  const DrawState* source_ = nullptr;
  DrawState draw_;                                   // *source_ with a watched program
  const WatchedProgram* program_ = nullptr;
  std::unordered_map<const Executable*, std::shared_ptr<const WatchedProgram>> programs_;
};

}  // namespace

TileResult run_watched_tile(const Frame& frame, int32_t tile_x, int32_t row, SimdTarget simd, TileBuffers& own,
                            PixelWatch& watch) {
  const auto start = std::chrono::steady_clock::now();
  watch.begin_tile();
  TileWork& w = begin_tile(frame, tile_x, row, simd, own);
  auto tile = std::make_unique<WatchedTile>(w, frame, simd, watch);
  tile->run(tile_commands(frame, tile_x, row));
  const TileResult result = end_tile(w, start);      // names the draw that failed: before the tile's copy of it goes
  watch.end_tile();
  return result;
}

}  // namespace tessera::raster
