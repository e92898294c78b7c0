#include "shader/d3d9/diagnostics.h"

namespace tessera::d3d9 {

std::span<const RuleInfo> all_rules() {
  static constexpr RuleInfo kRules[] = {
#define DIAGNOSTIC(id, text) {#id, text},
#include "shader/d3d9/diagnostics.def"
#undef DIAGNOSTIC
  };
  return kRules;
}

void DiagList::add(Rule rule, SourceLoc loc, std::string text) {
  if (full()) return;
  diags_.push_back({loc, std::move(text), std::string(all_rules()[static_cast<size_t>(rule)].id)});
}

}  // namespace tessera::d3d9
