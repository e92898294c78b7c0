#include "raster/geometry_front.h"

#include <algorithm>
#include <bit>

#include "core/scalar.h"
#include "raster/draw.h"

namespace tessera::raster {
namespace {

// Input primitives of a job: fewer where each may become many.
constexpr uint32_t kJobPrimitives = 4096, kJobPatches = 64, kJobVertices = 1u << 16;
constexpr float kDefaultPosition[4] = {0, 0, 0, 1};

uint32_t chunk_primitives(const Pipeline& pipeline) {
  const GeometryPrograms& programs = pipeline.desc.geometry;
  uint32_t count = programs.evaluation ? kJobPatches : kJobPrimitives;
  if (!programs.geometry) return count;
  const ir::GeometryFacts& facts = programs.geometry->program().geometry;
  const uint32_t emitted = std::max(1u, uint32_t{facts.max_vertices} * facts.invocations);
  count = std::min(count, kJobVertices / emitted);
  return std::max(1u, count);
}

// A word of a record as a float; without one the default.
float word_of(const uint32_t* record, uint32_t output, float otherwise) {
  return output == ~0u ? otherwise : std::bit_cast<float>(record[output]);
}

float plane_distance(const ClipPlane& plane, const uint32_t* record, const uint32_t (&position)[4]) {
  float sum = plane[0] * word_of(record, position[0], kDefaultPosition[0]);
  for (uint32_t c = 1; c < 4; ++c)
    sum = scalar::fma(plane[c], word_of(record, position[c], kDefaultPosition[c]), sum);
  return sum;
}

}  // namespace

std::unique_ptr<PreparedGeometry> prepare_geometry(const DrawCall& call, const DrawContext& context) {
  const Pipeline& pipeline = *call.pipeline;
  const GeometryPrograms& programs = pipeline.desc.geometry;
  const GeometryInputs none;
  const GeometryInputs& inputs = call.geometry ? *call.geometry : none;
  auto g = std::make_unique<PreparedGeometry>();
  const std::byte* indices =
      call.info.indexed ? call.index_buffer.storage->data() + call.index_buffer.offset_bytes : nullptr;
  g->provoking_first = pipeline.desc.rasterizer.provoking_first;
  g->input = InputAssembly(call.info, g->provoking_first, indices, call.index_buffer.index_bytes);
  const texture::BoundTexture* null_texture = context.null_texture.get();
  g->control.prepare(programs.control.get(), inputs.control, null_texture, context.budget);
  g->evaluation.prepare(programs.evaluation.get(), inputs.evaluation, null_texture, context.budget);
  g->geometry.prepare(programs.geometry.get(), inputs.geometry, null_texture, context.budget);
  g->levels = inputs.levels;
  g->targets = inputs.targets;
  g->writes_streams = pipeline.geometry.has_streams && inputs.has_targets();
  g->chunk_primitives = chunk_primitives(pipeline);
  return g;
}

// Fills vertex_primitives_ with positions in the list of vertices.
void GeometryFront::assemble(const PreparedDraw& draw, uint64_t begin, uint64_t end) {
  const InputAssembly& input = draw.geometry->input;
  const uint32_t per_instance = input.count(), each = input.vertices_each();
  const auto count = static_cast<uint32_t>(end - begin);
  vertex_primitives_.begin(each);
  vertex_primitives_.vertex.resize(size_t{count} * each);
  ids_.resize(count);
  runs_.clear();
  for (uint32_t done = 0; done < count;) {
    const uint64_t at = begin + done;
    const auto first = static_cast<uint32_t>(at % per_instance);
    const uint32_t here = std::min(count - done, per_instance - first);
    input.assemble(first, here, vertex_primitives_.vertex.data() + size_t{each} * done, scratch_);
    for (uint32_t i = 0; i < here; ++i) ids_[done + i] = input.primitive_id(first + i);
    done += here;
    runs_.push_back({static_cast<uint32_t>(at / per_instance), each * done});
  }
  for (uint32_t i = 0; i < count; ++i) vertex_primitives_.source.push_back(i);
  collect_vertices(vertex_primitives_.vertex, runs_, list_, reuse_);
}

bool GeometryFront::shade(const PreparedDraw& draw, Counters& counters) {
  const Executable& shader = *draw.pipeline->desc.vertex;
  uint32_t* slots = slot_file_.reserve(shader.slot_count());
  shader.load_uniforms(draw.vertex_uniforms, slots);
  vertex_records_.begin(static_cast<uint32_t>(shader.program().outputs.size()));
  counters.vertices += list_.count;
  for (uint32_t first = 0; first < list_.count; first += kBlockLanes) {
    const uint32_t count = std::min(kBlockLanes, list_.count - first);
    fetch_block(draw.fetch, list_.id.data() + first, list_.instance.data() + first, count, slots);
    BlockArgs args;
    args.bindings = &draw.vertex_bindings;
    args.exec = args.live = first_lanes(count);
    args.budget = draw.state->budget;
    if (!shader.is_empty() && shader.run(slots, args).over_budget) return false;
    store_outputs(shader, slots, count, vertex_records_);
  }
  return true;
}

// Nobody but a geometry program sees the vertices beside a line or around a triangle.
void GeometryFront::leave_out_adjacency(bool keeps_adjacency) {
  StagePrimitives& p = vertex_primitives_;
  if (keeps_adjacency || (p.vertices_each != 4 && p.vertices_each != 6)) return;
  const bool is_line = p.vertices_each == 4;
  const uint32_t first = is_line ? 1 : 0, step = is_line ? 1 : 2, each = is_line ? 2 : 3;
  for (uint32_t i = 0; i < p.count(); ++i)
    for (uint32_t corner = 0; corner < each; ++corner)
      p.vertex[size_t{i} * each + corner] = p.vertex[size_t{i} * p.vertices_each + first + corner * step];
  p.vertices_each = each;
  p.vertex.resize(size_t{p.count()} * each);
}

bool GeometryFront::run(const PreparedDraw& draw, uint64_t begin, uint64_t end, Counters& counters) {
  const PreparedGeometry& g = *draw.geometry;
  const GeometryLink& link = draw.pipeline->geometry;
  assemble(draw, begin, end);
  if (!shade(draw, counters)) return false;
  leave_out_adjacency(g.evaluation.program != nullptr || g.geometry.program != nullptr);
  records_ = &vertex_records_;
  last_ = &vertex_primitives_;
  if (g.evaluation.program != nullptr) {
    const PatchDraw patches{&g.control, &g.evaluation, &link, g.levels};
    if (!patches_.run(patches, *records_, *last_, ids_, patch_records_, patch_primitives_)) return false;
    records_ = &patch_records_;
    last_ = &patch_primitives_;
  }
  if (g.geometry.program != nullptr) {
    // Each primitive's own number, which those of one patch share.
    std::vector<uint32_t> ids(last_->count());
    for (uint32_t i = 0; i < last_->count(); ++i) ids[i] = ids_[last_->source[i]];
    if (!geometry_.run(g.geometry, link, g.provoking_first, *records_, *last_, ids, geometry_records_,
                       geometry_primitives_))
      return false;
    records_ = &geometry_records_;
    last_ = &geometry_primitives_;
  }
  primitive_id_output_ = g.geometry.program != nullptr ? link.primitive_id_output : ~0u;
  drawn_.clear();
  for (uint32_t i = 0; i < last_->count(); ++i)
    if (last_->stream_of(i) == 0) drawn_.push_back(i);
  drawn_records_ = records_;
  const ViewportOutputs& viewports = draw.pipeline->viewport_outputs;
  if (!viewports.needs_copies()) return true;
  copies_.make(viewports, draw.assembly.provoking_corner(), *records_, *last_, drawn_);
  drawn_records_ = &copies_.records();
  return true;
}

// What a geometry program says with its last vertex; else the number of the input primitive.
uint32_t GeometryFront::primitive_id(uint32_t primitive) const {
  const uint32_t number = drawn_[primitive];
  if (primitive_id_output_ == ~0u) return ids_[last_->source[number]];
  const uint32_t each = last_->vertices_each;
  return records_->at(last_->vertex[size_t{number} * each + each - 1])[primitive_id_output_];
}

uint32_t GeometryFront::count_before(uint32_t source) const {
  const auto end = std::ranges::lower_bound(drawn_, source, {}, [&](uint32_t i) { return last_->source[i]; });
  return static_cast<uint32_t>(end - drawn_.begin());
}

void GeometryFront::corners(std::vector<uint32_t>& corners) const {
  if (drawn_records_ == &copies_.records()) {
    std::ranges::copy(copies_.corners(), corners.begin());
    return;
  }
  const uint32_t each = last_->vertices_each;
  for (size_t i = 0; i < drawn_.size(); ++i)
    std::copy_n(last_->vertex.begin() + static_cast<ptrdiff_t>(size_t{drawn_[i]} * each), each,
                corners.begin() + static_cast<ptrdiff_t>(i * each));
}

void GeometryFront::fill_vertices(const PreparedDraw& draw, ChunkVertices& vertices,
                                  std::vector<float>& varyings) const {
  const Pipeline& pipeline = *draw.pipeline;
  const std::vector<uint32_t>& outputs = pipeline.varying_outputs;
  const VertexRecords& records = *drawn_records_;
  vertices.distances = draw.view.clip_distances | draw.view.cull_distances;
  vertices.resize(records.count);
  varyings.resize(records.count * outputs.size());
  vertices.point_size.resize(records.count);
  vertices.edge_flag.resize(records.count);
  for (uint32_t v = 0; v < records.count; ++v) {
    const uint32_t* record = records.at(v);
    for (uint32_t c = 0; c < 4; ++c)
      vertices.clip[c][v] = word_of(record, pipeline.position_output[c], kDefaultPosition[c]);
    for (uint32_t i = 0; i < kMaxClipPlanes; ++i) {
      if ((vertices.distances >> i & 1) == 0) continue;
      vertices.distance[i][v] = pipeline.writes_distances
                                    ? word_of(record, pipeline.distance_output[i], 0)
                                    : plane_distance(draw.clip_planes[i], record, pipeline.clip_vertex_output);
    }
    if (pipeline.point_size_output != ~0u) vertices.point_size[v] = word_of(record, pipeline.point_size_output, 1);
    if (pipeline.edge_flag_output != ~0u) vertices.edge_flag[v] = word_of(record, pipeline.edge_flag_output, 1);
    for (size_t word = 0; word < outputs.size(); ++word)
      varyings[v * outputs.size() + word] = std::bit_cast<float>(record[outputs[word]]);
  }
  if (draw.view.window_space) to_clip_space(vertices, 0, records.count);
}

void GeometryFront::count_stages(const PreparedDraw& draw, uint32_t source_end, Counters& counters) const {
  const PreparedGeometry& g = *draw.geometry;
  if (g.evaluation.program != nullptr) {
    counters.patches += source_end;
    counters.evaluations += patches_.points_of(source_end);
  }
  if (g.geometry.program == nullptr) return;
  const StagePrimitives& taken = g.evaluation.program != nullptr ? patch_primitives_ : vertex_primitives_;
  counters.geometry_invocations +=
      uint64_t{taken.count_before(source_end)} * g.geometry.program->program().geometry.invocations;
  counters.geometry_primitives += geometry_primitives_.count_before(source_end);
}

std::array<uint32_t, kVertexStreams> GeometryFront::generated(uint32_t source_end) const {
  std::array<uint32_t, kVertexStreams> count{};
  for (uint32_t i = 0; i < last_->count() && last_->source[i] < source_end; ++i) ++count[last_->stream_of(i)];
  return count;
}

std::unique_ptr<StreamCapture> GeometryFront::capture(const PreparedDraw& draw, uint32_t source_end) const {
  if (!draw.geometry->writes_streams) return nullptr;
  auto capture = std::make_unique<StreamCapture>();
  const uint32_t each = last_->vertices_each;
  capture->vertices_each = each;
  for (uint32_t i = 0; i < last_->count() && last_->source[i] < source_end; ++i) {
    const uint32_t stream = last_->stream_of(i);
    ++capture->primitives[stream];
    for (uint32_t corner = 0; corner < each; ++corner)
      capture->add(draw.pipeline->geometry.stream, stream,
                   {records_->at(last_->vertex[size_t{i} * each + corner]), records_->stride});
  }
  return capture;
}

}  // namespace tessera::raster
