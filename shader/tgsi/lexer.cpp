#include "shader/tgsi/lexer.h"

namespace tessera::tgsi {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_word(char c) { return is_digit(c) || is_letter(c); }
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n'; }
bool is_punct(char c) { return std::string_view("[](){},.:|-+").find(c) != std::string_view::npos; }
bool is_literal(char c) { return c > ' ' && c < 0x7f && c != ',' && c != '{' && c != '}'; }

// `2D_ARRAY` is a word though it begins like a number.
Token::Kind kind_of(std::string_view text, bool in_braces) {
  const char first = text[0];
  if (first == ',' || first == '{' || first == '}') return Token::Kind::Punct;
  if (in_braces) return Token::Kind::Number;
  if (is_letter(first)) return Token::Kind::Word;
  if (is_digit(first) || (first == '.' && text.size() > 1 && is_digit(text[1]))) {
    const bool number = text.find_first_not_of("0123456789") == std::string_view::npos ||
                        text.find_first_of(".+-") != std::string_view::npos || text.starts_with("0x") ||
                        text.find_first_not_of("0123456789eE") == std::string_view::npos;
    return number ? Token::Kind::Number : Token::Kind::Word;
  }
  return Token::Kind::Punct;
}

}  // namespace

void Lexer::skip_space() {
  for (; pos_ < source_.size() && is_space(source_[pos_]); ++pos_) {
    if (source_[pos_] != '\n') continue;
    ++line_;
    line_begin_ = pos_ + 1;
    at_line_begin_ = true;
  }
}

// Digits with a fraction and an exponent. Two dots are a range, not a fraction.
size_t Lexer::length_of_number(size_t begin) const {
  size_t i = begin;
  const auto digits = [&] { while (is_digit(at(i))) ++i; };
  digits();
  if (at(i) == '.' && at(i + 1) != '.') {
    ++i;
    digits();
  }
  if (at(i) == 'e' || at(i) == 'E') {
    const size_t sign = at(i + 1) == '+' || at(i + 1) == '-' ? 1 : 0;
    if (is_digit(at(i + 1 + sign))) {
      i += 1 + sign;
      digits();
    }
  }
  while (is_word(at(i))) ++i;             // 2D, 0x3f800000, and what is no number at all
  return i - begin;
}

size_t Lexer::length_of_token() const {
  const char c = source_[pos_];
  if (in_braces_ && is_literal(c)) {
    size_t i = pos_;
    while (i < source_.size() && is_literal(source_[i])) ++i;
    return i - pos_;
  }
  if (is_digit(c) || (c == '.' && is_digit(at(pos_ + 1)))) return length_of_number(pos_);
  if (is_letter(c)) {
    size_t i = pos_;
    while (is_word(at(i))) ++i;
    return i - pos_;
  }
  if (c == '.' && at(pos_ + 1) == '.') return 2;
  return is_punct(c) ? 1 : 0;
}

Token Lexer::next() {
  skip_space();
  Token token;
  token.loc = {line_, static_cast<uint32_t>(pos_ - line_begin_ + 1)};
  token.first_on_line = at_line_begin_;
  at_line_begin_ = false;
  if (pos_ >= source_.size()) {
    token.text = source_.substr(source_.size());
    return token;
  }
  const size_t length = length_of_token();
  token.text = source_.substr(pos_, length ? length : 1);
  token.kind = length ? kind_of(token.text, in_braces_) : Token::Kind::Bad;
  pos_ += token.text.size();
  if (token.is('{')) in_braces_ = true;
  if (token.is('}')) in_braces_ = false;
  return token;
}

}  // namespace tessera::tgsi
