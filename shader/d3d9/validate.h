// shader/d3d9/validate.h: the rules of the program's version that neither text nor bytecode enforce by their form.
#pragma once

#include <vector>

#include "core/result.h"
#include "shader/d3d9/program.h"

namespace tessera::d3d9 {

struct Checks {
  bool strict = false;              // also what hardware of the time refused and this engine can run: read ports
  bool software_vertices = false;   // vertex shaders have the 8192 constants of software vertex processing
};
std::vector<Diag> validate(const Program& program, Checks checks = {});  // empty: the program may run

}  // namespace tessera::d3d9
