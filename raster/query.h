// raster/query.h: what is counted while queries run.
// In:     a QueryInterval is a stretch of recorded draws during which the same queries run; all of them add to it.
// Out:    numbers that are the same for any number of threads and any size of tiles. A query's result is the sum over
//         the intervals between its beginning and its end.
// Range:  vertex invocations are those that ran: a vertex that several chunks of a draw use is shaded for each of them.
// Threads: added to by the one thread that merges chunks and the results of tiles.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/counters.h"
#include "shader/emitted.h"

namespace tessera::raster {

struct StreamCounts {
  uint64_t generated = 0;      // primitives that reached the stream
  uint64_t captured = 0;       // of them, those that stream output was on for
  uint64_t written = 0;        // of them, those that found room
};

struct QueryInterval {
  Counters counters;                                   // of vertices and primitives
  uint64_t input_vertices = 0, input_primitives = 0;
  uint64_t clipped_in = 0, clipped_out = 0;            // primitives into clipping, and that then draw something
  std::array<StreamCounts, kVertexStreams> streams;
  uint64_t fragments = 0, samples_passed = 0;
  uint64_t compute_invocations = 0;
};

// What the tiles count of one interval.
struct PixelCounts { uint64_t fragments = 0, samples_passed = 0; };

inline constexpr uint32_t kNoInterval = ~0u;

// By interval of a frame, in one worker's memory. Draws of an interval follow each other in a tile, so its counts are
// differences of the tile's counters.
class PixelTally {
 public:
  // Draws of interval `next` follow; kNoInterval: nobody asks.
  void switch_to(uint32_t next, const Counters& now) {
    if (interval_ == next) return;
    if (interval_ != kNoInterval) {
      if (counts_.size() <= interval_) counts_.resize(interval_ + 1);
      counts_[interval_].fragments += now.fragments - fragments_;
      counts_[interval_].samples_passed += now.samples_passed - samples_passed_;
    }
    interval_ = next;
    fragments_ = now.fragments;
    samples_passed_ = now.samples_passed;
  }
  std::vector<PixelCounts>& counts() { return counts_; }

 private:
  uint32_t interval_ = kNoInterval;
  uint64_t fragments_ = 0, samples_passed_ = 0;
  std::vector<PixelCounts> counts_;
};

}  // namespace tessera::raster
