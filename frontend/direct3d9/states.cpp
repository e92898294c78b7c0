#include "frontend/direct3d9/states.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace tessera::direct3d9 {
namespace {

constexpr StateInfo kRenderStates[] = {
#define RENDER_STATE(name, text, number, kind, initial) {text, number, ValueKind::kind, initial},
#include "frontend/direct3d9/states.def"
};
constexpr StateInfo kSamplerStates[] = {
#define SAMPLER_STATE(name, text, number, kind, initial) {text, number, ValueKind::kind, initial},
#include "frontend/direct3d9/states.def"
};
constexpr StateInfo kStageStates[] = {
#define STAGE_STATE(name, text, number, kind, initial) {text, number, ValueKind::kind, initial},
#include "frontend/direct3d9/states.def"
};
static_assert(std::size(kRenderStates) == std::tuple_size_v<decltype(States::render)>);
static_assert(std::size(kSamplerStates) == std::tuple_size_v<decltype(SamplerStates::values)>);
static_assert(std::size(kStageStates) == std::tuple_size_v<decltype(StageStates::values)>);

struct Word {
  ValueKind kind;
  std::string_view text;
  uint32_t number;
};
constexpr Word kWords[] = {
#define WORD(kind, text, number) {ValueKind::kind, text, number},
#include "frontend/direct3d9/states.def"
};

constexpr uint32_t kArgComplement = 16, kArgAlpha = 32;   // may be added to an argument

bool is_enumeration(ValueKind kind) { return kind > ValueKind::Color; }

template <class T>
std::optional<T> number_of(std::string_view text, int base = 10) {
  T value{};
  std::from_chars_result result{};
  if constexpr (std::is_floating_point_v<T>) result = std::from_chars(text.data(), text.data() + text.size(), value);
  else result = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (result.ec != std::errc{} || result.ptr != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<uint32_t> whole_number(std::string_view word) {
  return word.starts_with("0x") ? number_of<uint32_t>(word.substr(2), 16) : number_of<uint32_t>(word);
}

std::optional<uint32_t> plain_value(ValueKind kind, std::string_view word) {
  if (kind == ValueKind::Float) {
    const std::optional<float> value = number_of<float>(word);
    return value ? std::optional(std::bit_cast<uint32_t>(*value)) : std::nullopt;
  }
  if (kind == ValueKind::Color) {
    if (word.starts_with("0x")) word.remove_prefix(2);
    return word.size() == 8 ? number_of<uint32_t>(word, 16) : std::nullopt;
  }
  if (kind == ValueKind::Bool && (word == "on" || word == "off")) return word == "on";
  return whole_number(word);
}

// "texture+complement"
std::optional<uint32_t> argument_value(std::string_view word) {
  uint32_t flags = 0;
  for (size_t plus; (plus = word.rfind('+')) != std::string_view::npos; word = word.substr(0, plus)) {
    const std::string_view flag = word.substr(plus + 1);
    if (flag != "complement" && flag != "alphareplicate") return std::nullopt;
    flags |= flag == "complement" ? kArgComplement : kArgAlpha;
  }
  for (const Word& w : kWords)
    if (w.kind == ValueKind::Arg && w.text == word) return w.number | flags;
  return std::nullopt;
}

std::optional<uint32_t> value_of_word(ValueKind kind, std::string_view word) {
  for (const Word& w : kWords)
    if (w.kind == kind && w.text == word) return w.number;
  if (kind == ValueKind::Arg)
    if (const std::optional<uint32_t> value = argument_value(word)) return value;
  return plain_value(kind, word);
}

std::string expected(const StateInfo& state) {
  if (state.kind == ValueKind::Float) return "a number";
  if (state.kind == ValueKind::Color) return "a colour as eight hexadecimal digits AARRGGBB";
  if (state.kind == ValueKind::Bool) return "on or off";
  if (state.kind == ValueKind::Number) return "a whole number";
  std::string words;
  for (const Word& w : kWords)
    if (w.kind == state.kind) words += (words.empty() ? "one of " : ", ") + std::string(w.text);
  return words;
}

}  // namespace

std::span<const StateInfo> render_states() { return kRenderStates; }
std::span<const StateInfo> sampler_states() { return kSamplerStates; }
std::span<const StateInfo> stage_states() { return kStageStates; }

std::optional<size_t> find_state(std::span<const StateInfo> states, std::string_view text) {
  const auto found = std::ranges::find(states, text, &StateInfo::text);
  return found == states.end() ? std::nullopt : std::optional(static_cast<size_t>(found - states.begin()));
}

Status check_value(const StateInfo& state, uint32_t value) {
  if (state.kind == ValueKind::Bool && value > 1)
    return error(fmt::format("{}: expected 0 or 1, found {}", state.text, value));
  if (!is_enumeration(state.kind)) return Done{};
  const uint32_t plain = state.kind == ValueKind::Arg ? value & ~(kArgComplement | kArgAlpha) : value;
  for (const Word& w : kWords)
    if (w.kind == state.kind && w.number == plain) return Done{};
  return error(fmt::format("{}: {} is none of its values", state.text, value));
}

Result<uint32_t> parse_value(const StateInfo& state, std::string_view word) {
  const std::optional<uint32_t> found = value_of_word(state.kind, word);
  const uint32_t value = found.value_or(0);
  if (!found || !check_value(state, value))
    return error(fmt::format("expected {} for {}, found '{}'", expected(state), state.text, word));
  return value;
}

SamplerStates::SamplerStates() {
  std::ranges::transform(kSamplerStates, values.begin(), &StateInfo::initial);
}

StageStates::StageStates(uint32_t stage) {
  std::ranges::transform(kStageStates, values.begin(), &StateInfo::initial);
  constexpr uint32_t kDisable = 1;
  values[static_cast<size_t>(StageState::TexCoordIndex)] = stage;
  if (stage == 0) return;
  values[static_cast<size_t>(StageState::ColorOp)] = kDisable;
  values[static_cast<size_t>(StageState::AlphaOp)] = kDisable;
}

States::States()
    : stages{StageStates(0), StageStates(1), StageStates(2), StageStates(3),
             StageStates(4), StageStates(5), StageStates(6), StageStates(7)} {
  std::ranges::transform(kRenderStates, render.begin(), &StateInfo::initial);
}

std::array<float, 4> color_of(uint32_t argb) {
  const auto channel = [&](uint32_t shift) { return static_cast<float>(argb >> shift & 255) / 255.0f; };
  return {channel(16), channel(8), channel(0), channel(24)};
}

}  // namespace tessera::direct3d9
