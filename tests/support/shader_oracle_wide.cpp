// The oracle's operations on 64-bit values.
#include <bit>
#include <cmath>
#include <concepts>
#include <limits>
#include <map>
#include <stdexcept>
#include <string>

#include "tests/support/shader_oracle.h"

namespace tessera::tests {
namespace {

using namespace tessera::ir;

using Words = std::vector<uint32_t>;
Words wide(std::integral auto bits) {
  return {static_cast<uint32_t>(bits), static_cast<uint32_t>(static_cast<uint64_t>(bits) >> 32)};
}
Words wide(double x) { return wide(x != x ? 0x7ff8000000000000u : std::bit_cast<uint64_t>(x)); }
Words boolean(bool b) { return {b ? ~0u : 0u}; }
Words word(float x) { return {x != x ? 0x7fc00000u : std::bit_cast<uint32_t>(x)}; }

// Toward zero, saturated; NaN gives 0.
template <class Int>
Int saturated(double x) {
  if (x != x) return 0;
  const double t = std::trunc(x);
  if (t <= static_cast<double>(std::numeric_limits<Int>::min())) return std::numeric_limits<Int>::min();
  return t >= static_cast<double>(std::numeric_limits<Int>::max()) ? std::numeric_limits<Int>::max() : static_cast<Int>(t);
}

double mantissa(double x, int* e) {
  *e = 0;
  return std::isfinite(x) && x != 0 ? std::frexp(x, e) : x;
}

// The tables of the Direct3D 11.3 specification, section 19.2.4, in sixteenths of a pixel from its centre.
struct Place { float x = 0.5f, y = 0.5f; };
Place sample_place(uint32_t samples, uint32_t sample) {
  static const std::map<uint32_t, std::vector<std::pair<int, int>>> kTables = {
      {2, {{4, 4}, {-4, -4}}},
      {4, {{-2, -6}, {6, -2}, {-6, 2}, {2, 6}}},
      {8, {{1, -3}, {-1, 3}, {5, 1}, {-3, -5}, {-5, 5}, {-7, -1}, {3, 7}, {7, -7}}},
      {16, {{1, 1}, {-1, -3}, {-3, 2}, {4, -1}, {-5, -2}, {2, 5}, {5, 3}, {3, -5},
            {-2, 6}, {0, -7}, {-4, -6}, {-6, 4}, {-8, 0}, {7, -4}, {6, 7}, {-7, -8}}}};
  const auto table = kTables.find(samples);
  if (table == kTables.end() || sample >= table->second.size()) return {};
  const auto [x, y] = table->second[sample];
  return {0.5f + static_cast<float>(x) / 16, 0.5f + static_cast<float>(y) / 16};
}

}  // namespace

std::vector<uint32_t> evaluate_words(Op op, std::span<const uint32_t> args) {
  const auto pair = [&](size_t k) { return k + 1 < args.size() ? args[k] | uint64_t{args[k + 1]} << 32 : 0; };
  const uint64_t a = pair(0), b = pair(2), c = pair(4);
  const double x = std::bit_cast<double>(a), y = std::bit_cast<double>(b), z = std::bit_cast<double>(c);
  const auto s = static_cast<int64_t>(a), t = static_cast<int64_t>(b);
  const uint32_t shift = args.size() > 2 ? args[2] & 63 : 0;
  const uint32_t first = args.empty() ? 0 : args[0];
  const float f = std::bit_cast<float>(first);
  int e = 0;
  switch (op) {
    case Op::SamplePosX: return word(sample_place(first, args[1]).x);
    case Op::SamplePosY: return word(sample_place(first, args[1]).y);
    case Op::DAdd: return wide(x + y);
    case Op::DMul: return wide(x * y);
    case Op::DDiv: return wide(x / y);
    case Op::DFma: return wide(std::fma(x, y, z));
    case Op::DMin: return wide(x < y || y != y ? a : b);
    case Op::DMax: return wide(x > y || y != y ? a : b);
    case Op::DNeg: return wide(a ^ 1ull << 63);
    case Op::DAbs: return wide(a << 1 >> 1);
    case Op::DSign: return wide(x > 0 ? 1.0 : x < 0 ? -1.0 : 0.0);
    case Op::DFloor: return wide(std::floor(x));
    case Op::DCeil: return wide(std::ceil(x));
    case Op::DTrunc: return wide(std::trunc(x));
    case Op::DRound: return wide(std::rint(x));
    case Op::DFract: return wide(x - std::floor(x));
    case Op::DRcp: return wide(1 / x);
    case Op::DSqrt: return wide(std::sqrt(x));
    case Op::DRsq: return wide(1 / std::sqrt(x));
    case Op::DLdexp: return wide(std::scalbn(x, static_cast<int32_t>(args[2])));
    case Op::DMantissa: return wide(mantissa(x, &e));
    case Op::DExponent: return mantissa(x, &e), Words{static_cast<uint32_t>(e)};
    case Op::DLt: return boolean(x < y);
    case Op::DGe: return boolean(x >= y);
    case Op::DEq: return boolean(x == y);
    case Op::DNe: return boolean(x != y);
    case Op::I64Add: return wide(a + b);
    case Op::I64Mul: return wide(a * b);
    case Op::I64Neg: return wide(~a + 1);
    case Op::I64Abs: return wide(s < 0 ? ~a + 1 : a);
    case Op::I64Sign: return wide(s < 0 ? ~0ull : uint64_t{s > 0});
    case Op::I64Min: return wide(s < t ? a : b);
    case Op::I64Max: return wide(s > t ? a : b);
    case Op::U64Min: return wide(a < b ? a : b);
    case Op::U64Max: return wide(a > b ? a : b);
    case Op::I64Div: return wide(t == 0 ? 0 : t == -1 ? ~a + 1 : static_cast<uint64_t>(s / t));
    case Op::U64Div: return wide(b == 0 ? ~0ull : a / b);
    case Op::I64Mod: return wide(t == 0 ? ~0ull : t == -1 ? 0 : static_cast<uint64_t>(s % t));
    case Op::U64Mod: return wide(b == 0 ? ~0ull : a % b);
    case Op::I64Shl: return wide(a << shift);
    case Op::I64Shr: return wide(static_cast<uint64_t>(s >> shift));
    case Op::U64Shr: return wide(a >> shift);
    case Op::I64Lt: return boolean(s < t);
    case Op::I64Ge: return boolean(s >= t);
    case Op::U64Lt: return boolean(a < b);
    case Op::U64Ge: return boolean(a >= b);
    case Op::I64Eq: return boolean(a == b);
    case Op::I64Ne: return boolean(a != b);
    case Op::FToD: return wide(static_cast<double>(f));
    case Op::IToD: return wide(static_cast<double>(static_cast<int32_t>(first)));
    case Op::UToD: return wide(static_cast<double>(first));
    case Op::I64ToD: return wide(static_cast<double>(s));
    case Op::U64ToD: return wide(static_cast<double>(a));
    case Op::DToF: return word(static_cast<float>(x));
    case Op::I64ToF: return word(static_cast<float>(s));
    case Op::U64ToF: return word(static_cast<float>(a));
    case Op::DToI: return {static_cast<uint32_t>(saturated<int32_t>(x))};
    case Op::DToU: return {saturated<uint32_t>(x)};
    case Op::DToI64: return wide(static_cast<uint64_t>(saturated<int64_t>(x)));
    case Op::DToU64: return wide(saturated<uint64_t>(x));
    case Op::FToI64: return wide(static_cast<uint64_t>(saturated<int64_t>(f)));
    case Op::FToU64: return wide(saturated<uint64_t>(f));
    default: return {evaluate(op, args)};
  }
}

}  // namespace tessera::tests
