// frontend/tool/machine.h: what the machine says of itself.
#pragma once

#include <string>

namespace tessera {

std::string cpu_name();   // "unknown" where the system does not tell

}  // namespace tessera
