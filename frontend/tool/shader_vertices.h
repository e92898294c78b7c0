// frontend/tool/shader_vertices.h: the primitive that `tessera shader run` gives to a geometry or tessellation program,
// and the vertices that the program emits.
#pragma once

#include <cstdint>
#include <vector>

#include "shader/executor.h"

namespace tessera::tool {

inline constexpr uint32_t kMaxVertices = 32;           // of a patch

class ShaderVertices {
 public:
  explicit ShaderVertices(const ir::Program& program);
  ShaderVertices(const ShaderVertices&) = delete;

  uint32_t count() const { return view_.count; }       // of the primitive; 0: the program reads none
  void set(uint32_t input, uint32_t vertex, uint32_t word) { words_[vertex * stride_ + input] = word; }
  const PrimitiveVertices& view() const { return view_; }
  EmittedVertices& emitted() { return emitted_; }
  void print_emitted() const;                          // of lane 0

 private:
  const ir::Program& program_;
  size_t stride_;
  std::vector<uint32_t> words_, record_, word_of_input_;
  PrimitiveVertices view_;
  EmittedVertices emitted_;
};

}  // namespace tessera::tool
