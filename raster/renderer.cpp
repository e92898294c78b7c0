#include "raster/renderer.h"

#include <fmt/format.h>

#include <unordered_set>

#include "raster/draw_check.h"
#include "raster/frame_runner.h"
#include "raster/hazards.h"
#include "texture/bound.h"

namespace tessera::raster {
namespace {

// Recorded work is run without being asked beyond these.
constexpr size_t kMaxRecordedCommands = 1u << 16;
constexpr uint64_t kMaxHeldBytes = 512u << 20;   // that only recorded draws may keep alive

RendererOptions valid_options(RendererOptions options) {
  options.tile_size_px = options.tile_size_px >= 64 ? 64 : options.tile_size_px >= 32 ? 32 : 16;
  return options;
}

}  // namespace

struct Renderer::Impl {
  explicit Impl(const RendererOptions& o) : options(valid_options(o)), arena(options.threads), runner(options, arena) {}

  Status set_target(const Framebuffer& wanted);
  Status flush();
  void hold(const DrawCall& call);
  uint32_t interval_of(const DrawCall& call);
  bool only_discards(const DrawCall& call) const;

  const RendererOptions options;
  TaskArena arena;
  FrameRunner runner;
  Framebuffer target;                            // of the recorded commands
  bool has_target = false;
  std::vector<RecordedCommand> recorded;
  std::shared_ptr<QueryInterval> interval;       // that draws add to
  QueryIntervals intervals;                      // of the recorded draws
  Hazards hazards;
  std::unordered_set<const Storage*> held;       // by the recorded draws
  std::unordered_set<const Storage*> resolved;   // what recorded resolves write
  const Storage* last_held = nullptr;            // most draws share their buffers with the one before
  uint64_t held_bytes = 0;
  uint32_t draw_count = 0;
};

// Work with another framebuffer ends the frame.
Status Renderer::Impl::set_target(const Framebuffer& wanted) {
  if (has_target && wanted == target) return Done{};
  if (Status status = check_framebuffer(wanted); !status) return status;
  Status status = flush();
  target = wanted;
  has_target = true;
  return status;
}

Status Renderer::Impl::flush() {
  if (recorded.empty()) return Done{};
  Status status = runner.run(target, recorded, intervals);
  recorded.clear();
  intervals.clear();
  held.clear();
  resolved.clear();
  hazards.clear();
  last_held = nullptr;
  held_bytes = 0;
  target = {};                                   // a Storage that is held is renamed by the next CPU write
  has_target = false;
  return status;
}

// Does nothing come of the draw?
bool Renderer::Impl::only_discards(const DrawCall& call) const {
  return call.pipeline->desc.rasterizer.discard && !call.pipeline->vertices_write_memory && !interval &&
         !(call.geometry && call.geometry->has_targets());
}

// The place of the interval in the frame's list.
uint32_t Renderer::Impl::interval_of(const DrawCall& call) {
  if (!interval) return kNoInterval;
  interval->input_vertices += uint64_t{call.info.count} * call.info.instance_count;
  if (intervals.empty() || intervals.back() != interval) intervals.push_back(interval);
  return static_cast<uint32_t>(intervals.size() - 1);
}

void Renderer::Impl::hold(const DrawCall& call) {
  const auto add = [&](const Storage* storage) {
    if (storage == nullptr || storage == last_held) return;
    last_held = storage;
    if (held.insert(storage).second) held_bytes += storage->size_bytes();
  };
  for (const VertexBuffer& b : call.vertex_buffers) add(b.storage.get());
  add(call.index_buffer.storage.get());
  const auto add_stage = [&](const StageInputs& inputs) {
    for (const auto& words : inputs.constants) held_bytes += words ? words->size() * sizeof(uint32_t) : 0;
    for (const auto& texture : inputs.textures) add(texture ? texture->view.storage.get() : nullptr);
    if (!inputs.memory) return;
    for (const auto& ranges : inputs.memory->ranges)
      for (const MemoryRange& r : ranges) add(r.storage.get());
    for (const auto& image : inputs.memory->images) add(image ? image->view.storage.get() : nullptr);
  };
  add_stage(call.vertex_inputs);
  add_stage(call.fragment_inputs);
  if (!call.geometry) return;
  for (const StageInputs* inputs : {&call.geometry->control, &call.geometry->evaluation, &call.geometry->geometry})
    add_stage(*inputs);
  for (const StreamTarget& target : call.geometry->targets) add(target.storage.get());
}

Renderer::Renderer(const RendererOptions& options) : impl_(std::make_unique<Impl>(options)) {}
Renderer::~Renderer() = default;

Status Renderer::clear(const Framebuffer& target, const ClearCommand& clear) {
  if (Status status = impl_->set_target(target); !status) return status;
  if (Status status = check_clear(target, clear); !status) return status;
  ClearCommand& recorded = std::get<ClearCommand>(impl_->recorded.emplace_back(clear));
  if (impl_->runner.watch) recorded.number = impl_->runner.watch->note_clear();
  if (impl_->recorded.size() >= kMaxRecordedCommands) return flush();
  return Done{};
}

Status Renderer::draw(const Framebuffer& target, const DrawCall& call) {
  if (Status status = impl_->set_target(target); !status) return status;
  if (Status status = check_draw(target, call); !status) return status;
  const uint64_t limit = impl_->options.draw_limit, vertices = uint64_t{call.info.count} * call.info.instance_count;
  if (limit != 0 && vertices > limit)
    return error(fmt::format("info.count: {} vertices in all are more than the {} of a draw", vertices, limit));
  const uint32_t number = ++impl_->draw_count;
  ++impl_->runner.counters.draws;
  if (impl_->runner.watch) impl_->runner.watch->note_draw(number);
  if (call.info.count == 0 || call.info.instance_count == 0) return Done{};
  if (impl_->only_discards(call)) return Done{};
  if (impl_->hazards.must_wait(call, impl_->recorded)) {
    if (Status status = flush(); !status) return status;
    if (Status status = impl_->set_target(target); !status) return status;
  }
  impl_->hazards.record(call);
  impl_->recorded.emplace_back(RecordedDraw{call, number, impl_->interval_of(call)});
  impl_->hold(call);
  if (impl_->recorded.size() >= kMaxRecordedCommands || impl_->held_bytes > kMaxHeldBytes) return flush();
  return Done{};
}

Status Renderer::resolve(const Framebuffer& target, const ResolveCommand& resolve) {
  if (Status status = impl_->set_target(target); !status) return status;
  if (Status status = check_resolve(target, resolve); !status) return status;
  // Recorded draws that read the surface read what it holds now.
  const Storage* to = resolve.to.storage.get();
  if (impl_->held.contains(to)) {
    if (Status status = flush(); !status) return status;
    if (Status status = impl_->set_target(target); !status) return status;
  }
  impl_->recorded.emplace_back(resolve);
  impl_->resolved.insert(to);
  return Done{};
}

void Renderer::set_query_interval(std::shared_ptr<QueryInterval> interval) { impl_->interval = std::move(interval); }

void Renderer::set_pixel_watch(std::shared_ptr<PixelWatch> watch) { impl_->runner.watch = std::move(watch); }

void Renderer::set_frame_log(std::shared_ptr<FrameLog> log) { impl_->runner.log = std::move(log); }

Status Renderer::flush() { return impl_->flush(); }

bool Renderer::writes_pending(const Storage* storage) const {
  if (impl_->recorded.empty() || storage == nullptr) return false;
  if (impl_->resolved.contains(storage)) return true;
  if (impl_->hazards.writes(storage)) return true;
  const Framebuffer& target = impl_->target;
  for (uint32_t i = 0; i < target.color_count; ++i) {
    if (target.color[i].storage.get() == storage) return true;
  }
  return target.depth_stencil.storage.get() == storage;
}

const Counters& Renderer::counters() const { return impl_->runner.counters; }

void Renderer::reset_counters() {
  impl_->runner.counters = {};
  impl_->runner.tile_times_us.clear();
}

const std::vector<float>& Renderer::tile_times_us() const { return impl_->runner.tile_times_us; }
TaskArena& Renderer::arena() { return impl_->arena; }
const RendererOptions& Renderer::options() const { return impl_->options; }

}  // namespace tessera::raster
