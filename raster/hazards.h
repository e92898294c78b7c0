// raster/hazards.h: which storages the recorded draws write from their programs, and which draws must therefore not be
// in one frame: a frame runs all of its vertex work before its tiles, and its tiles in any order.
// Range:  targets are no part of it: that no image or buffer is also a target is checked before.
#pragma once

#include <span>
#include <unordered_set>

#include "raster/frame_runner.h"
#include "raster/renderer.h"

namespace tessera::raster {

class Hazards {
 public:
  // Must the frame of `recorded` end before `call`? It reads or writes what they write, or writes what they read.
  bool must_wait(const DrawCall& call, std::span<const RecordedCommand> recorded) const;
  void record(const DrawCall& call);
  bool writes(const Storage* storage) const { return written_.contains(storage); }
  void clear() { written_.clear(); }

 private:
  std::unordered_set<const Storage*> written_;
};

}  // namespace tessera::raster
