#include "shader/tgsi/validate.h"

#include "shader/tgsi/validation.h"

namespace tessera::tgsi {

Validation::Validation(const Program& program, DiagList& diags) : p(program), diags_(diags) {
  for (const Property& property : p.properties) properties_.emplace(property.name, &property);
}

std::vector<Diag> validate(const Program& program, Dialect) {
  DiagList diags;
  Validation v(program, diags);
  v.check_declarations();
  v.check_properties();
  v.check_operands();
  v.check_textures();
  v.check_memory();
  v.check_flow();
  return diags.take();
}

}  // namespace tessera::tgsi
