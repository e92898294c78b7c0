// frontend/transfers.h: what clears, copies and blits of a Context take.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "core/resource.h"
#include "raster/state.h"

namespace tessera {

using ResourceRef = std::shared_ptr<Resource>;

// A box of texels in one level; z counts layers, faces or depth slices. In compressed images it consists of whole
// blocks: it begins at one, and each size is a multiple of a block's or reaches the level's edge.
struct Box {
  uint32_t x = 0, y = 0, z = 0, width = 1, height = 1, depth = 1;
};

// How texels lie in memory or in a buffer: bytes from row to row and from slice to slice; 0: without padding.
struct Pitch {
  size_t row_bytes = 0, slice_bytes = 0;
};

// What a clear touches: all pixels of all layers, every channel, unless it says otherwise. Padding bits become 0
// where every channel (or aspect) is cleared and are kept elsewhere.
struct ClearRegion {
  std::optional<raster::IRect> rect;           // what of it lies outside of the target does not count
  uint32_t first_layer = 0;                    // counted from the attachment's first
  std::optional<uint32_t> layers;              // else up to the last
  uint8_t color_mask = 15;                     // bit 0 red .. bit 3 alpha
  uint8_t stencil_mask = 255;                  // bits of the stencil that change
};

// A box by two corners, so that it may run backwards; texels from the smaller to the larger coordinate, half-open.
struct BlitBox {
  int32_t x0 = 0, y0 = 0, x1 = 0, y1 = 0, z0 = 0, z1 = 1;
};

struct BlitImage {
  ResourceRef resource;
  uint32_t level = 0;
  BlitBox box;
  Format format = Format::NONE;                // NONE: the resource's own; else one of the same texel size
};

enum class BlitFilter : uint8_t { Nearest, Linear };

// A box of one level to a box of another, by the rules of texture/blit.h, as if `from` was read whole before.
//   Colour: from every format, compressed ones too, to every uncompressed one; integers to integers of the same sign.
//   Depth and stencil: the aspects that both formats have and that are asked for, nearest only.
//   Samples: several to one are resolved first (raster/resolve.h); to as many they go one by one, boxes of equal size.
struct Blit {
  BlitImage from, to;
  BlitFilter filter = BlitFilter::Nearest;
  bool depth = true, stencil = true;
  std::optional<raster::IRect> scissor;        // of the target
};

}  // namespace tessera
