#include "spec_bc6h.h"

#include <cmath>
#include <map>
#include <sstream>
#include <string>

#include "texture/bptc_tables.h"

namespace tessera::tests {
namespace {

using Real = long double;

struct ModeText {
  bool has_transformed_endpoints;
  int endpoint_bits, delta_bits[3];
  const char* fields;   // behind the mode's own bits; "rw9:0": bits 9 to 0, the lowest one first; w x y z: endpoints
};

// In the order of kBc6hModes.
constexpr ModeText kModeTexts[14] = {
    {true, 10, {5, 5, 5},
     "gy4 by4 bz4 rw9:0 gw9:0 bw9:0 rx4:0 gz4 gy3:0 gx4:0 bz0 gz3:0 bx4:0 bz1 by3:0 ry4:0 bz2 rz4:0 bz3 d4:0"},
    {true, 7, {6, 6, 6},
     "gy5 gz4 gz5 rw6:0 bz0 bz1 by4 gw6:0 by5 bz2 gy4 bw6:0 bz3 bz5 bz4 rx5:0 gy3:0 gx5:0 gz3:0 bx5:0 by3:0 ry5:0 "
     "rz5:0 d4:0"},
    {true, 11, {5, 4, 4},
     "rw9:0 gw9:0 bw9:0 rx4:0 rw10 gy3:0 gx3:0 gw10 bz0 gz3:0 bx3:0 bw10 bz1 by3:0 ry4:0 bz2 rz4:0 bz3 d4:0"},
    {true, 11, {4, 5, 4},
     "rw9:0 gw9:0 bw9:0 rx3:0 rw10 gz4 gy3:0 gx4:0 gw10 gz3:0 bx3:0 bw10 bz1 by3:0 ry3:0 bz0 bz2 rz3:0 gy4 bz3 d4:0"},
    {true, 11, {4, 4, 5},
     "rw9:0 gw9:0 bw9:0 rx3:0 rw10 by4 gy3:0 gx3:0 gw10 bz0 gz3:0 bx4:0 bw10 by3:0 ry3:0 bz1 bz2 rz3:0 bz4 bz3 d4:0"},
    {true, 9, {5, 5, 5},
     "rw8:0 by4 gw8:0 gy4 bw8:0 bz4 rx4:0 gz4 gy3:0 gx4:0 bz0 gz3:0 bx4:0 bz1 by3:0 ry4:0 bz2 rz4:0 bz3 d4:0"},
    {true, 8, {6, 5, 5},
     "rw7:0 gz4 by4 gw7:0 bz2 gy4 bw7:0 bz3 bz4 rx5:0 gy3:0 gx4:0 bz0 gz3:0 bx4:0 bz1 by3:0 ry5:0 rz5:0 d4:0"},
    {true, 8, {5, 6, 5},
     "rw7:0 bz0 by4 gw7:0 gy5 gy4 bw7:0 gz5 bz4 rx4:0 gz4 gy3:0 gx5:0 gz3:0 bx4:0 bz1 by3:0 ry4:0 bz2 rz4:0 bz3 d4:0"},
    {true, 8, {5, 5, 6},
     "rw7:0 bz1 by4 gw7:0 by5 gy4 bw7:0 bz5 bz4 rx4:0 gz4 gy3:0 gx4:0 bz0 gz3:0 bx5:0 by3:0 ry4:0 bz2 rz4:0 bz3 d4:0"},
    {false, 6, {6, 6, 6},
     "rw5:0 gz4 bz0 bz1 by4 gw5:0 gy5 by5 bz2 gy4 bw5:0 gz5 bz3 bz5 bz4 rx5:0 gy3:0 gx5:0 gz3:0 bx5:0 by3:0 ry5:0 "
     "rz5:0 d4:0"},
    {false, 10, {10, 10, 10}, "rw9:0 gw9:0 bw9:0 rx9:0 gx9:0 bx9:0"},
    {true, 11, {9, 9, 9}, "rw9:0 gw9:0 bw9:0 rx8:0 rw10 gx8:0 gw10 bx8:0 bw10"},
    {true, 12, {8, 8, 8}, "rw9:0 gw9:0 bw9:0 rx7:0 rw11 rw10 gx7:0 gw11 gw10 bx7:0 bw11 bw10"},
    {true, 16, {4, 4, 4},
     "rw9:0 gw9:0 bw9:0 rx3:0 rw15 rw14 rw13 rw12 rw11 rw10 gx3:0 gw15 gw14 gw13 gw12 gw11 gw10 bx3:0 bw15 bw14 bw13 "
     "bw12 bw11 bw10"}};

int bit_of(const uint8_t* block, int at) { return block[at / 8] >> (at % 8) & 1; }

std::map<std::string, int64_t> read_fields(const uint8_t* block, int at, const char* text) {
  std::map<std::string, int64_t> fields;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    const std::string name = word.substr(0, word[0] == 'd' ? 1 : 2), bits = word.substr(name.size());
    const size_t colon = bits.find(':');
    const int last = std::stoi(bits), first = colon == std::string::npos ? last : std::stoi(bits.substr(colon + 1));
    for (int bit = first; bit <= last; ++bit) fields[name] += int64_t{bit_of(block, at++)} << bit;
  }
  return fields;
}

int64_t sign_extended(int64_t value, int bits) {
  return value >= int64_t{1} << (bits - 1) ? value - (int64_t{1} << bits) : value;
}

int64_t unquantized(int64_t value, int bits, bool is_signed) {
  if (!is_signed) {
    if (bits >= 15 || value == 0) return value;
    return value == (int64_t{1} << bits) - 1 ? 0xffff : ((value << 16) + 0x8000) >> bits;
  }
  if (bits >= 16 || value == 0) return value;
  const int64_t size = std::abs(value);
  const int64_t whole = size >= (int64_t{1} << (bits - 1)) - 1 ? 0x7fff : ((size << 15) + 0x4000) >> (bits - 1);
  return value < 0 ? -whole : whole;
}

// The half whose bits, sign and magnitude, the last scaling gives.
Real finished(int64_t value, bool is_signed) {
  const int64_t bits = is_signed ? (std::abs(value) * 31) >> 5 : (value * 31) >> 6;
  const int exponent = static_cast<int>(bits >> 10);
  const Real fraction = static_cast<Real>(bits & 1023) / 1024;
  const Real size = exponent == 31 ? INFINITY
                    : exponent     ? std::ldexp(1 + fraction, exponent - 15)
                                   : std::ldexp(fraction, -14);
  return is_signed && value < 0 ? -size : size;
}

}  // namespace

std::array<long double, 4> bc6h_texel(const uint8_t* block, bool is_signed, uint32_t x, uint32_t y) {
  size_t mode = 0;
  while (mode < 14 && kBc6hModes[mode].number != (block[0] & ((1u << kBc6hModes[mode].bits) - 1))) ++mode;
  if (mode == 14) return {0, 0, 0, 1};   // reserved
  const ModeText& text = kModeTexts[mode];
  std::map<std::string, int64_t> fields = read_fields(block, static_cast<int>(kBc6hModes[mode].bits), text.fields);
  const bool has_two = mode < 10;
  const uint32_t texel = 4 * y + x;
  const auto partition = static_cast<size_t>(fields["d"]);
  const bool is_second = has_two && texture::kPartitionsOf2[partition][texel] == '1';

  // The indices stand at the end of the block; each subset's anchor has a bit less.
  const int index_bits = has_two ? 3 : 4;
  const auto is_anchor = [&](uint32_t t) { return t == 0 || (has_two && t == texture::kSecondAnchorOf2[partition]); };
  int at = has_two ? 82 : 65;
  for (uint32_t t = 0; t < texel; ++t) at += is_anchor(t) ? index_bits - 1 : index_bits;
  int index = 0;
  for (int bit = 0; bit < index_bits - (is_anchor(texel) ? 1 : 0); ++bit) index += bit_of(block, at + bit) << bit;
  constexpr int64_t kWeights3[] = {0, 9, 18, 27, 37, 46, 55, 64};
  constexpr int64_t kWeights4[] = {0, 4, 9, 13, 17, 21, 26, 30, 34, 38, 43, 47, 51, 55, 60, 64};
  const int64_t weight = has_two ? kWeights3[index] : kWeights4[index];

  std::array<long double, 4> result = {0, 0, 0, 1};
  for (size_t c = 0; c < 3; ++c) {
    const auto endpoint = [&](char letter) {
      const std::string channel(1, "rgb"[c]);
      const int bits = text.endpoint_bits;
      int64_t value = fields[channel + letter];
      if (letter != 'w' && text.has_transformed_endpoints)
        value = (fields[channel + 'w'] + sign_extended(value, text.delta_bits[c])) & ((int64_t{1} << bits) - 1);
      return unquantized(is_signed ? sign_extended(value, bits) : value, bits, is_signed);
    };
    const int64_t a = endpoint(is_second ? 'y' : 'w'), b = endpoint(is_second ? 'z' : 'x');
    result[c] = finished((a * (64 - weight) + b * weight + 32) >> 6, is_signed);
  }
  return result;
}

}  // namespace tessera::tests
