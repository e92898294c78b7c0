// shader/tgsi/printer.h: tree → TGSI text with the same tokens as the one it was parsed from.
// Words come out in capitals, floats as the shortest decimal that reads back to the same bits (else as hex bits).
#pragma once

#include <string>

#include "shader/tgsi/program.h"

namespace tessera::tgsi {

std::string print(const Program& program);

}  // namespace tessera::tgsi
