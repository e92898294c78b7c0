// shader/tgsi/numbers.h: literals ↔ bits, independent of the locale and exact in both directions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tessera::tgsi {

std::optional<uint32_t> parse_decimal(std::string_view text);     // digits only, up to 2^32 - 1
std::optional<uint32_t> parse_int32(std::string_view text);       // [sign] digits
std::optional<uint32_t> parse_flt32(std::string_view text);       // decimal, or the bits as 0x and eight hex digits
std::optional<uint64_t> parse_flt64(std::string_view text);       // decimal, hexadecimal, inf, nan
std::optional<uint64_t> parse_int64(std::string_view text);       // [sign] decimal, 0x..., octal with a leading 0
std::optional<uint64_t> parse_uint64(std::string_view text);      // the same; a sign negates modulo 2^64

std::string print_flt32(uint32_t bits);                           // shortest decimal; what is not finite: its bits
std::string print_flt64(uint64_t bits);

}  // namespace tessera::tgsi
