// tests/goldens/tgsi_run.cpp: compiles the shader of a record, runs it in lanes 0 to 3 of a block, checks what it wrote.
#include <bit>

#include <fmt/format.h>

#include "shader/tgsi/compile.h"
#include "shader/tgsi/names.h"
#include "shader/tgsi/parser.h"
#include "tests/goldens/compare.h"
#include "tests/goldens/tgsi_memory.h"
#include "tests/goldens/tgsi_textures.h"
#include "tests/support/shader_run.h"

namespace tessera::goldens {
namespace {

constexpr uint32_t kBudget = 100000;

// The register number of an input or output, which the IR knows by its semantic.
template <class Name>
std::optional<uint32_t> register_of(const tgsi::Program& p, tgsi::File file, const Name& name) {
  for (const tgsi::Declaration& d : p.declarations) {
    if (d.file != file) continue;
    const bool attribute = p.stage == ir::Stage::Vertex && file == tgsi::File::In;
    if (!attribute && (!d.semantic || d.semantic->name != name.semantic)) continue;
    const uint32_t offset = name.index - (attribute ? d.first : d.semantic->index);
    if (offset <= d.last - d.first) return d.first + offset;
  }
  return std::nullopt;
}

// What the hardware would give; only asked where the record gives nothing.
uint32_t default_sysval(const ir::Input& in, uint32_t lane, const TgsiRecord& record) {
  switch (in.semantic) {
    case ir::Semantic::HelperInvocation: return record.live >> lane & 1 ? 0 : ~0u;
    default: return 0;
  }
}

// The record's planes as those of a triangle for each lane: vertex 0 at the lane's own place, where the input's value is
// given, the others one pixel to the right and one below. The lane's w is the same over the pixel.
uint32_t plane_word(const ir::Input& in, uint32_t reg, uint32_t lane, const TgsiRecord& record) {
  using Part = ir::InputPart;
  const auto value = [](uint32_t word) { return static_cast<double>(std::bit_cast<float>(word)); };
  const auto bits = [](double x) { return std::bit_cast<uint32_t>(static_cast<float>(x)); };
  const auto plane = record.planes.find(reg);
  const auto given = record.inputs.find(reg);
  const auto corner = [&](std::array<uint32_t, 4> InputPlane::*slope) {
    const double w = plane->second.perspective ? value(record.quad_w[lane]) : 1;
    return bits(value(given->second[in.component][lane]) + value((plane->second.*slope)[in.component]) / w);
  };
  switch (in.part) {
    case Part::Corner0: return given->second[in.component][lane];
    case Part::Corner1: return corner(&InputPlane::dadx);
    case Part::Corner2: return corner(&InputPlane::dady);
    case Part::Lambda1Dx: case Part::Lambda2Dy: return bits(1);
    case Part::Affine: return ~0u;
    case Part::SamplesXLow: case Part::SamplesXHigh:
    case Part::SamplesYLow: case Part::SamplesYHigh: return 0x88888888u;   // every sample at the centre
    default: return bits(0);
  }
}

uint32_t target_word(const ir::Input& in, uint32_t lane, const TgsiRecord& record) {
  if (in.semantic == ir::Semantic::SampleId) return 1;
  const auto at = record.framebuffer.find(in.index);
  return at == record.framebuffer.end() ? 0 : at->second[in.component][lane];
}

tests::BlockInput block_input(const TgsiRecord& record, const tgsi::Program& text, const ir::Program& program) {
  tests::BlockInput in;
  in.exec = text.stage == ir::Stage::Geometry ? 1 : 15;
  in.live = record.live & in.exec;
  in.budget = kBudget;
  for (const ir::Input& input : program.inputs) {
    const auto& given = input.system_value ? record.sysvals : record.inputs;
    const auto reg = register_of(text, input.system_value ? tgsi::File::Sv : tgsi::File::In, input);
    const auto at = reg ? given.find(*reg) : given.end();
    tests::BlockWords& words = in.inputs.emplace_back();
    words.fill(0);
    for (uint32_t lane = 0; lane < kLanes; ++lane)
      if (input.of_target) words[lane] = target_word(input, lane, record);
      else if (input.part != ir::InputPart::Value) words[lane] = plane_word(input, reg.value_or(0), lane, record);
      else if (at != given.end()) words[lane] = at->second[input.component][lane];
      else words[lane] = default_sysval(input, lane, record);
  }
  for (const auto& [buffer, words] : record.constants) {
    if (buffer >= in.constants.size()) in.constants.resize(buffer + 1);
    in.constants[buffer] = words;
  }
  return in;
}

// Word of one lane of each channel; channels that the program does not write stay 0.
std::map<uint32_t, RegisterWords> output_registers(const tgsi::Program& text, const ir::Program& program,
                                                   const tests::BlockOutput& out) {
  std::map<uint32_t, RegisterWords> registers;
  for (size_t i = 0; i < program.outputs.size(); ++i) {
    const ir::Output& output = program.outputs[i];
    const auto reg = register_of(text, tgsi::File::Out, output);
    if (!reg) continue;
    for (uint32_t lane = 0; lane < kLanes; ++lane) registers[*reg][output.component][lane] = out.outputs[i][lane];
  }
  return registers;
}

Outcome check(const TgsiRecord& record, const tgsi::Program& text, const ir::Program& program, const tests::BlockOutput& out) {
  if (out.result.over_budget) return failed("the instruction budget ran out");
  const uint32_t killed = record.live & ~static_cast<uint32_t>(out.result.live) & 15;
  if (killed != record.kill) return failed(fmt::format("kill: expected {}, found {}", record.kill, killed));
  const auto registers = output_registers(text, program, out);
  for (const auto& [number, want] : record.outputs) {
    const auto at = registers.find(number);
    const std::string difference = register_difference(record, number, at == registers.end() ? RegisterWords{} : at->second);
    if (!difference.empty()) return failed(difference);
  }
  return {};
}

// ---- geometry: one primitive in lane 0 ----------------------------------------------------------------------------------

// The vertices of the record, a word for each of the program's inputs.
struct Vertices {
  std::vector<uint32_t> words, record, word_of_input;
  PrimitiveVertices view;
};

void make_vertices(const TgsiRecord& record, const tgsi::Program& text, const ir::Program& program, Vertices& v) {
  const size_t stride = program.inputs.size(), count = record.vertex_inputs.size();
  v.words.assign(count * stride, 0);
  for (uint32_t i = 0; i < stride; ++i) {
    v.word_of_input.push_back(i);
    const auto reg = register_of(text, tgsi::File::In, program.inputs[i]);
    for (size_t n = 0; n < count; ++n)
      if (const auto at = record.vertex_inputs[n].find(reg.value_or(~0u)); at != record.vertex_inputs[n].end())
        v.words[n * stride + i] = at->second[program.inputs[i].component];
  }
  for (uint32_t lane = 0; lane < kBlockLanes; ++lane)
    for (uint32_t n = 0; n < count; ++n) v.record.push_back(n);
  v.view = {v.words.data(), static_cast<uint32_t>(stride), v.record.data(), static_cast<uint32_t>(count), v.word_of_input};
}

std::vector<EmittedPrimitive> primitives_of(const EmittedVertices& emitted, const tgsi::Program& text,
                                            const ir::Program& program) {
  std::vector<EmittedPrimitive> primitives;
  for (uint32_t stream = 0; stream < kVertexStreams; ++stream)
    for (uint32_t n = 0; n < emitted.count(0); ++n) {
      const EmittedVertices::Vertex vertex = emitted.vertex(0, n);
      if (vertex.stream != stream) continue;
      if (vertex.begins_primitive) primitives.push_back({stream, {}});
      VertexWords& words = primitives.back().vertices.emplace_back();
      for (size_t k = 0; k < program.outputs.size(); ++k)
        if (const auto reg = register_of(text, tgsi::File::Out, program.outputs[k]))
          words[*reg][program.outputs[k].component] = vertex.words[k];
    }
  return primitives;
}

Outcome check_primitives(const TgsiRecord& record, const std::vector<EmittedPrimitive>& found) {
  if (found.size() != record.primitives.size())
    return failed(fmt::format("expected {} primitives, found {}", record.primitives.size(), found.size()));
  for (size_t p = 0; p < found.size(); ++p) {
    const EmittedPrimitive& want = record.primitives[p];
    if (found[p].stream != want.stream)
      return failed(fmt::format("primitive {}: expected stream {}, found {}", p, want.stream, found[p].stream));
    if (found[p].vertices.size() != want.vertices.size())
      return failed(fmt::format("primitive {}: expected {} vertices, found {}", p, want.vertices.size(), found[p].vertices.size()));
    for (size_t v = 0; v < want.vertices.size(); ++v)
      for (const auto& [number, words] : want.vertices[v]) {
        const auto at = found[p].vertices[v].find(number);
        if (at == found[p].vertices[v].end() || at->second != words)
          return failed(fmt::format("primitive {}, vertex {}: OUT[{}] has other bits", p, v, number));
      }
  }
  return {};
}

Outcome run_geometry(const TgsiRecord& record, const tgsi::Program& text, const ir::Program& program,
                     tests::BlockInput& in) {
  Vertices vertices;
  make_vertices(record, text, program, vertices);
  EmittedVertices emitted;
  emitted.begin(program.geometry.max_vertices, static_cast<uint32_t>(program.outputs.size()));
  in.vertices = &vertices.view;
  in.emitted = &emitted;
  if (tests::run_block(program, in).result.over_budget) return failed("the instruction budget ran out");
  return check_primitives(record, primitives_of(emitted, text, program));
}

}  // namespace

bool is_tgsi_record(const Json& record) { return record.is_object() && record.contains("tgsi"); }

Outcome run_tgsi_record(const Json& json) {
  const TgsiRecord record = parse_tgsi_record(json);
  const auto program = tgsi::compile(record.text, record.is_2007 ? tgsi::Dialect::Tgsi2007 : tgsi::Dialect::Current);
  if (!program) return failed(format_diags(program.diags(), record.id, record.text));
  const tgsi::Program text = *tgsi::parse(record.text);
  tests::BlockInput in = block_input(record, text, *program);
  std::vector<std::shared_ptr<const texture::BoundTexture>> textures;
  std::vector<const void*> bound;
  for (const ir::TextureBinding& binding : program->texture_bindings) {
    const auto desc = record.textures.find(binding.view);
    if (desc == record.textures.end()) return failed(fmt::format("the record has no texture for unit {}", binding.view));
    auto made = make_texture(desc->second, best_simd_target());
    if (!made) return skipped(made.diags()[0].text);
    textures.push_back(*made);
    bound.push_back(textures.back().get());
  }
  in.bindings.textures = bound;
  in.bindings.services.sample = texture::sample_block;
  const RecordMemory memory(record, text);
  memory.bind(in.bindings);
  const Outcome outcome = text.stage == ir::Stage::Geometry
                              ? run_geometry(record, text, *program, in)
                              : check(record, text, *program, tests::run_block(*program, in));
  if (outcome.kind != Outcome::Kind::Passed) return outcome;
  const std::string difference = memory.difference();
  return difference.empty() ? Outcome{} : failed(difference);
}

}  // namespace tessera::goldens
