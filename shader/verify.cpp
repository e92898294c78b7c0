#include "shader/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

namespace tessera::ir {
namespace {

constexpr size_t kMaxDiags = 20;

struct Region {
  Op op{};                       // If, Else, Block, Loop
  uint32_t id = 0;               // imm of a Block or Loop
  size_t begin = 0;              // instruction
  bool entered = true;           // its begin is reachable
  bool first_half_reachable = false;
  uint32_t first_half_values = 0;
  size_t visible_values = 0;     // values that were visible when it was opened
  std::vector<uint32_t> exit_values;   // operand counts of the jumps that leave it
};

class Verifier {
 public:
  explicit Verifier(const Program& p) : p_(p), defined_(p.value_count, false), visible_(p.value_count, false) {}

  Status run() {
    for (at_ = 0; at_ < p_.code.size() && diags_.size() < kMaxDiags; ++at_) instruction(p_.code[at_]);
    if (!regions_.empty()) fail("a region is not closed");
    for (const Output& o : p_.outputs) {
      if (o.component > 3) fail(fmt::format("an output has component {}; there are 4", o.component));
      if (o.value == kNoValue && (p_.stage == Stage::Geometry || p_.stage == Stage::TessCtrl)) continue;
      if (o.value >= p_.value_count || !visible_[o.value])
        fail(fmt::format("output value %{} is not defined at the outermost level", o.value));
    }
    for (const Input& i : p_.inputs)
      if (i.component > 3) fail(fmt::format("an input has component {}; there are 4", i.component));
    for (const TextureOp& t : p_.texture_ops)
      if (t.binding >= p_.texture_bindings.size())
        fail(fmt::format("a texture operation names binding {} of {}", t.binding, p_.texture_bindings.size()));
    if (diags_.empty()) return Done{};
    return std::move(diags_);
  }

 private:
  void fail(std::string text) {
    diags_.push_back(error_at({static_cast<uint32_t>(std::min(at_, p_.code.size()) + 1), 1}, std::move(text)));
  }

  void instruction(const Instr& i) {
    if (static_cast<size_t>(i.op) >= kOpCount) return fail("the opcode is unknown");
    const OpInfo& info = op_info(i.op);
    if (size_t{i.first_arg} + i.arg_count > p_.args.size()) return fail("operands lie outside of the program's list");
    if (!reachable_ && !closes_region(i.op)) fail(fmt::format("{} follows a jump; a region's end is expected", info.name));
    check_args(i);
    check_imm(i, info);
    if (!info.is(trait::Variadic)) {
      if (i.arg_count != info.arg_words)
        fail(fmt::format("{} takes {} operands, found {}", info.name, info.arg_words, i.arg_count));
      if (i.result_count != words_of(info.result))
        fail(fmt::format("{} has {} results, found {}", info.name, words_of(info.result), i.result_count));
    }
    if (i.op == Op::Texture) {
      if (i.arg_count != tex_arg::Count)
        fail(fmt::format("Texture takes {} operands, found {}", tex_arg::Count + 0, i.arg_count));
      if (i.result_count != 4) fail(fmt::format("Texture has 4 results, found {}", i.result_count));
    }
    if (info.is(trait::ImmMemory) && i.imm < p_.memory_ops.size()) check_memory(i, p_.memory_ops[i.imm]);
    if (i.op == Op::Emit && i.arg_count != 1 + p_.outputs.size())
      fail(fmt::format("Emit takes a stream and {} words, found {} operands", p_.outputs.size(), i.arg_count));
    if (i.op == Op::Emit && i.result_count != 0) fail("Emit has no results");
    if (info.is(trait::Region)) region(i);
    define(i);
  }

  static bool closes_region(Op op) { return op == Op::Else || op == Op::EndIf || op == Op::EndBlock || op == Op::EndLoop; }

  void check_args(const Instr& i) {
    for (const ValueId v : args_of(p_, i)) {
      if (v == kNoValue && may_lack_operands(i.op)) continue;
      if (v >= p_.value_count || !defined_[v]) fail(fmt::format("operand %{} is not defined here", v));
      else if (!visible_[v]) fail(fmt::format("operand %{} is out of scope", v));
    }
  }

  void check_imm(const Instr& i, const OpInfo& info) {
    const auto below = [&](size_t count, std::string_view what) {
      if (i.imm >= count) fail(fmt::format("{} names {} {}; there are {}", info.name, what, i.imm, count));
    };
    if (info.is(trait::ImmInput)) below(p_.inputs.size(), "input");
    if (info.is(trait::ImmInput) && i.imm < p_.inputs.size() && p_.inputs[i.imm].per_vertex != (i.op == Op::VertexInput))
      fail(fmt::format("{} names input {}, which is {}one of each vertex", info.name, i.imm,
                       p_.inputs[i.imm].per_vertex ? "" : "not "));
    if (info.is(trait::ImmArray)) below(p_.private_arrays.size(), "private array");
    if (info.is(trait::ImmTexture)) below(p_.texture_ops.size(), "texture operation");
    if (info.is(trait::ImmMemory)) below(p_.memory_ops.size(), "memory operation");
    if (!info.is(trait::ImmMask) && i.imm != 0) fail(fmt::format("{} has no immediate, found {}", info.name, i.imm));
  }

  void check_memory(const Instr& i, const MemoryOp& m) {
    const std::string_view name = op_info(i.op).name;
    if (i.arg_count != mem_arg::Count) return fail(fmt::format("{} takes {} operands, found {}", name, mem_arg::Count + 0, i.arg_count));
    const bool is_image = m.space == MemorySpace::Image;
    const auto is_present = [&](uint32_t arg) { return args_of(p_, i)[arg] != kNoValue; };
    if (i.op != Op::MemSize && !is_present(mem_arg::X)) fail(fmt::format("{} has no address", name));
    if (i.op == Op::MemAtomic) {
      if (!is_present(mem_arg::Value)) fail("MemAtomic has no operand");
      if (is_present(mem_arg::Value + 1) != (m.atomic == AtomicKind::CompareExchange))
        fail("CompareExchange takes two operands, other atomic operations one");
    }
    const uint32_t most = i.op == Op::MemStore    ? 0
                          : i.op == Op::MemAtomic ? 1
                          : is_image              ? 4
                          : i.op == Op::MemSize   ? 1
                                                  : 4 - std::min<uint32_t>(m.first_word, 3);
    const uint32_t least = i.op == Op::MemLoad && !is_image ? 1 : most;
    if (i.result_count < least || i.result_count > most)
      fail(fmt::format("{} has {} to {} results here, found {}", name, least, most, i.result_count));
  }

  void define(const Instr& i) {
    for (uint32_t k = 0; k < i.result_count; ++k) {
      const ValueId v = i.result + k;
      if (v >= p_.value_count || defined_[v]) {
        fail(fmt::format("result %{} is defined twice or beyond the value count {}", v, p_.value_count));
        return;
      }
      defined_[v] = visible_[v] = true;
      order_.push_back(v);
    }
  }

  // ---- regions ----

  void open(const Instr& i) {
    Region r;
    r.op = i.op;
    r.id = i.imm;
    r.begin = at_;
    r.entered = reachable_;
    r.visible_values = order_.size();
    regions_.push_back(std::move(r));
  }

  void hide_from(size_t first) {
    while (order_.size() > first) {
      visible_[order_.back()] = false;
      order_.pop_back();
    }
  }

  Region* find(uint32_t id) {
    for (size_t k = regions_.size(); k-- > 0;)
      if (regions_[k].op != Op::If && regions_[k].op != Op::Else && regions_[k].id == id) return &regions_[k];
    return nullptr;
  }

  // Closes the innermost region if `i` may; hides its values.
  bool close(const Instr& i, Op opened_by, Region& out) {
    if (regions_.empty() || regions_.back().op != opened_by || (opened_by != Op::Else && regions_.back().id != i.imm)) {
      fail(fmt::format("{} closes no open region of its kind", op_info(i.op).name));
      return false;
    }
    out = std::move(regions_.back());
    regions_.pop_back();
    hide_from(out.visible_values);
    return true;
  }

  void expect_values(const Instr& i, uint32_t count, bool reached, std::string_view whose) {
    const uint32_t expected = reached ? count : 0;
    if (i.arg_count != expected)
      fail(fmt::format("{} hands on {} values, found {} ({})", op_info(i.op).name, expected, i.arg_count, whose));
  }

  void region(const Instr& i) {
    Region r;
    switch (i.op) {
      case Op::If:
        open(i);
        break;
      case Op::Block:
      case Op::Loop:
        if (find(i.imm)) fail(fmt::format("region {} is open twice", i.imm));
        if (i.op == Op::Loop && i.arg_count != i.result_count) fail("Loop has as many results as operands");
        open(i);
        break;
      case Op::Else:
        if (regions_.empty() || regions_.back().op != Op::If) return fail("Else is in no If");
        regions_.back().op = Op::Else;
        regions_.back().first_half_reachable = reachable_;
        regions_.back().first_half_values = i.arg_count;
        hide_from(regions_.back().visible_values);
        reachable_ = regions_.back().entered;
        break;
      case Op::EndIf:
        if (!close(i, Op::Else, r)) return;
        expect_values(i, i.result_count, reachable_, "results of EndIf");
        if (r.first_half_values != (r.first_half_reachable ? i.result_count : 0u))
          fail("Else hands on another number of values than EndIf has results");
        reachable_ = reachable_ || r.first_half_reachable;
        break;
      case Op::EndBlock:
        if (!close(i, Op::Block, r)) return;
        expect_values(i, i.result_count, reachable_, "results of EndBlock");
        check_exits(i, r);
        reachable_ = reachable_ || !r.exit_values.empty();
        break;
      case Op::EndLoop:
        if (!close(i, Op::Loop, r)) return;
        expect_values(i, p_.code[r.begin].result_count, reachable_, "results of Loop");
        check_exits(i, r);
        reachable_ = !r.exit_values.empty() || regions_.empty();
        break;
      case Op::Exit:
      case Op::Again:
        jump(i);
        break;
      default:
        break;
    }
  }

  void check_exits(const Instr& i, const Region& r) {
    for (const uint32_t count : r.exit_values)
      if (count != i.result_count)
        fail(fmt::format("an Exit hands on {} values; {} has {} results", count, op_info(i.op).name, i.result_count));
  }

  void jump(const Instr& i) {
    Region* target = find(i.imm);
    if (!target || (i.op == Op::Again && target->op != Op::Loop))
      return fail(fmt::format("{} names region {}, which is not open here", op_info(i.op).name, i.imm));
    if (i.op == Op::Exit) target->exit_values.push_back(i.arg_count);
    else expect_values(i, p_.code[target->begin].result_count, true, "results of Loop");
    reachable_ = false;
  }

  const Program& p_;
  std::vector<bool> defined_, visible_;
  std::vector<ValueId> order_;        // visible values in the order of their definitions
  std::vector<Region> regions_;
  std::vector<Diag> diags_;
  size_t at_ = 0;
  bool reachable_ = true;
};

}  // namespace

Status verify(const Program& program) { return Verifier(program).run(); }

}  // namespace tessera::ir
