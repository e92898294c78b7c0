#include "raster/frame_log.h"

#include "raster/lanes.h"

namespace tessera::raster {
namespace {

// By the covered lanes of a quad: what each lane's count grows by.
struct QuadCounts { uint32_t lane[4]; };
constexpr QuadCounts kQuadCounts[16] = {{{0, 0, 0, 0}}, {{1, 0, 0, 0}}, {{0, 1, 0, 0}}, {{1, 1, 0, 0}},
                                        {{0, 0, 1, 0}}, {{1, 0, 1, 0}}, {{0, 1, 1, 0}}, {{1, 1, 1, 0}},
                                        {{0, 0, 0, 1}}, {{1, 0, 0, 1}}, {{0, 1, 0, 1}}, {{1, 1, 0, 1}},
                                        {{0, 0, 1, 1}}, {{1, 0, 1, 1}}, {{0, 1, 1, 1}}, {{1, 1, 1, 1}}};

}  // namespace

PixelHeat::PixelHeat(uint32_t width, uint32_t height)
    : width_(width), height_(height), blocks_in_row_((width + 7) / 8) {
  const size_t pixels = size_t{blocks_in_row_} * ((height + 7) / 8) * 64;
  shaded_.resize(pixels);
  written_.resize(pixels);
  runs_.resize(pixels / 4);
}

size_t PixelHeat::at(int32_t x, int32_t y) const {
  const size_t block = static_cast<size_t>(y >> 3) * blocks_in_row_ + static_cast<size_t>(x >> 3);
  return 64 * block + static_cast<size_t>(lane_at(x & 7, y & 7));
}

void PixelHeat::add(std::vector<uint32_t>& counts, int32_t x, int32_t y, uint64_t lanes) {
  uint32_t* to = counts.data() + at(x, y);
  for (uint32_t quad = 0; quad < 16; ++quad, lanes >>= 4, to += 4)
    for (uint32_t lane = 0; lane < 4; ++lane) to[lane] += kQuadCounts[lanes & 15].lane[lane];
}

void PixelHeat::add_quad(std::vector<uint32_t>& counts, int32_t x, int32_t y, uint32_t lanes) {
  uint32_t* to = counts.data() + at(x, y);
  for (uint32_t lane = 0; lane < 4; ++lane) to[lane] += kQuadCounts[lanes & 15].lane[lane];
}

void PixelHeat::add_runs(int32_t x, int32_t y, uint64_t lanes) {
  uint32_t* to = runs_.data() + at(x, y) / 4;
  for (uint32_t quads = quads_of(lanes); quads; quads >>= 1, ++to) *to += quads & 1;
}

FrameLog::FrameLog(uint32_t threads, std::shared_ptr<Resource> heat_image)
    : by_worker_(threads), heat_image_(std::move(heat_image)) {
  if (heat_image_) heat_ = std::make_unique<PixelHeat>(heat_image_->desc().width, heat_image_->desc().height);
}

PixelHeat* FrameLog::heat_of(const Frame& frame, int32_t row) {
  if (!heat_ || row >= frame.tiles_y) return nullptr;
  const Surface& surface = frame.target.color_count ? frame.target.color[0] : frame.target.depth_stencil;
  const bool is_image = surface.storage == heat_image_->storage() && surface.level == 0 && surface.first_layer == 0;
  return is_image ? heat_.get() : nullptr;
}

CallerSpan::CallerSpan(FrameLog* log, LogSpan::Kind kind) : log_(log) {
  span_.kind = kind;
  if (log_) span_.begin = std::chrono::steady_clock::now();
}

CallerSpan::~CallerSpan() {
  if (!log_) return;
  span_.end = std::chrono::steady_clock::now();
  log_->add_caller(span_);
}

}  // namespace tessera::raster
