#include "frontend/tool/numbers.h"

#include <fmt/format.h>

#include <bit>
#include <charconv>

namespace tessera::tool {

std::optional<uint32_t> read_unsigned(std::string_view text, int base) {
  uint32_t value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (code != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<uint32_t> read_word(std::string_view text) {
  if (text.starts_with("0x")) return read_unsigned(text.substr(2), 16);
  if (text.ends_with('u')) return read_unsigned(text.substr(0, text.size() - 1));
  const bool is_int = text.ends_with('i');
  if (is_int) text.remove_suffix(1);
  const char* const end = text.data() + text.size();
  int32_t integer = 0;
  float real = 0;
  const auto result = is_int ? std::from_chars(text.data(), end, integer) : std::from_chars(text.data(), end, real);
  if (result.ec != std::errc{} || result.ptr != end) return std::nullopt;
  return is_int ? static_cast<uint32_t>(integer) : std::bit_cast<uint32_t>(real);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

Result<std::vector<uint32_t>> read_words(std::string_view text) {
  std::vector<uint32_t> words;
  for (const std::string_view part : split(text, ',')) {
    const std::optional<uint32_t> word = read_word(part);
    if (!word) return error(fmt::format("expected a number, found '{}'", part));
    words.push_back(*word);
  }
  return words;
}

}  // namespace tessera::tool
