#include "frontend/scene_line.h"

#include <fmt/format.h>

#include <bit>
#include <charconv>

namespace tessera::scene {
namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == ','; }

bool is_hex(std::string_view word) { return word.starts_with("0x") || word.starts_with("0X"); }

template <class T, class... Base>
std::optional<T> read_whole(std::string_view digits, Base... base) {
  T value{};
  const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), value, base...);
  if (code != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
  return value;
}

std::optional<uint32_t> read_integer(std::string_view word) {
  return is_hex(word) ? read_whole<uint32_t>(word.substr(2), 16) : read_whole<uint32_t>(word, 10);
}

std::optional<double> read_number(std::string_view word) {
  if (is_hex(word)) {
    const std::optional<uint32_t> bits = read_integer(word);
    return bits ? std::optional<double>(std::bit_cast<float>(*bits)) : std::nullopt;
  }
  if (word.starts_with('+')) word.remove_prefix(1);
  return read_whole<double>(word);
}

}  // namespace

std::string_view without_comment(std::string_view line) { return line.substr(0, line.find('#')); }

Line::Line(std::string_view text, uint32_t number, std::vector<Diag>& diags)
    : text_(without_comment(text)), number_(number), diags_(diags) {
  advance();
}

void Line::advance() {
  while (at_ < text_.size() && is_space(text_[at_])) ++at_;
  const size_t begin = at_;
  while (at_ < text_.size() && !is_space(text_[at_])) ++at_;
  word_ = text_.substr(begin, at_ - begin);
  column_ = static_cast<uint32_t>(begin + 1);
}

bool Line::next_is_number() const { return read_number(word_).has_value(); }

bool Line::accept(std::string_view keyword) {
  if (failed_ || word_ != keyword) return false;
  advance();
  return true;
}

bool Line::accept_phrase(std::string_view keywords) {
  const std::string_view left = failed_ || done() ? std::string_view() : text_.substr(column_ - 1);
  if (!left.starts_with(keywords) || (left.size() > keywords.size() && !is_space(left[keywords.size()]))) return false;
  at_ = column_ - 1 + keywords.size();
  advance();
  return true;
}

std::string_view Line::word(std::string_view what) {
  if (done()) fail_expected(what);
  if (failed_) return {};
  const std::string_view taken = word_;
  advance();
  return taken;
}

std::string_view Line::rest() {
  if (failed_ || done()) return {};
  std::string_view left = text_.substr(column_ - 1);
  while (!left.empty() && is_space(left.back())) left.remove_suffix(1);
  at_ = text_.size();
  advance();
  return left;
}

void Line::finish() {
  if (!failed_ && !done()) fail(fmt::format("expected the end of the line, found '{}'", word_));
}

uint32_t Line::integer(std::string_view what, uint32_t least, uint32_t most) {
  const std::optional<uint32_t> value = read_integer(word_);
  if (!value) {
    fail_expected(fmt::format("{} (an integer)", what));
    return least;
  }
  if (*value < least || *value > most) {
    fail(fmt::format("{} must be from {} to {}, found {}", what, least, most, word_));
    return least;
  }
  word(what);
  return failed_ ? least : *value;
}

int32_t Line::signed_integer(std::string_view what) {
  const std::optional<int32_t> value = read_whole<int32_t>(word_, 10);
  if (!value) fail_expected(fmt::format("{} (an integer)", what));
  word(what);
  return value.value_or(0);
}

double Line::number(std::string_view what) {
  const std::optional<double> value = read_number(word_);
  if (!value) fail_expected(fmt::format("{} (a number)", what));
  word(what);
  return value.value_or(0);
}

float Line::real(std::string_view what) { return static_cast<float>(number(what)); }

std::array<double, 4> Line::four(std::string_view what) {
  std::array<double, 4> values{};
  for (double& value : values) value = number(what);
  return values;
}

bool Line::on_off() {
  constexpr Named<bool> kSwitch[] = {{"on", true}, {"off", false}};
  return one_of(kSwitch);
}

Format Line::format() {
  const std::optional<Format> format = format_from_name(word_);
  if (!format || *format == Format::NONE) fail_expected("the name of a format");
  word("the name of a format");
  return format.value_or(Format::NONE);
}

void Line::fail_at(SourceLoc loc, std::string text) {
  if (!failed_) diags_.push_back(error_at(loc, std::move(text)));
  failed_ = true;
}

void Line::fail_expected(std::string_view what) {
  fail(done() ? fmt::format("expected {}, found the end of the line", what)
              : fmt::format("expected {}, found '{}'", what, word_));
}

}  // namespace tessera::scene
