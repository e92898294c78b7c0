// frontend/direct3d9/states.h: render states, sampler states and texture stage states by name, as the API numbers their
// values.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/result.h"

namespace tessera::direct3d9 {

enum class RenderState : uint8_t {
#define RENDER_STATE(name, ...) name,
#include "frontend/direct3d9/states.def"
};
enum class SamplerState : uint8_t {
#define SAMPLER_STATE(name, ...) name,
#include "frontend/direct3d9/states.def"
};
enum class StageState : uint8_t {
#define STAGE_STATE(name, ...) name,
#include "frontend/direct3d9/states.def"
};

enum class ValueKind : uint8_t {
  Bool, Number, Float, Color, Shade, Blend, BlendOp, Cull, Compare, Stencil, Fog, Address, Filter, StageOp, Arg, Fill,
  Source
};

struct StateInfo {
  std::string_view text;
  uint16_t number;
  ValueKind kind;
  uint32_t initial;
};
std::span<const StateInfo> render_states();              // indexed by RenderState
std::span<const StateInfo> sampler_states();
std::span<const StateInfo> stage_states();
// The position of a state in its list.
std::optional<size_t> find_state(std::span<const StateInfo> states, std::string_view text);

// A value as a word: a name of its kind, a number, a colour as AARRGGBB. What is no value of the state is an error.
Result<uint32_t> parse_value(const StateInfo& state, std::string_view word);
Status check_value(const StateInfo& state, uint32_t value);

inline constexpr uint32_t kStages = 8, kPixelSamplers = 16, kVertexSamplers = 4,
                          kSamplers = kPixelSamplers + kVertexSamplers;

struct SamplerStates {
  std::array<uint32_t, 11> values;
  SamplerStates();
  uint32_t operator[](SamplerState s) const { return values[static_cast<size_t>(s)]; }
  bool operator==(const SamplerStates&) const = default;
};

struct StageStates {
  std::array<uint32_t, 16> values;
  explicit StageStates(uint32_t stage);
  uint32_t operator[](StageState s) const { return values[static_cast<size_t>(s)]; }
  bool operator==(const StageStates&) const = default;
};

// All of them, as they are when a device is new.
struct States {
  std::array<uint32_t, 73> render;
  std::array<SamplerStates, kSamplers> samplers;         // those of pixel shaders, then those of vertex shaders
  std::array<StageStates, kStages> stages;
  States();
  uint32_t operator[](RenderState s) const { return render[static_cast<size_t>(s)]; }
  float real(RenderState s) const { return std::bit_cast<float>((*this)[s]); }
};

// AARRGGBB as r, g, b, a.
std::array<float, 4> color_of(uint32_t argb);

}  // namespace tessera::direct3d9
