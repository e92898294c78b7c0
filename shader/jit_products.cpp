#include "shader/jit_products.h"

#include <algorithm>
#include <array>

#include "shader/jit_ops.h"

namespace tessera::jit {

using emit::Gp;
using emit::Inst;
using emit::low32;
using emit::Ymm;
using ir::Instr;
using ir::Op;
using ir::ValueId;

namespace {

// Registers of a group: its operands and results. Three are left for the exact code, and of these one for the test.
constexpr size_t kMostRegisters = 12;
constexpr uint32_t kMostProducts = 6;

}  // namespace

Products::Products(emit::Emitter& emitter, const ir::Program& program, const Plan& plan, Registers& registers)
    : e_(emitter), program_(program), plan_(plan), registers_(registers), uses_(program.value_count, 0) {
  for (const ValueId v : program.args)
    if (v != ir::kNoValue) ++uses_[v];
}

// Is the sum `i` the only one to use the product before?
bool Products::goes_on(const Instr& before, const Instr& i) const {
  return i.op == Op::FFmaZ && ir::args_of(program_, i)[2] == before.result && uses_[before.result] == 1 &&
         !plan_.is_kept[before.result];
}

uint32_t Products::count(std::span<const uint32_t> run, uint32_t first) {
  std::vector<ValueId> operands, results;
  size_t registers = 0;
  uint32_t n = 0;
  for (; n < kMostProducts && first + n < run.size(); ++n) {
    const Instr& i = program_.code[run[first + n]];
    if (!is_product(i.op)) break;
    const bool carries = n > 0 && goes_on(program_.code[run[first + n - 1]], i);
    const auto args = ir::args_of(program_, i).first(i.op == Op::FFmaZ && !carries ? 3 : 2);
    const bool is_apart =
        std::ranges::none_of(args, [&](ValueId v) { return std::ranges::find(results, v) != results.end(); });
    if (!is_apart) break;
    for (const ValueId v : args)
      if (std::ranges::find(operands, v) == operands.end()) operands.push_back(v);
    registers += !carries;
    if (operands.size() + registers > kMostRegisters) break;
    results.push_back(i.result);
  }
  return n;
}

// ---- as if 0 did not win -------------------------------------------------------------------------------------------

Products::Product Products::write_plain(const Instr& i, const Product* before) {
  Product p;
  p.is_sum = i.op == Op::FFmaZ;
  p.goes_on = before != nullptr;
  p.a = registers_.in_register(0);
  p.b = registers_.in_register(1);
  if (!p.is_sum) {
    p.result = registers_.temporary();
    e_.emit(Inst::vmulps, p.result, p.a, p.b);
    return p;
  }
  if (p.goes_on) {
    p.result = before->result;
  } else {
    p.c = registers_.in_register(2);
    p.result = registers_.temporary();
    e_.emit(Inst::vmovaps, p.result, p.c);
  }
  e_.emit(Inst::vfmadd231ps, p.result, p.a, p.b);
  return p;
}

// Jumps to the exact code where a lane of a result is NaN. Two results are compared at once, whichever is NaN.
void Products::write_test(const Group& group) {
  std::vector<Ymm> results;
  for (size_t n = 0; n < group.products.size(); ++n)
    if (n + 1 == group.products.size() || !group.products[n + 1].goes_on) results.push_back(group.products[n].result);
  const Ymm is_nan = registers_.temporary();
  e_.emit(Inst::vcmpps, is_nan, results[0], results[results.size() > 1 ? 1 : 0], int{kUnordered});
  Ymm other;
  if (results.size() > 2) other = registers_.temporary();
  for (size_t n = 2; n < results.size(); n += 2) {
    e_.emit(Inst::vcmpps, other, results[n], results[std::min(n + 1, results.size() - 1)], int{kUnordered});
    e_.emit(Inst::vorps, is_nan, is_nan, other);
  }
  e_.emit(Inst::vmovmskps, low32(Gp::rax), is_nan);
  e_.emit(Inst::test, low32(Gp::rax), low32(Gp::rax));
  e_.emit(Inst::jnz, group.exact);
}

void Products::write(std::span<const uint32_t> run, uint32_t first, uint32_t count) {
  Group group{{}, e_.new_label(), e_.new_label()};
  for (uint32_t n = 0; n < count; ++n) {
    const Instr& i = program_.code[run[first + n]];
    const bool carries = n > 0 && goes_on(program_.code[run[first + n - 1]], i);
    registers_.begin_instruction(first + n);       // and no end yet: what it reads stays for the exact code
    group.products.push_back(write_plain(i, carries ? &group.products.back() : nullptr));
  }
  write_test(group);
  e_.bind(group.done);
  for (uint32_t n = 0; n < count; ++n) {
    registers_.begin_instruction(first + n);
    if (n + 1 == count || !group.products[n + 1].goes_on) registers_.set_result(group.products[n].result);
    registers_.end_instruction();
  }
  groups_.push_back(std::move(group));
}

// ---- by the rule ---------------------------------------------------------------------------------------------------

void Products::write_exact(const Group& group) {
  constexpr int kRegisterBytes = 32;
  std::array<bool, 16> is_taken{};
  for (const Product& p : group.products)
    for (const Ymm reg : {p.a, p.b, p.is_sum && !p.goes_on ? p.c : p.a, p.result}) is_taken[reg.number] = true;
  std::array<Ymm, 3> own;
  for (uint8_t r = 0, n = 0; n < own.size(); ++r)
    if (!is_taken[r]) own[n++] = {r};
  const auto [zero, wins, before] = own;

  e_.bind(group.exact);
  e_.emit(Inst::add, Gp::rsp, int64_t{-3 * kRegisterBytes});
  for (int n = 0; n < 3; ++n) e_.emit(Inst::vmovups, emit::memory(Gp::rsp, n * kRegisterBytes), own[size_t(n)]);
  for (const Product& p : group.products) {
    e_.emit(Inst::vxorps, zero, zero, zero);
    e_.emit(Inst::vcmpps, wins, p.a, zero, int{kEqual});
    e_.emit(Inst::vcmpps, zero, p.b, zero, int{kEqual});
    e_.emit(Inst::vorps, wins, wins, zero);
    if (p.is_sum) {
      e_.emit(Inst::vmovaps, before, p.goes_on ? p.result : p.c);
      if (!p.goes_on) e_.emit(Inst::vmovaps, p.result, p.c);
      e_.emit(Inst::vfmadd231ps, p.result, p.a, p.b);
    } else {
      e_.emit(Inst::vxorps, before, before, before);
      e_.emit(Inst::vmulps, p.result, p.a, p.b);
    }
    e_.emit(Inst::vcmpps, zero, p.result, p.result, int{kUnordered});
    e_.emit(Inst::vandps, wins, wins, zero);
    e_.emit(Inst::vblendvps, p.result, p.result, before, wins);
  }
  for (int n = 0; n < 3; ++n) e_.emit(Inst::vmovups, own[size_t(n)], emit::memory(Gp::rsp, n * kRegisterBytes));
  e_.emit(Inst::add, Gp::rsp, int64_t{3 * kRegisterBytes});
  e_.emit(Inst::jmp, group.done);
}

void Products::write_exact() {
  for (const Group& group : groups_) write_exact(group);
  groups_.clear();
}

}  // namespace tessera::jit
