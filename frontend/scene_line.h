// frontend/scene_line.h: the words of one line of a scene file.
// The first error in a line is kept with its place; what is asked of the line after that gives harmless values, so
// that parsers read straight through and check failed() once.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/format.h"
#include "core/result.h"

namespace tessera::scene {

template <class T>
struct Named {
  std::string_view name;
  T value;
};

class Line {
 public:
  Line(std::string_view text, uint32_t number, std::vector<Diag>& diags);

  std::string_view peek() const { return word_; }        // the next word; empty at the end
  bool done() const { return word_.empty(); }
  bool next_is_number() const;
  bool accept(std::string_view keyword);                 // takes the next word if it is this one
  bool accept_phrase(std::string_view keywords);         // the same for several words with one space between
  std::string_view word(std::string_view what);          // any word; `what` is what was expected
  std::string_view rest();                               // all that is left
  void finish();                                         // an error if a word is left

  uint32_t integer(std::string_view what, uint32_t least = 0, uint32_t most = ~0u);   // decimal or 0x
  int32_t signed_integer(std::string_view what);
  double number(std::string_view what);                  // decimal, or the bits of a float as 0x........
  float real(std::string_view what);
  std::array<double, 4> four(std::string_view what);
  bool on_off();
  Format format();

  template <class T, size_t N>
  T one_of(const Named<T> (&names)[N]) {
    for (const Named<T>& n : names)
      if (accept(n.name)) return n.value;
    std::string choices;
    for (const Named<T>& n : names) choices += (choices.empty() ? "" : ", ") + std::string(n.name);
    fail_expected("one of " + choices);
    return names[0].value;
  }

  SourceLoc loc() const { return {number_, column_}; }   // of the next word
  bool failed() const { return failed_; }
  void fail(std::string text) { fail_at(loc(), std::move(text)); }
  void fail_at(SourceLoc loc, std::string text);
  void fail_expected(std::string_view what);             // "expected what, found the next word"

 private:
  void advance();
  std::string_view text_, word_;
  uint32_t number_, column_ = 1;
  size_t at_ = 0;                                        // behind the next word
  std::vector<Diag>& diags_;
  bool failed_ = false;
};

// The line without its comment. Comments begin with '#'.
std::string_view without_comment(std::string_view line);

}  // namespace tessera::scene
