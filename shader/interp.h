// shader/interp.h: the inside of the interpreter, shared by the code that writes its steps and the steps themselves.
//
// A program becomes a list of *steps*; each works on all 64 lanes of a block before the next begins, so that its
// dispatch is paid once in 64. A step is the address of a function (two words) and its operands, one word each:
// places (slot * 64: words from the start of the slot file), masks, positions in the code, immediates.
// Masks: bit i is lane i. Masks that outlive a step are 64-bit words at the end of the slot file, named by number.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "shader/executor.h"

namespace tessera::interp {

using Code = const uint32_t*;

// Back-edges taken by each lane: each word holds one bit of all 64 counters, so that adding 1 touches two words on average.
struct TurnCounters {
  std::array<uint64_t, 32> bit{};
  uint32_t largest = 0;            // no counter is above this

  // Adds 2^k to the lanes in `lanes`.
  void carry_from(size_t k, uint64_t lanes);
  // Adds 1 to the lanes in `lanes`; true when one of them is now above `limit`.
  bool add(uint64_t lanes, uint32_t limit);
};

// What a running block carries besides its slots.
struct Run {
  uint64_t exec = 0;               // lanes that run
  uint64_t live = 0;               // lanes that are no helpers
  uint64_t wanted = ~0ull;         // quads that hold a live lane; the others stop running
  uint64_t* masks = nullptr;
  Code code = nullptr;             // start of the list: positions count from here
  const Bindings* bindings = nullptr;
  const ir::Program* program = nullptr;
  const PrimitiveVertices* vertices = nullptr;
  EmittedVertices* emitted = nullptr;
  uint32_t budget = 0;
  bool over_budget = false;
  bool stops_at_barriers = false;
  Code waiting_at = nullptr;       // what is behind the barrier that the block has stopped at
  TurnCounters turns;

  void begin(const ir::Program& of, const BlockArgs& args);
  // At a barrier: `position` is the executor's own name of the place to go on at.
  void suspend(uint32_t position, BlockState& state) const;
  void resume(const BlockState& state);
};

// Runs one step; returns the next one, or null at the end. `at` points behind the function's address.
using Step = Code (*)(Code at, uint32_t* slots, Run& run);

// A chain of fused.def as a step.
struct FusedLink {
  ir::Op op;
  uint8_t operand;                 // which one the result of the link before is
};
struct FusedStep {
  std::array<FusedLink, 4> links;
  uint8_t count;
  Step step;
  Step zero_wins;                  // the same with FMulZ for FMul and FFmaZ for FFma
};
// The Ifs whose condition is a comparison of two operands; null: not of this operation.
struct CompareSteps {
  Step begin_if = nullptr, begin_half_if = nullptr;
};

// Behind each step: its operands, in order. A place counts words from the start of the slot file, a mask is its number,
// a position counts words from the start of the code.
struct StepTable {
  // Results, operands (places), then the immediate if there is one. Memory operations: before them the result count.
  std::array<Step, ir::kOpCount> op{};

  // place, slots: sets them to 0
  Step clear = nullptr;
  // count, then (to, from) each: in all lanes
  Step copy = nullptr;
  // count, pairs: in running lanes
  Step copy_running = nullptr;
  // mask, count, pairs: in running lanes, and in the lanes of their quads that are not in the mask
  Step copy_arriving = nullptr;
  // the result, operands of the links in order without those that are carried
  std::span<const FusedStep> fused;
  // three results, a, three factors: the factors times 1 / sqrt(a)
  Step scale = nullptr;
  // three results, six operands, three factors: the same for the dot product of operands 0, 2, 4 and 1, 3, 5
  Step normalize = nullptr;
  // both with FMulZ for FMul and FFmaZ for FFma
  Step scale_zero_wins = nullptr, normalize_zero_wins = nullptr;
  // by operation. Two operands to compare, then as the two below
  std::array<CompareSteps, ir::kOpCount> compare{};
  // condition, mask for the lanes of the other half, position of the other half
  Step begin_if = nullptr;
  // the same for an empty other half: position behind the end
  Step begin_half_if = nullptr;
  // mask for the lanes that are through, mask of the lanes of the other half, position of the end
  Step begin_else = nullptr;
  // mask of the lanes that wait here, position to go to if no lane runs on
  Step join = nullptr;
  // mask to wait in
  Step leave = nullptr;
  // mask: empties it
  Step open = nullptr;
  // mask of exits, mask of the lanes that wait for the next turn, position of the loop's head, position if no lane runs on
  Step next_turn = nullptr;
  Step end = nullptr;
};
const StepTable& step_table(SimdTarget simd);

inline constexpr uint32_t kStepWords = sizeof(Step) / sizeof(uint32_t);
inline constexpr uint32_t kMaxOperands = 4;     // of an operation with one result
inline constexpr uint32_t kNoPlace = ~0u;      // Texture: the operand is absent
inline constexpr uint32_t kMasksInSlot = kBlockLanes * sizeof(uint32_t) / sizeof(uint64_t);

// The result of one pure operation without an immediate, on words: what folding constants uses.
uint32_t evaluate(ir::Op op, std::span<const uint32_t> args);

// ---- where values live (interp_slots.cpp) --------------------------------------------------------------------------

struct Slots {
  std::vector<uint32_t> of_value;        // by value: its slot; kNoSlot: it lives only while uniforms are computed
  std::vector<bool> is_uniform;          // by value: the same in all lanes of a draw
  std::vector<ir::ValueId> uniforms;     // values of slots 0 ... uniforms.size() - 1
  std::vector<uint32_t> of_array;        // first slot of each private array
  uint32_t scratch = 0;                  // for exchanging values
  uint32_t count = 0;                    // without the slots of masks
};
inline constexpr uint32_t kNoSlot = ~0u;
Slots assign_slots(const ir::Program& program);

// ---- the steps of a program (interp_code.cpp) -----------------------------------------------------------------------

struct InstrMark { uint32_t position, instr; };   // the step at `position` begins instruction `instr`

struct Listing {
  std::vector<uint32_t> code;
  std::vector<InstrMark> marks;          // in order of positions; none in fused code
  uint32_t end = 0;                      // position of the last step, `end`
  uint32_t masks = 0;
  bool is_empty = false;                 // nothing but the end
};
// Fusing is Off where every instruction is to be seen: then the listing has marks.
enum class Fusing : uint8_t { On, Off };
Listing write_steps(const ir::Program& program, const Slots& slots, const StepTable& steps, Fusing fusing);
// Copies of a block's words from place to place.
struct Copy { uint32_t to, from; };
// Orders copies that happen at once so that none overwrites what a later one reads; a cycle goes through `scratch`.
std::vector<Copy> in_order(std::vector<Copy> copies, uint32_t scratch);
// The steps that compute uniform values: value Slots::uniforms[k] ends up in slot k of `slot_count` slots.
Listing write_uniform_steps(const ir::Program& program, const Slots& slots, const StepTable& steps, uint32_t& slot_count);

// The uniform values of a program, for any executor whose slots are these.
class UniformSteps {
 public:
  UniformSteps(const ir::Program& program, const Slots& slots, const StepTable& steps);
  // As Executable's.
  void run(const ir::Program& program, const Bindings& bindings, std::span<uint32_t> words) const;
  static void load(std::span<const uint32_t> words, uint32_t* slots);

 private:
  Listing listing_;
  uint32_t slot_count_ = 0;
};
// By index into Program::outputs; kNoSlot: it has none.
std::vector<uint32_t> output_slots(const ir::Program& program, const Slots& slots);

}  // namespace tessera::interp
