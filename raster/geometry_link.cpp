#include "raster/geometry_link.h"

#include "fmt/format.h"

namespace tessera::raster {
namespace {

using ir::Semantic;
using ir::Stage;

constexpr uint32_t kNone = ~0u;
// GS_OUTPUT_PRIMITIVE and TES_PRIM_MODE, as TGSI counts them.
constexpr uint8_t kPoints = 0, kLines = 1, kLineStrip = 3;

void check_stage(const std::shared_ptr<const Executable>& program, Stage stage, std::string_view name,
                 std::vector<Diag>& errors) {
  if (program && program->program().stage != stage)
    errors.push_back(error(fmt::format("{}: expected a program of the {} stage", name, name)));
}

bool check_programs(const GeometryPrograms& p, std::vector<Diag>& errors) {
  const size_t before = errors.size();
  check_stage(p.control, Stage::TessCtrl, "control", errors);
  check_stage(p.evaluation, Stage::TessEval, "evaluation", errors);
  check_stage(p.geometry, Stage::Geometry, "geometry", errors);
  if (p.control && !p.evaluation)
    errors.push_back(error("evaluation: a tessellation control program needs one of the evaluation stage behind it"));
  if (errors.size() != before || !p.evaluation || !p.geometry) return errors.size() == before;
  const ir::TessellationFacts& facts = p.evaluation->program().tessellation;
  const uint8_t made = facts.point_mode ? 0 : facts.primitive == kLines ? 1 : 4;
  if (p.geometry->program().geometry.input_primitive != made)
    errors.push_back(error("geometry: it takes other primitives than the evaluation program makes"));
  return errors.size() == before;
}

// Inputs of each vertex; of the others there is nothing to find in a vertex record.
std::vector<uint32_t> vertex_words(const ir::Program& from, const ir::Program& to) {
  std::vector<uint32_t> words;
  for (const ir::Input& in : to.inputs)
    words.push_back(in.per_vertex ? find_output(from, in.semantic, in.index, in.component) : kNone);
  return words;
}

void link_patch(const ir::Program* control, const ir::Program& evaluation, GeometryLink& link) {
  link.patch_words.assign(evaluation.inputs.size(), kNone);
  if (control == nullptr) return;
  for (size_t i = 0; i < evaluation.inputs.size(); ++i) {
    const ir::Input& in = evaluation.inputs[i];
    if (!in.per_vertex && !in.system_value)
      link.patch_words[i] = find_output(*control, in.semantic, in.index, in.component);
  }
  for (uint32_t c = 0; c < 4; ++c) link.outer_words[c] = find_output(*control, Semantic::TessOuter, 0, c);
  for (uint32_t c = 0; c < 2; ++c) link.inner_words[c] = find_output(*control, Semantic::TessInner, 0, c);
}

RasterPrimitive primitive_of(const GeometryPrograms& p) {
  if (p.geometry) {
    const uint8_t made = p.geometry->program().geometry.output_primitive;
    return made == kPoints ? RasterPrimitive::Points : made == kLineStrip ? RasterPrimitive::Lines
                                                                          : RasterPrimitive::Triangles;
  }
  if (!p.evaluation) return RasterPrimitive::Draw;
  const ir::TessellationFacts& facts = p.evaluation->program().tessellation;
  if (facts.point_mode) return RasterPrimitive::Points;
  return facts.primitive == kLines ? RasterPrimitive::Lines : RasterPrimitive::Triangles;
}

// ---- stream output --------------------------------------------------------------------------------------------------

class StreamLinker {
 public:
  StreamLinker(const ir::Program& program, const StreamLayout& layout, std::vector<Diag>& errors)
      : program_(program), layout_(layout), errors_(errors) {}

  StreamLink link() {
    if (layout_.elements.size() > kMaxStreamElements)
      fail(fmt::format("stream_output.elements: at most {}, found {}", kMaxStreamElements, layout_.elements.size()));
    for (uint32_t b = 0; b < kMaxStreamBuffers; ++b) {
      const uint32_t stride = layout_.stride_bytes[b];
      link_.buffer[b].stride_words = stride / 4;
      if (stride % 4 != 0 || stride > kMaxStreamStride_bytes)
        fail(fmt::format("stream_output.stride_bytes[{}]: expected a multiple of 4 up to {}, found {}", b,
                         kMaxStreamStride_bytes, stride));
    }
    for (size_t i = 0; i < layout_.elements.size(); ++i) add(layout_.elements[i], i);
    return std::move(link_);
  }

 private:
  void fail(std::string text) { errors_.push_back(error(std::move(text))); }

  void add(const StreamElement& e, size_t number) {
    const std::string name = fmt::format("stream_output.elements[{}]", number);
    if (e.buffer >= kMaxStreamBuffers)
      return fail(fmt::format("{}.buffer: expected less than {}, found {}", name, kMaxStreamBuffers, e.buffer));
    if (e.stream >= kVertexStreams || (e.stream != 0 && program_.stage != Stage::Geometry))
      return fail(
          fmt::format("{}.stream: only geometry programs have streams but 0, up to 3; found {}", name, e.stream));
    if (e.component_count == 0 || e.first_component + e.component_count > 4)
      return fail(fmt::format("{}: expected 1 to 4 components, found {} from {} on", name, e.component_count,
                              e.first_component));
    StreamLink::Buffer& buffer = link_.buffer[e.buffer];
    if (e.offset_bytes % 4 != 0 || e.offset_bytes / 4 + e.component_count > buffer.stride_words)
      return fail(fmt::format("{}.offset_bytes: expected a multiple of 4 inside the stride of {} bytes, found {}", name,
                              layout_.stride_bytes[e.buffer], e.offset_bytes));
    if (!buffer.copies.empty() && buffer.stream != e.stream)
      return fail(
          fmt::format("{}.stream: buffer {} belongs to stream {}, found {}", name, e.buffer, buffer.stream, e.stream));
    buffer.stream = e.stream;
    for (uint32_t c = 0; c < e.component_count; ++c) {
      const uint32_t output = find_output(program_, e.semantic, e.index, e.first_component + c, e.stream);
      if (output == kNone)
        return fail(fmt::format("{}: the last program does not write {}[{}].{} in stream {}", name,
                                ir::semantic_name(e.semantic), e.index, "xyzw"[e.first_component + c], e.stream));
      buffer.copies.push_back({output, e.offset_bytes / 4 + c});
    }
  }

  const ir::Program& program_;
  const StreamLayout& layout_;
  std::vector<Diag>& errors_;
  StreamLink link_;
};

}  // namespace

uint32_t find_output(const ir::Program& program, Semantic semantic, uint32_t index, uint32_t component,
                     uint32_t stream) {
  for (uint32_t i = 0; i < program.outputs.size(); ++i) {
    const ir::Output& o = program.outputs[i];
    if (o.semantic == semantic && o.index == index && o.component == component && o.stream == stream) return i;
  }
  return kNone;
}

GeometryLink link_geometry(const Executable& vertex, const GeometryPrograms& p, const StreamLayout& layout,
                           std::vector<Diag>& errors) {
  GeometryLink link;
  link.has_stages = p.control || p.evaluation || p.geometry;
  link.has_streams = !layout.elements.empty();
  if (!check_programs(p, errors)) return link;
  const ir::Program* before = &vertex.program();
  if (p.control) {
    link.control_words = vertex_words(*before, p.control->program());
    before = &p.control->program();
  }
  if (p.evaluation) {
    link.evaluation_words = vertex_words(*before, p.evaluation->program());
    link_patch(p.control ? before : nullptr, p.evaluation->program(), link);
    before = &p.evaluation->program();
  }
  if (p.geometry) {
    link.geometry_words = vertex_words(*before, p.geometry->program());
    before = &p.geometry->program();
    link.primitive_id_output = find_output(*before, Semantic::PrimitiveId, 0, 0);
  }
  link.primitive = primitive_of(p);
  if (link.has_streams) link.stream = StreamLinker(*before, layout, errors).link();
  return link;
}

}  // namespace tessera::raster
