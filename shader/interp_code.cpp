#include <algorithm>
#include <array>
#include <cstring>
#include <unordered_map>
#include <utility>

#include "shader/interp.h"
#include "shader/regions.h"

namespace tessera::interp {
namespace {

using ir::Instr;
using ir::kNoValue;
using ir::Op;
using ir::op_info;
using ir::Program;
using ir::RegionMap;
using ir::ValueId;
namespace trait = ir::trait;

// A list under construction. Positions that are not known yet are filled in when their label is placed.
class Writer {
 public:
  explicit Writer(Listing& out) : out_(out) {}

  uint32_t position() const { return static_cast<uint32_t>(out_.code.size()); }
  void word(uint32_t w) { out_.code.push_back(w); }

  template <class... Words>
  void step(Step step, Words... words) {
    uint32_t address[kStepWords];
    std::memcpy(address, &step, sizeof step);
    out_.code.insert(out_.code.end(), address, address + kStepWords);
    (word(words), ...);
  }

  uint32_t new_label() {
    label_at_.push_back(0);
    return static_cast<uint32_t>(label_at_.size() - 1);
  }
  void place(uint32_t label) { label_at_[label] = position(); }
  void label(uint32_t label) {
    label_uses_.push_back({position(), label});
    word(0);
  }
  void resolve_labels() {
    for (const auto& [at, label] : label_uses_) out_.code[at] = label_at_[label];
  }

 private:
  struct Use { uint32_t at, label; };
  Listing& out_;
  std::vector<uint32_t> label_at_;
  std::vector<Use> label_uses_;
};

class ProgramWriter {
  static constexpr uint32_t kNone = ~0u;

 public:
  ProgramWriter(const Program& p, const Slots& slots, const StepTable& steps, Fusing fusing, Listing& out)
      : p_(p),
        slots_(slots),
        steps_(steps),
        fusing_(fusing),
        out_(out),
        w_(out),
        regions_(ir::map_regions(p)),
        open_(p.code.size()) {
    if (fusing == Fusing::On) count_uses();
  }

  void run() {
    end_ = w_.new_label();
    for (size_t k = 0; k < p_.private_arrays.size(); ++k)
      w_.step(steps_.clear, slots_.of_array[k] * kBlockLanes, p_.private_arrays[k]);
    for (uint32_t at = next_step(0); at < p_.code.size(); at = next_step(at + 1)) {
      const Instr& i = p_.code[at];
      if (fusing_ == Fusing::Off) out_.marks.push_back({w_.position(), at});
      if (op_info(i.op).is(trait::Region)) region(i, at);
      else if (fusing_ == Fusing::Off || !fuse(at)) operation(i);
    }
    out_.is_empty = out_.code.empty();
    out_.end = w_.position();
    w_.place(end_);
    w_.step(steps_.end);
    w_.resolve_labels();
    out_.masks = masks_;
  }

 private:
  // What an If, Block or Loop needs until its end.
  struct Open {
    uint32_t waiting = 0;      // mask: lanes that have arrived at the end
    uint32_t other = 0;        // mask: If: lanes of the other half; Loop: lanes for the next turn
    uint32_t head = 0;         // Loop: label of the first step of a turn
    uint32_t end = 0;          // label of the step that ends it, or the first half of an If
    uint32_t behind = 0;       // If without a second half: label behind its end
    bool is_half = false;      // If without a second half
  };

  uint32_t place(ValueId v) const { return slots_.of_value[v] * kBlockLanes; }

  void operation(const Instr& i) {
    w_.step(steps_.op[static_cast<size_t>(i.op)]);
    if (op_info(i.op).is(trait::ImmMemory)) w_.word(i.result_count);
    for (uint32_t k = 0; k < i.result_count; ++k) w_.word(place(i.result + k));
    for (const ValueId v : args_of(p_, i)) w_.word(v == kNoValue ? kNoPlace : place(v));
    const ir::OpInfo& info = op_info(i.op);
    if (info.is(trait::ImmArray)) {
      w_.word(slots_.of_array[i.imm] * kBlockLanes);
      w_.word(p_.private_arrays[i.imm]);
    } else if (info.is(trait::ImmMask)) {
      w_.word(i.imm);
    }
  }

  // ---- several operations in one step ----

  // The first instruction from `at` on that is a step in this list.
  uint32_t next_step(uint32_t at) const {
    const auto has_none = [&](const Instr& i) {
      return i.op == Op::Input || (i.result_count > 0 && slots_.is_uniform[i.result]);
    };
    while (at < p_.code.size() && has_none(p_.code[at])) ++at;
    return at;
  }

  void count_uses() {
    uses_.assign(p_.value_count, 0);
    for (const Instr& i : p_.code)
      for (const ValueId v : args_of(p_, i))
        if (v != kNoValue) ++uses_[v];
    for (const ir::Output& o : p_.outputs)
      if (o.value != kNoValue) ++uses_[o.value];
  }

  // Writes the longest chain that begins at `at`, or leaves a comparison to the If behind it.
  bool fuse(uint32_t& at) {
    if (const uint32_t next = next_step(at + 1); is_asked_only_by(next, at) && p_.code[next].op == Op::If &&
                                                 steps_.compare[static_cast<size_t>(p_.code[at].op)].begin_if) {
      comparison_ = at;
      return true;
    }
    if (write_scaling(at)) return true;
    for (const FusedStep& candidate : steps_.fused)
      for (const Products products : {Products::Plain, Products::ZeroWins})
        if (form(candidate.links[0].op, products) == p_.code[at].op && write_chain(candidate, products, at)) return true;
    return false;
  }

  // Which form of FMul and FFma a chain has.
  enum class Products : uint8_t { Plain, ZeroWins };
  static Op form(Op op, Products products) {
    if (products == Products::Plain) return op;
    return op == Op::FMul ? Op::FMulZ : op == Op::FFma ? Op::FFmaZ : op;
  }

  bool is_asked_only_by(uint32_t next, uint32_t at) const {
    if (next >= p_.code.size() || p_.code[at].result_count != 1 || uses_[p_.code[at].result] != 1) return false;
    const auto args = args_of(p_, p_.code[next]);
    return std::ranges::find(args, p_.code[at].result) != args.end();
  }

  // A chain that begins at `at`: its last instruction, and the operands of all but those that are carried.
  bool match_chain(std::span<const FusedLink> links, Products products, uint32_t at, uint32_t& last,
                   std::vector<ValueId>& operands) const {
    operands.assign(args_of(p_, p_.code[at]).begin(), args_of(p_, p_.code[at]).end());
    last = at;
    for (const FusedLink& link : links.subspan(1)) {
      const uint32_t next = next_step(last + 1);
      if (!is_asked_only_by(next, last) || p_.code[next].op != form(link.op, products)) return false;
      std::vector<ValueId> args(args_of(p_, p_.code[next]).begin(), args_of(p_, p_.code[next]).end());
      if (!put_carried_at(link, p_.code[last].result, args)) return false;
      args.erase(args.begin() + link.operand);
      operands.insert(operands.end(), args.begin(), args.end());
      last = next;
    }
    return true;
  }

  // `at` moves to the chain's last instruction.
  bool write_chain(const FusedStep& chain, Products products, uint32_t& at) {
    std::vector<ValueId> operands;
    uint32_t last = at;
    if (!match_chain(std::span(chain.links).first(chain.count), products, at, last, operands)) return false;
    w_.step(products == Products::Plain ? chain.step : chain.zero_wins, place(p_.code[last].result));
    for (const ValueId v : operands) w_.word(place(v));
    at = last;
    return true;
  }

  // Three values times 1 / sqrt(a), or times 1 / sqrt of a dot product: a vector that is normalised.
  bool write_scaling(uint32_t& at) {
    return write_scaling(Products::Plain, at) || write_scaling(Products::ZeroWins, at);
  }
  bool write_scaling(Products products, uint32_t& at) {
    const Op product = form(Op::FMul, products);
    const bool is_root = p_.code[at].op == Op::FRsq;
    uint32_t root = at;
    std::vector<ValueId> operands(args_of(p_, p_.code[at]).begin(), args_of(p_, p_.code[at]).end());
    if (!is_root) {
      static constexpr FusedLink kDot[] = {{Op::FMul, 0}, {Op::FFma, 2}, {Op::FFma, 2}, {Op::FRsq, 0}};
      const Products of_dot = p_.code[at].op == Op::FMulZ ? Products::ZeroWins : Products::Plain;
      if (p_.code[at].op != form(Op::FMul, of_dot) || !match_chain(kDot, of_dot, at, root, operands)) return false;
      if (of_dot != products && (products == Products::Plain || !is_square(operands))) return false;
    }
    const ValueId scale = p_.code[root].result;
    std::array<uint32_t, 3> results;
    uint32_t last = root;
    for (uint32_t& result : results) {
      last = next_step(last + 1);
      if (last >= p_.code.size() || p_.code[last].op != product) return false;
      const auto args = args_of(p_, p_.code[last]);
      if ((args[0] == scale) == (args[1] == scale)) return false;
      operands.push_back(args[0] == scale ? args[1] : args[0]);
      result = place(p_.code[last].result);
    }
    if (uses_[scale] != results.size()) return false;
    const Step plain = is_root ? steps_.scale : steps_.normalize;
    const Step zero_wins = is_root ? steps_.scale_zero_wins : steps_.normalize_zero_wins;
    w_.step(products == Products::Plain ? plain : zero_wins, results[0], results[1], results[2]);
    for (const ValueId v : operands) w_.word(place(v));
    at = last;
    return true;
  }

  // Of the factors of a dot product: it is the same in both forms.
  static bool is_square(const std::vector<ValueId>& factors) {
    return factors[0] == factors[1] && factors[2] == factors[3] && factors[4] == factors[5];
  }

  // The factors of a product, and the terms of a sum, may change places: only the bits of NaNs are others.
  static bool put_carried_at(const FusedLink& link, ValueId carried, std::vector<ValueId>& args) {
    const bool first_two_commute = link.op == Op::FMul || link.op == Op::FAdd || link.op == Op::FFma;
    if (first_two_commute && link.operand == 0 && args[1] == carried) std::swap(args[0], args[1]);
    return args[link.operand] == carried;
  }

  // ---- copies at the edges of regions ----

  std::vector<Copy> copies(const Instr& from, ValueId first_result) const {
    std::vector<Copy> list;
    for (uint32_t k = 0; k < from.arg_count; ++k)
      list.push_back({place(first_result + k), place(p_.args[from.first_arg + k])});
    return in_order(std::move(list), slots_.scratch * kBlockLanes);
  }

  void write_copies(const std::vector<Copy>& list) {
    w_.word(static_cast<uint32_t>(list.size()));
    for (const Copy& c : list) w_.word(c.to), w_.word(c.from);
  }

  void copy_all(const Instr& from, ValueId first_result) {
    if (const auto list = copies(from, first_result); !list.empty()) w_.step(steps_.copy), write_copies(list);
  }
  void copy_running(const Instr& from, ValueId first_result) {
    if (const auto list = copies(from, first_result); !list.empty()) w_.step(steps_.copy_running), write_copies(list);
  }
  void copy_arriving(const Instr& from, ValueId first_result, uint32_t waiting) {
    if (const auto list = copies(from, first_result); !list.empty())
      w_.step(steps_.copy_arriving, waiting), write_copies(list);
  }

  // ---- regions ----

  // Where lanes go on when none of them is left to run on behind the end of a region.
  uint32_t end_of_parent(uint32_t begin) const {
    const uint32_t parent = regions_.parent[begin];
    return parent == RegionMap::kNone ? end_ : open_[parent].end;
  }

  void region(const Instr& i, uint32_t at) {
    const uint32_t begin = regions_.begin[at];
    switch (i.op) {
      case Op::If: return begin_if(i, at);
      case Op::Else: return begin_else(i, at, open_[begin]);
      case Op::EndIf: return end_if(i, begin, open_[begin]);
      case Op::Block: return begin_block(at);
      case Op::EndBlock: return end_block(i, begin, open_[begin]);
      case Op::Loop: return begin_loop(i, at);
      case Op::EndLoop: return end_loop(i, begin, open_[begin]);
      case Op::Exit: return exit(i, begin);
      case Op::Again: return again(i, begin);
      default: return;
    }
  }

  void begin_if(const Instr& i, uint32_t at) {
    Open& o = open_[at];
    const uint32_t else_at = regions_.else_of[at];
    o.is_half = regions_.end[at] == else_at + 1 && p_.code[regions_.end[at]].result_count == 0;
    o.waiting = masks_++;
    o.other = o.is_half ? o.waiting : masks_++;
    o.end = w_.new_label();
    if (o.is_half) o.behind = w_.new_label();
    write_condition(i, o);
    w_.word(o.other);
    w_.label(o.is_half ? o.behind : o.end);
  }

  void write_condition(const Instr& i, const Open& o) {
    if (comparison_ == kNone) {
      w_.step(o.is_half ? steps_.begin_half_if : steps_.begin_if, place(p_.args[i.first_arg]));
      return;
    }
    const Instr& compare = p_.code[std::exchange(comparison_, kNone)];
    const CompareSteps& steps = steps_.compare[static_cast<size_t>(compare.op)];
    w_.step(o.is_half ? steps.begin_half_if : steps.begin_if, place(p_.args[compare.first_arg]),
            place(p_.args[compare.first_arg + 1]));
  }

  void begin_else(const Instr& i, uint32_t at, Open& o) {
    if (o.is_half) return;
    copy_all(i, p_.code[regions_.end[at]].result);
    w_.place(o.end);
    o.end = w_.new_label();
    w_.step(steps_.begin_else, o.waiting, o.other);
    w_.label(o.end);
  }

  void join(uint32_t begin, const Open& o) {
    w_.place(o.end);
    w_.step(steps_.join, o.waiting);
    w_.label(end_of_parent(begin));
  }

  void end_if(const Instr& i, uint32_t begin, const Open& o) {
    copy_arriving(i, i.result, o.waiting);
    join(begin, o);
    if (o.is_half) w_.place(o.behind);
  }

  void begin_block(uint32_t at) {
    Open& o = open_[at];
    o.waiting = masks_++;
    o.end = w_.new_label();
    w_.step(steps_.open, o.waiting);
  }

  void end_block(const Instr& i, uint32_t begin, const Open& o) {
    copy_arriving(i, i.result, o.waiting);
    join(begin, o);
  }

  void begin_loop(const Instr& i, uint32_t at) {
    Open& o = open_[at];
    o.waiting = masks_++;
    o.other = masks_++;
    o.end = w_.new_label();
    o.head = w_.new_label();
    copy_all(i, i.result);
    w_.step(steps_.open, o.waiting);
    w_.step(steps_.open, o.other);
    w_.place(o.head);
  }

  void end_loop(const Instr& i, uint32_t begin, const Open& o) {
    copy_running(i, p_.code[begin].result);
    w_.place(o.end);
    w_.step(steps_.next_turn, o.waiting, o.other);
    w_.label(o.head);
    w_.label(end_of_parent(begin));
  }

  void exit(const Instr& i, uint32_t begin) {
    copy_arriving(i, p_.code[regions_.end[begin]].result, open_[begin].waiting);
    w_.step(steps_.leave, open_[begin].waiting);
  }

  void again(const Instr& i, uint32_t begin) {
    copy_running(i, p_.code[begin].result);
    w_.step(steps_.leave, open_[begin].other);
  }

  const Program& p_;
  const Slots& slots_;
  const StepTable& steps_;
  Fusing fusing_;
  Listing& out_;
  Writer w_;
  RegionMap regions_;
  std::vector<Open> open_;     // by instruction that opens it
  std::vector<uint32_t> uses_;           // by value
  uint32_t comparison_ = kNone;          // an instruction that the If behind it writes with its own step
  uint32_t masks_ = 0;
  uint32_t end_ = 0;
};

}  // namespace

std::vector<Copy> in_order(std::vector<Copy> copies, uint32_t scratch) {
  std::erase_if(copies, [](Copy c) { return c.to == c.from; });
  std::unordered_map<uint32_t, uint32_t> readers;                // by place: copies that still read it
  std::unordered_map<uint32_t, size_t> writer;                   // by place: the copy that writes it
  for (size_t k = 0; k < copies.size(); ++k) ++readers[copies[k].from], writer[copies[k].to] = k;
  std::vector<size_t> ready;
  for (size_t k = 0; k < copies.size(); ++k)
    if (readers[copies[k].to] == 0) ready.push_back(k);
  std::vector<bool> done(copies.size(), false);
  std::vector<Copy> ordered;
  for (size_t next = 0; next < copies.size(); ++next) {
    while (!ready.empty()) {
      const size_t k = ready.back();
      ready.pop_back();
      done[k] = true;
      ordered.push_back(copies[k]);
      if (--readers[copies[k].from] > 0) continue;
      if (const auto w = writer.find(copies[k].from); w != writer.end() && !done[w->second]) ready.push_back(w->second);
    }
    if (done[next]) continue;
    ordered.push_back({scratch, copies[next].to});
    for (Copy& c : copies)
      if (c.from == copies[next].to) c.from = scratch, --readers[copies[next].to], ++readers[scratch];
    ready.push_back(next);
    --next;
  }
  return ordered;
}

Listing write_steps(const Program& program, const Slots& slots, const StepTable& steps, Fusing fusing) {
  Listing listing;
  ProgramWriter(program, slots, steps, fusing, listing).run();
  return listing;
}

Listing write_uniform_steps(const Program& program, const Slots& slots, const StepTable& steps, uint32_t& slot_count) {
  Listing listing;
  Writer w(listing);
  slot_count = static_cast<uint32_t>(slots.uniforms.size());
  std::vector<uint32_t> slot_of = slots.of_value;
  for (const Instr& i : program.code) {
    if (i.result_count == 0 || !slots.is_uniform[i.result]) continue;
    w.step(steps.op[static_cast<size_t>(i.op)]);
    for (uint32_t k = 0; k < i.result_count; ++k) {
      if (slot_of[i.result + k] == kNoSlot) slot_of[i.result + k] = slot_count++;
      w.word(slot_of[i.result + k] * kBlockLanes);
    }
    for (uint32_t k = 0; k < i.arg_count; ++k) w.word(slot_of[program.args[i.first_arg + k]] * kBlockLanes);
    if (op_info(i.op).is(trait::ImmMask)) w.word(i.imm);
  }
  listing.is_empty = listing.code.empty();
  w.step(steps.end);
  return listing;
}

}  // namespace tessera::interp
