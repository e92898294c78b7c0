#include "frontend/view/stage.h"

#include <algorithm>
#include <chrono>

#include "frontend/view/fresh_state.h"

namespace tessera::view {
namespace {

constexpr size_t kGraphFrames = 120;

// The times of the last full set of tiles. A frame that runs in parts has several; then the last one shows.
TileTimes last_tiles(const raster::Renderer& renderer, uint32_t width, uint32_t height) {
  const uint32_t side = static_cast<uint32_t>(renderer.options().tile_size_px);
  TileTimes tiles{.columns = (width + side - 1) / side, .rows = (height + side - 1) / side, .us = {}};
  const std::vector<float>& times = renderer.tile_times_us();
  const size_t count = size_t{tiles.columns} * tiles.rows;
  if (times.size() >= count) tiles.us.assign(times.end() - static_cast<std::ptrdiff_t>(count), times.end());
  return tiles;
}

}  // namespace

Status Stage::start() {
  camera = subject_.camera();
  return restart(options_);
}

Status Stage::restart(const DeviceOptions& wanted) {
  DeviceOptions options = wanted;
  options.raster.time_tiles = true;
  Result<std::unique_ptr<Device>> made = Device::create(options);
  if (!made) return made.diags();
  // The subject is the only one who may not be able to follow: it is asked first.
  if (Status s = subject_.start(**made); !s) return s;
  if (Status s = overlay.start(**made); !s) return s;
  color_.reset(), depth_.reset();
  device_ = std::move(*made);
  options_ = options;
  content.executor = executor_name(device_->options().executor);
  content.threads = device_->options().raster.threads;
  const uint32_t width = width_, height = height_;
  width_ = height_ = 0;
  return width == 0 ? Status(Done{}) : resize(width, height);
}

Status Stage::resize(uint32_t width, uint32_t height) {
  if (width == width_ && height == height_) return Done{};
  Result<ResourceRef> color = device_->create_image({.width = width, .height = height});
  Result<ResourceRef> depth = device_->create_image({.format = Format::Z32_FLOAT, .width = width, .height = height});
  if (!color) return color.diags();
  if (!depth) return depth.diags();
  color_ = *color, depth_ = *depth;
  width_ = width, height_ = height;
  return Done{};
}

Status Stage::draw_subject(double seconds) {
  Context& context = device_->context();
  context.renderer().reset_counters();
  const auto begin = std::chrono::steady_clock::now();
  Status drawn = use_fresh_state(context);
  if (drawn) drawn = context.set_color_target(0, {color_});
  if (drawn) drawn = context.set_depth_target({depth_});
  const FrameInput frame{.width = width_, .height = height_, .seconds = seconds, .camera = camera, .color = color_,
                         .depth = depth_};
  if (drawn) drawn = subject_.draw(context, frame);
  if (const Status flushed = context.flush(); drawn) drawn = flushed;
  measure(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count());
  return drawn;
}

void Stage::measure(double ms) {
  const raster::Renderer& renderer = device_->context().renderer();
  content.counters = renderer.counters();
  content.tiles = last_tiles(renderer, width_, height_);
  if (content.frame_ms.size() == kGraphFrames) content.frame_ms.erase(content.frame_ms.begin());
  content.frame_ms.push_back(static_cast<float>(ms));
}

Status Stage::draw_overlay(float scale, const Pointer& pointer, OverlayChoice& choice) {
  content.caption = subject_.caption();
  return overlay.draw(*device_, color_, scale, content, pointer, choice);
}

Status Stage::switch_executor() {
  DeviceOptions options = options_;
  options.executor =
      device_->options().executor == ExecutorKind::Jit ? ExecutorKind::Interpreter : ExecutorKind::Jit;
  return restart(options);
}

Status Stage::set_threads(uint32_t threads) {
  DeviceOptions options = options_;
  options.raster.threads = std::clamp(threads, 1u, 256u);
  return restart(options);
}

}  // namespace tessera::view
