#include "raster/target_input.h"

#include <algorithm>

#include "core/format.h"
#include "raster/lanes.h"
#include "shader/executor.h"

namespace tessera::raster {
namespace {

// The lanes of a block that are pixels of the target: helper lanes may lie outside.
uint64_t lanes_in_target(const TilePlanes& planes, int32_t block) {
  const IRect& pixels = planes.pixels();
  const int32_t x = pixels.x0 + 8 * (block % planes.blocks_in_row()), y = pixels.y0 + 8 * (block / planes.blocks_in_row());
  return rect_mask(0, 0, pixels.x1 - x, pixels.y1 - y);
}

}  // namespace

void load_target_inputs(TilePlanes& planes, std::span<const InputPlan::TargetWord> words, int32_t block, uint32_t sample,
                        uint32_t* slots) {
  const uint64_t inside = words.empty() ? 0 : lanes_in_target(planes, block);
  Texel texels[kBlockLanes];
  uint32_t loaded = kMaxColorTargets;       // the target whose texels these are
  for (const InputPlan::TargetWord& word : words) {
    uint32_t* to = slots + size_t{word.slot} * kBlockLanes;
    if (word.target >= kMaxColorTargets || !planes.has_color(word.target)) {
      std::fill_n(to, kBlockLanes, 0u);
      continue;
    }
    if (word.target != loaded) {
      planes.ready_color(word.target, block);
      unpack_row(planes.color(word.target).format, planes.color_texels(word.target, block, sample), kBlockLanes, texels);
      loaded = word.target;
    }
    for (uint32_t lane = 0; lane < kBlockLanes; ++lane)
      to[lane] = (inside >> lane & 1) != 0 ? texels[lane].word[word.component] : 0;
  }
}

}  // namespace tessera::raster
