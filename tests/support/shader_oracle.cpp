#include "tests/support/shader_oracle.h"

#include <algorithm>
#include <bit>
#include <climits>
#include <cmath>
#include <stdexcept>
#include <string>

#include "core/math.h"
#include "core/scalar.h"
#include "shader/regions.h"

namespace tessera::tests {
namespace {

using namespace tessera::ir;

float f(uint32_t bits) { return std::bit_cast<float>(bits); }
int32_t s(uint32_t bits) { return static_cast<int32_t>(bits); }
uint32_t from_float(float x) {
  return std::bit_cast<uint32_t>(scalar::canonical(x));
}
uint32_t from_bool(bool b) { return b ? ~0u : 0u; }
// NaNs of operations that copy keep their bits.
uint32_t pick(bool first, uint32_t a, uint32_t b) { return first ? a : b; }

uint32_t field_mask(uint32_t offset, uint32_t width) {
  uint32_t mask = 0;
  for (uint32_t k = 0; k < width; ++k) mask |= 1u << (offset + k);
  return mask;
}
uint32_t field_width(uint32_t offset, uint32_t width) { return std::min(width, 32 - offset); }

uint32_t highest_bit(uint32_t x) {
  uint32_t found = ~0u;
  for (uint32_t k = 0; k < 32; ++k)
    if ((x >> k & 1) != 0) found = k;
  return found;
}
uint32_t lowest_bit(uint32_t x) {
  for (uint32_t k = 0; k < 32; ++k)
    if ((x >> k & 1) != 0) return k;
  return ~0u;
}
uint32_t reversed(uint32_t x) {
  uint32_t out = 0;
  for (uint32_t k = 0; k < 32; ++k) out |= (x >> k & 1) << (31 - k);
  return out;
}

uint32_t unorm(float x, uint32_t largest) {
  if (!(x > 0)) return 0;
  return static_cast<uint32_t>(std::nearbyint(std::min(x, 1.0f) * static_cast<float>(largest)));
}
uint32_t snorm8(float x) {
  if (std::isnan(x)) return 0;
  return static_cast<uint32_t>(static_cast<int32_t>(std::nearbyint(std::min(std::max(x, -1.0f), 1.0f) * 127.0f))) & 0xffu;
}

int32_t divide(int32_t a, int32_t b) { return b == 0 ? 0 : a == INT_MIN && b == -1 ? INT_MIN : a / b; }
int32_t remainder(int32_t a, int32_t b) { return b == 0 ? -1 : b == -1 ? 0 : a % b; }

float ldexp_once(float x, int32_t e) {
  return static_cast<float>(std::ldexp(static_cast<double>(x), std::max(-400, std::min(400, e))));
}

}  // namespace

uint32_t evaluate(Op op, std::span<const uint32_t> args) {
  const auto at = [&](size_t k) { return k < args.size() ? args[k] : 0; };
  const uint32_t a = at(0), b = at(1), c = at(2), d = at(3);
  switch (op) {
    case Op::FAdd: return from_float(f(a) + f(b));
    case Op::FSub: return from_float(f(a) - f(b));
    case Op::FMul: return from_float(f(a) * f(b));
    case Op::FDiv: return from_float(f(a) / f(b));
    case Op::FFma: return from_float(std::fma(f(a), f(b), f(c)));
    case Op::FFms: return from_float(std::fma(f(a), f(b), -f(c)));
    case Op::FFnma: return from_float(std::fma(-f(a), f(b), f(c)));
    case Op::FMulZ: return std::isnan(f(a) * f(b)) && (f(a) == 0 || f(b) == 0) ? 0 : from_float(f(a) * f(b));
    case Op::FFmaZ: {
      const float sum = std::fma(f(a), f(b), f(c));
      return from_float(std::isnan(sum) && (f(a) == 0 || f(b) == 0) ? f(c) : sum);
    }
    case Op::FMin: return pick(f(a) < f(b) || std::isnan(f(b)), a, b);
    case Op::FMax: return pick(f(a) > f(b) || std::isnan(f(b)), a, b);
    case Op::FNeg: return a ^ 0x80000000u;
    case Op::FAbs: return a & 0x7fffffffu;
    case Op::FSat: return from_float(f(a) > 0 ? (f(a) < 1 ? f(a) : 1.0f) : 0.0f);
    case Op::FCanon: return from_float(f(a));
    case Op::FFloor: return from_float(std::floor(f(a)));
    case Op::FCeil: return from_float(std::ceil(f(a)));
    case Op::FTrunc: return from_float(std::trunc(f(a)));
    case Op::FRound: return from_float(std::nearbyint(f(a)));
    case Op::FFract: return from_float(f(a) - std::floor(f(a)));
    case Op::FSign: return from_float(f(a) > 0 ? 1.0f : f(a) < 0 ? -1.0f : 0.0f);
    case Op::FRcp: return from_float(1.0f / f(a));
    case Op::FSqrt: return from_float(std::sqrt(f(a)));
    case Op::FRsq: return from_float(1.0f / std::sqrt(f(a)));
    case Op::FEx2: return from_float(math::ex2(f(a)));
    case Op::FLg2: return from_float(math::lg2(f(a)));
    case Op::FPow: return from_float(math::pow(f(a), f(b)));
    case Op::FSin: return from_float(math::sin(f(a)));
    case Op::FCos: return from_float(math::cos(f(a)));
    case Op::FLdexp: return from_float(ldexp_once(f(a), s(b)));
    case Op::FLt: return from_bool(f(a) < f(b));
    case Op::FGe: return from_bool(f(a) >= f(b));
    case Op::FEq: return from_bool(f(a) == f(b));
    case Op::FNe: return from_bool(f(a) != f(b));
    case Op::Select: return a != 0 ? b : c;
    case Op::And: return a & b;
    case Op::Or: return a | b;
    case Op::Xor: return a ^ b;
    case Op::Not: return ~a;
    case Op::Shl: return a << (b & 31);
    case Op::UShr: return a >> (b & 31);
    case Op::IShr: return static_cast<uint32_t>(s(a) >> (b & 31));
    case Op::BitReverse: return reversed(a);
    case Op::PopCount: return static_cast<uint32_t>(std::popcount(a));
    case Op::LowBit: return lowest_bit(a);
    case Op::UHighBit: return highest_bit(a);
    case Op::IHighBit: return highest_bit(s(a) < 0 ? ~a : a);
    case Op::UExtract: return (a & field_mask(b & 31, field_width(b & 31, c))) >> (b & 31);
    case Op::IExtract: {
      const uint32_t width = field_width(b & 31, c), field = (a & field_mask(b & 31, width)) >> (b & 31);
      return width > 0 && (field >> (width - 1) & 1) != 0 ? field | ~field_mask(0, width) : field;
    }
    case Op::Insert: {
      const uint32_t mask = field_mask(c & 31, field_width(c & 31, d));
      return (a & ~mask) | (b << (c & 31) & mask);
    }
    case Op::IAdd: return a + b;
    case Op::ISub: return a - b;
    case Op::INeg: return 0u - a;
    case Op::IAbs: return s(a) < 0 ? 0u - a : a;
    case Op::ISign: return static_cast<uint32_t>((s(a) > 0) - (s(a) < 0));
    case Op::IMul: return a * b;
    case Op::IMulHi: return static_cast<uint32_t>(static_cast<uint64_t>(int64_t{s(a)} * s(b)) >> 32);
    case Op::UMulHi: return static_cast<uint32_t>(uint64_t{a} * b >> 32);
    case Op::IDiv: return static_cast<uint32_t>(divide(s(a), s(b)));
    case Op::UDiv: return b == 0 ? ~0u : a / b;
    case Op::IMod: return static_cast<uint32_t>(remainder(s(a), s(b)));
    case Op::UMod: return b == 0 ? ~0u : a % b;
    case Op::IMin: return s(a) < s(b) ? a : b;
    case Op::IMax: return s(a) > s(b) ? a : b;
    case Op::UMin: return a < b ? a : b;
    case Op::UMax: return a > b ? a : b;
    case Op::ILt: return from_bool(s(a) < s(b));
    case Op::IGe: return from_bool(s(a) >= s(b));
    case Op::ULt: return from_bool(a < b);
    case Op::UGe: return from_bool(a >= b);
    case Op::IEq: return from_bool(a == b);
    case Op::INe: return from_bool(a != b);
    case Op::FToI: return static_cast<uint32_t>(scalar::to_int(f(a)));
    case Op::FToU: return scalar::to_uint(f(a));
    case Op::IToF: return from_float(static_cast<float>(s(a)));
    case Op::UToF: return from_float(static_cast<float>(a));
    case Op::PackHalf:
      return scalar::half_from_float(f(from_float(f(a)))) |
             static_cast<uint32_t>(scalar::half_from_float(f(from_float(f(b))))) << 16;
    case Op::PackUnorm16: return unorm(f(a), 65535) | unorm(f(b), 65535) << 16;
    case Op::PackUnorm8: return unorm(f(a), 255) | unorm(f(b), 255) << 8 | unorm(f(c), 255) << 16 | unorm(f(d), 255) << 24;
    case Op::PackSnorm8: return snorm8(f(a)) | snorm8(f(b)) << 8 | snorm8(f(c)) << 16 | snorm8(f(d)) << 24;
    case Op::UnpackHalf: return from_float(scalar::float_from_half(static_cast<uint16_t>(a)));
    case Op::UnpackUnorm16: return from_float(static_cast<float>(a & 0xffffu) / 65535.0f);
    case Op::UnpackUnorm8: return from_float(static_cast<float>(a & 0xffu) / 255.0f);
    case Op::UnpackSnorm8: return from_float(std::max(static_cast<float>(static_cast<int8_t>(a & 0xffu)) / 127.0f, -1.0f));
    default: throw std::logic_error("the oracle has no formula for " + std::string(op_info(op).name));
  }
}

namespace {

class Lane {
 public:
  Lane(const Program& p, const LaneInput& in) : p_(p), in_(in), regions_(map_regions(p)), value_(p.value_count, 0) {
    for (const uint32_t words : p.private_arrays) arrays_.emplace_back(words, 0u);
  }

  LaneOutput run() {
    run_until(0, static_cast<uint32_t>(p_.code.size()));
    for (const Output& o : p_.outputs) out_.outputs.push_back(value_[o.value]);
    return std::move(out_);
  }

 private:
  static constexpr uint32_t kFellThrough = ~0u;
  // How a stretch of code ended: at its end, or by a jump to the region that `target` opens.
  struct End {
    uint32_t target = kFellThrough;
    bool again = false;
    std::vector<uint32_t> values;
  };

  std::vector<uint32_t> args(uint32_t at) const {
    std::vector<uint32_t> words;
    for (uint32_t k = 0; k < p_.code[at].arg_count; ++k) words.push_back(value_[p_.args[p_.code[at].first_arg + k]]);
    return words;
  }

  void set_results(uint32_t at, const std::vector<uint32_t>& words) {
    for (uint32_t k = 0; k < p_.code[at].result_count; ++k) value_[p_.code[at].result + k] = words.at(k);
  }

  End run_until(uint32_t at, uint32_t end) {
    for (; at < end; ++at) {
      const Instr& i = p_.code[at];
      End inner;
      switch (i.op) {
        case Op::If: inner = run_if(at); break;
        case Op::Block: inner = run_block(at); break;
        case Op::Loop: inner = run_loop(at); break;
        case Op::Exit: return {regions_.begin[at], false, args(at)};
        case Op::Again: return {regions_.begin[at], true, args(at)};
        default: run_instr(at); continue;
      }
      if (inner.target != kFellThrough) return inner;
      at = regions_.end[at];
    }
    return {};
  }

  End run_if(uint32_t at) {
    const uint32_t middle = regions_.else_of[at], last = regions_.end[at];
    const bool condition = args(at)[0] != 0;
    const End end = condition ? run_until(at + 1, middle) : run_until(middle + 1, last);
    if (end.target == kFellThrough) set_results(last, args(condition ? middle : last));
    return end;
  }

  End run_block(uint32_t at) {
    const uint32_t last = regions_.end[at];
    End end = run_until(at + 1, last);
    if (end.target == kFellThrough) set_results(last, args(last));
    else if (end.target != at) return end;
    else set_results(last, end.values);
    return {};
  }

  End run_loop(uint32_t at) {
    const uint32_t last = regions_.end[at];
    set_results(at, args(at));
    while (true) {
      End end = run_until(at + 1, last);
      if (end.target == kFellThrough) end = {at, true, args(last)};
      if (end.target != at) return end;
      if (!end.again) {
        set_results(last, end.values);
        return {};
      }
      ++out_.turns;
      set_results(at, end.values);
    }
  }

  void run_instr(uint32_t at) {
    const Instr& i = p_.code[at];
    const std::vector<uint32_t> in = args(at);
    switch (i.op) {
      case Op::Const: return set_results(at, {i.imm});
      case Op::Input: return set_results(at, {in_.inputs[i.imm]});
      case Op::LoadConst: return set_results(at, {i.imm < in_.constants.size() ? word(in_.constants[i.imm], in[0]) : 0});
      case Op::ArrayLoad: return set_results(at, {word(arrays_[i.imm], in[0])});
      case Op::ArrayStore:
        if (in[0] < arrays_[i.imm].size()) arrays_[i.imm][in[0]] = in[1];
        return;
      case Op::KillIf:
        out_.killed = out_.killed || in[0] != 0;
        return;
      default: return set_results(at, evaluate_words(i.op, in));
    }
  }

  static uint32_t word(const std::vector<uint32_t>& words, uint32_t index) {
    return index < words.size() ? words[index] : 0;
  }

  const Program& p_;
  const LaneInput& in_;
  RegionMap regions_;
  std::vector<uint32_t> value_;
  std::vector<std::vector<uint32_t>> arrays_;
  LaneOutput out_;
};

}  // namespace

LaneOutput run_lane(const Program& program, const LaneInput& in) { return Lane(program, in).run(); }

}  // namespace tessera::tests
