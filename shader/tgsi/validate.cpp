#include "shader/tgsi/validate.h"

#include "shader/tgsi/validation.h"

namespace tessera::tgsi {

std::vector<Diag> validate(const Program& program, Dialect) {
  DiagList diags;
  Validation v(program, diags);
  v.check_declarations();
  v.check_properties();
  v.check_operands();
  v.check_textures();
  v.check_flow();
  return diags.take();
}

}  // namespace tessera::tgsi
