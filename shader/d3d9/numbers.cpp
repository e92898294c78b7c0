#include "shader/d3d9/numbers.h"

#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <cmath>

namespace tessera::d3d9 {
namespace {

constexpr uint32_t kSign = 0x80000000, kInfinity = 0x7f800000, kQuietNan = 0x7fc00000;
constexpr std::string_view kInfinityText = "1.#INF", kQuietNanText = "1.#QNAN";

template <class T, class... Format>
std::optional<T> convert(std::string_view text, Format... format) {
  T value{};
  const auto [rest, problem] = std::from_chars(text.data(), text.data() + text.size(), value, format...);
  if (problem != std::errc() || rest != text.data() + text.size()) return std::nullopt;
  return value;
}

// What is too small for a float becomes 0, what is too large is none.
std::optional<float> decimal(std::string_view text) {
  if (const std::optional<float> value = convert<float>(text)) return value;
  const std::optional<double> wide = convert<double>(text);
  if (!wide || std::isinf(static_cast<float>(*wide))) return std::nullopt;
  return static_cast<float>(*wide);
}

}  // namespace

std::optional<uint32_t> float_bits(std::string_view text, bool negative) {
  const uint32_t sign = negative ? kSign : 0;
  if (text == kInfinityText) return kInfinity | sign;
  if (text == kQuietNanText) return kQuietNan | sign;
  if (text.starts_with("0x")) {
    const std::optional<uint32_t> bits = convert<uint32_t>(text.substr(2), 16);
    if (!bits || negative) return std::nullopt;
    return bits;
  }
  if (text.ends_with('f') || text.ends_with('F')) text.remove_suffix(1);
  if (text.empty() || text.find_first_not_of("0123456789.eE+-") != std::string_view::npos) return std::nullopt;
  const std::optional<float> value = decimal(text);
  if (!value) return std::nullopt;
  return std::bit_cast<uint32_t>(*value) | sign;
}

std::optional<uint32_t> integer_bits(std::string_view text, bool negative) {
  const std::optional<uint32_t> value = convert<uint32_t>(text, 10);
  if (!value || *value > (negative ? kSign : kSign - 1)) return std::nullopt;
  return negative ? 0 - *value : *value;
}

std::string float_text(uint32_t bits) {
  const bool negative = (bits & kSign) != 0;
  const uint32_t magnitude = bits & ~kSign;
  if (magnitude > kInfinity && magnitude != kQuietNan) return fmt::format("0x{:08x}", bits);
  if (magnitude >= kInfinity)
    return fmt::format("{}{}", negative ? "-" : "", magnitude == kInfinity ? kInfinityText : kQuietNanText);
  char text[32];
  return std::string(text, std::to_chars(text, text + sizeof text, std::bit_cast<float>(bits)).ptr);
}

std::string integer_text(uint32_t bits) { return fmt::format("{}", static_cast<int32_t>(bits)); }

}  // namespace tessera::d3d9
