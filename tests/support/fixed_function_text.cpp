#include "tests/support/fixed_function_text.h"

#include <fmt/format.h>

#include <bit>

#include "combiners/constants.h"
#include "combiners/key.h"
#include "frontend/scene_parser.h"

namespace tessera::tests {
namespace {

using namespace combiners;

template <class Colors>
std::string numbers(const Colors& color) {
  std::string text;
  for (const float c : color) text += fmt::format(" {:#010x}", std::bit_cast<uint32_t>(c));
  return text;
}

std::string input(const Input& in) {
  return fmt::format("{}({}.{})", text_of(in.mapping), text_of(in.source), text_of(in.usage));
}

// ---- register combiners ------------------------------------------------------------------------------------------

std::string portion(const GeneralPortion& p, std::string_view part) {
  const GeneralOutput& out = p.out;
  std::string text = fmt::format("{} scale {} bias {}\n", part, text_of(out.scale), text_of(out.bias));
  text += fmt::format("{} {} = {} {} {}\n", part, text_of(out.ab), input(p.in[0]), out.ab_dot ? "dot" : "*", input(p.in[1]));
  text += fmt::format("{} {} = {} {} {}\n", part, text_of(out.cd), input(p.in[2]), out.cd_dot ? "dot" : "*", input(p.in[3]));
  return text + fmt::format("{} {} = {}\n", part, text_of(out.sum), out.mux ? "mux" : "sum");
}

std::string combiners_section(const FragmentState& state) {
  const RegisterCombiners& c = state.combiners;
  std::string text = fmt::format("[register combiners]\nconst0{}\nconst1{}\nunits", numbers(c.constants[0]), numbers(c.constants[1]));
  for (uint32_t u = 0; u < kTextureUnits; ++u)
    if (state.units[u].enabled) text += fmt::format(" {}", u);
  text += "\n";
  for (uint32_t s = 0; s < c.stage_count; ++s) {
    text += "stage\n" + portion(c.stages[s].rgb, "rgb") + portion(c.stages[s].alpha, "alpha");
    text += fmt::format("const0{}\nconst1{}\n", numbers(c.stages[s].constants[0]), numbers(c.stages[s].constants[1]));
  }
  for (size_t v = 0; v < 7; ++v) text += fmt::format("final {} {}\n", kTokens<Variable>[v].text, input(c.final_combiner.in[v]));
  return text + fmt::format("color_sum_clamp {}\nper_stage_constants {}\n", c.color_sum_clamp ? "on" : "off", c.per_stage_constants ? "on" : "off");
}

// ---- texture environment -----------------------------------------------------------------------------------------

std::string combine(const EnvCombine& c, std::string_view part) {
  std::string text = fmt::format("{} {}", part, text_of(c.function));
  for (const EnvArgument& arg : c.args) {
    const bool is_inverted = arg.operand == EnvOperand::OneMinusColor || arg.operand == EnvOperand::OneMinusAlpha;
    const bool is_alpha = arg.operand == EnvOperand::Alpha || arg.operand == EnvOperand::OneMinusAlpha;
    text += fmt::format(" {}{}.{}", is_inverted ? "1-" : "", text_of(arg.source), is_alpha ? "alpha" : "rgb");
  }
  return text + fmt::format(" scale {}\n", c.scale);
}

std::string environment_section(const FragmentState& state) {
  std::string text = "[texture environment]\n";
  for (uint32_t u = 0; u < kTextureUnits; ++u) {
    const TextureEnvironment& env = state.units[u].environment;
    if (!state.units[u].enabled) continue;
    text += fmt::format("unit {} {}\ncolor{}\n", u, text_of(env.mode), numbers(env.color));
    text += combine(env.rgb, "rgb") + combine(env.alpha, "alpha");
  }
  return text;
}

// ---- ATI fragment shader -----------------------------------------------------------------------------------------

std::string instruction(const AtiInstruction& instr, bool is_alpha) {
  constexpr std::string_view kResult[] = {"2x", "4x", "8x", "half", "quarter", "eighth", "sat"};
  std::string text = is_alpha ? "a" : "";
  for (size_t c = 0; c < 3 && !is_alpha; ++c)
    if (instr.mask >> c & 1) text += "rgb"[c];
  text += fmt::format(" r{} = {}", instr.target, text_of(instr.op));
  for (size_t k = 0; k < argument_count(instr.op); ++k) {
    const AtiArgument& arg = instr.args[k];
    text += fmt::format(" {}.{}", text_of(arg.source), text_of(arg.replicate));
    if (arg.modifiers & ati_arg::Complement) text += ".comp";
    if (arg.modifiers & ati_arg::Bias) text += ".bias";
    if (arg.modifiers & ati_arg::Double) text += ".2x";
    if (arg.modifiers & ati_arg::Negate) text += ".neg";
  }
  for (size_t bit = 0; bit < std::size(kResult); ++bit)
    if (instr.modifiers >> bit & 1) text += fmt::format(" {}", kResult[bit]);
  return text + "\n";
}

std::string ati_section(const FragmentState& state) {
  std::string text = "[ati fragment shader]\n";
  for (uint32_t k = 0; k < kAtiConstants; ++k) text += fmt::format("c{}{}\n", k, numbers(state.ati.constants[k]));
  for (uint32_t p = 0; p < state.ati.pass_count; ++p) {
    const AtiPass& pass = state.ati.passes[p];
    for (uint32_t r = 0; r < kAtiRegisters; ++r)
      if (pass.routes[r].kind != AtiRoute::Kind::None)
        text += fmt::format("r{} = {} {} {}\n", r, pass.routes[r].kind == AtiRoute::Kind::Sample ? "sample" : "pass",
                            text_of(pass.routes[r].coordinate), text_of(pass.routes[r].swizzle));
    for (uint32_t k = 0; k < pass.pair_count; ++k) {
      if (pass.pairs[k].color.is_given) text += instruction(pass.pairs[k].color, false);
      if (pass.pairs[k].alpha.is_given) text += instruction(pass.pairs[k].alpha, true);
    }
  }
  return text;
}

std::string common_lines(const FragmentState& state) {
  const Fog& fog = state.fog;
  std::string text = fmt::format("color_sum {}\nfog_color{}\n", state.color_sum ? "on" : "off", numbers(fog.color));
  if (!fog.enabled) return text;
  text += fmt::format("fog {}", text_of(fog.mode));
  if (fog.mode == FogMode::Linear) text += numbers(std::array{fog.start, fog.end});
  else if (fog.mode != FogMode::Factor) text += numbers(std::array{fog.density});
  return text + fmt::format("\nfog_coordinate {}\nfog_at {}\n", text_of(fog.source), fog.per_vertex ? "vertices" : "fragments");
}

}  // namespace

std::string scene_section(const FragmentState& state) {
  const std::string own = state.combiners.enabled ? combiners_section(state)
                          : state.ati.enabled     ? ati_section(state)
                                                  : environment_section(state);
  return own + common_lines(state);
}

Result<FragmentState> read_scene_section(const std::string& section) {
  const Result<scene::Scene> parsed = scene::parse_scene(section + "[test]\nclear color 0 0 0 1\n");
  if (!parsed) return parsed.diags();
  return parsed->fixed_functions.at("").state;
}

bool same_effect(const FragmentState& a, const FragmentState& b) {
  FragmentState x = a, y = b;
  for (FragmentState* s : {&x, &y}) {
    for (uint32_t k = s->combiners.stage_count; k < kMaxStages; ++k) s->combiners.stages[k].constants = {};
    if (!s->combiners.enabled) s->combiners = {};
    if (!s->ati.enabled) s->ati.constants = {};
    for (TextureUnit& unit : s->units)
      if (!unit.enabled || s->combiners.enabled || s->ati.enabled) unit.environment.color = {};
    if (!s->fog.enabled || s->fog.mode != FogMode::Linear) s->fog.start = s->fog.end = 0;
    if (!s->fog.enabled || s->fog.mode == FogMode::Linear || s->fog.mode == FogMode::Factor) s->fog.density = 0;
  }
  return code_key(x) == code_key(y) && constant_words(x) == constant_words(y);
}

}  // namespace tessera::tests
