// raster/planes.h: the targets of one tile while it is worked on: colour texels and depth in lane order, loaded,
// cleared and stored block by block. Each sample has a plane; the samples of a block share its state.
//
// A block of a plane is untouched (the surface holds it), cleared (it holds the clear's texel, written nowhere yet) or
// ready (the tile's memory holds it). Depth of a block may also be the plane of one triangle. Only what a draw reads is
// loaded; a cleared block never is, and one that nothing draws to goes to the surface as a plain fill.
//
// In:     a frame's targets; the tile's pixels.
// Out:    the surfaces' texels, exact bits.
// Range:  tiles of 64, 32, 16 or 8 pixels a side: at most 64 blocks, one bit each.
// Errors: none.                                       Threads: one owner; tiles do not share surface texels.
#pragma once

#include <cstdint>
#include <limits>

#include "raster/depth_stencil.h"
#include "raster/frame.h"
#include "raster/store.h"

namespace tessera::raster {

inline constexpr uint32_t kTileMemory_bytes = 256 * 1024;

// What the blocks of a plane are; bit = block, row by row.
struct BlockStates {
  uint64_t ready = 0, cleared = 0, dirty = 0;
};

struct ColorPlane {
  TileSurface surface;                    // of sample 0; first == null: no such target
  Format format = Format::NONE;
  std::byte* texels = nullptr;            // 64 * texel_bytes a block; the other samples' planes follow
  size_t sample_bytes = 0;                // from one sample's plane to the next
  BlockStates blocks;
  std::byte clear_texel[kMaxTexelBytes] = {};
};

struct DepthPlane {
  TileSurface surface;
  Format format = Format::NONE;
  DepthLayout layout;
  uint32_t *keys = nullptr, *rest = nullptr;   // 64 words a block; the other samples' planes follow
  size_t sample_words = 0;                     // from one sample's plane to the next
  BlockStates blocks;
  std::byte clear_texel[8] = {};
  uint32_t clear_key = 0, clear_rest = 0;
  uint64_t range_known = 0;                    // blocks whose range is exact
  KeyRange range[64];
  bool tile_range_known = false;
  KeyRange tile_range{0, 0};
  // Blocks that a triangle's plane stands for: their keys are written when somebody looks at them. One sample a pixel.
  struct BlockPlane { float z0, z_dx, z_dy, clamp_lo, clamp_hi; int32_t x0_fx8, y0_fx8; };
  uint64_t planar = 0;
  BlockPlane plane[64];
};

class TilePlanes {
 public:
  // `memory`: kTileMemory_bytes, 64-byte aligned.
  void begin(const Framebuffer& target, uint32_t layer, int32_t tile_x, int32_t tile_y, int32_t size_px,
             SimdTarget simd, std::byte* memory);
  void clear(const ClearCommand& command);
  void store();

  int32_t blocks_in_row() const { return blocks_in_row_; }
  // The part of the tile inside the target, in target pixels.
  const IRect& pixels() const { return pixels_; }
  uint64_t all_blocks() const { return all_blocks_; }
  bool has_color(uint32_t target) const { return color_[target].surface.first != nullptr; }
  uint32_t samples() const { return samples_; }
  uint32_t layer() const { return layer_; }
  bool has_depth() const { return depth_.surface.first != nullptr; }
  ColorPlane& color(uint32_t target) { return color_[target]; }
  DepthPlane& depth() { return depth_; }
  const DepthPlane& depth() const { return depth_; }

  // Sample 0's texels of a block for writing. `whole`: all texels of all samples are overwritten, so what it held does
  // not matter.
  std::byte* write_color(uint32_t target, int32_t block, bool whole);
  // Makes a block's texels ready for reading.
  void ready_color(uint32_t target, int32_t block) {
    if (!(color_[target].blocks.ready >> block & 1)) fill_color(color_[target], block);
  }
  const std::byte* color_texels(uint32_t target, int32_t block, uint32_t sample) const;   // of a ready block
  // Makes a block's keys (and rests) ready; `whole` as above.
  void ready_depth(int32_t block, bool whole);
  // Keys of a block were written; nothing is known of their range, or this.
  void depth_written(int32_t block) {
    depth_.blocks.dirty |= uint64_t{1} << block;
    depth_.range_known &= ~(uint64_t{1} << block);
    depth_.tile_range_known = false;
  }
  void depth_written(int32_t block, KeyRange range);
  // The block's keys become those of the triangle's plane, all of them; `range` is theirs. False: not here, as texels
  // hold more than depth.
  bool write_depth_plane(int32_t block, const DepthTest& test, const SetupTriangle& triangle, KeyRange range);
  bool knows_depth_range(int32_t block) const { return (depth_.range_known | depth_.blocks.cleared) >> block & 1; }
  KeyRange depth_range(int32_t block);
  KeyRange depth_range_of_tile();

 private:
  IRect block_rect(int32_t block) const;       // tile pixels
  uint64_t blocks_inside(const IRect& rect) const;
  void clear_color(ColorPlane& plane, const ClearCommand& command, const Texel& color, const IRect& rect);
  void clear_depth(const ClearCommand& command, const IRect& rect);
  void fill_color(ColorPlane& plane, int32_t block);
  void write_plane_keys(int32_t block);
  void store_depth(const TileSurface& surface, const uint32_t* keys, const uint32_t* rest);
  void store_rows(const TileSurface& surface, const BlockStates& blocks, const std::byte* clear_texel,
                  std::byte* lanes);
  void load_depth(const TileSurface& surface, const IRect& rect, uint32_t* keys, uint32_t* rest);

  const StoreKernels* kernels_ = nullptr;
  const DepthKernels* depth_kernels_ = nullptr;
  IRect pixels_;
  int32_t blocks_in_row_ = 8, row_shift_ = 3;  // 8, 4, 2 or 1, and its logarithm
  uint64_t all_blocks_ = 0;                    // blocks that reach into the target
  uint32_t color_count_ = 0, samples_ = 1, layer_ = 0;
  ColorPlane color_[kMaxColorTargets];
  DepthPlane depth_;
};

// Bytes of tile memory that one pixel of a target takes, with all of its samples.
uint32_t tile_bytes_per_pixel(const Framebuffer& target);

}  // namespace tessera::raster
