// shader/d3d9/preprocessor.h: tokens of a text → tokens with its directives carried out and its macros put in.
//
// #define (with and without parameters, # and ##), #undef, #if, #ifdef, #ifndef, #elif, #else, #endif, #line, #error;
// #pragma is passed over. A macro's tokens have the place of the name that called it.
#pragma once

#include <deque>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "shader/d3d9/diagnostics.h"
#include "shader/d3d9/lexer.h"
#include "shader/d3d9/parser.h"

namespace tessera::d3d9 {

inline constexpr size_t kMaxExpanded_tokens = size_t{1} << 20;          // see Preprocessor::count_tokens
inline constexpr size_t kMaxMacroDepth = 64;                            // of calls in arguments of calls, and of #if

class Preprocessor {
 public:
  Preprocessor(std::string_view text, std::span<const Macro> macros, DiagList& diags,
               Semicolons semicolons = Semicolons::BeginComments);

  Token next();

 private:
  using Tokens = std::vector<Token>;
  struct Definition {
    bool has_parameters = false, busy = false;
    std::vector<std::string_view> parameters;
    Tokens body;

    std::optional<size_t> parameter(const Token& token) const;
  };
  struct Frame {                         // tokens that are read before those below it
    Tokens tokens;
    size_t at = 0;
    Definition* macro = nullptr;         // whose expansion it is
  };
  struct Condition { bool taken, had_else; SourceLoc loc; };

  bool fail(Rule rule, SourceLoc loc, std::string text);
  const Token& stop(SourceLoc loc);      // the token that ends all

  // tokens
  Token take();                          // from the innermost frame that has one, or the text
  const Token& peek();

  // macros
  bool try_expand(const Token& name);
  bool count_tokens(size_t count, SourceLoc loc);   // false: macros took or made too many, in all
  std::optional<std::vector<Tokens>> arguments(const Token& name, const Definition& macro);
  Tokens substitute(const Token& name, const Definition& macro, const std::vector<Tokens>& arguments);
  Tokens expand(Tokens tokens);          // all macros in it, as if nothing followed
  Token paste(const Token& left, const Token& right);
  Token stringify(const Token& sign, const Tokens& argument);
  std::string_view keep(std::string text);

  // directives
  void directive(const Token& sign);
  Tokens rest_of_line();
  void define(const Tokens& line, SourceLoc loc);
  void undefine(const Tokens& line, SourceLoc loc);
  void line_number(const Tokens& line, SourceLoc loc);
  void begin_condition(bool holds, SourceLoc loc);
  void next_branch(bool is_else, SourceLoc loc);
  bool condition(Tokens line, SourceLoc loc);
  bool is_defined(const Tokens& line, SourceLoc loc);
  void skip_group();
  Tokens without_defined(const Tokens& line) const;

  Lexer lexer_;
  DiagList& diags_;
  std::optional<Token> ahead_;           // of the lexer
  std::vector<Frame> frames_;
  bool isolated_ = false;                // the frames are all there is
  std::unordered_map<std::string_view, Definition> macros_;
  std::vector<Condition> conditions_;
  std::deque<std::string> made_;         // texts that tokens point into
  size_t tokens_left_, depth_ = 0;
  bool stopped_ = false, keeps_pragmas_;
  Token end_;
};

// The text that the assembler sees. White space is not kept exactly.
Result<std::string> preprocess(std::string_view text, std::span<const Macro> macros = {});

}  // namespace tessera::d3d9
