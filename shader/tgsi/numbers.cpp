#include "shader/tgsi/numbers.h"

#include <bit>
#include <charconv>
#include <cmath>
#include <limits>

namespace tessera::tgsi {
namespace {

template <class T>
std::optional<T> parse_integer(std::string_view digits, int base) {
  T value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
  if (error != std::errc{} || end != digits.data() + digits.size() || digits.empty()) return std::nullopt;
  return value;
}

// Takes a sign off the front; false: there is more than one.
bool take_sign(std::string_view& text, bool& negative) {
  negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  return !text.starts_with('-') && !text.starts_with('+');
}

// A literal outside the range of the type: whether it is too large, not too small.
bool is_huge(std::string_view text, std::string_view exponent_marks) {
  const size_t e = text.find_first_of(exponent_marks);
  const std::string_view mantissa = text.substr(0, e);
  if (e != std::string_view::npos) {
    const std::string_view exponent = text.substr(e + 1);
    if (exponent.starts_with('-')) return false;
    if (exponent.find_first_not_of("+0") != std::string_view::npos) return true;
  }
  return mantissa.find_first_not_of('0') < mantissa.find('.');
}

// Finite decimal, or hexadecimal without its 0x; rounds to nearest even, overflows to infinity, underflows to 0.
template <class Float>
std::optional<Float> parse_float(std::string_view text, std::chars_format format) {
  Float value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, format);
  if (end != text.data() + text.size() || error == std::errc::invalid_argument) return std::nullopt;
  if (error == std::errc::result_out_of_range)
    return is_huge(text, format == std::chars_format::hex ? "pP" : "eE") ? std::numeric_limits<Float>::infinity() : Float(0);
  return value;
}

// strtoll's rules for base 0.
std::optional<uint64_t> parse_base0(std::string_view digits) {
  if (digits.starts_with("0x") || digits.starts_with("0X")) return parse_integer<uint64_t>(digits.substr(2), 16);
  return parse_integer<uint64_t>(digits, digits.starts_with('0') ? 8 : 10);
}

bool begins_as_number(std::string_view text) {
  return !text.empty() && ((text[0] >= '0' && text[0] <= '9') || text[0] == '.');
}

}  // namespace

std::optional<uint32_t> parse_decimal(std::string_view text) { return parse_integer<uint32_t>(text, 10); }

std::optional<uint32_t> parse_int32(std::string_view text) {
  bool negative;
  if (!take_sign(text, negative)) return std::nullopt;
  const auto magnitude = parse_integer<uint32_t>(text, 10);
  if (!magnitude || *magnitude > 0x7fffffffu + negative) return std::nullopt;
  return negative ? 0u - *magnitude : *magnitude;
}

std::optional<uint32_t> parse_flt32(std::string_view text) {
  if (text.starts_with("0x") || text.starts_with("0X"))
    return text.size() == 10 ? parse_integer<uint32_t>(text.substr(2), 16) : std::nullopt;
  bool negative;
  if (!take_sign(text, negative) || !begins_as_number(text)) return std::nullopt;
  const auto value = parse_float<float>(text, std::chars_format::general);
  if (!value) return std::nullopt;
  return std::bit_cast<uint32_t>(*value) | (negative ? 0x80000000u : 0u);
}

std::optional<uint64_t> parse_flt64(std::string_view text) {
  bool negative;
  if (!take_sign(text, negative)) return std::nullopt;
  std::optional<double> value;
  if (text.starts_with("0x") || text.starts_with("0X"))
    value = parse_float<double>(text.substr(2), std::chars_format::hex);
  else
    value = parse_float<double>(text, std::chars_format::general);
  if (!value) return std::nullopt;
  return std::bit_cast<uint64_t>(*value) | (negative ? 1ull << 63 : 0);
}

std::optional<uint64_t> parse_int64(std::string_view text) {
  bool negative;
  if (!take_sign(text, negative)) return std::nullopt;
  const auto magnitude = parse_base0(text);
  if (!magnitude || *magnitude > 0x7fffffffffffffffull + negative) return std::nullopt;
  return negative ? 0 - *magnitude : *magnitude;
}

std::optional<uint64_t> parse_uint64(std::string_view text) {
  bool negative;
  if (!take_sign(text, negative)) return std::nullopt;
  const auto magnitude = parse_base0(text);
  if (!magnitude) return std::nullopt;
  return negative ? 0 - *magnitude : *magnitude;
}

std::string print_flt32(uint32_t bits) {
  char buffer[32];
  const float value = std::bit_cast<float>(bits);
  if (!std::isfinite(value)) {
    std::string text = "0x00000000";
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, bits, 16).ptr;   // always eight digits: no leading 0
    return text.replace(2, 8, buffer, static_cast<size_t>(end - buffer));
  }
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr};
}

std::string print_flt64(uint64_t bits) {
  char buffer[32];
  const double value = std::bit_cast<double>(bits);
  if (std::isnan(value)) return bits >> 63 ? "-nan" : "nan";
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr};
}

}  // namespace tessera::tgsi
