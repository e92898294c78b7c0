#include <algorithm>

#include "shader/passes/passes.h"
#include "shader/passes/rewrite.h"
#include "shader/uniform.h"

namespace tessera::ir {

// Uniform operations need only each other, so that they can go first, in their old order. They are total: running one
// that no lane would have reached does no harm.
void hoist_uniforms(Program& p) {
  const std::vector<bool> uniform = find_uniforms(p);
  std::stable_partition(p.code.begin(), p.code.end(),
                        [&](const Instr& i) { return i.result_count > 0 && uniform[i.result]; });
  renumber(p);
}

}  // namespace tessera::ir
