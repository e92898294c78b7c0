// raster/frame_log.h: what frames spent their work on, for those who look: spans of time by thread, and how often the
// pixels of one image were shaded and written. A renderer has a log only while somebody looks (set_frame_log); without
// one it pays a null check a chunk, a tile and a block of 64 lanes.
// Threads: a worker writes its own list; tiles share no pixel.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/counters.h"
#include "raster/frame.h"

namespace tessera::raster {

struct LogSpan {
  enum class Kind : uint8_t {
    Frame,                                       // recorded work from first to last
    Prepare,                                     // of draws: uniform values, plans
    Vertices,                                    // all chunks of a wave
    Tiles,                                       // all tiles of a part
    Chunk,                                       // `triangles` of draw `draw`: vertices to bins
    Tile                                         // `pixels` of layer `layer`
  } kind = Kind::Frame;
  std::chrono::steady_clock::time_point begin, end;
  uint32_t draw = 0;
  uint64_t triangles = 0;
  IRect pixels;
  uint32_t layer = 0;
  const Storage* target = nullptr;               // Tile: colour 0, or else depth
  uint64_t fragments = 0, blocks = 0;            // Tile: shaded; batches of 64 lanes that took
};

// Counts for each pixel of an image, block by block in lane order.
class PixelHeat {
 public:
  PixelHeat(uint32_t width, uint32_t height);
  // The covered lanes of the block at pixel (x, y), multiples of 8.
  void shade_block(int32_t x, int32_t y, uint64_t cover) {
    add(shaded_, x, y, cover);
    add_runs(x, y, cover);
  }
  void write_block(int32_t x, int32_t y, uint64_t live) { add(written_, x, y, live); }
  // The covered lanes of the quad at pixel (x, y), multiples of 2.
  void shade_quad(int32_t x, int32_t y, uint32_t cover) {
    add_quad(shaded_, x, y, cover);
    ++runs_[at(x, y) / 4];
  }
  void write_quad(int32_t x, int32_t y, uint32_t live) { add_quad(written_, x, y, live); }

  uint32_t width() const { return width_; }
  uint32_t height() const { return height_; }
  uint32_t shaded(uint32_t x, uint32_t y) const { return shaded_[at(int32_t(x), int32_t(y))]; }
  uint32_t written(uint32_t x, uint32_t y) const { return written_[at(int32_t(x), int32_t(y))]; }
  uint32_t quad_runs(uint32_t x, uint32_t y) const { return runs_[at(int32_t(x), int32_t(y)) / 4]; }   // of its quad

 private:
  size_t at(int32_t x, int32_t y) const;
  void add(std::vector<uint32_t>& counts, int32_t x, int32_t y, uint64_t lanes);
  void add_quad(std::vector<uint32_t>& counts, int32_t x, int32_t y, uint32_t lanes);
  void add_runs(int32_t x, int32_t y, uint64_t lanes);

  uint32_t width_, height_, blocks_in_row_;
  std::vector<uint32_t> shaded_, written_, runs_;
};

class FrameLog {
 public:
  // `threads`: of the renderer's arena. Layer 0 of `heat_image` is counted by pixel; null: nothing is.
  FrameLog(uint32_t threads, std::shared_ptr<Resource> heat_image);

  void add(uint32_t worker, const LogSpan& span) { by_worker_[worker].push_back(span); }
  void add_caller(const LogSpan& span) { caller_.push_back(span); }
  // For tiles of this row; null: not of the image.
  PixelHeat* heat_of(const Frame& frame, int32_t row);

  const std::vector<std::vector<LogSpan>>& by_worker() const { return by_worker_; }
  const std::vector<LogSpan>& caller() const { return caller_; }   // what the renderer's caller waits for
  const PixelHeat* heat() const { return heat_.get(); }

 private:
  std::vector<std::vector<LogSpan>> by_worker_;
  std::vector<LogSpan> caller_;
  std::shared_ptr<Resource> heat_image_;
  std::unique_ptr<PixelHeat> heat_;
};

// A span of the caller, from here to the end of its scope.
class CallerSpan {
 public:
  CallerSpan(FrameLog* log, LogSpan::Kind kind);
  ~CallerSpan();
  CallerSpan(const CallerSpan&) = delete;
  CallerSpan& operator=(const CallerSpan&) = delete;

 private:
  FrameLog* log_;
  LogSpan span_;
};

}  // namespace tessera::raster
