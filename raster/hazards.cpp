#include "raster/hazards.h"

#include <algorithm>

#include "texture/bound.h"

namespace tessera::raster {
namespace {

template <class Visit>
void visit_memory(const StageInputs& inputs, bool only_writable, Visit visit) {
  if (!inputs.memory) return;
  for (const std::vector<MemoryRange>& ranges : inputs.memory->ranges)
    for (const MemoryRange& r : ranges)
      if (r.storage && !(only_writable && r.is_read_only)) visit(r.storage.get());
  for (const auto& image : inputs.memory->images)
    if (image && !(only_writable && image->view.is_read_only)) visit(image->view.storage.get());
}

template <class Visit>
void visit_stage(const StageInputs& inputs, Visit visit) {
  for (const auto& texture : inputs.textures)
    if (texture && texture->view.storage) visit(texture->view.storage.get());
  visit_memory(inputs, false, visit);
}

// All that a draw reads or writes besides its targets.
template <class Visit>
void visit_all(const DrawCall& call, Visit visit) {
  for (const VertexBuffer& b : call.vertex_buffers)
    if (b.storage) visit(b.storage.get());
  if (call.index_buffer.storage) visit(call.index_buffer.storage.get());
  visit_stage(call.vertex_inputs, visit);
  visit_stage(call.fragment_inputs, visit);
  if (!call.geometry) return;
  for (const StageInputs* inputs : {&call.geometry->control, &call.geometry->evaluation, &call.geometry->geometry})
    visit_stage(*inputs, visit);
}

// What its programs may write: every buffer and image of their stage that is not read only; and stream output, whose
// draws may follow each other in a frame: they append in order.
std::unordered_set<const Storage*> written_by(const DrawCall& call) {
  std::unordered_set<const Storage*> written;
  const auto add = [&](const Storage* storage) { written.insert(storage); };
  if (call.pipeline->vertices_write_memory) {
    visit_memory(call.vertex_inputs, true, add);
    if (call.geometry)
      for (const StageInputs* inputs : {&call.geometry->control, &call.geometry->evaluation, &call.geometry->geometry})
        visit_memory(*inputs, true, add);
  }
  if (call.pipeline->fragments_write_memory) visit_memory(call.fragment_inputs, true, add);
  if (call.geometry && call.pipeline->geometry.has_streams)
    for (const StreamTarget& target : call.geometry->targets)
      if (target.storage) add(target.storage.get());
  return written;
}

bool touches(const DrawCall& call, const std::unordered_set<const Storage*>& storages) {
  bool found = false;
  visit_all(call, [&](const Storage* storage) { found = found || storages.contains(storage); });
  return found;
}

}  // namespace

bool Hazards::must_wait(const DrawCall& call, std::span<const RecordedCommand> recorded) const {
  if (!written_.empty() && touches(call, written_)) return true;
  const std::unordered_set<const Storage*> own = written_by(call);
  if (own.empty()) return false;
  return std::ranges::any_of(recorded, [&](const RecordedCommand& command) {
    const RecordedDraw* draw = std::get_if<RecordedDraw>(&command);
    return draw && touches(draw->call, own);
  });
}

void Hazards::record(const DrawCall& call) { written_.merge(written_by(call)); }

}  // namespace tessera::raster
