// shader/tgsi/diagnostics.h: the rules of diagnostics.def by name, and the list of those that a text broke.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace tessera::tgsi {

enum class Rule : uint8_t {
#define DIAGNOSTIC(id, text) id,
#include "shader/tgsi/diagnostics.def"
#undef DIAGNOSTIC
};

struct RuleInfo {
  std::string_view id, text;
};
std::span<const RuleInfo> all_rules();                            // indexed by Rule

class DiagList {
 public:
  void add(Rule rule, SourceLoc loc, std::string text);           // beyond kMaxDiags: dropped
  bool full() const;
  bool empty() const { return diags_.empty(); }
  std::vector<Diag> take() { return std::move(diags_); }

 private:
  std::vector<Diag> diags_;
};

}  // namespace tessera::tgsi
