#include "tests/goldens/compare.h"

#include <bit>
#include <cmath>

#include <fmt/format.h>

namespace tessera::goldens {
namespace {

// Bits as unsigned integers in the order of the numbers they stand for; both zeros are the middle.
template <class Bits>
Bits ordered(Bits bits) {
  constexpr Bits kSign = Bits{1} << (sizeof(Bits) * 8 - 1);
  return bits & kSign ? kSign - (bits & ~kSign) : kSign + bits;
}

bool is_nan(uint32_t bits) { return (bits & 0x7fffffffu) > 0x7f800000u; }
bool is_nan(uint64_t bits) { return (bits & 0x7fffffffffffffffull) > 0x7ff0000000000000ull; }

template <class Bits>
bool within_ulp(Bits a, Bits b, uint64_t ulp) {
  if (is_nan(a) || is_nan(b)) return is_nan(a) && is_nan(b);
  const Bits x = ordered(a), y = ordered(b);
  return (x < y ? y - x : x - y) <= ulp;
}

bool within(uint32_t a, uint32_t b, const Tolerance& t) {
  if (within_ulp(a, b, t.ulp)) return true;
  const double difference = double{std::bit_cast<float>(a)} - double{std::bit_cast<float>(b)};
  return std::abs(difference) <= t.absolute;
}

struct Check {
  const TgsiRecord& record;
  uint32_t output;
  const RegisterWords& want;
  const RegisterWords& got;

  uint64_t pair(const RegisterWords& words, uint32_t channel, uint32_t lane) const {
    const uint32_t low = channel & ~1u;
    return words[low][lane] | uint64_t{words[low + 1][lane]} << 32;
  }
  bool is_alternative(uint32_t channel, uint32_t lane) const {
    const auto alt = record.alternatives.find(fmt::format("{}.{}.{}", output, "xyzw"[channel], lane));
    return alt != record.alternatives.end() && alt->second.contains(got[channel][lane]);
  }
  bool holds(char letter, uint32_t channel, uint32_t lane) const {
    const uint32_t w = want[channel][lane], g = got[channel][lane];
    switch (letter) {
      case 'e': return w == g;
      case 'a': return w == g || is_alternative(channel, lane);
      case 't': return within(w, g, record.tolerance);
      case 'd': return within_ulp(pair(want, channel, lane), pair(got, channel, lane), record.tolerance.ulp64);
      case 'n': return is_nan(g);
      case 'm': return is_nan(pair(got, channel, lane));
      default: return true;                        // u: not defined
    }
  }
};

}  // namespace

std::string register_difference(const TgsiRecord& record, uint32_t output, const RegisterWords& got) {
  const RegisterWords& want = record.outputs.at(output);
  const Check check{record, output, want, got};
  const auto classes = record.classes.find(output);
  for (uint32_t channel = 0; channel < 4; ++channel)
    for (uint32_t lane = 0; lane < kLanes; ++lane) {
      const char letter = classes == record.classes.end() ? 'e' : classes->second[channel][lane];
      const bool unchecked = record.stage == "FRAG" && (!(record.live >> lane & 1) || (record.kill >> lane & 1));
      if (!unchecked && !check.holds(letter, channel, lane))
        return fmt::format("OUT[{}].{} lane {}: expected {:08x} (class {}), found {:08x}", output, "xyzw"[channel], lane,
                           want[channel][lane], letter, got[channel][lane]);
    }
  return {};
}

bool word_is_right(const TgsiRecord& record, const std::string& memory, size_t index, uint32_t want, uint32_t got) {
  if (want == got) return true;
  const auto classes = record.word_classes.find(memory);
  const char letter = classes != record.word_classes.end() && index < classes->second.size() ? classes->second[index] : 'e';
  const auto alt = record.alternatives.find(fmt::format("{}.{}", memory, index));
  switch (letter) {
    case 'a': return alt != record.alternatives.end() && alt->second.contains(got);
    case 't': return within(want, got, record.tolerance);
    case 'n': return is_nan(got);
    default: return letter == 'u';
  }
}

}  // namespace tessera::goldens
