#include "raster/geometry_shader.h"

#include "raster/input_assembly.h"

namespace tessera::raster {
namespace {

using ir::Semantic;

uint32_t vertices_each(RasterPrimitive primitive) {
  return primitive == RasterPrimitive::Points ? 1 : primitive == RasterPrimitive::Lines ? 2 : 3;
}

// The strip of one stream, as far as it has come.
struct Strip {
  uint32_t length = 0;
  uint32_t last[3] = {0, 0, 0};                  // records; the newest is the last

  void add(uint32_t record, bool begins) {
    length = begins ? 1 : length + 1;
    last[0] = last[1];
    last[1] = last[2];
    last[2] = record;
  }
};

// Of `count` lanes, the first of which is invocation `first`, counted through all primitives.
void set_system_values(const PreparedStage& stage, uint64_t first, uint32_t count, std::span<const uint32_t> ids,
                       uint32_t* slots) {
  const ir::Program& program = stage.program->program();
  const uint32_t invocations = program.geometry.invocations;
  for (uint32_t i = 0; i < program.inputs.size(); ++i) {
    const ir::Input& in = program.inputs[i];
    if (in.per_vertex) continue;
    uint32_t* lanes = stage.input_lanes(slots, i);
    std::fill_n(lanes, kBlockLanes, 0u);
    for (uint32_t lane = 0; lane < count && in.component == 0; ++lane) {
      if (in.semantic == Semantic::PrimitiveId) lanes[lane] = ids[(first + lane) / invocations];
      if (in.semantic == Semantic::InvocationId) lanes[lane] = static_cast<uint32_t>((first + lane) % invocations);
    }
  }
}

}  // namespace

bool GeometryStage::run(const PreparedStage& stage, const GeometryLink& link, bool provoking_first,
                        const VertexRecords& vertices, const StagePrimitives& primitives, std::span<const uint32_t> ids,
                        VertexRecords& out, StagePrimitives& made) {
  const ir::Program& program = stage.program->program();
  const uint32_t in_vertices = primitives.vertices_each, invocations = program.geometry.invocations;
  const auto words = static_cast<uint32_t>(program.outputs.size());
  out.begin(words);
  made.begin(vertices_each(link.primitive));
  uint32_t* slots = stage.load(slot_file_);
  lane_record_.resize(size_t{kBlockLanes} * in_vertices);
  const PrimitiveVertices view{vertices.words.data(), vertices.stride, lane_record_.data(), in_vertices,
                               link.geometry_words};
  BlockArgs args;
  args.bindings = &stage.bindings;
  args.budget = stage.budget;
  args.vertices = &view;
  args.emitted = &emitted_;
  const uint64_t total = uint64_t{primitives.count()} * invocations;
  for (uint64_t first = 0; first < total; first += kBlockLanes) {
    const auto count = static_cast<uint32_t>(std::min<uint64_t>(kBlockLanes, total - first));
    const auto primitive_of = [&](uint32_t lane) { return static_cast<uint32_t>((first + lane) / invocations); };
    for (uint32_t lane = 0; lane < count; ++lane)
      std::copy_n(primitives.vertex.data() + size_t{primitive_of(lane)} * in_vertices, in_vertices,
                  lane_record_.data() + size_t{lane} * in_vertices);
    set_system_values(stage, first, count, ids, slots);
    emitted_.begin(program.geometry.max_vertices, words);
    args.exec = args.live = first_lanes(count);
    if (stage.program->run(slots, args).over_budget) return false;
    for (uint32_t lane = 0; lane < count; ++lane)
      collect(lane, primitives.source[primitive_of(lane)], provoking_first, out, made);
  }
  return true;
}

// What one lane emitted.
void GeometryStage::collect(uint32_t lane, uint32_t source, bool provoking_first, VertexRecords& out,
                            StagePrimitives& made) {
  Strip strip[kVertexStreams];
  const uint32_t count = emitted_.count(lane), each = made.vertices_each;
  for (uint32_t n = 0; n < count; ++n) {
    const EmittedVertices::Vertex vertex = emitted_.vertex(lane, n);
    const uint32_t record = out.count;
    std::ranges::copy(vertex.words, out.append(1));
    Strip& s = strip[vertex.stream];
    s.add(record, vertex.begins_primitive);
    if (s.length < each) continue;
    const bool is_odd = each == 3 && s.length % 2 == 0;
    for (uint32_t corner = 0; corner < each; ++corner)
      made.vertex.push_back(s.last[3 - each + strip_corner(is_odd, provoking_first, corner)]);
    made.source.push_back(source);
    made.stream.push_back(static_cast<uint8_t>(vertex.stream));
  }
}

}  // namespace tessera::raster
