#include "shader/d3d9/lexer.h"

namespace tessera::d3d9 {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_word(char c) { return is_digit(c) || is_letter(c); }
bool is_printable(char c) { return c > ' ' && c < 0x7f; }
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }

}  // namespace

void Lexer::skip_line() {
  while (pos_ < source_.size() && source_[pos_] != '\n') ++pos_;
}

// At `/*`.
bool Lexer::skip_comment() {
  comment_ = loc();
  for (pos_ += 2; pos_ < source_.size(); ++pos_) {
    if (source_[pos_] == '*' && at(pos_ + 1) == '/') {
      pos_ += 2;
      return true;
    }
    if (source_[pos_] != '\n') continue;
    ++line_;
    line_begin_ = pos_ + 1;
  }
  return false;
}

bool Lexer::skip_space() {
  while (pos_ < source_.size()) {
    const char c = source_[pos_], after = at(pos_ + 1);
    if (is_space(c)) {
      ++pos_;
    } else if (c == '\n') {
      ++pos_;
      begin_line();
    } else if (c == '\\' && (after == '\n' || (after == '\r' && at(pos_ + 2) == '\n'))) {
      pos_ += after == '\n' ? 2 : 3;     // the line goes on
      ++line_;
      line_begin_ = pos_;
    } else if ((c == '/' && after == '/') || (c == ';' && semicolons_ == Semicolons::BeginComments)) {
      skip_line();
    } else if (c == '/' && after == '*') {
      if (!skip_comment()) return false;
    } else {
      return true;
    }
  }
  return true;
}

// Letters, digits and dots behind the first, and signs behind `e`; also the spellings 1.#INF and 1.#QNAN.
size_t Lexer::length_of_number() const {
  size_t i = pos_;
  while (is_word(at(i)) || at(i) == '.' || (at(i) == '#' && at(i - 1) == '.')) {
    const char c = at(i++), after = at(i);
    if ((c == 'e' || c == 'E') && (after == '+' || after == '-')) ++i;
  }
  return i - pos_;
}

size_t Lexer::length_of_token() const {
  const char c = source_[pos_];
  if (is_digit(c) || (c == '.' && is_digit(at(pos_ + 1)))) return length_of_number();
  if (c == '"') {
    const size_t end = source_.find_first_of("\"\n", pos_ + 1);
    return end == std::string_view::npos || source_[end] == '\n' ? 1 : end + 1 - pos_;
  }
  size_t i = pos_;
  while (is_word(at(i))) ++i;
  return i == pos_ ? 1 : i - pos_;
}

Token Lexer::next() {
  const size_t begin = pos_;
  const bool closed = skip_space();
  Token token;
  token.loc = closed ? loc() : comment_;
  token.first_on_line = at_line_begin_;
  token.space_before = pos_ != begin;
  if (pos_ >= source_.size()) {
    token.kind = closed ? Token::Kind::End : Token::Kind::OpenComment;
    token.first_on_line = true;
    return token;
  }
  at_line_begin_ = false;
  const char c = source_[pos_];
  token.text = source_.substr(pos_, length_of_token());
  const bool is_long = token.text.size() > 1;
  token.kind = is_letter(c)                          ? Token::Kind::Word
               : is_digit(c) || (is_long && c == '.') ? Token::Kind::Number
               : is_long                             ? Token::Kind::String
               : is_printable(c)                     ? Token::Kind::Punct
                                                     : Token::Kind::Bad;
  pos_ += token.text.size();
  return token;
}

}  // namespace tessera::d3d9
