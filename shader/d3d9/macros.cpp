// shader/d3d9/macros.cpp: the preprocessor's macro calls.
#include <fmt/format.h>

#include <algorithm>

#include "shader/d3d9/preprocessor.h"

namespace tessera::d3d9 {

std::optional<size_t> Preprocessor::Definition::parameter(const Token& token) const {
  const auto at = token.kind == Token::Kind::Word ? std::ranges::find(parameters, token.text) : parameters.end();
  if (at == parameters.end()) return std::nullopt;
  return static_cast<size_t>(at - parameters.begin());
}

std::string_view Preprocessor::keep(std::string text) { return made_.emplace_back(std::move(text)); }

// The arguments and results of all calls, so that no text takes much more work than its length and a constant.
bool Preprocessor::count_tokens(size_t count, SourceLoc loc) {
  if (count <= tokens_left_) {
    tokens_left_ -= count;
    return true;
  }
  fail(Rule::text_too_long, loc, "macros put in too many tokens");
  stop(loc);
  return false;
}

// Puts the macro's tokens before those that follow. False: it takes parameters, and no parenthesis follows.
bool Preprocessor::try_expand(const Token& name) {
  Definition& macro = macros_.find(name.text)->second;
  if (macro.has_parameters && !peek().is('(')) return false;
  std::vector<Tokens> given;
  if (macro.has_parameters) {
    std::optional<std::vector<Tokens>> read = arguments(name, macro);
    if (!read) return true;
    given = std::move(*read);
  }
  Tokens tokens = substitute(name, macro, given);
  if (stopped_ || tokens.empty()) return true;
  tokens.front().first_on_line = name.first_on_line;
  tokens.front().space_before = name.space_before;
  frames_.push_back({std::move(tokens), 0, &macro});
  macro.busy = true;
  return true;
}

// `()` is one empty argument of a macro that has one, and none of a macro that has none.
std::optional<std::vector<Preprocessor::Tokens>> Preprocessor::arguments(const Token& name, const Definition& macro) {
  const auto refuse = [&](std::string text) {
    fail(Rule::bad_macro_call, name.loc, std::move(text));
    return std::nullopt;
  };
  std::vector<Tokens> given(1);
  take();
  for (size_t depth = 0;;) {
    if (peek().kind == Token::Kind::End || peek().kind == Token::Kind::OpenComment)
      return refuse(fmt::format("the call of {} has no closing parenthesis", name.text));
    const Token token = take();
    if (!count_tokens(1, name.loc)) return std::nullopt;
    if (token.is(')') && depth-- == 0) break;
    if (token.is('(')) ++depth;
    if (token.is(',') && depth == 0) given.emplace_back();
    else given.back().push_back(token);
  }
  if (macro.parameters.empty() && given.size() == 1 && given[0].empty()) given.clear();
  if (given.size() == macro.parameters.size()) return given;
  return refuse(fmt::format("{} takes {} arguments, found {}", name.text, macro.parameters.size(), given.size()));
}

Preprocessor::Tokens Preprocessor::expand(Tokens tokens) {
  if (++depth_ > kMaxMacroDepth) {
    const SourceLoc loc = tokens.empty() ? SourceLoc{1, 1} : tokens.front().loc;
    fail(Rule::bad_macro_call, loc, "macro calls nest too deep");
    stop(loc);
    return {};
  }
  std::vector<Frame> outer = std::move(frames_);
  const bool was_isolated = isolated_;
  frames_.clear();
  frames_.push_back({std::move(tokens)});
  isolated_ = true;
  Tokens out;
  for (Token token = next(); !stopped_ && token.kind != Token::Kind::End; token = next()) out.push_back(token);
  isolated_ = was_isolated;
  if (!stopped_) frames_ = std::move(outer);
  --depth_;
  return out;
}

// Two words or numbers become one token; anything else stays two.
Token Preprocessor::paste(const Token& left, const Token& right) {
  Token out = left;
  out.text = keep(std::string(left.text) + std::string(right.text));
  out.is_macro_name = true;
  return out;
}

Token Preprocessor::stringify(const Token& sign, const Tokens& argument) {
  std::string text = "\"";
  for (const Token& token : argument) {
    if (token.space_before && text.size() > 1) text += ' ';
    text += token.text;
  }
  Token out = sign;
  out.kind = Token::Kind::String;
  out.text = keep(text + '"');
  return out;
}

Preprocessor::Tokens Preprocessor::substitute(const Token& name, const Definition& macro,
                                              const std::vector<Tokens>& given) {
  const Tokens& body = macro.body;
  const auto is_paste = [&](size_t i) { return i + 1 < body.size() && body[i].is('#') && body[i + 1].is('#'); };
  const auto can_join = [](const Token& t) { return t.kind == Token::Kind::Word || t.kind == Token::Kind::Number; };
  std::vector<std::optional<Tokens>> expanded(given.size());
  Tokens out;
  bool joins = false;                    // `##` stood before
  for (size_t i = 0; i < body.size() && !stopped_; ++i) {
    if (is_paste(i)) {
      joins = true;
      ++i;
      continue;
    }
    Tokens piece = {body[i]};
    const std::optional<size_t> text_of =
        body[i].is('#') && i + 1 < body.size() ? macro.parameter(body[i + 1]) : std::nullopt;
    if (text_of) {
      piece = {stringify(body[i++], given[*text_of])};
    } else if (const std::optional<size_t> parameter = macro.parameter(body[i])) {
      if (joins || is_paste(i + 1)) {
        piece = given[*parameter];
      } else {
        if (!expanded[*parameter]) expanded[*parameter] = expand(given[*parameter]);
        piece = *expanded[*parameter];
      }
    }
    if (joins && !out.empty() && !piece.empty() && can_join(out.back()) && can_join(piece.front())) {
      out.back() = paste(out.back(), piece.front());
      piece.erase(piece.begin());
    }
    joins = false;
    out.insert(out.end(), piece.begin(), piece.end());
    if (!count_tokens(piece.size(), name.loc)) return {};
  }
  for (Token& token : out) {
    token.loc = name.loc;
    token.first_on_line = false;
  }
  return out;
}

}  // namespace tessera::d3d9
