#include "shader/d3d9/preprocessor.h"

#include <fmt/format.h>

#include <algorithm>

namespace tessera::d3d9 {

Preprocessor::Preprocessor(std::string_view text, std::span<const Macro> macros, DiagList& diags, Semicolons semicolons)
    : lexer_(text, semicolons),
      diags_(diags),
      tokens_left_(kMaxExpanded_tokens + text.size()),
      keeps_pragmas_(semicolons == Semicolons::AreTokens) {
  for (const Macro& macro : macros) {
    Lexer lexer(macro.value);
    Tokens& body = macros_[macro.name].body;
    for (Token token = lexer.next(); token.kind != Token::Kind::End && token.kind != Token::Kind::OpenComment;
         token = lexer.next())
      body.push_back(token);
  }
}

bool Preprocessor::fail(Rule rule, SourceLoc loc, std::string text) {
  diags_.add(rule, loc, std::move(text));
  return false;
}

const Token& Preprocessor::stop(SourceLoc loc) {
  if (!stopped_) end_.loc = loc;
  stopped_ = true;
  frames_.clear();
  return end_;
}

// Frames end here, so that no macro is busy while the text behind its call is read.
const Token& Preprocessor::peek() {
  while (!frames_.empty() && frames_.back().at == frames_.back().tokens.size()) {
    if (frames_.back().macro) frames_.back().macro->busy = false;
    frames_.pop_back();
  }
  static const Token kEnd;
  if (!frames_.empty()) return frames_.back().tokens[frames_.back().at];
  if (isolated_) return kEnd;
  if (!ahead_) ahead_ = lexer_.next();
  return *ahead_;
}

Token Preprocessor::take() {
  const Token token = peek();
  if (!frames_.empty()) ++frames_.back().at;
  else if (!isolated_) ahead_.reset();
  return token;
}

Token Preprocessor::next() {
  while (!stopped_) {
    const Token token = take();
    if (token.kind == Token::Kind::End && isolated_) return token;
    if (token.kind == Token::Kind::End) {
      for (const Condition& open : conditions_) fail(Rule::open_condition, open.loc, "this condition has no #endif");
      return stop(token.loc);
    }
    if (token.kind == Token::Kind::OpenComment) {
      fail(Rule::open_comment, token.loc, "the text ends within a comment");
      return stop(token.loc);
    }
    if (token.is('#') && token.first_on_line && frames_.empty() && !isolated_) {
      if (keeps_pragmas_ && peek().is_word("pragma")) return token;
      directive(token);
      continue;
    }
    if (token.kind != Token::Kind::Word || macros_.empty() || !token.is_macro_name) return token;
    const auto at = macros_.find(token.text);
    if (at == macros_.end()) return token;
    if (at->second.busy) {
      Token painted = token;
      painted.is_macro_name = false;
      return painted;
    }
    if (!try_expand(token)) return token;
  }
  return end_;
}

Result<std::string> preprocess(std::string_view text, std::span<const Macro> macros) {
  DiagList diags;
  Preprocessor preprocessor(text, macros, diags, Semicolons::AreTokens);
  std::string out;
  for (Token token = preprocessor.next(); token.kind != Token::Kind::End; token = preprocessor.next()) {
    if (!out.empty() && (token.first_on_line || token.space_before)) out += token.first_on_line ? '\n' : ' ';
    out += token.text;
  }
  if (!diags.empty()) return diags.take();
  return out;
}

}  // namespace tessera::d3d9
