#include "shader/d3d9/compile.h"

#include "shader/d3d9/load.h"
#include "shader/d3d9/validate.h"
#include "shader/passes/passes.h"
#include "shader/passes/pipeline.h"

namespace tessera::d3d9 {

Result<ir::Program> compile(std::string_view content, const LowerOptions& options) {
  const Result<Program> program = load(content);
  if (!program) return program.diags();
  if (std::vector<Diag> broken = validate(*program, {.software_vertices = true}); !broken.empty()) return broken;
  Result<ir::Program> lowered = lower(*program, options);
  if (!lowered) return lowered;
  ir::optimize(*lowered);
  ir::drop_unread_inputs(*lowered);
  return lowered;
}

}  // namespace tessera::d3d9
