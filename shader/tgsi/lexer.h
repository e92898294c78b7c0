// shader/tgsi/lexer.h: TGSI text → tokens with their places.
//
// White space is space, tab and line feed; every other control character, a carriage return among them, is a Bad token.
// Between braces a token is whatever stands between commas and white space, so that literals of any form stay whole.
#pragma once

#include <string_view>

#include "core/result.h"

namespace tessera::tgsi {

struct Token {
  enum class Kind : uint8_t { Word, Number, Punct, Bad, End };
  Kind kind = Kind::End;
  std::string_view text;                 // points into the source
  SourceLoc loc;
  bool first_on_line = false;

  bool is(char punct) const { return kind == Kind::Punct && text.size() == 1 && text[0] == punct; }
  bool is_dots() const { return kind == Kind::Punct && text == ".."; }
  bool touches(const Token& next) const { return text.data() + text.size() == next.text.data(); }
};

class Lexer {
 public:
  explicit Lexer(std::string_view source) : source_(source) {}
  Token next();
  void leave_braces() { in_braces_ = false; }   // after an error inside them

 private:
  void skip_space();
  size_t length_of_token() const;
  size_t length_of_number(size_t begin) const;
  char at(size_t i) const { return i < source_.size() ? source_[i] : '\0'; }

  std::string_view source_;
  size_t pos_ = 0, line_begin_ = 0;
  uint32_t line_ = 1;
  bool at_line_begin_ = true, in_braces_ = false;
};

}  // namespace tessera::tgsi
