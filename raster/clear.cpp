#include "raster/clear.h"

#include <algorithm>
#include <chrono>

#include "raster/store.h"

namespace tessera::raster {
namespace {

// Long enough for whole pages of a row to be written in order, short enough to leave every thread its share.
constexpr int32_t kMaxStripTiles = 8;

const std::vector<TileCommand>& commands_of(const Frame& frame, int32_t x, int32_t y) {
  return frame.tile_commands[static_cast<size_t>(y) * static_cast<size_t>(frame.tiles_x) + static_cast<size_t>(x)];
}

IRect pixels_of(const Frame& frame, const TileRun& run) {
  const int32_t size = frame.tile_size_px, y = run.y % frame.tiles_y * size;
  const auto width = static_cast<int32_t>(frame.target.width), height = static_cast<int32_t>(frame.target.height);
  return {run.x0 * size, y, run.x1 * size < width ? run.x1 * size : width, y + size < height ? y + size : height};
}

// Does the clear replace all bits of what it touches?
bool overwrites(const Frame& frame, const ClearCommand& clear) {
  if (clear.color_targets != 0 && clear.color_mask != 15) return false;
  if (!frame.target.depth_stencil.storage || !(clear.depth || clear.stencil)) return true;
  const Format format = frame.target.depth_stencil.format;
  return depth_clear(clear, format, depth_layout(format)).all_bits;
}

bool contains(const IRect& outer, const IRect& inner) {
  return outer.x0 <= inner.x0 && outer.y0 <= inner.y0 && outer.x1 >= inner.x1 && outer.y1 >= inner.y1;
}

// `overwriting`: of each clear of the frame, whether it overwrites().
bool holds_only_clears(const Frame& frame, const std::vector<bool>& overwriting, int32_t x, int32_t y) {
  const std::vector<TileCommand>& commands = commands_of(frame, x, y);
  if (commands.back().kind != TileCommand::Kind::Clear) return false;
  const IRect pixels = pixels_of(frame, {y, x, x + 1});
  return std::ranges::all_of(commands, [&](const TileCommand& command) {
    return command.kind == TileCommand::Kind::Clear && overwriting[command.index] &&
           contains(frame.clears[command.index].rect, pixels);
  });
}

bool same_clears(const std::vector<TileCommand>& a, const std::vector<TileCommand>& b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i)
    if (b[i].kind != TileCommand::Kind::Clear || a[i].index != b[i].index) return false;
  return true;
}

void fill(const StoreKernels& kernels, const Surface& surface, uint32_t layer, const IRect& pixels,
          const std::byte* texel) {
  const int32_t width = pixels.x1 - pixels.x0, height = pixels.y1 - pixels.y0;
  const TileSurface texels = tile_surface(surface, layer, pixels.x0, pixels.y0, width, height);
  for (uint32_t s = 0; s < surface.storage->desc().samples; ++s)
    kernels.fill(sample_surface(texels, s), {0, 0, width, height}, texel);
}

uint64_t elapsed_ns(std::chrono::steady_clock::time_point since) {
  return static_cast<uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - since).count());
}

}  // namespace

DepthClear depth_clear(const ClearCommand& command, Format format, const DepthLayout& layout) {
  DepthClear clear;
  clear.sets_depth = command.depth && layout.depth_bits != 0;
  clear.sets_stencil = command.stencil && layout.has_stencil && command.stencil_mask != 0;
  if (clear.sets_depth) pack_depth(format, command.depth_value, clear.texel);
  if (clear.sets_stencil) pack_stencil(format, command.stencil_value, clear.texel);
  clear.all_bits = (clear.sets_depth || layout.depth_bits == 0) &&
                   (!layout.has_stencil || (clear.sets_stencil && command.stencil_mask == 255));
  return clear;
}

std::vector<TileRun> tile_runs(const Frame& frame) {
  std::vector<TileRun> runs;
  std::vector<bool> overwriting;
  for (const ClearCommand& clear : frame.clears) overwriting.push_back(overwrites(frame, clear));
  for (int32_t y = 0; y < frame.tile_rows(); ++y) {
    for (int32_t x = 0; x < frame.tiles_x;) {
      const std::vector<TileCommand>& commands = commands_of(frame, x, y);
      const int32_t first = x++;
      if (commands.empty()) continue;
      if (holds_only_clears(frame, overwriting, first, y)) {
        while (x < frame.tiles_x && x - first < kMaxStripTiles && same_clears(commands, commands_of(frame, x, y)) &&
               holds_only_clears(frame, overwriting, x, y))
          ++x;
      }
      runs.push_back({y, first, x});
    }
  }
  return runs;
}

TileResult run_clear_strip(const Frame& frame, const TileRun& run, SimdTarget simd) {
  const auto start = std::chrono::steady_clock::now();
  const StoreKernels& kernels = store_kernels(simd);
  const Framebuffer& target = frame.target;
  const IRect pixels = pixels_of(frame, run);
  const auto layer = static_cast<uint32_t>(run.y / frame.tiles_y);
  // Of several clears of one target the last one holds.
  const ClearCommand *color[kMaxColorTargets] = {}, *depth = nullptr;
  for (const TileCommand& command : commands_of(frame, run.x0, run.y)) {
    const ClearCommand& clear = frame.clears[command.index];
    for (uint32_t i = 0; i < target.color_count; ++i)
      if (clear.color_targets >> i & 1 && target.color[i].storage) color[i] = &clear;
    if ((clear.depth || clear.stencil) && target.depth_stencil.storage) depth = &clear;
  }
  for (uint32_t i = 0; i < target.color_count; ++i) {
    if (!color[i]) continue;
    std::byte texel[kMaxTexelBytes] = {};
    pack_texel(target.color[i].format, color[i]->color[i], texel);
    fill(kernels, target.color[i], layer, pixels, texel);
  }
  if (depth) {
    const Format format = target.depth_stencil.format;
    fill(kernels, target.depth_stencil, layer, pixels, depth_clear(*depth, format, depth_layout(format)).texel);
  }
  kernels.finish();

  TileResult result;
  result.counters.tiles = static_cast<uint64_t>(run.x1 - run.x0);
  result.counters.tile_ns = result.counters.load_store_ns = elapsed_ns(start);
  return result;
}

}  // namespace tessera::raster
