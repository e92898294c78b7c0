#include "shader/passes/pipeline.h"

#include "shader/passes/passes.h"

namespace tessera::ir {
namespace {
constexpr Pass kPasses[] = {
    {"fold", "compute operations on constants", fold_constants},
    {"zero wins", "plain products where no factor is 0 beside infinity or NaN", make_products_plain},
    {"simplify", "apply identities that keep every bit", simplify},
    {"hoist", "move what is the same in all lanes of a draw to the front", hoist_uniforms},
    {"share", "compute the same value once", share_common},
    {"copies", "remove joins of one and the same value", propagate_copies},
    {"dead", "remove what nothing needs", remove_dead},
    {"exits", "leave a region once where two conditions do so one after the other", merge_exits},
    {"select", "turn short Ifs into selects", select_short_ifs},
    {"share again", "compute once what stood in both halves", share_common},
    {"nan", "make arithmetic NaNs canonical where their bits show", canonicalize_nans},
};
}  // namespace

std::span<const Pass> passes() { return kPasses; }

void optimize(Program& program) {
  for (const Pass& pass : kPasses) pass.run(program);
}

}  // namespace tessera::ir
