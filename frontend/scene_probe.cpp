#include "frontend/scene_probe.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace tessera::scene {
namespace {

struct Channels {
  bool is_float = true, is_signed = false;

  explicit Channels(const FormatInfo& info)
      : is_float(!info.is_pure_integer()), is_signed(info.field[0].kind == FieldKind::Sint) {}

  double value(uint32_t word) const {
    if (is_float) return std::bit_cast<float>(word);
    return is_signed ? static_cast<double>(static_cast<int32_t>(word)) : static_cast<double>(word);
  }
  uint32_t word(double value) const {
    if (is_float) return std::bit_cast<uint32_t>(static_cast<float>(value));
    return static_cast<uint32_t>(static_cast<int64_t>(std::clamp(value, -2147483648.0, 4294967295.0)));
  }
};

// The expected colour as the target would hold it.
Numbers4 stored(const Numbers4& color, Format format, const Channels& channels) {
  Texel texel;
  for (size_t i = 0; i < 4; ++i) texel.word[i] = channels.word(color[i]);
  std::byte bytes[16] = {};
  pack_texel(format, texel, bytes);
  texel = unpack_texel(format, bytes);
  Numbers4 values;
  for (size_t i = 0; i < 4; ++i) values[i] = channels.value(texel.word[i]);
  return values;
}

bool matches(double expected, double found, double tolerance) {
  return expected == found || std::abs(expected - found) <= tolerance;   // a NaN matches nothing
}

std::string list(const Numbers4& values, size_t count) {
  std::string text;
  for (size_t i = 0; i < count; ++i) text += fmt::format("{}{}", i ? " " : "", static_cast<float>(values[i]));
  return text;
}

std::string describe(const Probe& probe, size_t count) {
  const raster::IRect& r = probe.rect;
  std::string text = probe.depth ? "probe depth" : "probe";
  if (probe.all) text += " all";
  else if (r.x1 - r.x0 == 1 && r.y1 - r.y0 == 1) text += fmt::format(" {} {}", r.x0, r.y0);
  else text += fmt::format(" rect {} {} {} {}", r.x0, r.y0, r.x1 - r.x0, r.y1 - r.y0);
  text += fmt::format(": {}", list(probe.expected, count));
  const bool is_exact = std::all_of(probe.tolerance.begin(), probe.tolerance.end(), [](double t) { return t == 0; });
  return text + (is_exact ? ", exact" : fmt::format(", tolerance {}", list(probe.tolerance, count)));
}

}  // namespace

ProbeOutcome evaluate_probe(const Probe& probe, Format format, std::span<const Texel> texels, uint32_t width) {
  const Channels channels(format_info(format));
  const size_t count = probe.depth ? 1 : 4;
  const bool is_exact = probe.tolerance == Numbers4{};
  const Numbers4 expected = is_exact ? stored(probe.expected, format, channels) : probe.expected;
  uint64_t differing = 0;
  std::string first;
  for (int32_t y = probe.rect.y0; y < probe.rect.y1; ++y)
    for (int32_t x = probe.rect.x0; x < probe.rect.x1; ++x) {
      const Texel& texel = texels[static_cast<size_t>(y) * width + static_cast<size_t>(x)];
      Numbers4 found;
      bool same = true;
      for (size_t i = 0; i < count; ++i) {
        found[i] = channels.value(texel.word[i]);
        same = same && matches(expected[i], found[i], probe.tolerance[i]);
      }
      if (same) continue;
      if (differing++ == 0)
        first = fmt::format("at ({}, {}) expected {}, found {}", x, y, list(expected, count), list(found, count));
    }
  ProbeOutcome outcome{.passed = differing == 0, .text = describe(probe, count)};
  if (!outcome.passed) outcome.text += fmt::format(": {} texels differ; {}", differing, first);
  return outcome;
}

ProbeOutcome evaluate_probe(const ProbeBuffer& probe, std::span<const std::byte> bytes) {
  const auto text_of = [&](uint32_t word) {
    return probe.is_float ? fmt::format("{}", std::bit_cast<float>(word)) : fmt::format("{} (0x{:08x})", static_cast<int32_t>(word), word);
  };
  ProbeOutcome outcome{.passed = true, .text = fmt::format("probe buffer {}, {} words from byte {} on", probe.buffer,
                                                           probe.words.size(), probe.offset_bytes)};
  for (size_t n = 0; n < probe.words.size(); ++n) {
    uint32_t found;
    std::memcpy(&found, bytes.data() + probe.offset_bytes + 4 * n, sizeof found);
    const uint32_t expected = probe.words[n];
    const bool is_close = probe.is_float && matches(std::bit_cast<float>(expected), std::bit_cast<float>(found), probe.tolerance);
    if (found == expected || is_close) continue;
    outcome.passed = false;
    outcome.text += fmt::format("; at byte {} expected {}, found {}", probe.offset_bytes + 4 * n, text_of(expected), text_of(found));
    break;
  }
  return outcome;
}

}  // namespace tessera::scene
