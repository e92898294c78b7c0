// frontend/tool/shader_vertices.h: the primitive that `tessera shader run` gives to a geometry or tessellation program,
// the vertices that the program emits, and the patch that its invocations make.
#pragma once

#include <cstdint>
#include <vector>

#include "shader/executor.h"

namespace tessera::tool {

inline constexpr uint32_t kMaxVertices = 32;           // of a patch

// The lanes that run: a primitive's invocations, else a quad.
uint32_t lanes_of(const ir::Program& program);

// Prints a word of an output: bits, as a float, as an integer.
void print_output(const ir::Output& output, uint32_t word);

class ShaderVertices {
 public:
  explicit ShaderVertices(const ir::Program& program);
  ShaderVertices(const ShaderVertices&) = delete;

  uint32_t count() const { return view_.count; }       // of the primitive; 0: the program reads none
  void set(uint32_t input, uint32_t vertex, uint32_t word) { words_[vertex * stride_ + input] = word; }
  const PrimitiveVertices& view() const { return view_; }
  EmittedVertices& emitted() { return emitted_; }
  std::span<const MemoryView> patch() const { return {&patch_view_, 1}; }   // shared memory of tessellation control
  void print_emitted() const;
  void print_patch() const;

 private:
  const ir::Program& program_;
  size_t stride_;
  std::vector<uint32_t> words_, record_, word_of_input_, patch_;
  PrimitiveVertices view_;
  MemoryView patch_view_;
  EmittedVertices emitted_;
};

}  // namespace tessera::tool
