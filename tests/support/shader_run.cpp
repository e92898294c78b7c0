#include "tests/support/shader_run.h"

#include <algorithm>
#include <new>

#include "tests/support/random_program.h"

namespace tessera::tests {

BlockInput random_input(const ir::Program& program, std::mt19937& random) {
  BlockInput in;
  in.inputs.resize(program.inputs.size());
  for (BlockWords& words : in.inputs)
    for (uint32_t& word : words) word = random_word(random);
  in.constants.resize(2);
  for (auto& words : in.constants)
    for (uint32_t k = 0; k < 8; ++k) words.push_back(random_word(random));
  return in;
}

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
  args.vertices = in.vertices;
  args.emitted = in.emitted;
  BlockOutput out;
  out.result = executable.run(slots, args);
  for (size_t k = 0; k < executable.program().outputs.size(); ++k) {
    BlockWords words;
    words.fill(0);
    if (executable.program().outputs[k].value == ir::kNoValue) {   // comes with each emitted vertex
      out.outputs.push_back(words);
      continue;
    }
    std::copy_n(memory[executable.output_slot(static_cast<uint32_t>(k))].words, kBlockLanes, words.begin());
    out.outputs.push_back(words);
  }
  return out;
}

BlockOutput run_block(const ir::Program& program, const BlockInput& in, SimdTarget simd) {
  return run_block(*make_interpreter(std::make_shared<ir::Program>(program), simd), in);
}

}  // namespace tessera::tests
