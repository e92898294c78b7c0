// core/result.h: a value, or every reason why there is none, each with its place.
// Input from outside (shaders, scenes, files, API arguments) gives a Result; broken invariants CHECK.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/check.h"

namespace tessera {

struct SourceLoc {  // 1-based. line 0: column is a word of bytecode; both 0: no place applies
  uint32_t line = 0, column = 0;
  bool operator==(const SourceLoc&) const = default;
};

struct Diag {
  SourceLoc loc;
  std::string text;     // what was expected and what was found
  std::string id = {};  // stable short name of the rule that was broken, where the front end has a table of them
};

// One line a Diag: "fog.tgsi:12:21: error: MUL takes 2 sources, found 3"; where `source` holds the text the
// locations point into, the line itself and a caret follow. In bytecode: "fog.vso: word 17: error: ...".
std::string format_diags(const std::vector<Diag>& diags, std::string_view file, std::string_view source = {});

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::move(value)) {}  // NOLINT: implicit, so that functions return either plainly
  Result(Diag diag) : state_(std::vector<Diag>{std::move(diag)}) {}
  Result(std::vector<Diag> diags) : state_(std::move(diags)) { TESSERA_CHECK(!this->diags().empty()); }

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }
  T& value() { TESSERA_CHECK(ok()); return std::get<0>(state_); }
  const T& value() const { TESSERA_CHECK(ok()); return std::get<0>(state_); }
  T& operator*() { return value(); }
  const T& operator*() const { return value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }
  const std::vector<Diag>& diags() const { return std::get<1>(state_); }

 private:
  std::variant<T, std::vector<Diag>> state_;
};

struct Done {};  // Result<Done>: success carries nothing
using Status = Result<Done>;

inline Diag error(std::string text) { return Diag{{}, std::move(text)}; }
inline Diag error_at(SourceLoc loc, std::string text) { return Diag{loc, std::move(text)}; }

}  // namespace tessera
