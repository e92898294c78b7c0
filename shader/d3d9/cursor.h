// shader/d3d9/cursor.h: where the parser stands in the tokens, and how it complains.
#pragma once

#include <fmt/format.h>

#include <optional>
#include <string>

#include "shader/d3d9/preprocessor.h"

namespace tessera::d3d9 {

class Cursor {
 public:
  Cursor(std::string_view text, std::span<const Macro> macros, DiagList& diags)
      : preprocessor_(text, macros, diags), diags_(diags), now_(preprocessor_.next()) {}

  const Token& now() const { return now_; }
  const Token& ahead();                                           // the one after it
  SourceLoc loc() const { return now_.loc; }
  bool at_end() const { return now_.kind == Token::Kind::End; }
  bool at_word() const { return now_.kind == Token::Kind::Word; }
  std::string_view lower();                                       // the token in lower case, until the next call

  void advance();
  bool accept(char punct);                                        // skips it if it is there
  bool expect(char punct);                                        // complains if it is not

  bool fail(Rule rule, std::string_view expected);                // "expected ..., found ..." here; gives false
  template <class... Args>
  bool fail_at(Rule rule, SourceLoc loc, fmt::format_string<Args...> format, Args&&... args) {
    diags_.add(rule, loc, fmt::format(format, std::forward<Args>(args)...));
    return false;
  }
  DiagList& diags() { return diags_; }

 private:
  Preprocessor preprocessor_;
  DiagList& diags_;
  Token now_;
  std::optional<Token> ahead_;
  std::string lower_;
};

}  // namespace tessera::d3d9
