#include "raster/planes.h"

#include <bit>
#include <cstring>

#include "core/check.h"
#include "raster/blend.h"
#include "raster/clear.h"
#include "raster/lanes.h"

namespace tessera::raster {
namespace {

constexpr uint64_t bit(int32_t block) { return uint64_t{1} << block; }

size_t block_bytes(const TileSurface& surface) { return size_t{64} * surface.texel_bytes; }

// Depth that is its own key: texels and keys are the same bytes.
bool keys_are_texels(const DepthLayout& layout) { return layout.texel_bytes == 4 && layout.depth_bits == 32; }

KeyRange unite(KeyRange a, KeyRange b) { return {a.lo < b.lo ? a.lo : b.lo, a.hi > b.hi ? a.hi : b.hi}; }

std::byte* block_texels(const ColorPlane& plane, int32_t block, uint32_t sample) {
  return plane.texels + sample * plane.sample_bytes + static_cast<size_t>(block) * block_bytes(plane.surface);
}

KeyRange range_of_key(const DepthLayout& layout, uint32_t key) {
  const double value = layout.is_float ? static_cast<double>(std::bit_cast<float>(key)) : static_cast<double>(key);
  return {value, value};
}

}  // namespace

uint32_t tile_bytes_per_pixel(const Framebuffer& target) {
  uint32_t bytes = 0;
  for (uint32_t i = 0; i < target.color_count; ++i)
    if (target.color[i].storage) bytes += format_info(target.color[i].format).block_bytes;
  if (target.depth_stencil.storage) bytes += depth_layout(target.depth_stencil.format).has_rest ? 8 : 4;
  return bytes * target.samples;
}

void TilePlanes::begin(const Framebuffer& target, uint32_t layer, int32_t tile_x, int32_t tile_y, int32_t size_px,
                       SimdTarget simd, std::byte* memory) {
  kernels_ = &store_kernels(simd);
  depth_kernels_ = &depth_kernels(simd);
  TESSERA_CHECK(tile_bytes_per_pixel(target) * static_cast<uint32_t>(size_px * size_px) <= kTileMemory_bytes);
  const int32_t x0 = tile_x * size_px, y0 = tile_y * size_px;
  const auto width = static_cast<int32_t>(target.width), height = static_cast<int32_t>(target.height);
  pixels_ = {x0, y0, x0 + size_px < width ? x0 + size_px : width, y0 + size_px < height ? y0 + size_px : height};
  const int32_t wide = pixels_.x1 - x0, high = pixels_.y1 - y0;
  blocks_in_row_ = size_px / kBlockSize_px;
  row_shift_ = std::countr_zero(static_cast<uint32_t>(blocks_in_row_));
  all_blocks_ = 0;
  const uint64_t row = (uint64_t{1} << ((wide + 7) >> 3)) - 1;
  for (int32_t y = 0; y < high; y += 8) all_blocks_ |= row << ((y >> 3) << row_shift_);

  const auto pixel_count = static_cast<size_t>(size_px * size_px);
  samples_ = target.samples;
  layer_ = layer;
  const auto take = [&memory, pixel_count, this](size_t texel_bytes) {
    std::byte* part = memory;
    memory += pixel_count * texel_bytes * samples_;
    return part;
  };
  color_count_ = target.color_count;
  for (uint32_t i = 0; i < kMaxColorTargets; ++i) {
    ColorPlane& plane = color_[i];
    plane.blocks = {};
    plane.surface = {};
    if (i >= color_count_ || !target.color[i].storage) continue;
    plane.format = target.color[i].format;
    plane.surface = tile_surface(target.color[i], layer, x0, y0, wide, high);
    plane.sample_bytes = pixel_count * plane.surface.texel_bytes;
    plane.texels = take(plane.surface.texel_bytes);
  }
  depth_.surface = {};
  depth_.layout = {};
  depth_.blocks = {};
  depth_.range_known = depth_.planar = 0;
  depth_.tile_range_known = false;
  if (target.depth_stencil.storage) {
    depth_.format = target.depth_stencil.format;
    depth_.layout = depth_layout(depth_.format);
    depth_.surface = tile_surface(target.depth_stencil, layer, x0, y0, wide, high);
    depth_.sample_words = pixel_count;
    depth_.keys = reinterpret_cast<uint32_t*>(take(4));
    depth_.rest = depth_.layout.has_rest ? reinterpret_cast<uint32_t*>(take(4)) : nullptr;
  }
}

IRect TilePlanes::block_rect(int32_t block) const {
  const int32_t x = 8 * (block & (blocks_in_row_ - 1)), y = 8 * (block >> row_shift_);
  const int32_t wide = pixels_.x1 - pixels_.x0, high = pixels_.y1 - pixels_.y0;
  return {x, y, x + 8 < wide ? x + 8 : wide, y + 8 < high ? y + 8 : high};
}

// ---- blocks become ready ------------------------------------------------------------------------------------------

void TilePlanes::fill_color(ColorPlane& plane, int32_t block) {
  const IRect rect = block_rect(block);
  for (uint32_t s = 0; s < samples_; ++s) {
    std::byte* lanes = block_texels(plane, block, s);
    if (plane.blocks.cleared & bit(block)) kernels_->fill_lanes(lanes, plane.surface.texel_bytes, plane.clear_texel);
    else kernels_->load_block(sample_surface(plane.surface, s), rect.x0, rect.y0, lanes);
  }
  plane.blocks.cleared &= ~bit(block);
  plane.blocks.ready |= bit(block);
}

std::byte* TilePlanes::write_color(uint32_t target, int32_t block, bool whole) {
  ColorPlane& plane = color_[target];
  if (!(plane.blocks.ready & bit(block))) {
    if (whole) {
      plane.blocks.cleared &= ~bit(block);
      plane.blocks.ready |= bit(block);
    } else {
      fill_color(plane, block);
    }
  }
  plane.blocks.dirty |= bit(block);
  return block_texels(plane, block, 0);
}

const std::byte* TilePlanes::color_texels(uint32_t target, int32_t block, uint32_t sample) const {
  return block_texels(color_[target], block, sample);
}

void TilePlanes::ready_depth(int32_t block, bool whole) {
  DepthPlane& z = depth_;
  if (z.blocks.ready & bit(block)) return;
  z.blocks.ready |= bit(block);
  if (z.planar & bit(block)) {
    z.planar &= ~bit(block);
    if (!whole) write_plane_keys(block);
    return;
  }
  const bool is_cleared = z.blocks.cleared & bit(block);
  z.blocks.cleared &= ~bit(block);
  const IRect rect = block_rect(block);
  for (uint32_t s = 0; s < samples_; ++s) {
    uint32_t* keys = z.keys + s * z.sample_words + 64 * block;
    uint32_t* rest = z.rest ? z.rest + s * z.sample_words + 64 * block : nullptr;
    if (is_cleared) {
      for (int lane = 0; lane < 64 && !whole; ++lane) keys[lane] = z.clear_key;
      for (int lane = 0; lane < 64 && rest; ++lane) rest[lane] = z.clear_rest;
    } else if (!whole || rest) {
      load_depth(sample_surface(z.surface, s), rect, keys, rest);
    }
  }
  if (is_cleared && !whole) {
    z.range[block] = range_of_key(z.layout, z.clear_key);
    z.range_known |= bit(block);
  }
}

bool TilePlanes::write_depth_plane(int32_t block, const DepthTest& test, const SetupTriangle& t, KeyRange range) {
  DepthPlane& z = depth_;
  if (z.rest || samples_ > 1) return false;
  z.plane[block] = {t.z0, t.z_dx, t.z_dy, test.clamp_lo, test.clamp_hi, t.x0_fx8, t.y0_fx8};
  z.planar |= bit(block);
  z.blocks.ready &= ~bit(block);
  z.blocks.cleared &= ~bit(block);
  depth_written(block, range);
  return true;
}

void TilePlanes::write_plane_keys(int32_t block) {
  const DepthPlane::BlockPlane& plane = depth_.plane[block];
  SetupTriangle t;
  t.z0 = plane.z0;
  t.z_dx = plane.z_dx;
  t.z_dy = plane.z_dy;
  t.x0_fx8 = plane.x0_fx8;
  t.y0_fx8 = plane.y0_fx8;
  DepthTest test;
  test.is_float = depth_.layout.is_float;
  test.depth_bits = depth_.layout.depth_bits;
  test.clamp_lo = plane.clamp_lo;
  test.clamp_hi = plane.clamp_hi;
  const IRect rect = block_rect(block);
  depth_kernels_->plane_keys(test, t, pixels_.x0 + rect.x0, pixels_.y0 + rect.y0, depth_.keys + 64 * block);
}

void TilePlanes::load_depth(const TileSurface& surface, const IRect& rect, uint32_t* keys, uint32_t* rest) {
  const DepthLayout& layout = depth_.layout;
  if (keys_are_texels(layout))
    return kernels_->load_block(surface, rect.x0, rect.y0, reinterpret_cast<std::byte*>(keys));
  alignas(64) std::byte texels[64 * 8];
  kernels_->load_block(surface, rect.x0, rect.y0, texels);
  for (int lane = 0; lane < 64; ++lane) {
    uint32_t other = 0;
    split_texel(layout, texels + lane * layout.texel_bytes, keys[lane], other);
    if (rest) rest[lane] = other;
  }
}

// ---- ranges of depth ----------------------------------------------------------------------------------------------

void TilePlanes::depth_written(int32_t block, KeyRange range) {
  depth_.blocks.dirty |= bit(block);
  depth_.range_known |= bit(block);
  depth_.range[block] = range;
  depth_.tile_range_known = false;
}

KeyRange TilePlanes::depth_range(int32_t block) {
  DepthPlane& z = depth_;
  if (z.range_known & bit(block)) return z.range[block];
  if (z.blocks.cleared & bit(block)) {
    z.range[block] = range_of_key(z.layout, z.clear_key);
  } else {
    ready_depth(block, false);
    z.range[block] = depth_kernels_->stored_range(z.layout.is_float, z.keys + 64 * block);
    for (uint32_t s = 1; s < samples_; ++s)
      z.range[block] = unite(
          z.range[block], depth_kernels_->stored_range(z.layout.is_float, z.keys + s * z.sample_words + 64 * block));
  }
  z.range_known |= bit(block);
  return z.range[block];
}

KeyRange TilePlanes::depth_range_of_tile() {
  if (depth_.tile_range_known) return depth_.tile_range;
  KeyRange tile{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  for (uint64_t blocks = all_blocks_; blocks; blocks &= blocks - 1) {
    tile = unite(tile, depth_range(std::countr_zero(blocks)));
  }
  depth_.tile_range = tile;
  depth_.tile_range_known = true;
  return tile;
}

// ---- clears -------------------------------------------------------------------------------------------------------

void TilePlanes::clear(const ClearCommand& command) {
  const IRect rect{(command.rect.x0 > pixels_.x0 ? command.rect.x0 : pixels_.x0) - pixels_.x0,
                   (command.rect.y0 > pixels_.y0 ? command.rect.y0 : pixels_.y0) - pixels_.y0,
                   (command.rect.x1 < pixels_.x1 ? command.rect.x1 : pixels_.x1) - pixels_.x0,
                   (command.rect.y1 < pixels_.y1 ? command.rect.y1 : pixels_.y1) - pixels_.y0};
  if (rect.empty()) return;
  for (uint32_t i = 0; i < color_count_; ++i)
    if ((command.color_targets >> i & 1) && has_color(i)) clear_color(color_[i], command, command.color[i], rect);
  if ((command.depth || command.stencil) && has_depth()) clear_depth(command, rect);
}

uint64_t TilePlanes::blocks_inside(const IRect& rect) const {
  if (rect.x0 == 0 && rect.y0 == 0 && rect.x1 == pixels_.x1 - pixels_.x0 && rect.y1 == pixels_.y1 - pixels_.y0)
    return all_blocks_;
  uint64_t inside = 0;
  for (uint64_t left = all_blocks_; left; left &= left - 1) {
    const IRect block = block_rect(std::countr_zero(left));
    if (rect.x0 <= block.x0 && rect.y0 <= block.y0 && rect.x1 >= block.x1 && rect.y1 >= block.y1)
      inside |= left & -left;
  }
  return inside;
}

namespace {

uint64_t lanes_inside(const IRect& rect, const IRect& block) {
  return rect_mask(rect.x0 - block.x0, rect.y0 - block.y0, rect.x1 - block.x0, rect.y1 - block.y0);
}

}  // namespace

void TilePlanes::clear_color(ColorPlane& plane, const ClearCommand& command, const Texel& color, const IRect& rect) {
  const size_t size = plane.surface.texel_bytes;
  std::byte texel[kMaxTexelBytes] = {};
  pack_texel(plane.format, color, texel);
  const bool all_channels = command.color_mask == 15;
  uint32_t channels[kTexelWords] = {};
  if (!all_channels) channel_bits(plane.format, command.color_mask, channels);

  const uint64_t whole = all_channels ? blocks_inside(rect) : 0;
  // Blocks that still stand for another clear's texel are written out before it is replaced.
  const bool same_texel = std::memcmp(texel, plane.clear_texel, size) == 0;
  for (uint64_t left = same_texel || !whole ? 0 : plane.blocks.cleared & ~whole; left; left &= left - 1)
    fill_color(plane, std::countr_zero(left));
  if (whole) std::memcpy(plane.clear_texel, texel, size);
  plane.blocks.cleared |= whole;
  plane.blocks.ready &= ~whole;
  plane.blocks.dirty |= whole;

  for (uint64_t left = all_blocks_ & ~whole; left; left &= left - 1) {
    const int32_t block = std::countr_zero(left);
    const uint64_t mask = lanes_inside(rect, block_rect(block));
    if (!mask) continue;
    if (!(plane.blocks.ready & bit(block))) fill_color(plane, block);
    plane.blocks.dirty |= bit(block);
    for (uint32_t s = 0; s < samples_; ++s) {
      for (uint64_t lanes = mask; lanes; lanes &= lanes - 1) {
        std::byte* to = block_texels(plane, block, s) + static_cast<size_t>(std::countr_zero(lanes)) * size;
        for (size_t i = 0; i < size; ++i) {
          const std::byte bits = all_channels ? std::byte{255} : reinterpret_cast<const std::byte*>(channels)[i];
          to[i] = (texel[i] & bits) | (to[i] & ~bits);
        }
      }
    }
  }
}

void TilePlanes::clear_depth(const ClearCommand& command, const IRect& rect) {
  DepthPlane& z = depth_;
  const DepthClear clear = depth_clear(command, z.format, z.layout);
  if (!clear.sets_depth && !clear.sets_stencil) return;
  uint32_t key = 0, rest = 0;
  split_texel(z.layout, clear.texel, key, rest);

  const uint64_t whole = clear.all_bits ? blocks_inside(rect) : 0;
  const bool same_texel = key == z.clear_key && rest == z.clear_rest;
  for (uint64_t left = same_texel || !whole ? 0 : z.blocks.cleared & ~whole; left; left &= left - 1)
    ready_depth(std::countr_zero(left), false);
  if (whole) {
    std::memcpy(z.clear_texel, clear.texel, sizeof z.clear_texel);
    z.clear_key = key;
    z.clear_rest = rest;
  }
  z.blocks.cleared |= whole;
  z.blocks.ready &= ~whole;
  z.planar &= ~whole;
  z.blocks.dirty |= whole;
  z.range_known &= ~whole;
  z.tile_range_known = false;

  // A clear of every aspect clears padding too, so that it does not matter how it is cut into blocks.
  const uint32_t rest_bits = !z.rest ? 0u : clear.all_bits ? ~0u : clear.sets_stencil ? command.stencil_mask : 0u;
  for (uint64_t left = all_blocks_ & ~whole; left; left &= left - 1) {
    const int32_t block = std::countr_zero(left);
    const uint64_t mask = lanes_inside(rect, block_rect(block));
    if (!mask) continue;
    ready_depth(block, false);
    depth_written(block);
    for (uint32_t s = 0; s < samples_; ++s) {
      for (uint64_t lanes = mask; lanes; lanes &= lanes - 1) {
        const size_t lane = s * z.sample_words + static_cast<size_t>(64 * block + std::countr_zero(lanes));
        if (clear.sets_depth) z.keys[lane] = key;
        if (rest_bits) z.rest[lane] = (rest & rest_bits) | (z.rest[lane] & ~rest_bits);
      }
    }
  }
}

// ---- store --------------------------------------------------------------------------------------------------------

void TilePlanes::store_rows(const TileSurface& surface, const BlockStates& blocks, const std::byte* clear_texel,
                            std::byte* lanes) {
  if ((blocks.cleared & blocks.dirty) == all_blocks_)
    return kernels_->fill(surface, {0, 0, surface.width, surface.height}, clear_texel);
  const auto lanes_of = [&](int32_t block) { return lanes + static_cast<size_t>(block) * block_bytes(surface); };
  for (int32_t row = 0; row < blocks_in_row_; ++row) {
    const int32_t first = row * blocks_in_row_;
    const uint64_t in_row = (((uint64_t{1} << blocks_in_row_) - 1) << first) & all_blocks_;
    const uint64_t ready = blocks.ready & blocks.dirty & in_row, cleared = blocks.cleared & blocks.dirty & in_row;
    if (cleared == in_row) {
      kernels_->fill(surface, {0, 8 * row, surface.width, 8 * row + 8}, clear_texel);
    } else if ((ready | cleared) == in_row && surface.width == 8 * blocks_in_row_ && surface.height >= 8 * row + 8) {
      // Whole lines to memory are worth a fill in the tile.
      for (uint64_t left = cleared; left; left &= left - 1)
        kernels_->fill_lanes(lanes_of(std::countr_zero(left)), surface.texel_bytes, clear_texel);
      kernels_->store_row(surface, 8 * row, blocks_in_row_, lanes_of(first));
    } else {
      for (uint64_t left = ready | cleared; left; left &= left - 1) {
        const int32_t block = std::countr_zero(left);
        const IRect rect = block_rect(block);
        if (cleared & bit(block)) kernels_->fill(surface, rect, clear_texel);
        else kernels_->store_block(surface, rect.x0, rect.y0, lanes_of(block));
      }
    }
  }
}

void TilePlanes::store_depth(const TileSurface& surface, const uint32_t* keys, const uint32_t* rest) {
  const DepthPlane& z = depth_;
  for (uint64_t left = z.blocks.dirty; left; left &= left - 1) {
    const int32_t block = std::countr_zero(left);
    const IRect rect = block_rect(block);
    if (z.blocks.cleared & bit(block)) {
      kernels_->fill(surface, rect, z.clear_texel);
      continue;
    }
    alignas(64) std::byte texels[64 * 8];
    for (int lane = 0; lane < 64; ++lane)
      join_texel(z.layout, keys[64 * block + lane], rest ? rest[64 * block + lane] : 0,
                 texels + lane * z.layout.texel_bytes);
    kernels_->store_block(surface, rect.x0, rect.y0, texels);
  }
}

void TilePlanes::store() {
  for (uint64_t left = depth_.planar; left; left &= left - 1) ready_depth(std::countr_zero(left), false);
  for (uint32_t i = 0; i < color_count_; ++i) {
    const ColorPlane& plane = color_[i];
    for (uint32_t s = 0; has_color(i) && s < samples_; ++s)
      store_rows(sample_surface(plane.surface, s), plane.blocks, plane.clear_texel,
                 plane.texels + s * plane.sample_bytes);
  }
  for (uint32_t s = 0; has_depth() && s < samples_; ++s) {
    const DepthPlane& z = depth_;
    const TileSurface surface = sample_surface(z.surface, s);
    uint32_t* keys = z.keys + s * z.sample_words;
    if (keys_are_texels(z.layout))
      store_rows(surface, z.blocks, z.clear_texel, reinterpret_cast<std::byte*>(keys));
    else
      store_depth(surface, keys, z.rest ? z.rest + s * z.sample_words : nullptr);
  }
  kernels_->finish();
}

}  // namespace tessera::raster
