#include "frontend/tool/shader_vertices.h"

#include <fmt/format.h>

#include <bit>

#include "frontend/tool/command.h"

namespace tessera::tool {
namespace {

// Vertices of GS_INPUT_PRIMITIVE, as TGSI numbers them; a tessellation program's patch has as many as there may be.
uint32_t vertices_of(const ir::Program& program) {
  constexpr uint8_t kVertices[] = {1, 2, 2, 2, 3, 3, 3, 3, 3, 3, 4, 4, 6, 6};
  if (program.stage == ir::Stage::Geometry) return kVertices[program.geometry.input_primitive];
  return program.stage == ir::Stage::TessCtrl || program.stage == ir::Stage::TessEval ? kMaxVertices : 0;
}

}  // namespace

ShaderVertices::ShaderVertices(const ir::Program& program) : program_(program), stride_(program.inputs.size()) {
  const uint32_t count = vertices_of(program);
  words_.resize(count * stride_);
  for (uint32_t k = 0; k < kBlockLanes * count; ++k) record_.push_back(k % count);
  for (uint32_t i = 0; i < stride_; ++i) word_of_input_.push_back(i);
  view_ = {words_.data(), static_cast<uint32_t>(stride_), record_.data(), count, word_of_input_};
  emitted_.begin(program.geometry.max_vertices, static_cast<uint32_t>(program.outputs.size()));
}

void ShaderVertices::print_emitted() const {
  for (uint32_t n = 0; n < emitted_.count(0); ++n) {
    const EmittedVertices::Vertex vertex = emitted_.vertex(0, n);
    print(fmt::format("vertex {}, stream {}{}\n", n, vertex.stream, vertex.begins_primitive ? ", a new primitive" : ""));
    for (size_t k = 0; k < program_.outputs.size(); ++k) {
      const ir::Output& output = program_.outputs[k];
      const uint32_t word = vertex.words[k];
      if (output.stream != vertex.stream) continue;
      print(fmt::format("{}[{}].{}  0x{:08x}  {}  {}\n", ir::semantic_name(output.semantic), output.index,
                        "xyzw"[output.component], word, std::bit_cast<float>(word), static_cast<int32_t>(word)));
    }
  }
}

}  // namespace tessera::tool
