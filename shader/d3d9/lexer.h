// shader/d3d9/lexer.h: assembler text → tokens with their places, before macros are put in.
//
// Comments and line ends are space. A number is whatever begins like one, so that `1r0` is one token, and no number.
#pragma once

#include <string_view>

#include "core/result.h"

namespace tessera::d3d9 {

struct Token {
  enum class Kind : uint8_t { Word, Number, Punct, String, Bad, OpenComment, End };
  Kind kind = Kind::End;
  bool first_on_line = false, space_before = false;
  bool is_macro_name = true;             // false: stands within that macro's own expansion
  SourceLoc loc;
  std::string_view text;                 // points into the source, or into what the preprocessor made

  bool is(char punct) const { return kind == Kind::Punct && text[0] == punct; }
  bool is_word(std::string_view word) const { return kind == Kind::Word && text == word; }
};

enum class Semicolons : uint8_t { BeginComments, AreTokens };

class Lexer {
 public:
  explicit Lexer(std::string_view source, Semicolons semicolons = Semicolons::BeginComments)
      : source_(source), semicolons_(semicolons) {}

  Token next();
  void set_line(uint32_t line) { line_ = line; }   // the number of the line it stands in

 private:
  bool skip_space();                     // false: a comment does not end
  bool skip_comment();
  void skip_line();
  void begin_line() { ++line_; line_begin_ = pos_; at_line_begin_ = true; }
  SourceLoc loc() const { return {line_, static_cast<uint32_t>(pos_ - line_begin_ + 1)}; }
  size_t length_of_token() const;
  size_t length_of_number() const;
  char at(size_t i) const { return i < source_.size() ? source_[i] : '\0'; }

  std::string_view source_;
  Semicolons semicolons_;
  size_t pos_ = 0, line_begin_ = 0;
  uint32_t line_ = 1;
  bool at_line_begin_ = true;
  SourceLoc comment_;                    // the last /*
};

}  // namespace tessera::d3d9
