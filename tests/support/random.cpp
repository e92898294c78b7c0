#include "tests/support/random.h"

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>

namespace tessera::tests {
namespace {

uint32_t number_from_environment(const char* name, uint32_t otherwise) {
  const char* text = std::getenv(name);
  if (text == nullptr) return otherwise;
  uint32_t value = 0;
  const char* end = text + std::strlen(text);
  const auto [rest, failure] = std::from_chars(text, end, value);
  if (failure != std::errc{} || rest != end) throw std::runtime_error(std::string(name) + " is no number: " + text);
  return value;
}

}  // namespace

uint32_t seed(uint32_t fixed) { return number_from_environment("TESSERA_SEED", fixed); }
uint32_t rounds(uint32_t usual) { return usual * number_from_environment("TESSERA_LONG", 1); }

}  // namespace tessera::tests
