// raster/pixel_watch.h: records the history of one pixel while frames run. A renderer that has a watch runs the one
// tile that holds the pixel through raster/watched_tile.h and everything else as ever; a renderer without one pays a
// null check a draw and a frame part.
// In:     the images that hold the pixel; its place; the number of a fragment whose program run is traced.
// Out:    events, complete after Renderer::flush().
// Errors: none.                                       Threads: the renderer's caller, and the worker of the one tile.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "raster/clear.h"
#include "raster/pixel_history.h"

namespace tessera::raster {

struct PreparedDraw;

class PixelWatch {
 public:
  static constexpr uint32_t kNoFragment = ~0u;

  // `colors` by target number, null ones allowed; `depth` may be null. The place is inside of them. Fragments count
  // from 0 over all events of kind Fragment.
  PixelWatch(std::vector<std::shared_ptr<Resource>> colors, std::shared_ptr<Resource> depth, const PixelPlace& place,
             uint32_t traced_fragment = kNoFragment);

  // The caller's own number for what it does from now on.
  void set_place(uint32_t place) { place_ = place; }
  // All events so far, in order, with what happened since the last one.
  std::vector<PixelEvent> take_events();

  // ---- for the renderer ----
  void note_draw(uint32_t number);
  uint32_t note_clear();                             // gives the clear's number
  void note_scissored(const Framebuffer& target, std::span<const PreparedDraw> draws);
  // The tile of the frame that holds the pixel, if it draws to a watched image.
  std::optional<TileRun> tile_of(const Frame& frame) const;

  // ---- for the tile ----
  const PixelPlace& pixel() const { return pixel_; }
  bool traces_next() const { return fragments_ == traced_fragment_; }
  void begin_tile();                                 // before it is loaded
  void add_clear(uint32_t number, PixelEvent event);
  void add_fragment(uint32_t draw_number, PixelEvent event);
  void end_tile();                                   // after it was stored

 private:
  struct Command { uint64_t order = 0; uint32_t place = 0; };
  using Stored = std::array<std::array<std::byte, kMaxTexelBytes>, kMaxColorTargets + 1>;

  void note_scissor(const PreparedDraw& draw, const IRect& scissor, int32_t viewport);
  bool watches(const Surface& surface) const;
  bool watches(const Framebuffer& target) const;
  Stored stored() const;
  PixelState state_of(const Stored& stored) const;
  void add(const Command& command, PixelEvent event);

  std::array<std::shared_ptr<Resource>, kMaxColorTargets + 1> images_;   // the last one: depth
  PixelPlace pixel_;
  uint32_t traced_fragment_;
  uint32_t place_ = 0, fragments_ = 0, clears_ = 0;
  uint64_t order_ = 0;
  std::unordered_map<uint32_t, Command> draws_, clear_commands_;         // by number
  Stored known_;                                     // after the last event
  bool differs_ = false;                             // from what the tile found
  std::vector<PixelEvent> events_;
};

}  // namespace tessera::raster
