// shader/d3d9/directives.cpp: the preprocessor's lines that begin with #.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "shader/d3d9/condition.h"
#include "shader/d3d9/preprocessor.h"

namespace tessera::d3d9 {
namespace {
constexpr uint32_t kMaxLine = 1u << 30;
}

Preprocessor::Tokens Preprocessor::rest_of_line() {
  Tokens line;
  while (!peek().first_on_line) line.push_back(take());
  return line;
}

// One function a word; `line` holds the tokens behind it.
void Preprocessor::directive(const Token& sign) {
  Tokens line = rest_of_line();
  if (line.empty()) return;              // a # alone
  const Token word = line.front();
  line.erase(line.begin());
  if (word.is_word("define")) return define(line, word.loc);
  if (word.is_word("undef")) return undefine(line, word.loc);
  if (word.is_word("line")) return line_number(line, word.loc);
  if (word.is_word("if")) return begin_condition(condition(std::move(line), word.loc), word.loc);
  if (word.is_word("ifdef")) return begin_condition(is_defined(line, word.loc), word.loc);
  if (word.is_word("ifndef")) return begin_condition(!is_defined(line, word.loc), word.loc);
  if (word.is_word("elif") || word.is_word("else")) return next_branch(word.is_word("else"), word.loc);
  if (word.is_word("endif")) {
    if (conditions_.empty()) fail(Rule::open_condition, word.loc, "#endif without #if");
    else conditions_.pop_back();
    return;
  }
  if (word.is_word("pragma")) return;
  std::string rest;
  for (const Token& token : line) rest += fmt::format(" {}", token.text);
  fail(Rule::bad_directive, sign.loc,
       word.is_word("error") ? "#error" + rest : fmt::format("#{} is not known", word.text));
}

// A parenthesis that touches the name begins parameters.
void Preprocessor::define(const Tokens& line, SourceLoc loc) {
  if (line.empty() || line[0].kind != Token::Kind::Word) {
    fail(Rule::bad_directive, loc, "#define needs a name");
    return;
  }
  Definition macro;
  size_t at = 1;
  macro.has_parameters = line.size() > 1 && line[1].is('(') && !line[1].space_before;
  if (macro.has_parameters) {
    const auto has = [&](char punct) { return at < line.size() && line[at].is(punct); };
    for (++at; at < line.size() && line[at].kind == Token::Kind::Word;) {
      macro.parameters.push_back(line[at++].text);
      if (!has(',')) break;
      ++at;
    }
    if (!has(')')) {
      fail(Rule::bad_directive, line[0].loc, fmt::format("the parameters of {} are not closed", line[0].text));
      return;
    }
    ++at;
  }
  macro.body.assign(line.begin() + static_cast<std::ptrdiff_t>(at), line.end());
  macros_[line[0].text] = std::move(macro);
}

void Preprocessor::undefine(const Tokens& line, SourceLoc loc) {
  if (line.size() == 1 && line[0].kind == Token::Kind::Word) macros_.erase(line[0].text);
  else fail(Rule::bad_directive, loc, "#undef needs a name");
}

void Preprocessor::line_number(const Tokens& line, SourceLoc loc) {
  uint32_t number = 0;
  const std::string_view text = line.empty() ? std::string_view() : line[0].text;
  const auto [rest, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || problem != std::errc() || rest != text.data() + text.size() || number == 0 || number > kMaxLine) {
    fail(Rule::bad_directive, loc, "#line needs the number of a line");
    return;
  }
  // The next line's first token has been read already, or the text is at its end.
  if (ahead_) {
    const uint32_t skipped = ahead_->loc.line - loc.line - 1;
    ahead_->loc.line = number + skipped;
    lexer_.set_line(number + skipped);
  }
}

bool Preprocessor::is_defined(const Tokens& line, SourceLoc loc) {
  if (line.size() == 1 && line[0].kind == Token::Kind::Word) return macros_.contains(line[0].text);
  return fail(Rule::bad_directive, loc, "#ifdef and #ifndef need a name");
}

// `defined X` and `defined(X)` become 1 or 0 before macros are put in.
Preprocessor::Tokens Preprocessor::without_defined(const Tokens& line) const {
  Tokens out;
  for (size_t i = 0; i < line.size(); ++i) {
    out.push_back(line[i]);
    if (!line[i].is_word("defined")) continue;
    const bool in_parentheses = i + 3 < line.size() && line[i + 1].is('(') && line[i + 3].is(')');
    const size_t name = in_parentheses ? i + 2 : i + 1;
    if (name >= line.size() || line[name].kind != Token::Kind::Word) continue;
    out.back().kind = Token::Kind::Number;
    out.back().text = macros_.contains(line[name].text) ? "1" : "0";
    i = in_parentheses ? i + 3 : i + 1;
  }
  return out;
}

bool Preprocessor::condition(Tokens line, SourceLoc loc) {
  const Result<int64_t> value = evaluate_condition(expand(without_defined(line)), loc);
  if (!value) return fail(Rule::bad_condition, value.diags()[0].loc, value.diags()[0].text);
  return *value != 0;
}

void Preprocessor::begin_condition(bool holds, SourceLoc loc) {
  if (conditions_.size() >= kMaxMacroDepth) {
    fail(Rule::open_condition, loc, "conditions nest too deep");
    stop(loc);
    return;
  }
  conditions_.push_back({holds, false, loc});
  if (!holds) skip_group();
}

// Reached at the end of a branch that was taken: all further ones are skipped.
void Preprocessor::next_branch(bool is_else, SourceLoc loc) {
  if (conditions_.empty() || conditions_.back().had_else) {
    fail(Rule::open_condition, loc, "this branch belongs to no #if");
    return;
  }
  conditions_.back().had_else = is_else;
  skip_group();
}

// To the branch to take, or past the #endif.
void Preprocessor::skip_group() {
  for (size_t depth = 0; peek().kind != Token::Kind::End && peek().kind != Token::Kind::OpenComment;) {
    const Token sign = take();
    if (!sign.is('#') || !sign.first_on_line || peek().first_on_line) continue;
    const Token word = take();
    if (word.kind == Token::Kind::Word && word.text.starts_with("if")) ++depth;
    if (word.is_word("endif") && depth-- == 0) {
      conditions_.pop_back();
      return;
    }
    if (depth > 0 || !(word.is_word("else") || word.is_word("elif"))) continue;
    Condition& open = conditions_.back();
    if (open.had_else) {
      fail(Rule::open_condition, word.loc, "this branch stands behind the #else");
      continue;
    }
    open.had_else = word.is_word("else");
    if (open.taken) continue;
    open.taken = open.had_else || condition(rest_of_line(), word.loc);
    if (open.taken) return;
  }
}

}  // namespace tessera::d3d9
