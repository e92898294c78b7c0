#include "shader/d3d9/validate.h"

#include "shader/d3d9/validation.h"

namespace tessera::d3d9 {

Validation::Validation(const Program& program, Checks checks, DiagList& diags)
    : p(program), v(version_info(program.version)), checks_(checks), diags_(diags) {
  for (const Declaration& d : p.declarations)
    if (d.kind == Declaration::Kind::Sampler) samplers_.emplace(d.dst.reg.number, d.sampler);
}

SamplerType Validation::sampler_type(const Register& sampler) const {
  const auto at = samplers_.find(sampler.number);
  return at == samplers_.end() ? SamplerType::None : at->second;
}

std::vector<Diag> validate(const Program& program, Checks checks) {
  DiagList diags;
  Validation validation(program, checks, diags);
  validation.check_declarations();
  validation.check_operands();
  validation.check_flow();
  validation.check_dataflow();
  validation.check_slots();
  validation.check_model_1();
  if (checks.strict) validation.check_strict();
  return diags.take();
}

}  // namespace tessera::d3d9
