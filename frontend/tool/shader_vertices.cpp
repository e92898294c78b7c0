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

bool belongs_to_patch(const ir::Output& output) {
  return output.semantic == ir::Semantic::Patch || output.semantic == ir::Semantic::TessOuter ||
         output.semantic == ir::Semantic::TessInner;
}

}  // namespace

uint32_t lanes_of(const ir::Program& program) {
  constexpr uint32_t kQuadLanes = 4;
  if (program.stage == ir::Stage::Geometry) return program.geometry.invocations;
  return program.stage == ir::Stage::TessCtrl ? program.tessellation.vertices_out : kQuadLanes;
}

void print_output(const ir::Output& output, uint32_t word) {
  print(fmt::format("{}[{}].{}  0x{:08x}  {}  {}\n", ir::semantic_name(output.semantic), output.index,
                    "xyzw"[output.component], word, std::bit_cast<float>(word), static_cast<int32_t>(word)));
}

ShaderVertices::ShaderVertices(const ir::Program& program) : program_(program), stride_(program.inputs.size()) {
  const uint32_t count = vertices_of(program);
  words_.resize(count * stride_);
  for (uint32_t k = 0; k < kBlockLanes * count; ++k) record_.push_back(k % count);
  for (uint32_t i = 0; i < stride_; ++i) word_of_input_.push_back(i);
  view_ = {words_.data(), static_cast<uint32_t>(stride_), record_.data(), count, word_of_input_};
  emitted_.begin(program.geometry.max_vertices, static_cast<uint32_t>(program.outputs.size()));
  // A word for each output and vertex, and behind the vertices those of the patch.
  if (program.stage == ir::Stage::TessCtrl) patch_.resize((lanes_of(program) + 1) * program.outputs.size());
  patch_view_ = {reinterpret_cast<std::byte*>(patch_.data()), static_cast<uint32_t>(patch_.size() * sizeof(uint32_t))};
}

void ShaderVertices::print_emitted() const {
  const uint32_t lanes = lanes_of(program_);
  for (uint32_t lane = 0; lane < lanes; ++lane) {
    if (lanes > 1) print(fmt::format("invocation {}\n", lane));
    for (uint32_t n = 0; n < emitted_.count(lane); ++n) {
      const EmittedVertices::Vertex vertex = emitted_.vertex(lane, n);
      print(fmt::format("vertex {}, stream {}{}\n", n, vertex.stream,
                        vertex.begins_primitive ? ", a new primitive" : ""));
      for (size_t k = 0; k < program_.outputs.size(); ++k)
        if (program_.outputs[k].stream == vertex.stream) print_output(program_.outputs[k], vertex.words[k]);
    }
  }
}

void ShaderVertices::print_patch() const {
  const size_t words = program_.outputs.size();
  const uint32_t vertices = lanes_of(program_);
  for (uint32_t v = 0; v <= vertices; ++v) {
    print(v < vertices ? fmt::format("vertex {}\n", v) : "patch\n");
    for (size_t k = 0; k < words; ++k) {
      const ir::Output& output = program_.outputs[k];
      if (belongs_to_patch(output) == (v == vertices)) print_output(output, patch_[v * words + k]);
    }
  }
}

}  // namespace tessera::tool
