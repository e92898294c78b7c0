#include "frontend/scene_math.h"

#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <glm/mat4x4.hpp>
#include <glm/matrix.hpp>
#include <glm/vec3.hpp>
#include <glm/geometric.hpp>
#include <optional>
#include <span>
#include <variant>

#include "core/math.h"
#include "frontend/trigonometry.h"

namespace tessera::scene {
namespace {

using Matrix = glm::dmat4;   // glm counts columns first: m[column][row]
using Value = std::variant<double, Matrix>;
using Numbers = std::span<const double>;

constexpr int kMaxDepth = 64;

// ---- functions ------------------------------------------------------------------------------------------------

double sin_degrees(double degrees) { return sin_turns(degrees / 360); }
double cos_degrees(double degrees) { return cos_turns(degrees / 360); }
double tan_degrees(double degrees) { return sin_degrees(degrees) / cos_degrees(degrees); }

Value frustum(Numbers a) {
  const double l = a[0], r = a[1], b = a[2], t = a[3], n = a[4], f = a[5];
  Matrix m(0.0);
  m[0][0] = 2 * n / (r - l);
  m[1][1] = 2 * n / (t - b);
  m[2][0] = (r + l) / (r - l);
  m[2][1] = (t + b) / (t - b);
  m[2][2] = -(f + n) / (f - n);
  m[2][3] = -1;
  m[3][2] = -2 * f * n / (f - n);
  return m;
}

Value perspective(Numbers a) {
  const double top = a[2] * tan_degrees(a[0] / 2), right = top * a[1];
  const double planes[] = {-right, right, -top, top, a[2], a[3]};
  return frustum(planes);
}

Value ortho(Numbers a) {
  const double l = a[0], r = a[1], b = a[2], t = a[3], n = a[4], f = a[5];
  Matrix m(1.0);
  m[0][0] = 2 / (r - l);
  m[1][1] = 2 / (t - b);
  m[2][2] = -2 / (f - n);
  m[3] = glm::dvec4(-(r + l) / (r - l), -(t + b) / (t - b), -(f + n) / (f - n), 1);
  return m;
}

Value translate(Numbers a) {
  Matrix m(1.0);
  m[3] = glm::dvec4(a[0], a[1], a[2], 1);
  return m;
}

Value scale(Numbers a) {
  Matrix m(1.0);
  for (int i = 0; i < 3; ++i) m[i][i] = a[static_cast<size_t>(i)];
  return m;
}

Value rotate(Numbers a) {
  const glm::dvec3 axis = glm::normalize(glm::dvec3(a[1], a[2], a[3]));
  const double c = cos_degrees(a[0]), s = sin_degrees(a[0]);
  Matrix m(1.0);
  for (int column = 0; column < 3; ++column) {
    glm::dvec3 unit(0.0);
    unit[column] = 1;
    m[column] = glm::dvec4(unit * c + glm::cross(axis, unit) * s + axis * (axis[column] * (1 - c)), 0);
  }
  return m;
}

Value look_at(Numbers a) {
  const glm::dvec3 eye(a[0], a[1], a[2]), centre(a[3], a[4], a[5]), up(a[6], a[7], a[8]);
  const glm::dvec3 forward = glm::normalize(centre - eye);
  const glm::dvec3 side = glm::normalize(glm::cross(forward, up));
  const glm::dvec3 above = glm::cross(side, forward);
  Matrix rows(glm::dvec4(side, -glm::dot(side, eye)), glm::dvec4(above, -glm::dot(above, eye)),
              glm::dvec4(-forward, glm::dot(forward, eye)), glm::dvec4(0, 0, 0, 1));
  return glm::transpose(rows);
}

struct NumberFunction {
  std::string_view name;
  size_t argument_count;
  Value (*apply)(Numbers);
};

constexpr NumberFunction kNumberFunctions[] = {
    {"perspective", 4, perspective},
    {"frustum", 6, frustum},
    {"ortho", 6, ortho},
    {"look_at", 9, look_at},
    {"translate", 3, translate},
    {"scale", 3, scale},
    {"rotate", 4, rotate},
    {"identity", 0, [](Numbers) -> Value { return Matrix(1.0); }},
    {"sqrt", 1, [](Numbers a) -> Value { return std::sqrt(a[0]); }},
    {"sin", 1, [](Numbers a) -> Value { return sin_degrees(a[0]); }},
    {"cos", 1, [](Numbers a) -> Value { return cos_degrees(a[0]); }},
    {"tan", 1, [](Numbers a) -> Value { return tan_degrees(a[0]); }},
    {"min", 2, [](Numbers a) -> Value { return std::min(a[0], a[1]); }},
    {"max", 2, [](Numbers a) -> Value { return std::max(a[0], a[1]); }},
    {"abs", 1, [](Numbers a) -> Value { return std::abs(a[0]); }},
};

struct MatrixFunction {
  std::string_view name;
  Matrix (*apply)(const Matrix&);
};

constexpr MatrixFunction kMatrixFunctions[] = {
    {"transpose", [](const Matrix& m) { return glm::transpose(m); }},
    {"inverse", [](const Matrix& m) { return glm::inverse(m); }},
};

// ---- parser ---------------------------------------------------------------------------------------------------

class Evaluator {
 public:
  Evaluator(std::string_view text, SourceLoc loc) : text_(text), loc_(loc) {}

  Result<std::vector<uint32_t>> values() {
    std::vector<uint32_t> words;
    for (skip_separators(); at_ < text_.size() && !failure_; skip_separators()) append(sum(), words);
    if (failure_) return *failure_;
    if (words.empty()) return error_at(loc_, "expected values, found the end of the line");
    return words;
  }

 private:
  void append(const Value& value, std::vector<uint32_t>& words) {
    const auto add = [&](double x) { words.push_back(std::bit_cast<uint32_t>(static_cast<float>(x))); };
    if (const double* number = std::get_if<double>(&value)) return add(*number);
    const Matrix& m = std::get<Matrix>(value);
    for (int row = 0; row < 4; ++row)
      for (int column = 0; column < 4; ++column) add(m[column][row]);
  }

  Value sum() {
    Value left = product();
    while (const char op = take_operator("+-")) {
      const Value right = product();
      if (left.index() != 0 || right.index() != 0) fail("only numbers are added and subtracted");
      else
        left = op == '+' ? std::get<double>(left) + std::get<double>(right)
                         : std::get<double>(left) - std::get<double>(right);
    }
    return left;
  }

  Value product() {
    Value left = factor();
    while (const char op = take_operator("*/")) {
      const Value right = factor();
      if (op == '/' && right.index() != 0) fail("a matrix is no divisor");
      else left = op == '*' ? multiply(left, right) : multiply(left, 1 / std::get<double>(right), &right);
    }
    return left;
  }

  // Numbers are divided directly, which rounds once; a matrix is multiplied by the reciprocal.
  static Value multiply(const Value& a, const Value& b, const Value* divisor = nullptr) {
    if (divisor && a.index() == 0) return std::get<double>(a) / std::get<double>(*divisor);
    if (a.index() == 0 && b.index() == 0) return std::get<double>(a) * std::get<double>(b);
    if (a.index() == 0) return std::get<double>(a) * std::get<Matrix>(b);
    if (b.index() == 0) return std::get<Matrix>(a) * std::get<double>(b);
    return std::get<Matrix>(a) * std::get<Matrix>(b);
  }

  Value factor() {
    if (inside_ > 0) skip_spaces();
    if (depth_ >= kMaxDepth) return fail("the expression is nested too deeply");
    ++depth_;
    const Value value = signed_primary();
    --depth_;
    return value;
  }

  Value signed_primary() {
    if (take('-')) return multiply(-1.0, factor());
    if (take('+')) return factor();
    if (take('(')) {
      const Value value = inner();
      if (!take(')')) return fail("expected ')'");
      return value;
    }
    const char c = peek();
    if (is_letter(c)) return name();
    return number();
  }

  Value inner() {
    ++inside_;
    skip_spaces();
    const Value value = sum();
    skip_spaces();
    --inside_;
    return value;
  }

  Value number() {
    if (text_.substr(at_).starts_with("0x")) return hex_number();
    double value = 0;
    const auto [end, code] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (code != std::errc{}) return fail("expected a number");
    at_ = static_cast<size_t>(end - text_.data());
    return value;
  }

  Value hex_number() {
    uint32_t bits = 0;
    const auto [end, code] = std::from_chars(text_.data() + at_ + 2, text_.data() + text_.size(), bits, 16);
    if (code != std::errc{}) return fail("expected the bits of a float");
    at_ = static_cast<size_t>(end - text_.data());
    return static_cast<double>(std::bit_cast<float>(bits));
  }

  Value name() {
    const size_t begin = at_;
    while (is_letter(peek()) || peek() == '_') ++at_;
    const std::string_view name = text_.substr(begin, at_ - begin);
    if (name == "pi") return math::kPi;
    for (const NumberFunction& f : kNumberFunctions)
      if (f.name == name) return call(f);
    for (const MatrixFunction& f : kMatrixFunctions)
      if (f.name == name) return call(f);
    at_ = begin;
    return fail(fmt::format("there is no function '{}'", name));
  }

  std::vector<Value> arguments() {
    std::vector<Value> values;
    if (!take('(')) fail("expected '('");
    ++inside_;
    skip_spaces();
    while (!failure_ && !take(')')) {
      values.push_back(inner());
      if (!take(',') && peek() != ')') fail("expected ',' or ')'");
      skip_spaces();
    }
    --inside_;
    return values;
  }

  Value call(const NumberFunction& f) {
    const size_t begin = at_;
    const std::vector<Value> values = arguments();
    std::vector<double> numbers;
    for (const Value& value : values)
      if (const double* number = std::get_if<double>(&value)) numbers.push_back(*number);
    if (failure_) return 0.0;
    if (numbers.size() == values.size() && numbers.size() == f.argument_count) return f.apply(numbers);
    at_ = begin;
    return fail(fmt::format("{} takes {} numbers, found {} values", f.name, f.argument_count, values.size()));
  }

  Value call(const MatrixFunction& f) {
    const size_t begin = at_;
    const std::vector<Value> values = arguments();
    if (failure_) return 0.0;
    if (values.size() == 1 && values[0].index() == 1) return f.apply(std::get<Matrix>(values[0]));
    at_ = begin;
    return fail(fmt::format("{} takes one matrix", f.name));
  }

  // Outside parentheses a blank ends a value, unless the operator behind it has a blank behind itself.
  char take_operator(std::string_view operators) {
    size_t next = at_;
    while (next < text_.size() && is_space(text_[next])) ++next;
    if (next >= text_.size() || operators.find(text_[next]) == std::string_view::npos || failure_) return 0;
    const bool blank_before = next > at_, blank_behind = next + 1 < text_.size() && is_space(text_[next + 1]);
    if (inside_ == 0 && blank_before && !blank_behind) return 0;
    at_ = next + 1;
    skip_spaces();
    return text_[next];
  }

  bool take(char c) {
    if (failure_ || peek() != c) return false;
    ++at_;
    return true;
  }
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void skip_spaces() { while (is_space(peek())) ++at_; }
  void skip_separators() { while (is_space(peek()) || peek() == ',') ++at_; }
  static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r'; }
  static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

  Value fail(std::string text) {
    if (!failure_) failure_ = error_at({loc_.line, loc_.column + static_cast<uint32_t>(at_)}, std::move(text));
    return 0.0;
  }

  std::string_view text_;
  SourceLoc loc_;
  size_t at_ = 0;
  int inside_ = 0, depth_ = 0;   // open parentheses; calls of factor()
  std::optional<Diag> failure_;
};

}  // namespace

Result<std::vector<uint32_t>> evaluate_values(std::string_view text, SourceLoc loc) {
  return Evaluator(text, loc).values();
}

}  // namespace tessera::scene
