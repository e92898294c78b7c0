#include "frontend/tool/machine.h"

#include <cstdio>
#include <string_view>

namespace tessera {

std::string cpu_name() {
  std::string name = "unknown";
  if (std::FILE* file = std::fopen("/proc/cpuinfo", "r")) {
    char line[512];
    while (std::fgets(line, sizeof line, file) != nullptr) {
      const std::string_view text(line);
      if (!text.starts_with("model name")) continue;
      const size_t begin = text.find(": ");
      if (begin != std::string_view::npos) name = text.substr(begin + 2, text.find('\n') - begin - 2);
      break;
    }
    std::fclose(file);
  }
  return name;
}

}  // namespace tessera
