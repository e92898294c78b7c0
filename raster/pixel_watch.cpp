#include "raster/pixel_watch.h"

#include <algorithm>
#include <cstring>

#include "raster/draw.h"

namespace tessera::raster {
namespace {

constexpr uint64_t kOrderStep = 2;   // what happened outside of commands comes between two of them

bool holds_pixel(const IRect& rect, const PixelPlace& pixel) {
  return pixel.x >= rect.x0 && pixel.x < rect.x1 && pixel.y >= rect.y0 && pixel.y < rect.y1;
}

}  // namespace

std::string_view pixel_test_name(PixelTestKind kind) {
  static constexpr std::string_view kNames[] = {
      "scissor", "stipple", "sample mask",           "depth bounds", "stencil",
      "depth",   "kill",    "program's sample mask", "alpha",        "alpha to coverage"};
  return kNames[static_cast<size_t>(kind)];
}

std::string_view compare_symbol(Compare func) {
  static constexpr std::string_view kSymbols[] = {"never", "<", "==", "<=", ">", "!=", ">=", "always"};
  return kSymbols[static_cast<size_t>(func)];
}

PixelWatch::PixelWatch(std::vector<std::shared_ptr<Resource>> colors, std::shared_ptr<Resource> depth,
                       const PixelPlace& place, uint32_t traced_fragment)
    : pixel_(place), traced_fragment_(traced_fragment) {
  for (size_t i = 0; i < colors.size() && i < kMaxColorTargets; ++i) images_[i] = std::move(colors[i]);
  images_[kMaxColorTargets] = std::move(depth);
  known_ = stored();
}

bool PixelWatch::watches(const Surface& surface) const {
  if (!surface.storage || surface.level != 0) return false;
  if (pixel_.layer < surface.first_layer || pixel_.layer > surface.last_layer) return false;
  return std::ranges::any_of(images_, [&](const auto& image) { return image && image->storage() == surface.storage; });
}

bool PixelWatch::watches(const Framebuffer& target) const {
  if (pixel_.x >= static_cast<int32_t>(target.width) || pixel_.y >= static_cast<int32_t>(target.height)) return false;
  for (uint32_t i = 0; i < target.color_count; ++i)
    if (watches(target.color[i])) return true;
  return watches(target.depth_stencil);
}

// ---- what the images hold ---------------------------------------------------------------------------------------

PixelWatch::Stored PixelWatch::stored() const {
  Stored texels{};
  for (size_t i = 0; i < images_.size(); ++i) {
    if (!images_[i]) continue;
    const Storage& storage = *images_[i]->storage();
    const size_t bytes = format_info(storage.desc().format).block_bytes;
    const std::byte* slice = storage.slice(0, pixel_.layer, pixel_.sample);
    std::memcpy(texels[i].data(), slice + static_cast<size_t>(pixel_.y) * storage.level(0).row_bytes +
                                      static_cast<size_t>(pixel_.x) * bytes, bytes);
  }
  return texels;
}

PixelState PixelWatch::state_of(const Stored& stored) const {
  PixelState state;
  std::copy_n(stored.begin(), kMaxColorTargets, state.color.begin());
  if (const auto& depth = images_[kMaxColorTargets])
    split_texel(depth_layout(depth->desc().format), stored[kMaxColorTargets].data(), state.depth_key, state.depth_rest);
  return state;
}

// ---- commands ---------------------------------------------------------------------------------------------------

void PixelWatch::note_draw(uint32_t number) { draws_[number] = {order_ += kOrderStep, place_}; }

uint32_t PixelWatch::note_clear() {
  clear_commands_[clears_] = {order_ += kOrderStep, place_};
  return clears_++;
}

void PixelWatch::note_scissored(const Framebuffer& target, std::span<const PreparedDraw> draws) {
  if (!watches(target)) return;
  for (const PreparedDraw& draw : draws) {
    if (!draw.state || draw.pipeline->desc.rasterizer.discard) continue;
    if (draw.views.empty()) note_scissor(draw, draw.state->clip_rect, -1);
    for (size_t i = 0; i < draw.views.size(); ++i)       // most of the sixteen are not set
      if (const IRect& scissor = draw.views[i].setup.clip_rect; !scissor.empty())
        note_scissor(draw, scissor, static_cast<int32_t>(i));
  }
}

void PixelWatch::note_scissor(const PreparedDraw& draw, const IRect& scissor, int32_t viewport) {
  if (holds_pixel(scissor, pixel_)) return;
  PixelEvent event;
  event.kind = PixelEvent::Kind::Scissored;
  event.draw_number = draw.draw_number;
  event.scissor = scissor;
  event.viewport = viewport;
  add(draws_[draw.draw_number], std::move(event));
}

std::optional<TileRun> PixelWatch::tile_of(const Frame& frame) const {
  if (!watches(frame.target)) return {};
  uint32_t first_layer = 0;
  for (uint32_t i = 0; i < frame.target.color_count; ++i)
    if (watches(frame.target.color[i])) first_layer = frame.target.color[i].first_layer;
  if (watches(frame.target.depth_stencil)) first_layer = frame.target.depth_stencil.first_layer;
  const uint32_t layer = pixel_.layer - first_layer;
  if (layer >= frame.target.layers) return {};
  const int32_t x = pixel_.x / frame.tile_size_px;
  return TileRun{static_cast<int32_t>(layer) * frame.tiles_y + pixel_.y / frame.tile_size_px, x, x + 1};
}

// ---- events -----------------------------------------------------------------------------------------------------

void PixelWatch::begin_tile() { differs_ = stored() != known_; }

void PixelWatch::add_clear(uint32_t number, PixelEvent event) { add(clear_commands_[number], std::move(event)); }

void PixelWatch::add_fragment(uint32_t draw_number, PixelEvent event) {
  ++fragments_;
  add(draws_[draw_number], std::move(event));
}

void PixelWatch::add(const Command& command, PixelEvent event) {
  if (differs_) {
    differs_ = false;
    PixelEvent other;
    other.kind = PixelEvent::Kind::Elsewhere;
    other.order = command.order - 1;
    other.place = command.place;
    for (uint32_t i = 0; i < kMaxColorTargets; ++i)
      if (images_[i]) other.color_format[i] = images_[i]->desc().format;
    if (const auto& depth = images_[kMaxColorTargets]) other.depth_format = depth->desc().format;
    other.before = state_of(known_);
    known_ = stored();
    other.after = state_of(known_);
    events_.push_back(std::move(other));
  }
  event.order = command.order;
  event.place = command.place;
  events_.push_back(std::move(event));
}

void PixelWatch::end_tile() {
  if (!differs_) known_ = stored();
}

std::vector<PixelEvent> PixelWatch::take_events() {
  differs_ = stored() != known_;
  if (differs_) {
    add({order_ + kOrderStep, place_}, {});
    events_.pop_back();                              // it only stood for the end
  }
  std::stable_sort(events_.begin(), events_.end(),
                   [](const PixelEvent& a, const PixelEvent& b) { return a.order < b.order; });
  return std::exchange(events_, {});
}

}  // namespace tessera::raster
