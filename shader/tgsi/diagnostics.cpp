#include "shader/tgsi/diagnostics.h"

#include "shader/tgsi/parser.h"

namespace tessera::tgsi {

std::span<const RuleInfo> all_rules() {
  static constexpr RuleInfo kRules[] = {
#define DIAGNOSTIC(id, text) {#id, text},
#include "shader/tgsi/diagnostics.def"
#undef DIAGNOSTIC
  };
  return kRules;
}

bool DiagList::full() const { return diags_.size() >= kMaxDiags; }

void DiagList::add(Rule rule, SourceLoc loc, std::string text) {
  if (full()) return;
  diags_.push_back({loc, std::move(text), std::string(all_rules()[static_cast<size_t>(rule)].id)});
}

}  // namespace tessera::tgsi
