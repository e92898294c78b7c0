#include "tests/support/shader_run.h"

#include <algorithm>
#include <new>

namespace tessera::tests {

BlockOutput run_block(const Executable& executable, const BlockInput& in) {
  std::vector<ConstantBuffer> buffers;
  for (const auto& words : in.constants) buffers.push_back({words.data(), static_cast<uint32_t>(words.size())});
  Bindings bindings = in.bindings;
  bindings.constants = buffers;

  struct alignas(64) Slot { uint32_t words[kBlockLanes]; };
  std::vector<Slot> memory(executable.slot_count());
  for (Slot& slot : memory)
    std::fill(std::begin(slot.words), std::end(slot.words), 0xdeadbeefu);  // nothing may depend on it
  uint32_t* slots = memory.empty() ? nullptr : memory[0].words;
  std::vector<uint32_t> uniforms(executable.uniform_count());
  executable.run_uniform(bindings, uniforms);
  executable.load_uniforms(uniforms, slots);
  for (size_t k = 0; k < in.inputs.size(); ++k)
    std::copy(in.inputs[k].begin(), in.inputs[k].end(), memory[executable.input_slot(static_cast<uint32_t>(k))].words);

  BlockArgs args;
  args.bindings = &bindings;
  args.exec = in.exec;
  args.live = in.live;
  args.budget = in.budget;
  BlockOutput out;
  out.result = executable.run(slots, args);
  for (size_t k = 0; k < executable.program().outputs.size(); ++k) {
    BlockWords words;
    std::copy_n(memory[executable.output_slot(static_cast<uint32_t>(k))].words, kBlockLanes, words.begin());
    out.outputs.push_back(words);
  }
  return out;
}

BlockOutput run_block(const ir::Program& program, const BlockInput& in, SimdTarget simd) {
  return run_block(*make_interpreter(std::make_shared<ir::Program>(program), simd), in);
}

}  // namespace tessera::tests
