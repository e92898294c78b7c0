#include "shader/d3d9/condition.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>

namespace tessera::d3d9 {
namespace {

// Unsigned arithmetic wraps, so that no number traps.
constexpr int64_t wrap(uint64_t bits) { return static_cast<int64_t>(bits); }
constexpr uint64_t bits(int64_t value) { return static_cast<uint64_t>(value); }

struct Operator {
  std::string_view text;
  int binds;                             // more tightly where greater
  int64_t (*apply)(int64_t, int64_t);
};
// Longer ones first, where one begins with another.
constexpr Operator kOperators[] = {
    {"||", 1, [](int64_t a, int64_t b) -> int64_t { return a || b; }},
    {"&&", 2, [](int64_t a, int64_t b) -> int64_t { return a && b; }},
    {"==", 6, [](int64_t a, int64_t b) -> int64_t { return a == b; }},
    {"!=", 6, [](int64_t a, int64_t b) -> int64_t { return a != b; }},
    {"<<", 8, [](int64_t a, int64_t b) { return wrap(bits(a) << (b & 63)); }},
    {">>", 8, [](int64_t a, int64_t b) { return a >> (b & 63); }},
    {"<=", 7, [](int64_t a, int64_t b) -> int64_t { return a <= b; }},
    {">=", 7, [](int64_t a, int64_t b) -> int64_t { return a >= b; }},
    {"<", 7, [](int64_t a, int64_t b) -> int64_t { return a < b; }},
    {">", 7, [](int64_t a, int64_t b) -> int64_t { return a > b; }},
    {"|", 3, [](int64_t a, int64_t b) { return a | b; }},
    {"^", 4, [](int64_t a, int64_t b) { return a ^ b; }},
    {"&", 5, [](int64_t a, int64_t b) { return a & b; }},
    {"+", 9, [](int64_t a, int64_t b) { return wrap(bits(a) + bits(b)); }},
    {"-", 9, [](int64_t a, int64_t b) { return wrap(bits(a) - bits(b)); }},
    {"*", 10, [](int64_t a, int64_t b) { return wrap(bits(a) * bits(b)); }},
    {"/", 10, [](int64_t a, int64_t b) { return b == -1 ? wrap(0 - bits(a)) : a / b; }},
    {"%", 10, [](int64_t a, int64_t b) { return b == -1 ? 0 : a % b; }},
};
constexpr int kMaxDepth = 64;

class Evaluator {
 public:
  Evaluator(std::span<const Token> tokens, SourceLoc loc) : tokens_(tokens), loc_(loc) {}

  Result<int64_t> run() {
    const std::optional<int64_t> value = binary(1);
    if (value && pos_ < tokens_.size()) fail("expected an operator");
    if (problem_) return *problem_;
    return *value;
  }

 private:
  std::nullopt_t fail(std::string_view text) {
    const bool at_end = pos_ >= tokens_.size();
    if (!problem_)
      problem_ = error_at(at_end ? loc_ : tokens_[pos_].loc,
                          fmt::format("{}, found {}", text, at_end ? "the end of the line" : tokens_[pos_].text));
    return std::nullopt;
  }
  bool at(size_t i, char punct) const { return i < tokens_.size() && tokens_[i].is(punct); }
  const Operator* operator_here() const;
  std::optional<int64_t> binary(int least);
  std::optional<int64_t> unary();
  std::optional<int64_t> number();

  std::span<const Token> tokens_;
  SourceLoc loc_;
  size_t pos_ = 0;
  int depth_ = 0;
  std::optional<Diag> problem_;
};

const Operator* Evaluator::operator_here() const {
  for (const Operator& op : kOperators)
    if (at(pos_, op.text[0]) && (op.text.size() == 1 || (at(pos_ + 1, op.text[1]) && !tokens_[pos_ + 1].space_before)))
      return &op;
  return nullptr;
}

std::optional<int64_t> Evaluator::number() {
  const std::string_view text = tokens_[pos_].text;
  const bool is_hex = text.starts_with("0x") || text.starts_with("0X");
  int64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, problem] = std::from_chars(text.data() + (is_hex ? 2 : 0), end, value, is_hex ? 16 : 10);
  if (problem != std::errc() || rest != end) return fail("expected a whole number");
  ++pos_;
  return value;
}

std::optional<int64_t> Evaluator::unary() {
  if (pos_ >= tokens_.size() || ++depth_ > kMaxDepth) return fail("expected a value");
  const Token& token = tokens_[pos_];
  std::optional<int64_t> value;
  if (token.kind == Token::Kind::Number) {
    value = number();
  } else if (token.kind == Token::Kind::Word) {
    ++pos_;
    value = 0;
  } else if (token.is('(')) {
    ++pos_;
    value = binary(1);
    if (value && !at(pos_, ')')) return fail("expected )");
    ++pos_;
  } else if (token.is('!') || token.is('-') || token.is('+') || token.is('~')) {
    ++pos_;
    value = unary();
    if (value)
      value = token.is('!') ? !*value : token.is('-') ? wrap(0 - bits(*value)) : token.is('~') ? ~*value : *value;
  } else {
    return fail("expected a value");
  }
  --depth_;
  return value;
}

std::optional<int64_t> Evaluator::binary(int least) {
  std::optional<int64_t> left = unary();
  while (left) {
    const Operator* op = operator_here();
    if (!op || op->binds < least) break;
    pos_ += op->text.size();
    const std::optional<int64_t> right = binary(op->binds + 1);
    if (!right) return std::nullopt;
    if (*right == 0 && (op->text == "/" || op->text == "%")) return fail("division by 0");
    left = op->apply(*left, *right);
  }
  return left;
}

}  // namespace

Result<int64_t> evaluate_condition(std::span<const Token> tokens, SourceLoc loc) {
  return Evaluator(tokens, loc).run();
}

}  // namespace tessera::d3d9
