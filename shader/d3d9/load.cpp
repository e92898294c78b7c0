#include "shader/d3d9/load.h"

#include "shader/d3d9/parser.h"
#include "shader/d3d9/reader.h"

namespace tessera::d3d9 {
namespace {

uint32_t word_at(std::string_view content, size_t i) {
  uint32_t word = 0;
  for (size_t k = 0; k < 4; ++k) word |= static_cast<uint32_t>(static_cast<uint8_t>(content[4 * i + k])) << (8 * k);
  return word;
}

}  // namespace

// No text begins so: both words begin with bytes that are no characters of a version's name.
bool is_bytecode(std::string_view content) {
  constexpr uint32_t kVertex = 0xfffe, kPixel = 0xffff;
  if (content.size() < 4) return false;
  const uint32_t stage = word_at(content, 0) >> 16;
  return stage == kVertex || stage == kPixel;
}

bool is_shader(std::string_view content) { return is_bytecode(content) || begins_with_version(content); }

std::vector<uint32_t> words_of(std::string_view content) {
  std::vector<uint32_t> words(content.size() / 4);
  for (size_t i = 0; i < words.size(); ++i) words[i] = word_at(content, i);
  return words;
}

Result<Program> load(std::string_view content) {
  return is_bytecode(content) ? read(words_of(content)) : parse(content);
}

}  // namespace tessera::d3d9
