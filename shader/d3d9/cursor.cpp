#include "shader/d3d9/cursor.h"

namespace tessera::d3d9 {
namespace {

bool is_known(const Token& token) {
  if (token.kind == Token::Kind::Punct)
    return std::string_view(",.+-()[]!").find(token.text[0]) != std::string_view::npos;
  return token.kind != Token::Kind::Bad && token.kind != Token::Kind::String;
}

}  // namespace

const Token& Cursor::ahead() {
  if (!ahead_) ahead_ = preprocessor_.next();
  return *ahead_;
}

void Cursor::advance() {
  now_ = ahead_ ? *ahead_ : preprocessor_.next();
  ahead_.reset();
}

std::string_view Cursor::lower() {
  lower_.assign(now_.text);
  for (char& c : lower_)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + ('a' - 'A'));
  return lower_;
}

bool Cursor::accept(char punct) {
  if (!now_.is(punct)) return false;
  advance();
  return true;
}

bool Cursor::expect(char punct) { return accept(punct) || fail(Rule::expected_token, std::string_view(&punct, 1)); }

bool Cursor::fail(Rule rule, std::string_view expected) {
  if (at_end()) return fail_at(rule, now_.loc, "expected {}, found the end of the text", expected);
  if (is_known(now_)) return fail_at(rule, now_.loc, "expected {}, found {}", expected, now_.text);
  if (now_.kind == Token::Kind::Bad)
    return fail_at(Rule::bad_character, now_.loc, "a character with the code {} stands here",
                   static_cast<uint8_t>(now_.text[0]));
  return fail_at(Rule::bad_character, now_.loc, "expected {}, found {}, which has no meaning here", expected,
                 now_.text);
}

}  // namespace tessera::d3d9
