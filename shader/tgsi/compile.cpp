#include "shader/tgsi/compile.h"

#include "shader/passes/pipeline.h"
#include "shader/tgsi/lower.h"
#include "shader/tgsi/parser.h"
#include "shader/tgsi/validate.h"

namespace tessera::tgsi {

Result<ir::Program> compile(std::string_view text, Dialect dialect) {
  const Result<Program> program = parse(text);
  if (!program) return program.diags();
  std::vector<Diag> broken = validate(*program, dialect);
  if (!broken.empty()) return broken;
  LowerOptions options;
  options.dialect = dialect;
  Result<ir::Program> lowered = lower(*program, options);
  if (lowered) ir::optimize(*lowered);
  return lowered;
}

}  // namespace tessera::tgsi
