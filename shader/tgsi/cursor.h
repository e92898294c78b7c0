// shader/tgsi/cursor.h: where the parser stands in the tokens, and how it complains.
#pragma once

#include <optional>
#include <string>

#include "shader/tgsi/diagnostics.h"
#include "shader/tgsi/lexer.h"

namespace tessera::tgsi {

class Cursor {
 public:
  Cursor(std::string_view text, DiagList& diags) : lexer_(text), diags_(diags), now_(lexer_.next()) {}

  const Token& now() const { return now_; }
  const Token& ahead();                                           // the one after it
  SourceLoc loc() const { return now_.loc; }
  bool at_end() const { return now_.kind == Token::Kind::End; }
  bool at_word() const { return now_.kind == Token::Kind::Word; }
  std::string word() const;                                       // of the token, in capitals; empty if it is none

  void advance();
  bool accept(char punct);                                        // skips it if it is there
  bool expect(char punct);                                        // complains if it is not
  bool expect_number(uint32_t& value, Rule rule, std::string_view what);
  void skip_statement(SourceLoc begin);                           // to the next line's first token, at least one on

  bool fail(Rule rule, std::string_view expected);                // "expected ..., found ..." here; gives false
  bool fail_at(Rule rule, SourceLoc loc, std::string text);

 private:
  Lexer lexer_;
  DiagList& diags_;
  Token now_;
  std::optional<Token> ahead_;
};

}  // namespace tessera::tgsi
