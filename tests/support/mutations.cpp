#include "tests/support/mutations.h"

#include <vector>

#include "shader/tgsi/lexer.h"

namespace tessera::tests {
namespace {

// The same numbers everywhere, unlike the standard library's distributions.
uint32_t below(std::mt19937& random, size_t count) { return static_cast<uint32_t>(random() % count); }

std::vector<std::string> tokens_of(const std::string& text) {
  std::vector<std::string> tokens;
  tgsi::Lexer lexer(text);
  for (tgsi::Token t = lexer.next(); t.kind != tgsi::Token::Kind::End; t = lexer.next())
    tokens.push_back((t.first_on_line ? "\n" : "") + std::string(t.text));
  return tokens;
}

std::string mutate_tokens(const std::string& text, std::mt19937& random) {
  std::vector<std::string> tokens = tokens_of(text);
  for (uint32_t n = 1 + below(random, 3); n > 0 && tokens.size() > 1; --n) {
    const uint32_t a = below(random, tokens.size()), b = below(random, tokens.size());
    switch (below(random, 4)) {
      case 0: std::swap(tokens[a], tokens[b]); break;
      case 1: tokens[a] = tokens[b]; break;
      case 2: tokens.erase(tokens.begin() + a); break;
      default: tokens.insert(tokens.begin() + a, tokens[b]); break;
    }
  }
  std::string joined;
  for (const std::string& t : tokens) joined += " " + t;
  return joined;
}

// Other digits and channels: mostly still a program, another one.
std::string mutate_numbers(std::string text, std::mt19937& random) {
  for (uint32_t tries = 0; tries < 30 && !text.empty(); ++tries) {
    char& c = text[below(random, text.size())];
    if (c >= '0' && c <= '9') c = static_cast<char>('0' + below(random, 4));
    else if (c >= 'w' && c <= 'z') c = "xyzw"[below(random, 4)];
  }
  return text;
}

}  // namespace

std::string mutated_bytes(std::string file, std::mt19937& random) {
  for (uint32_t n = 1 + below(random, 3); n > 0 && !file.empty(); --n) {
    const uint32_t at = below(random, file.size());
    switch (below(random, 4)) {
      case 0: file[at] = static_cast<char>(below(random, 256)); break;
      case 1: file.erase(at, 1 + below(random, 8)); break;
      case 2: file.insert(at, 1, "0123456789[]().,:|-+xyzw\n {}"[below(random, 28)]); break;
      default: file.resize(at); break;
    }
  }
  return file;
}

std::string mutated(const std::string& text, std::mt19937& random) {
  switch (below(random, 3)) {
    case 0: return mutated_bytes(text, random);
    case 1: return mutate_tokens(text, random);
    default: return mutate_numbers(text, random);
  }
}

}  // namespace tessera::tests
