// core/resource.h: buffers and images, and how their bytes lie in memory.
//
// A Resource is a name for the current version of some Storage. Work that is recorded but not yet run holds the
// Storage it was recorded with; a CPU write to a resource whose Storage is held elsewhere first renames it (a new
// Storage, contents copied where they survive). So no recorded draw ever sees a later write.
//
// Images are linear: level after level, within a level layer (or slice, or face) after layer, sample plane after
// sample plane, rows top to bottom, texels left to right without padding between rows. In a format of blocks the rows
// are of whole blocks: a level smaller than a block still has one.
// Each level starts at a multiple of 64 bytes; 64 bytes past the end may be read (and hold zeros), so that a vector
// load of the last texel needs no special case.
// Limits: 16384 texels a side, 2048 layers, levels down to 1x1x1, 16 samples, 2^40 bytes; create() checks them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "core/format.h"
#include "core/result.h"

namespace tessera {

enum class ResourceKind : uint8_t { Buffer, Tex1D, Tex2D, Tex3D, Cube, Rect, Tex1DArray, Tex2DArray, CubeArray };

struct ResourceDesc {
  ResourceKind kind = ResourceKind::Tex2D;
  Format format = Format::R8G8B8A8_UNORM;   // buffers: R8_UINT, width in bytes
  uint32_t width = 1, height = 1, depth = 1;
  uint32_t layers = 1;                      // array layers; a cube has 6, a cube array 6 each cube
  uint32_t levels = 1;
  uint32_t samples = 1;
  bool operator==(const ResourceDesc&) const = default;
};

struct LevelLayout {
  uint32_t width = 1, height = 1, depth = 1;   // texels
  uint32_t rows = 1;                           // rows of blocks in a slice; of texels, unless the format has blocks
  size_t offset_bytes = 0;                     // of the level's first texel
  size_t row_bytes = 0, slice_bytes = 0;       // row: of blocks; slice: one layer, depth slice, face or sample plane
  uint32_t slices = 1;                         // layers * depth
};

inline constexpr size_t kReadSlack_bytes = 64;
inline constexpr uint32_t kMaxLevels = 16;

class Storage {
 public:
  // `desc` has passed Resource::create. The first `absent_bytes`, whole cache lines or all that there are, take no memory
  // and must not be touched: slice() counts them, data() begins behind them. Throws std::bad_alloc.
  explicit Storage(const ResourceDesc& desc, size_t absent_bytes = 0);
  const ResourceDesc& desc() const { return desc_; }
  std::byte* data() { return bytes_.get(); }
  const std::byte* data() const { return bytes_.get(); }
  size_t size_bytes() const { return size_bytes_; }   // of memory
  const LevelLayout& level(uint32_t level) const { return levels_[level]; }
  // First texel of slice `slice` (layer, face or depth slice) of a level, sample plane `sample`.
  std::byte* slice(uint32_t level, uint32_t slice, uint32_t sample = 0);
  const std::byte* slice(uint32_t level, uint32_t slice, uint32_t sample = 0) const;

 private:
  struct Free { void operator()(std::byte* p) const; };
  ResourceDesc desc_;
  LevelLayout levels_[kMaxLevels];
  size_t size_bytes_ = 0, absent_bytes_ = 0;
  std::unique_ptr<std::byte[], Free> bytes_;   // 64-byte aligned; contents start as zeros
};

class Resource {
 public:
  static Result<std::shared_ptr<Resource>> create(const ResourceDesc& desc);
  static Status check(const ResourceDesc& desc);   // the reason why create() would refuse it, but for memory
  const ResourceDesc& desc() const { return storage_->desc(); }
  // For reading and for recording work that reads or renders to it.
  const std::shared_ptr<Storage>& storage() const { return storage_; }
  // For a CPU write: a Storage that nobody else holds. `keep`: the bytes that are not overwritten still count.
  Storage& storage_for_write(bool keep);

 private:
  explicit Resource(const ResourceDesc& desc);
  std::shared_ptr<Storage> storage_;
};

}  // namespace tessera
