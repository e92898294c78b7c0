// shader/interp_steps.cpp: the steps of the interpreter (interp.h), compiled once for each SIMD target.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "shader/interp_steps.cpp"
#include "hwy/foreach_target.h"

#include <bit>
#include <chrono>
#include <cstring>
#include <vector>

#include "core/sample_pattern.h"
#include "core/simd.h"
#include "shader/interp.h"
#include "shader/interp_block-inl.h"
#include "shader/interp_fused-inl.h"
#include "shader/interp_lanes-inl.h"
#include "shader/interp_memory-inl.h"
#include "shader/interp_wide-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {
namespace interp {

using namespace tessera::interp;

// ---- operations on lanes alone ---------------------------------------------------------------------------------------

// A formula on one vector as a step on a block. The result may lie in an operand's place: each vector is read first.
template <auto formula>
struct OnBlock;
template <class R, class... A, R (*formula)(A...)>
struct OnBlock<formula> {
  static Code step(Code at, uint32_t* slots, Run&) { return apply(at, slots, std::index_sequence_for<A...>()); }

  template <size_t... k>
  static HWY_INLINE Code apply(Code at, uint32_t* slots, std::index_sequence<k...>) {
    uint32_t* result = slots + at[0];
    const uint32_t* operand[] = {slots + at[1 + k]...};
    for (size_t first = 0; first < kBlockLanes; first += kBatch * kLanes) {
      R results[kBatch];
#pragma GCC unroll 8
      for (size_t v = 0; v < kBatch; ++v) results[v] = formula(load_as<A>(operand[k] + first + v * kLanes)...);
#pragma GCC unroll 8
      for (size_t v = 0; v < kBatch; ++v) store(as_u32(results[v]), result + first + v * kLanes);
    }
    return at + 1 + sizeof...(A);
  }
};

// A value of one lane in its slot, or in two: `at` is the first of its places.
template <class T>
HWY_INLINE T load_lane(const uint32_t* slots, Code at, size_t lane) {
  uint64_t bits = slots[at[0] + lane];
  if constexpr (sizeof(T) == 8) bits |= uint64_t{slots[at[1] + lane]} << 32;
  T value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}
template <class T>
HWY_INLINE void store_lane(T value, uint32_t* slots, Code at, size_t lane) {
  uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  slots[at[0] + lane] = static_cast<uint32_t>(bits);
  if constexpr (sizeof(T) == 8) slots[at[1] + lane] = static_cast<uint32_t>(bits >> 32);
}

// A formula on one lane as a step on a block.
template <auto formula>
struct OnLanes;
template <class R, class... A, R (*formula)(A...)>
struct OnLanes<formula> {
  static constexpr size_t kWords[] = {sizeof(R) / 4, sizeof(A) / 4 ...};
  static constexpr size_t first_word(size_t value) {
    size_t words = 0;
    for (size_t k = 0; k < value; ++k) words += kWords[k];
    return words;
  }

  static Code step(Code at, uint32_t* slots, Run&) { return apply(at, slots, std::index_sequence_for<A...>()); }

  template <size_t... k>
  static HWY_INLINE Code apply(Code at, uint32_t* slots, std::index_sequence<k...>) {
    for (size_t lane = 0; lane < kBlockLanes; ++lane)
      store_lane(formula(load_lane<A>(slots, at + first_word(1 + k), lane)...), slots, at, lane);
    return at + first_word(1 + sizeof...(A));
  }
};

template <class R, class... A>
constexpr bool works_on_lanes(R (*)(A...)) { return std::is_arithmetic_v<R>; }

// The step of a table entry: a formula on vectors or on one lane, or a step already.
template <auto entry>
constexpr Step step_of() {
  if constexpr (std::is_convertible_v<decltype(entry), Step>) return entry;
  else if constexpr (works_on_lanes(entry)) return &OnLanes<entry>::step;
  else return &OnBlock<entry>::step;
}

// In two rounds: one of them is a chain of operations half as long, of which the machine keeps twice as many at work.
Code interp_FPow(Code at, uint32_t* slots, Run&) {
  uint32_t* result = slots + at[0];
  const uint32_t *a = slots + at[1], *b = slots + at[2];
  alignas(64) uint32_t exponent[kBlockLanes];
  for (size_t lane = 0; lane < kBlockLanes; lane += kLanes)
    store(as_u32(pow_exponent(load_float(a + lane), load_float(b + lane))), exponent + lane);
  for (size_t lane = 0; lane < kBlockLanes; lane += kLanes)
    store(as_u32(ex2(load_float(exponent + lane))), result + lane);
  return at + 3;
}

Code interp_FMulZ(Code at, uint32_t* slots, Run& run) {
  return ZeroWins<Chain<Head<interp_FMul>>, Chain<Head<mul_zero_wins>>>::step(at, slots, run);
}
Code interp_FFmaZ(Code at, uint32_t* slots, Run& run) {
  return ZeroWins<Chain<Head<interp_FFma>>, Chain<Head<fma_zero_wins>>>::step(at, slots, run);
}

// ---- where values come from ------------------------------------------------------------------------------------------

Code interp_Const(Code at, uint32_t* slots, Run&) {
  fill(at[1], slots + at[0]);
  return at + 2;
}

// No step: the caller has filled the slot.
inline constexpr Step interp_Input = nullptr;

// Operands: the vertex numbers, the input.
Code interp_VertexInput(Code at, uint32_t* slots, Run& run) {
  const PrimitiveVertices* const vertices = run.vertices;
  const uint32_t word = vertices && at[2] < vertices->word_of_input.size() ? vertices->word_of_input[at[2]] : ~0u;
  uint32_t* result = slots + at[0];
  if (word == ~0u) {
    fill(0, result);
    return at + 3;
  }
  const uint32_t* number = slots + at[1];
  const uint64_t lanes = whole_quads(run.exec);
  for (size_t lane = 0; lane < kBlockLanes; ++lane) {
    const bool exists = (lanes >> lane & 1) != 0 && number[lane] < vertices->count;
    const size_t record = exists ? vertices->record[lane * vertices->count + number[lane]] : 0;
    result[lane] = exists ? vertices->words[record * vertices->stride + word] : 0;
  }
  return at + 3;
}

Code interp_LoadConst(Code at, uint32_t* slots, Run& run) {
  uint32_t* result = slots + at[0];
  const uint32_t* word = slots + at[1];
  const std::span<const ConstantBuffer> buffers = run.bindings->constants;
  const ConstantBuffer buffer = at[2] < buffers.size() ? buffers[at[2]] : ConstantBuffer{};
  if (all_lanes_equal(word)) fill(word[0] < buffer.count ? buffer.words[word[0]] : 0, result);
  else gather_block(buffer.words, buffer.count, 1, 0, word, result);
  return at + 3;
}

// Word w of an array is a slot of its own: operands are the array's place and its length.
Code interp_ArrayLoad(Code at, uint32_t* slots, Run&) {
  gather_block(slots + at[2], at[3], kBlockLanes, 1, slots + at[1], slots + at[0]);
  return at + 4;
}

Code interp_ArrayStore(Code at, uint32_t* slots, Run& run) {
  const uint32_t *word = slots + at[0], *value = slots + at[1];
  uint32_t* array = slots + at[2];
  for (uint64_t lanes = run.exec; lanes != 0; lanes &= lanes - 1) {
    const size_t lane = static_cast<size_t>(std::countr_zero(lanes));
    if (word[lane] < at[3]) array[word[lane] * kBlockLanes + lane] = value[lane];
  }
  return at + 4;
}

// ---- across the quad -------------------------------------------------------------------------------------------------

Code interp_VoteAny(Code at, uint32_t* slots, Run& run) {
  store_lanes(whole_quads(lanes_where_true(slots + at[1]) & run.exec), slots + at[0]);
  return at + 2;
}

Code interp_VoteAll(Code at, uint32_t* slots, Run& run) {
  store_lanes(~whole_quads(~lanes_where_true(slots + at[1]) & run.exec), slots + at[0]);
  return at + 2;
}

// result[lane] = of(operand words of the quad, running lanes of the quad, lane in the quad), for every lane.
template <class Of>
HWY_INLINE void on_quads(const uint32_t* operand, uint32_t* result, uint64_t exec, Of of) {
  for (size_t quad = 0; quad < kBlockLanes; quad += 4) {
    uint32_t words[4];
    std::memcpy(words, operand + quad, sizeof words);
    for (size_t lane = 0; lane < 4; ++lane)
      result[quad + lane] = of(words, static_cast<uint32_t>(exec >> quad & 15), quad + lane);
  }
}

struct TrueLanes {
  uint32_t operator()(const uint32_t* words, uint32_t exec, size_t) const {
    uint32_t lanes = 0;
    for (uint32_t k = 0; k < 4; ++k) lanes |= uint32_t{words[k] != 0} << k;
    return lanes & exec;
  }
};
struct FirstLane {
  uint32_t operator()(const uint32_t* words, uint32_t exec, size_t) const {
    return words[exec == 0 ? 0 : std::countr_zero(exec)];
  }
};
struct NamedLane {
  const uint32_t* number;
  uint32_t operator()(const uint32_t* words, uint32_t, size_t lane) const { return words[number[lane] & 3]; }
};

// The word of the first running lane of each quad, in all of its lanes.
HWY_INLINE void first_of_quads(const uint32_t* words, uint32_t* result, uint64_t exec) {
  if (whole_quads(exec) != exec) return on_quads(words, result, exec, FirstLane{});
  for (size_t lane = 0; lane < kBlockLanes; lane += kLanes) store(hn::Broadcast<0>(load(words + lane)), result + lane);
}

Code interp_VoteEq(Code at, uint32_t* slots, Run& run) {
  const uint32_t* words = slots + at[1];
  alignas(64) uint32_t first[kBlockLanes];
  first_of_quads(words, first, run.exec);
  uint64_t differ = 0;
  for (size_t v = 0; v < kVectorsInBlock; ++v)
    differ |= block_bits(not_equal(load(words + v * kLanes), load(first + v * kLanes)), v);
  store_lanes(~whole_quads(differ & run.exec), slots + at[0]);
  return at + 2;
}

Code interp_Ballot(Code at, uint32_t* slots, Run& run) {
  on_quads(slots + at[1], slots + at[0], run.exec, TrueLanes{});
  return at + 2;
}

Code interp_ReadFirst(Code at, uint32_t* slots, Run& run) {
  first_of_quads(slots + at[1], slots + at[0], run.exec);
  return at + 2;
}

Code interp_ReadLane(Code at, uint32_t* slots, Run& run) {
  on_quads(slots + at[1], slots + at[0], run.exec, NamedLane{slots + at[2]});
  return at + 3;
}

Code interp_LaneInQuad(Code at, uint32_t* slots, Run&) {
  for (size_t lane = 0; lane < kBlockLanes; lane += kLanes)
    store((lane_numbers() + splat(static_cast<uint32_t>(lane))) & splat(3u), slots + at[0] + lane);
  return at + 1;
}

Code interp_IsHelper(Code at, uint32_t* slots, Run& run) {
  store_lanes(~run.live, slots + at[0]);
  return at + 1;
}

Code interp_KillIf(Code at, uint32_t* slots, Run& run) {
  run.live &= ~(lanes_where_true(slots + at[0]) & run.exec);
  run.wanted = whole_quads(run.live);
  run.exec &= run.wanted;
  return run.live != 0 ? at + 1 : nullptr;
}

// Two results: a 64-bit number, low word first.
Code interp_Clock(Code at, uint32_t* slots, Run&) {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  const auto time_ns = static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
  fill(static_cast<uint32_t>(time_ns), slots + at[0]);
  fill(static_cast<uint32_t>(time_ns >> 32), slots + at[1]);
  return at + 2;
}

HWY_INLINE float interp_SamplePosX(uint32_t samples, uint32_t sample) {
  return sample_position(sample_offset(samples, sample).x_fx4);
}
HWY_INLINE float interp_SamplePosY(uint32_t samples, uint32_t sample) {
  return sample_position(sample_offset(samples, sample).y_fx4);
}

// Operands: the stream, then the words of the vertex.
Code interp_Emit(Code at, uint32_t* slots, Run& run) {
  const size_t count = run.program->outputs.size();
  if (run.emitted) {
    std::vector<const uint32_t*> words(count);
    for (size_t k = 0; k < count; ++k) words[k] = slots + at[1 + k];
    run.emitted->emit(run.exec & run.live, slots + at[0], words);
  }
  return at + 1 + count;
}

Code interp_EndPrimitive(Code at, uint32_t* slots, Run& run) {
  if (run.emitted) run.emitted->end_primitive(run.exec & run.live, slots + at[0]);
  return at + 1;
}

// Operands: four results, tex_arg::Count operands or kNoPlace, the texture operation.
Code interp_Texture(Code at, uint32_t* slots, Run& run) {
  const auto operand = [&](uint32_t k) { return at[4 + k] != kNoPlace ? slots + at[4 + k] : nullptr; };
  SampleArgs args;
  args.op = &run.program->texture_ops[at[4 + ir::tex_arg::Count]];
  for (uint32_t k = 0; k < 4; ++k) args.coord[k] = operand(ir::tex_arg::S + k);
  args.ref = operand(ir::tex_arg::Ref);
  args.lod = operand(ir::tex_arg::Lod);
  for (uint32_t k = 0; k < 3; ++k) {
    args.ddx[k] = operand(ir::tex_arg::Ddx + k);
    args.ddy[k] = operand(ir::tex_arg::Ddy + k);
    args.offset[k] = operand(ir::tex_arg::Offset + k);
  }
  for (uint32_t k = 0; k < 4; ++k) args.out[k] = slots + at[k];
  args.exec = whole_quads(run.exec);
  const std::span<const void* const> textures = run.bindings->textures;
  const void* texture = args.op->binding < textures.size() ? textures[args.op->binding] : nullptr;
  if (args.exec != 0) run.bindings->services.sample(texture, args);
  return at + 5 + ir::tex_arg::Count;
}

// ---- copies ----------------------------------------------------------------------------------------------------------

Code clear(Code at, uint32_t* slots, Run&) {
  std::memset(slots + at[0], 0, size_t{at[1]} * kBlockLanes * sizeof(uint32_t));
  return at + 2;
}

Code copy(Code at, uint32_t* slots, Run&) {
  const uint32_t count = at[0];
  for (uint32_t k = 0; k < count; ++k) {
    uint32_t* to = slots + at[1 + 2 * k];
    const uint32_t* from = slots + at[2 + 2 * k];
    for (size_t lane = 0; lane < kBlockLanes; lane += kLanes) store(load(from + lane), to + lane);
  }
  return at + 1 + 2 * count;
}

// `at` points to the count of pairs. A vector goes through all of them before the next one: its mask is made once.
HWY_INLINE Code copy_lanes(Code at, uint32_t* slots, Run& run, uint64_t lanes) {
  if (lanes == ~0ull) return copy(at, slots, run);
  const uint32_t count = at[0];
  for (size_t v = 0; lanes != 0 && v < kVectorsInBlock; ++v) {
    const Maskx mask = mask_of_block(lanes, v);
    for (uint32_t k = 0; k < count; ++k) {
      uint32_t* to = slots + at[1 + 2 * k] + v * kLanes;
      const uint32_t* from = slots + at[2 + 2 * k] + v * kLanes;
      store(select(mask, load(from), load(to)), to);
    }
  }
  return at + 1 + 2 * count;
}

Code copy_running(Code at, uint32_t* slots, Run& run) { return copy_lanes(at, slots, run, run.exec); }

Code copy_arriving(Code at, uint32_t* slots, Run& run) {
  return copy_lanes(at + 1, slots, run, run.exec | (whole_quads(run.exec) & ~run.masks[at[0]]));
}

// ---- control flow ----------------------------------------------------------------------------------------------------

Code begin_if(Code at, uint32_t* slots, Run& run) { return enter_if(lanes_where_true(slots + at[0]), at + 1, run); }

Code begin_half_if(Code at, uint32_t* slots, Run& run) {
  return enter_half_if(lanes_where_true(slots + at[0]), at + 1, run);
}

Code begin_else(Code at, uint32_t*, Run& run) {
  run.masks[at[0]] = run.exec;
  run.exec = run.masks[at[1]] & run.wanted;
  return run.exec != 0 ? at + 3 : run.code + at[2];
}

Code join(Code at, uint32_t*, Run& run) {
  run.exec = (run.exec | run.masks[at[0]]) & run.wanted;
  return run.exec != 0 ? at + 2 : run.code + at[1];
}

Code leave(Code at, uint32_t*, Run& run) {
  run.masks[at[0]] |= run.exec;
  run.exec = 0;
  return at + 1;
}

Code open(Code at, uint32_t*, Run& run) {
  run.masks[at[0]] = 0;
  return at + 1;
}

Code next_turn(Code at, uint32_t*, Run& run) {
  run.exec = (run.exec | run.masks[at[1]]) & run.wanted;
  run.masks[at[1]] = 0;
  if (run.exec == 0) {
    run.exec = run.masks[at[0]] & run.wanted;
    return run.exec != 0 ? at + 4 : run.code + at[3];
  }
  if (run.budget != 0 && run.turns.add(run.exec, run.budget)) {
    run.over_budget = true;
    return nullptr;
  }
  return run.code + at[2];
}

Code end(Code, uint32_t*, Run&) { return nullptr; }

// The regions are written as the steps above.
inline constexpr Step interp_If = nullptr, interp_Else = nullptr, interp_EndIf = nullptr, interp_Block = nullptr,
                      interp_EndBlock = nullptr, interp_Loop = nullptr, interp_EndLoop = nullptr, interp_Exit = nullptr,
                      interp_Again = nullptr;

// ---- the tables -----------------------------------------------------------------------------------------------------

template <auto formula>
constexpr CompareSteps compare() { return {&Compare<formula>::begin_if, &Compare<formula>::begin_half_if}; }

constexpr std::array<CompareSteps, ir::kOpCount> compare_steps() {
  std::array<CompareSteps, ir::kOpCount> steps{};
  const auto set = [&](ir::Op op, CompareSteps of_op) { steps[static_cast<size_t>(op)] = of_op; };
  set(ir::Op::FLt, compare<interp_FLt>());
  set(ir::Op::FGe, compare<interp_FGe>());
  set(ir::Op::FEq, compare<interp_FEq>());
  set(ir::Op::FNe, compare<interp_FNe>());
  set(ir::Op::ILt, compare<interp_ILt>());
  set(ir::Op::IGe, compare<interp_IGe>());
  set(ir::Op::ULt, compare<interp_ULt>());
  set(ir::Op::UGe, compare<interp_UGe>());
  set(ir::Op::IEq, compare<interp_IEq>());
  set(ir::Op::INe, compare<interp_INe>());
  return steps;
}

// The operations of fused.def by name; where zero wins, with plain products and with exact ones.
template <ir::Op op>
struct Formula;
#define TESSERA_FORMULA(name, with_plain, with_exact) \
  template <>                                         \
  struct Formula<ir::Op::name> { static constexpr auto value = interp_##name, plain = with_plain, exact = with_exact; };
TESSERA_FORMULA(FMul, interp_FMul, mul_zero_wins)
TESSERA_FORMULA(FAdd, interp_FAdd, interp_FAdd)
TESSERA_FORMULA(FSub, interp_FSub, interp_FSub)
TESSERA_FORMULA(FFma, interp_FFma, fma_zero_wins)
TESSERA_FORMULA(FMax, max_or_nan, interp_FMax)
TESSERA_FORMULA(FMin, min_or_nan, interp_FMin)
#undef TESSERA_FORMULA

template <ir::Op first, FusedLink... links>
constexpr FusedStep fused() {
  using Plain = Chain<Head<Formula<first>::plain>, Link<Formula<links.op>::plain, links.operand>...>;
  using Exact = Chain<Head<Formula<first>::exact>, Link<Formula<links.op>::exact, links.operand>...>;
  return {{FusedLink{first, 0}, links...}, 1 + sizeof...(links),
          &Chain<Head<Formula<first>::value>, Link<Formula<links.op>::value, links.operand>...>::step,
          &ZeroWins<Plain, Exact>::step};
}

constexpr FusedStep kFused[] = {
#define LINK(op, operand) FusedLink{ir::Op::op, operand}
#define FUSED2(first, a) fused<ir::Op::first, LINK a>(),
#define FUSED3(first, a, b) fused<ir::Op::first, LINK a, LINK b>(),
#define FUSED4(first, a, b, c) fused<ir::Op::first, LINK a, LINK b, LINK c>(),
#include "shader/fused.def"
#undef LINK
#undef FUSED2
#undef FUSED3
#undef FUSED4
};

extern const StepTable kSteps;
const StepTable kSteps = {
    .op = {
#define OP(name, ...) step_of<interp_##name>(),
#include "shader/opcodes.def"
#undef OP
    },
    .clear = clear,
    .copy = copy,
    .copy_running = copy_running,
    .copy_arriving = copy_arriving,
    .fused = kFused,
    .scale = Scale<Word>::step,
    .normalize = Scale<Dot3>::step,
    .scale_zero_wins = ScaleZeroWins<Word>::step,
    .normalize_zero_wins = ScaleZeroWins<Dot3>::step,
    .compare = compare_steps(),
    .begin_if = begin_if,
    .begin_half_if = begin_half_if,
    .begin_else = begin_else,
    .join = join,
    .leave = leave,
    .open = open,
    .next_turn = next_turn,
    .end = end,
};

}  // namespace interp
}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tessera::interp {

void TurnCounters::carry_from(size_t k, uint64_t lanes) {
  for (; k < bit.size() && lanes != 0; ++k) {
    const uint64_t carry = bit[k] & lanes;
    bit[k] ^= lanes;
    lanes = carry;
  }
}

bool TurnCounters::add(uint64_t lanes, uint32_t limit) {
  carry_from(0, lanes);
  if (largest < limit) {
    ++largest;
    return false;
  }
  // Compare from the highest bit down: lanes that are above, and those that are still equal to the limit.
  uint64_t above = 0, equal = ~0ull;
  for (size_t k = bit.size(); k-- > 0;) {
    const uint64_t limit_bit = (limit >> k & 1) != 0 ? ~0ull : 0;
    above |= equal & bit[k] & ~limit_bit;
    equal &= ~(bit[k] ^ limit_bit);
  }
  return above != 0;
}

const StepTable& step_table(SimdTarget simd) { return TESSERA_DISPATCH(interp::kSteps, simd); }

}  // namespace tessera::interp
#endif
