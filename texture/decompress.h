// texture/decompress.h: compressed images -> the decoded copies that are sampled.
// A copy has every level and layer of its image, in the format's `decoded` format, but for the first texels,
// which cold.h decodes as they are read. It is made at the image's first use and kept while draws hold it, and a few
// frames longer; see README.md for why images are not decoded texel by texel.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/resource.h"
#include "core/tasks.h"

namespace tessera::texture {

// The decoded texels of an image, behind the first `cold_bytes` of all.
struct Decoded {
  Storage texels;
  size_t cold_bytes;
  uint64_t number;                              // no other copy has it, had it or will have it; not 0
};

// `format` has the blocks of `image`'s own format. Both throw std::bad_alloc.
//   Copy and image together take no more than the decoded texels, unless the blocks alone take more.
std::shared_ptr<const Decoded> decompress(const Storage& image, Format format, TaskArena* tasks = nullptr);
//   Every texel.
std::shared_ptr<const Storage> decompress_whole(const Storage& image, Format format, TaskArena* tasks = nullptr);

// The texels of one slice of a compressed image, row by row, in the format's `decoded` format.
std::vector<std::byte> decompress_slice(const Storage& image, uint32_t level, uint32_t slice);

// The copies that one context made. Threads: one at a time.
class DecodedCopies {
 public:
  // Its own format may be the linear or sRGB relative of what `format` decodes to: the bytes are the same.
  std::shared_ptr<const Decoded> get(const std::shared_ptr<const Storage>& image, Format format,
                                     TaskArena* tasks = nullptr);
  // The image's blocks are about to change.
  void forget(const Storage& image);
  // A frame has ended: copies that nothing has held for some frames, and those of images that are gone, are freed.
  void end_frame();
  size_t size_bytes() const;

 private:
  struct Copy {
    const Storage* image;                       // only compared, unless `alive` says that it still is
    std::weak_ptr<const Storage> alive;
    Format format;
    std::shared_ptr<const Decoded> decoded;
    uint32_t idle_frames = 0;
  };
  std::vector<Copy> copies_;
};

}  // namespace tessera::texture
