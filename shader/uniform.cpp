#include "shader/uniform.h"

namespace tessera::ir {

std::vector<bool> find_uniforms(const Program& p) {
  std::vector<bool> uniform(p.value_count, false);
  for (const Instr& i : p.code) {
    bool is = op_info(i.op).is(trait::Pure) && !op_info(i.op).is(trait::ImmInput);
    for (const ValueId v : args_of(p, i)) is = is && uniform[v];
    for (uint32_t k = 0; k < i.result_count; ++k) uniform[i.result + k] = is;
  }
  return uniform;
}

}  // namespace tessera::ir
