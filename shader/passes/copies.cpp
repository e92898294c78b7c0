#include "shader/passes/passes.h"
#include "shader/passes/rewrite.h"
#include "shader/regions.h"

namespace tessera::ir {
namespace {

class CopyPropagator {
 public:
  explicit CopyPropagator(Program& p)
      : p_(p),
        regions_(map_regions(p)),
        defined_at_(find_definitions(p)),
        replacements_(p.value_count),
        keep_(p.code.size(), true),
        jumps_(p.code.size()) {
    for (uint32_t at = 0; at < p.code.size(); ++at)
      if (p.code[at].op == Op::Exit || p.code[at].op == Op::Again) jumps_[regions_.begin[at]].push_back(at);
  }

  // Ends come inner before outer: what an inner region turns out to pass through helps to judge the outer ones.
  void run() {
    for (uint32_t at = 0; at < p_.code.size(); ++at) {
      const Instr& i = p_.code[at];
      if (i.op == Op::EndIf) end_if(at);
      if (i.op == Op::EndBlock) end_block(at);
      if (i.op == Op::EndLoop) end_loop(at);
    }
    replacements_.apply(p_);
    compact(p_, keep_);
  }

 private:
  ValueId value(uint32_t at, uint32_t arg) { return replacements_.of(p_.args[p_.code[at].first_arg + arg]); }
  bool is_edge(uint32_t at) const { return p_.code[at].arg_count > 0; }

  // Replaces result k of instruction `at` when all `edges` bring the same value and it is visible before `begin`, too.
  void join(uint32_t at, uint32_t begin, const std::vector<uint32_t>& edges) {
    for (uint32_t k = 0; k < p_.code[at].result_count; ++k) {
      ValueId same = kNoValue;
      bool is_same = true;
      for (const uint32_t edge : edges) {
        if (!is_edge(edge)) continue;
        const ValueId v = value(edge, k);
        is_same = is_same && (same == kNoValue || v == same);
        same = v;
      }
      if (is_same && same != kNoValue && defined_at_[same] < begin) replacements_.replace(p_.code[at].result + k, same);
    }
  }

  void end_if(uint32_t at) {
    const uint32_t begin = regions_.begin[at];
    join(at, begin, {regions_.else_of[begin], at});
  }

  void end_block(uint32_t at) {
    const uint32_t begin = regions_.begin[at];
    std::vector<uint32_t> edges = jumps_[begin];
    edges.push_back(at);
    join(at, begin, edges);
    if (!jumps_[begin].empty()) return;
    keep_[begin] = keep_[at] = false;
    for (uint32_t k = 0; k < p_.code[at].arg_count; ++k) replacements_.replace(p_.code[at].result + k, value(at, k));
  }

  void end_loop(uint32_t at) {
    const uint32_t begin = regions_.begin[at];
    std::vector<uint32_t> exits, turns{at};
    for (const uint32_t jump : jumps_[begin]) (p_.code[jump].op == Op::Exit ? exits : turns).push_back(jump);
    for (uint32_t k = 0; k < p_.code[begin].result_count; ++k) {
      const ValueId head = p_.code[begin].result + k, initial = value(begin, k);
      bool is_initial = true;
      for (const uint32_t turn : turns)
        if (is_edge(turn)) is_initial = is_initial && (value(turn, k) == head || value(turn, k) == initial);
      if (is_initial) replacements_.replace(head, initial);
    }
    join(at, begin, exits);
  }

  Program& p_;
  RegionMap regions_;
  std::vector<uint32_t> defined_at_;
  Replacements replacements_;
  std::vector<bool> keep_;
  std::vector<std::vector<uint32_t>> jumps_;   // by Block or Loop: the Exits and Agains to it
};

}  // namespace

void propagate_copies(Program& p) { CopyPropagator(p).run(); }

}  // namespace tessera::ir
