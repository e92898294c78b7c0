#include "raster/tile.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <new>

#include "core/check.h"
#include "core/tasks.h"
#include "raster/batch.h"
#include "raster/block.h"
#include "raster/hidden.h"
#include "raster/lanes.h"
#include "raster/resolve.h"
#include "raster/sample_batch.h"
#include "raster/sample_draw.h"
#include "raster/shape_draw.h"
#include "texture/texel_count.h"

namespace tessera::raster {

struct TileBuffers::Impl {
  struct alignas(64) Memory { std::byte bytes[kTileMemory_bytes]; };
  std::unique_ptr<Memory> memory = std::make_unique<Memory>();
  TileWork work;
};

TileBuffers::TileBuffers() : impl_(std::make_unique<Impl>()) {}
TileBuffers::~TileBuffers() = default;
std::vector<PixelCounts>& TileBuffers::pixel_counts() { return impl_->work.tally.counts(); }
void TileBuffers::set_heat(PixelHeat* heat) { impl_->work.heat = heat; }

namespace {

IRect intersect(const SetupTriangle& t, const IRect& tile) {
  return {t.bbox_x0 > tile.x0 ? t.bbox_x0 : tile.x0, t.bbox_y0 > tile.y0 ? t.bbox_y0 : tile.y0,
          t.bbox_x1 < tile.x1 ? t.bbox_x1 : tile.x1, t.bbox_y1 < tile.y1 ? t.bbox_y1 : tile.y1};
}

constexpr int32_t kMaxBlocksInRow = 8;

bool fits_window(const IRect& r) { return r.x1 - r.x0 <= kPackWindow_px && r.y1 - r.y0 <= kPackWindow_px; }

// Can no sample of `rect` pass the depth test, by the bounds of the whole tile?
bool is_behind(TileWork& w, const SetupTriangle& t, const IRect& rect) {
  const KeyRange range = w.depth->plane_range(w.plan.depth, t, rect);
  return test_range(w.plan.depth.func, range, w.planes.depth_range_of_tile()) == RangeTest::AllFail;
}

// A triangle over blocks: tile, then block, then lanes.
void draw_large(TileWork& w, const SetupTriangle& t, const Chunk& chunk, const IRect& rect) {
  const IRect& tile = w.planes.pixels();
  TileEdges edges;
  if (!cross_tile(t, tile.x0, tile.y0, rect, edges)) return;
  if (w.plan.ranges && edges.count == 0 && rect == tile && is_behind(w, t, rect)) {
    w.counters.fragments_failed += static_cast<uint64_t>(rect.x1 - rect.x0) * static_cast<uint64_t>(rect.y1 - rect.y0);
    return;
  }
  const int32_t x0 = rect.x0 - tile.x0, y0 = rect.y0 - tile.y0, x1 = rect.x1 - tile.x0, y1 = rect.y1 - tile.y0;
  const int32_t first_x = x0 & ~7;
  KeyRange ranges[kMaxBlocksInRow];
  for (int32_t y = y0 & ~7; y < y1; y += 8) {
    if (w.plan.ranges)
      w.depth->block_ranges(w.plan.depth, t, tile.x0 + first_x, tile.y0 + y,
                            std::span(ranges).first(static_cast<size_t>((x1 - first_x + 7) >> 3)));
    for (int32_t x = first_x; x < x1; x += 8) {
      const BlockCover cover = classify_block(edges, x, y);
      if (cover == BlockCover::None) continue;
      uint64_t mask = cover == BlockCover::Full ? ~uint64_t{0} : w.coverage->block(edges, x, y);
      if (x < x0 || y < y0 || x + 8 > x1 || y + 8 > y1) mask &= rect_mask(x0 - x, y0 - y, x1 - x, y1 - y);
      const int32_t block = (y >> 3) * w.planes.blocks_in_row() + (x >> 3);
      if (!mask) continue;
      const KeyRange* range = w.plan.ranges ? &ranges[(x - first_x) >> 3] : nullptr;
      // Whole blocks are tested by shade_block(); of parts only what is known already, since small writes forget it.
      if (range && mask != ~uint64_t{0} && w.planes.knows_depth_range(block) &&
          test_range(w.plan.depth.func, *range, w.planes.depth_range(block)) == RangeTest::AllFail)
        w.counters.fragments_failed += static_cast<uint64_t>(std::popcount(mask));
      else draw_block(w, t, chunk, block, mask, range);
    }
  }
}

bool batch_holds_next_setup(const TileWork& w) {
  for (uint32_t q = 0; q < w.batch.count; ++q)
    if (w.setup.is_used_next(w.batch.triangle[q])) return true;
  return false;
}

void draw_triangles(TileWork& w, const Frame& frame, const TileCommand& command, uint32_t begin, SimdTarget simd) {
  const Chunk& chunk = *frame.chunks[command.index];
  if (w.plan.draw != chunk.draw.get()) {
    flush_batch(w);
    w.batch_ready = 0;
    w.tally.switch_to(chunk.draw->query_interval, w.counters);
    w.plan.assign(*chunk.draw, w.planes, frame.target, simd, w.slot_file);
  }
  if (w.plan.draws_nothing) return;
  if (!chunk.shapes.empty()) return draw_shapes(w, chunk, begin, command.end);
  const IRect& tile = w.planes.pixels();
  const uint32_t samples = w.planes.samples();
  const bool ranges_differ = !w.plan.draw->depth_ranges.empty();
  for (uint32_t b = begin; b < command.end; b += TileSetup::kGroup) {
    if (batch_holds_next_setup(w)) flush_batch(w);
    const uint32_t count = std::min(TileSetup::kGroup, command.end - b);
    for (const SetupTriangle* t : w.setup.group(chunk, &chunk.binned[b], count, simd)) {
      if (w.failed) return;
      if (ranges_differ && w.plan.viewport != t->viewport) {
        flush_batch(w);
        w.plan.use_viewport(t->viewport);
      }
      const IRect rect = intersect(*t, tile);
      if (rect.empty()) continue;
      if (samples > 1) draw_samples(w, *t, chunk, rect);
      else if (w.plan.packs && fits_window(rect)) w.packs->window(w, *t, chunk, rect);
      else draw_large(w, *t, chunk, rect);
    }
  }
}

void run_commands(TileWork& w, const Frame& frame, const std::vector<TileCommand>& commands, SimdTarget simd) {
  const FirstVisible first = frame.drop_hidden ? first_visible(frame, commands, w.planes.pixels()) : FirstVisible{};
  for (uint32_t i = 0; i < commands.size() && !w.failed; ++i) {
    const TileCommand& command = commands[i];
    if (command.kind == TileCommand::Kind::Clear) {
      flush_batch(w);
      w.batch_ready = 0;
      w.planes.clear(frame.clears[command.index]);
    } else if (command.kind == TileCommand::Kind::Resolve) {
      flush_batch(w);
      w.batch_ready = 0;
      resolve_tile(w.planes, frame.resolves[command.index], simd);
    } else if (i >= first.command) {
      draw_triangles(w, frame, command, i == first.command && first.binned ? first.binned : command.begin, simd);
    }
  }
  flush_batch(w);
  w.tally.switch_to(kNoInterval, w.counters);
}

uint64_t elapsed_ns(std::chrono::steady_clock::time_point since) {
  return static_cast<uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - since).count());
}

}  // namespace

int32_t tile_size_for(const Framebuffer& target, int32_t at_most) {
  const uint32_t bytes = tile_bytes_per_pixel(target);
  int32_t size = at_most;
  while (size > 8 && bytes * static_cast<uint32_t>(size * size) > kTileMemory_bytes) size /= 2;
  return size;
}

const std::vector<TileCommand>& tile_commands(const Frame& frame, int32_t tile_x, int32_t row) {
  return frame.tile_commands[static_cast<size_t>(row) * static_cast<size_t>(frame.tiles_x) +
                             static_cast<size_t>(tile_x)];
}

TileWork& begin_tile(const Frame& frame, int32_t tile_x, int32_t row, SimdTarget simd, TileBuffers& own) {
  TileWork& w = own.impl().work;
  w.coverage = &coverage_kernels(simd);
  w.interpolate = &interpolate_kernels(simd);
  w.depth = &depth_kernels(simd);
  w.batches = &batch_kernels(simd);
  w.packs = &pack_kernels(simd);
  w.sample_coverage = &sample_coverage_kernels(simd);
  w.sample_batches = &sample_batch_kernels(simd);
  w.counters = {};
  w.texels_before = texture::texels_read();
  w.failed = false;
  w.plan.draw = nullptr;
  w.batch_ready = 0;
  const auto layer = static_cast<uint32_t>(row / frame.tiles_y);
  w.planes.begin(frame.target, layer, tile_x, row % frame.tiles_y, frame.tile_size_px, simd, own.impl().memory->bytes);
  return w;
}

TileResult end_tile(TileWork& w, std::chrono::steady_clock::time_point start) {
  TileResult result;
  if (w.failed) result.failed_draw = w.plan.draw->draw_number;
  const auto stored = std::chrono::steady_clock::now();
  w.planes.store();

  w.counters.tiles = 1;
  w.counters.texels = texture::texels_read() - w.texels_before;
  w.counters.load_store_ns = elapsed_ns(stored);
  w.counters.tile_ns = elapsed_ns(start);
  result.counters = w.counters;
  return result;
}

TileResult run_tile(const Frame& frame, int32_t tile_x, int32_t row, SimdTarget simd, TileBuffers& own) {
  const std::vector<TileCommand>& commands = tile_commands(frame, tile_x, row);
  if (commands.empty()) return {};
  const auto start = std::chrono::steady_clock::now();
  TileWork& w = begin_tile(frame, tile_x, row, simd, own);
  run_commands(w, frame, commands, simd);
  return end_tile(w, start);
}

}  // namespace tessera::raster
