#include <algorithm>

#include "shader/passes/passes.h"

namespace tessera::ir {

void drop_unread_inputs(Program& p) {
  std::vector<Input> read;
  for (Instr& i : p.code) {
    if (!op_info(i.op).is(trait::ImmInput)) continue;
    const Input input = p.inputs[i.imm];
    const auto found = std::find(read.begin(), read.end(), input);
    i.imm = static_cast<uint32_t>(found - read.begin());
    if (found == read.end()) read.push_back(input);
  }
  p.inputs = std::move(read);
}

}  // namespace tessera::ir
