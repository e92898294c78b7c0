// frontend/tool/bench_rows.h: the table of benchmark rows: what each draws and what its counters must then show.
#pragma once

#include <functional>
#include <span>
#include <string_view>

#include "frontend/device.h"

namespace tessera::bench {

// A row made ready on one device: targets, shaders, textures, meshes.
class Scene {
 public:
  Scene(Device& device, uint32_t width, uint32_t height, uint32_t samples);

  // One frame, from its clears to all of its pixels in memory.
  Status run_frame();
  const ResourceRef& color() const { return color_; }
  Result<Image> picture() { return context.read_image(resolved_); }

  // ---- for the rows' preparation ----
  Device& device;
  Context& context;
  std::function<void(Scene&)> draw = [](Scene&) {};   // what comes between the clears and the end of a frame

  // Remembers the first failure; run_frame() returns it.
  void note(const Status& status);
  template <class T>
  T take(Result<T> result) {
    if (result.ok()) return std::move(result.value());
    note(Status(result.diags()));
    return T{};
  }

 private:
  ResourceRef color_, resolved_;      // the same with one sample a pixel
  Status failure_ = Done{};
};

// What the counters of one frame must show, as a proof that the row's work was done.
struct ExpectedWork {
  uint64_t draws = 0;
  uint64_t primitives = 0, culled = 0;
  uint64_t vertices_min = 0;
  uint64_t fragments_min = 0, fragments_max = 0;
};

struct Row {
  std::string_view name;
  double work = 0;                    // of one frame, in units
  std::string_view unit;
  ExpectedWork expected;
  void (*prepare)(Scene&) = nullptr;
  uint32_t width = 1920, height = 1080, samples = 1;
  bool drop_hidden = false;           // draws that later ones hide are dropped
  uint32_t fixed_frames = 0;          // 0: as many as the time takes
  uint64_t moved_bytes = 0;           // that a frame reads and writes: not 0: compared with copying memory
};

std::span<const Row> rows();

}  // namespace tessera::bench
