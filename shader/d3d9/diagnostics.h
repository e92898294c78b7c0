// shader/d3d9/diagnostics.h: the rules of diagnostics.def by name, and the list of those that a shader broke.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace tessera::d3d9 {

enum class Rule : uint8_t {
#define DIAGNOSTIC(id, text) id,
#include "shader/d3d9/diagnostics.def"
#undef DIAGNOSTIC
};

struct RuleInfo {
  std::string_view id, text;
};
std::span<const RuleInfo> all_rules();                            // indexed by Rule

inline constexpr size_t kMaxDiags = 100;

class DiagList {
 public:
  void add(Rule rule, SourceLoc loc, std::string text);           // beyond kMaxDiags: dropped
  bool full() const { return diags_.size() >= kMaxDiags; }
  bool empty() const { return diags_.empty(); }
  size_t size() const { return diags_.size(); }
  std::vector<Diag> take() { return std::move(diags_); }

 private:
  std::vector<Diag> diags_;
};

}  // namespace tessera::d3d9
