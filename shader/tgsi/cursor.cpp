#include "shader/tgsi/cursor.h"

#include <fmt/format.h>

#include "shader/tgsi/names.h"
#include "shader/tgsi/numbers.h"

namespace tessera::tgsi {
namespace {

std::string describe(const Token& token) {
  if (token.kind == Token::Kind::End) return "the end of the text";
  const auto c = static_cast<unsigned char>(token.text[0]);
  if (token.kind == Token::Kind::Bad && (c <= ' ' || c >= 0x7f)) return fmt::format("character {:#04x}", c);
  constexpr size_t kShown = 40;
  return fmt::format("'{}{}'", token.text.substr(0, kShown), token.text.size() > kShown ? "..." : "");
}

}  // namespace

const Token& Cursor::ahead() {
  if (!ahead_) ahead_ = lexer_.next();
  return *ahead_;
}

std::string Cursor::word() const { return at_word() ? to_upper(now_.text) : std::string(); }

void Cursor::advance() {
  now_ = ahead_ ? *ahead_ : lexer_.next();
  ahead_.reset();
}

bool Cursor::accept(char punct) {
  if (!now_.is(punct)) return false;
  advance();
  return true;
}

bool Cursor::expect(char punct) {
  if (accept(punct)) return true;
  return fail(Rule::expected_token, fmt::format("'{}'", punct));
}

bool Cursor::expect_number(uint32_t& value, Rule rule, std::string_view what) {
  const auto number = now_.kind == Token::Kind::Number ? parse_decimal(now_.text) : std::nullopt;
  if (!number) return fail(rule, what);
  value = *number;
  advance();
  return true;
}

void Cursor::skip_statement(SourceLoc begin) {
  lexer_.leave_braces();
  if (now_.loc == begin && !at_end()) advance();
  while (!at_end() && !now_.first_on_line) advance();
}

bool Cursor::fail(Rule rule, std::string_view expected) {
  if (now_.kind == Token::Kind::Bad) rule = Rule::bad_character;
  return fail_at(rule, now_.loc, fmt::format("expected {}, found {}", expected, describe(now_)));
}

bool Cursor::fail_at(Rule rule, SourceLoc loc, std::string text) {
  diags_.add(rule, loc, std::move(text));
  return false;
}

}  // namespace tessera::tgsi
