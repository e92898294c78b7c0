#include "shader/passes/passes.h"
#include "shader/passes/rewrite.h"
#include "shader/regions.h"

namespace tessera::ir {
namespace {

// Whether an output's bits show. Colours and depths are converted by the target's format, which knows one NaN;
// positions go through arithmetic.
bool shows_bits(Stage stage, Semantic semantic) {
  if (stage == Stage::Fragment) return semantic != Semantic::Color && semantic != Semantic::Position;
  return semantic != Semantic::Position;
}

// Texture coordinates, references, LODs and derivatives are floats but for Fetch and QuerySize; offsets are integers.
bool shows_bits(const TextureOp& t, uint32_t arg) {
  return t.kind == TextureKind::Fetch || t.kind == TextureKind::QuerySize || arg >= tex_arg::Offset;
}

// Walks from where bits show back through operations that copy them, to the arithmetic that made them.
class Canonicalizer {
 public:
  explicit Canonicalizer(Program& p)
      : p_(p),
        regions_(map_regions(p)),
        defined_at_(find_definitions(p)),
        shows_(p.value_count, false),
        jumps_(p.code.size()),
        stores_(p.private_arrays.size()) {
    for (uint32_t at = 0; at < p.code.size(); ++at) {
      const Instr& i = p.code[at];
      if (i.op == Op::Exit || i.op == Op::Again) jumps_[regions_.begin[at]].push_back(at);
      if (i.op == Op::ArrayStore) stores_[i.imm].push_back(at);
    }
  }

  void run() {
    for (const Output& o : p_.outputs)
      if (shows_bits(p_.stage, o.semantic)) show(o.value);
    for (const Instr& i : p_.code) show_operands(i);
    while (!pending_.empty()) {
      const ValueId v = pending_.back();
      pending_.pop_back();
      show_sources(v);
    }
    insert();
  }

 private:
  void show(ValueId v) {
    if (v == kNoValue || shows_[v]) return;
    shows_[v] = true;
    pending_.push_back(v);
  }

  void show_arg(uint32_t at, uint32_t k) {
    if (p_.code[at].arg_count > 0) show(p_.args[p_.code[at].first_arg + k]);
  }

  // Operands whose bits the instruction itself looks at. A condition only asks whether any bit is set.
  void show_operands(const Instr& i) {
    const OpInfo& info = op_info(i.op);
    if (info.is(trait::Region | trait::Copy) || i.op == Op::ArrayStore) {
      if (i.op == Op::ArrayStore) show(p_.args[i.first_arg]);
      return;
    }
    if (i.op == Op::Texture) {
      for (uint32_t k = 0; k < i.arg_count; ++k)
        if (shows_bits(p_.texture_ops[i.imm], k)) show(p_.args[i.first_arg + k]);
      return;
    }
    if (info.is(trait::ImmMemory)) {
      for (const ValueId v : args_of(p_, i)) show(v);
      return;
    }
    if (i.op == Op::Emit) {
      show(p_.args[i.first_arg]);
      for (uint32_t k = 1; k < i.arg_count; ++k)
        if (shows_bits(p_.stage, p_.outputs[k - 1].semantic)) show(p_.args[i.first_arg + k]);
      return;
    }
    uint32_t word = i.first_arg;
    for (uint32_t k = 0; k < info.operand_count; ++k)
      for (uint32_t n = words_of(info.operands[k]); n > 0; --n, ++word)
        if (info.operands[k] != Type::F32 && info.operands[k] != Type::Bool) show(p_.args[word]);
  }

  // Where the bits of a value that shows come from.
  void show_sources(ValueId v) {
    const uint32_t at = defined_at_[v], k = v - p_.code[at].result;
    const Instr& i = p_.code[at];
    if (op_info(i.op).is(trait::Copy))
      for (uint32_t arg = i.op == Op::Select ? 1 : 0; arg < i.arg_count; ++arg) show_arg(at, arg);
    if (i.op == Op::ArrayLoad)
      for (const uint32_t store : stores_[i.imm]) show_arg(store, 1);
    if (i.op == Op::EndIf) show_arg(regions_.else_of[regions_.begin[at]], k), show_arg(at, k);
    if (i.op == Op::EndBlock) show_arg(at, k), show_jumps(regions_.begin[at], Op::Exit, k);
    if (i.op == Op::EndLoop) show_jumps(regions_.begin[at], Op::Exit, k);
    if (i.op == Op::Loop) show_arg(at, k), show_arg(regions_.end[at], k), show_jumps(at, Op::Again, k);
  }

  void show_jumps(uint32_t begin, Op op, uint32_t k) {
    for (const uint32_t jump : jumps_[begin])
      if (p_.code[jump].op == op) show_arg(jump, k);
  }

  // Puts FCanon behind each arithmetic operation whose result shows, for all who use it.
  void insert() {
    std::vector<Instr> code;
    const uint32_t old_values = p_.value_count;
    std::vector<ValueId> canonical_of(old_values);
    for (ValueId v = 0; v < old_values; ++v) canonical_of[v] = v;
    std::vector<ValueId> raw;
    for (const Instr& i : p_.code) {
      code.push_back(i);
      if (!op_info(i.op).is(trait::Arith) || !shows_[i.result]) continue;
      Instr canon;
      canon.op = Op::FCanon;
      canon.loc = i.loc;
      canon.result_count = canon.arg_count = 1;
      canon.result = canonical_of[i.result] = p_.value_count++;
      raw.push_back(i.result);
      code.push_back(canon);
    }
    for (ValueId& v : p_.args)
      if (v != kNoValue) v = canonical_of[v];
    for (Output& o : p_.outputs)
      if (o.value != kNoValue) o.value = canonical_of[o.value];
    size_t next = 0;
    for (Instr& i : code)
      if (i.op == Op::FCanon && i.result >= old_values) {
        i.first_arg = static_cast<uint32_t>(p_.args.size());
        p_.args.push_back(raw[next++]);
      }
    p_.code = std::move(code);
    renumber(p_);
  }

  Program& p_;
  RegionMap regions_;
  std::vector<uint32_t> defined_at_;
  std::vector<bool> shows_;
  std::vector<ValueId> pending_;
  std::vector<std::vector<uint32_t>> jumps_;    // by Block or Loop: the Exits and Agains to it
  std::vector<std::vector<uint32_t>> stores_;   // by private array
};

}  // namespace

void canonicalize_nans(Program& p) { Canonicalizer(p).run(); }

}  // namespace tessera::ir
