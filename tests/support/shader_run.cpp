#include "tests/support/shader_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <stdexcept>

#include "shader/jit.h"
#include "shader/print.h"
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

namespace {

bool is_nan(uint32_t word) { return (word & 0x7fffffffu) > 0x7f800000u; }

// Empty: none in the lanes that are left.
std::string difference(const BlockOutput& a, const BlockOutput& b, uint64_t exec) {
  if (a.result.over_budget || b.result.over_budget)
    return a.result.over_budget == b.result.over_budget ? "" : "only one is over its budget";
  if (a.result.live != b.result.live) return "other lanes are left";
  for (size_t k = 0; k < a.outputs.size(); ++k)
    for (uint32_t lane = 0; lane < kBlockLanes; ++lane) {
      const uint32_t x = a.outputs[k][lane], y = b.outputs[k][lane];
      if ((a.result.live & exec) >> lane & 1 && x != y && !(is_nan(x) && is_nan(y)))
        return fmt::format("output {}, lane {}: {:08x} and {:08x}", k, lane, x, y);
    }
  return {};
}

bool is_repeatable(const ir::Program& program) {
  return !program.writes_memory &&
         std::ranges::none_of(program.code, [](const ir::Instr& i) { return i.op == ir::Op::Clock; });
}

}  // namespace

std::string ExecutorChoice::name() const {
  return fmt::format("{} {}", executor_name(kind), simd_target_name(simd));
}

std::vector<ExecutorChoice> executor_choices() {
  std::vector<ExecutorChoice> choices;
  for (const SimdTarget simd : available_simd_targets()) choices.push_back({ExecutorKind::Interpreter, simd});
  if (executor_that_runs(ExecutorKind::Jit, best_simd_target()) == ExecutorKind::Jit)
    choices.push_back({ExecutorKind::Jit, best_simd_target()});
  return choices;
}

std::shared_ptr<const Executable> make(const ExecutorChoice& choice, std::shared_ptr<const ir::Program> program) {
  return make_executable(choice.kind, std::move(program), choice.simd);
}

BlockOutput run_block(const ir::Program& program, const BlockInput& in, SimdTarget simd) {
  const auto shared = std::make_shared<const ir::Program>(program);
  const BlockOutput out = run_block(*make_interpreter(shared, simd), in);
  if (in.emitted || !is_repeatable(program)) return out;
  if (const auto jit = make_jit(shared))
    if (const std::string found = difference(out, run_block(*jit, in), in.exec); !found.empty())
      throw std::runtime_error("machine code and interpreter differ: " + found + "\n" + ir::print(program));
  return out;
}

}  // namespace tessera::tests
