// A vertex shader that runs nothing: every output is one of its inputs. Tests of the stages around it need no executor.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "shader/executor.h"

namespace tessera::tests {

class CopyShader : public Executable {
 public:
  // outputs[i] copies inputs[from[i]].
  CopyShader(ir::Stage stage, std::vector<ir::Input> inputs, std::vector<ir::Output> outputs,
             const std::vector<uint32_t>& from) {
    auto program = std::make_shared<ir::Program>();
    program->stage = stage;
    program->inputs = std::move(inputs);
    program->outputs = std::move(outputs);
    for (const uint32_t input : from) output_slots_.push_back(input);
    slot_count_ = uint32_t(std::max<size_t>(1, program->inputs.size()));
    is_empty_ = true;
    program_ = std::move(program);
  }
  void run_uniform(const Bindings&, std::span<uint32_t>) const override {}
  void load_uniforms(std::span<const uint32_t>, uint32_t*) const override {}
  BlockResult run(uint32_t*, const BlockArgs& args) const override { return {args.live, false}; }
};

inline ir::Input attribute(uint16_t index, uint8_t component) {
  ir::Input in;
  in.semantic = ir::Semantic::Generic;
  in.index = index;
  in.component = component;
  return in;
}

// POSITION from attribute 0, GENERIC[i] from attribute i + 1, four components each.
inline std::shared_ptr<const Executable> copy_vertex_shader(uint32_t generics) {
  std::vector<ir::Input> inputs;
  std::vector<ir::Output> outputs;
  std::vector<uint32_t> from;
  for (uint32_t a = 0; a <= generics; ++a) {
    for (uint32_t c = 0; c < 4; ++c) {
      from.push_back(uint32_t(inputs.size()));
      inputs.push_back(attribute(uint16_t(a), uint8_t(c)));
      outputs.push_back({a == 0 ? ir::Semantic::Position : ir::Semantic::Generic, uint16_t(a == 0 ? 0 : a - 1),
                         uint8_t(c), 0});
    }
  }
  return std::make_shared<CopyShader>(ir::Stage::Vertex, inputs, outputs, from);
}

// COLOR[0] is the first GENERIC, or 0 where there are none.
inline std::shared_ptr<const Executable> copy_fragment_shader(uint32_t generics,
                                                              ir::Interpolation mode = ir::Interpolation::Perspective) {
  std::vector<ir::Input> inputs;
  std::vector<ir::Output> outputs;
  std::vector<uint32_t> from;
  for (uint32_t g = 0; g < generics; ++g) {
    for (uint32_t c = 0; c < 4; ++c) {
      ir::Input in = attribute(uint16_t(g), uint8_t(c));
      in.interpolation = mode;
      if (g == 0) {
        from.push_back(uint32_t(inputs.size()));
        outputs.push_back({ir::Semantic::Color, 0, uint8_t(c), 0});
      }
      inputs.push_back(in);
    }
  }
  return std::make_shared<CopyShader>(ir::Stage::Fragment, inputs, outputs, from);
}

}  // namespace tessera::tests
