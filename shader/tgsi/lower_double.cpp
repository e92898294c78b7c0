// shader/tgsi/lower_double.cpp: operations of the IR on 64-bit values, each a pair of channels; doubles taken apart and their
// signs. Channels xy hold the first value, zw the second, low word first.
#include "shader/tgsi/lowering.h"
#include "shader/tgsi/opcodes.h"

namespace tessera::tgsi {
namespace {

bool is_wide(char type) { return type == 'D' || type == 'L' || type == 'Q'; }

bool pair_enabled(const Lowering& l, uint32_t pair) { return l.enabled(2 * pair) || l.enabled(2 * pair + 1); }

// The words of all operands for one pair: two of a 64-bit one, else the one in channel `narrow`.
struct Words {
  Words(Lowering& l, uint32_t pair, uint32_t narrow) {
    const std::string_view types = opcode_info(l.inst().opcode).srcs;
    for (uint32_t i = 0; i < types.size(); ++i) {
      list[count++] = l.src(i, is_wide(types[i]) ? 2 * pair : narrow);
      if (is_wide(types[i])) list[count++] = l.src(i, 2 * pair + 1);
    }
  }
  std::span<const Value> span() const { return std::span(list).first(count); }

  std::array<Value, 6> list;                       // three operands at most
  size_t count = 0;
};

}  // namespace

void lower_pairs(Lowering& l, Op op, NarrowChannels narrow_channels) {
  const bool wide_result = is_wide(opcode_info(l.inst().opcode).dsts[0]);
  for (uint32_t pair = 0; pair < 2; ++pair) {
    const uint32_t narrow = narrow_channels == NarrowChannels::XY ? pair : 2 * pair;
    if (wide_result ? !pair_enabled(l, pair) : !l.enabled(narrow)) continue;
    std::array<Value, 2> results;
    l.b().op_multi(op, Words(l, pair, narrow).span(), 0, std::span(results).first(wide_result ? 2 : 1));
    l.set(wide_result ? 2 * pair : narrow, results[0]);
    if (wide_result) l.set(2 * pair + 1, results[1]);
  }
}

// Only the xy pair is taken apart: its significand goes to all pairs, its exponent to all channels of the second destination.
void lower_dfracexp(Lowering& l) {
  const Words a(l, 0, 0);
  std::array<Value, 2> significand;
  l.b().op_multi(Op::DMantissa, a.span(), 0, significand);
  for (uint32_t c = 0; c < 4; ++c) l.set(c, significand[c & 1]);
  Value exponent_v;
  l.b().op_multi(Op::DExponent, a.span(), 0, {&exponent_v, 1});
  l.set_second(exponent_v);
}

// The sign is the highest bit of the high word, where a float has it: the low word stays as it is.
static void change_sign(Lowering& l, Op op) {
  for (uint32_t c = 0; c < 4; ++c) {
    if (!l.enabled(c)) continue;
    const Value word = l.src(0, c);
    l.set(c, c & 1 ? l.b().op(op, {word}) : word);
  }
}

void lower_dabs(Lowering& l) { change_sign(l, Op::FAbs); }

void lower_dneg(Lowering& l) { change_sign(l, Op::FNeg); }

}  // namespace tessera::tgsi
