// In place of the JIT on processors that it does not know.
#include "shader/jit.h"

namespace tessera {

std::string_view jit_refusal() { return "there is none for this kind of processor"; }
std::shared_ptr<const Executable> make_jit(std::shared_ptr<const ir::Program>) { return nullptr; }
std::string jit_listing(const ir::Program&) { return {}; }

}  // namespace tessera
