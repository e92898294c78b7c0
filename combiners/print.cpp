#include "combiners/print.h"

#include <fmt/format.h>

#include "combiners/terms.h"

namespace tessera::combiners {
namespace {

// What zero becomes by a mapping.
std::string_view mapped_zero(Mapping mapping) {
  switch (mapping) {
    case Mapping::UnsignedIdentity:
    case Mapping::SignedIdentity:
    case Mapping::SignedNegate: return "0";
    case Mapping::UnsignedInvert:
    case Mapping::ExpandNegate: return "1";
    case Mapping::ExpandNormal: return "(-1)";
    case Mapping::HalfBiasNormal: return "(-0.5)";
    case Mapping::HalfBiasNegate: return "0.5";
  }
  return "0";
}

std::string variable(const Input& in) {
  if (in.source == Register::Zero) return std::string(mapped_zero(in.mapping));
  const std::string name = std::string(text_of(in.source)) + "." + std::string(text_of(in.usage));
  std::string equation(kMappingEquations[index_of(in.mapping)]);
  return equation.replace(equation.find('@'), 1, name);
}

std::string product(const Input& a, const Input& b, bool is_dot) {
  if (is_dot) return "dot(" + variable(a) + ", " + variable(b) + ")";
  return times(variable(a), variable(b));
}

// (x - 0.5) * scale
std::string finished(const std::string& x, const GeneralOutput& out) {
  const std::string biased = out.bias == Bias::None ? x : minus(x, "0.5");
  return out.scale == Scale::One ? biased : times(grouped(biased), std::string(text_of(out.scale)));
}

std::string portion(const GeneralPortion& p, std::string_view part) {
  const GeneralOutput& out = p.out;
  const std::string ab = product(p.in[0], p.in[1], out.ab_dot), cd = product(p.in[2], p.in[3], out.cd_dot);
  const std::string third = out.mux ? "(spare0.alpha >= 0.5 ? " + cd + " : " + ab + ")" : plus(ab, cd);
  std::string text;
  const auto line = [&](Register target, const std::string& x) {
    if (target == Register::Discard) return;
    text += "  " + std::string(text_of(target)) + "." + std::string(part) + " = " + finished(x, out) + "\n";
  };
  line(out.ab, ab);
  line(out.cd, cd);
  line(out.sum, third);
  return text;
}

std::string final_equations(const FinalCombiner& final_combiner, bool clamps_sum) {
  std::array<std::string, 7> v;
  for (size_t k = 0; k < 7; ++k) v[k] = variable(final_combiner.in[k]);
  std::string text = "final\n";
  const auto reads = [&](Register r) {
    for (const Input& in : final_combiner.in)
      if (in.source == r) return true;
    return false;
  };
  if (reads(Register::ETimesF)) text += "  e_times_f.rgb = " + times(v[4], v[5]) + "\n";
  if (reads(Register::Spare0PlusSecondary)) {
    const std::string sum = "max(0, spare0.rgb) + max(0, secondary.rgb)";
    text += "  spare0_plus_secondary.rgb = " + (clamps_sum ? "min(1, " + sum + ")" : sum) + "\n";
  }
  const std::string mixed = plus(times(v[0], v[1]), times(one_minus(v[0]), v[2]));
  text += "  rgb = min(1, " + plus(mixed, v[3]) + ")\n";
  return text + "  alpha = " + v[6] + "\n";
}

std::string print_fog_factor(const Fog& fog) {
  if (!fog.enabled) return "";
  constexpr std::string_view kFactors[] = {"(end - @) / (end - start)", "e^(-density * @)", "e^(-(density * @)^2)",
                                           "@"};
  std::string factor(kFactors[index_of(fog.mode)]);
  const std::string_view coordinate = fog.source == FogSource::Depth ? "position.w" : "fog.coordinate";
  factor.replace(factor.find('@'), 1, coordinate);
  return fmt::format("fog factor at {}\n  fog.alpha = clamp({}, 0, 1)\n", fog.per_vertex ? "vertices" : "fragments",
                     factor);
}

}  // namespace

std::string print_combiners(const RegisterCombiners& combiners) {
  std::string text = "register combiners; results of stages are clamped to [-1, 1]\n";
  for (uint32_t s = 0; s < combiners.stage_count; ++s) {
    text += "stage " + std::string(1, static_cast<char>('0' + s)) +
            (combiners.per_stage_constants ? ", own constants\n" : "\n");
    text += portion(combiners.stages[s].rgb, "rgb") + portion(combiners.stages[s].alpha, "alpha");
  }
  return text + final_equations(combiners.final_combiner, combiners.color_sum_clamp);
}

std::string print(const FragmentState& state) {
  if (state.combiners.enabled) return print_fog_factor(state.fog) + print_combiners(state.combiners);
  std::string text = state.ati.enabled ? print_ati(state.ati) : print_environments(state);
  if (state.color_sum) text += "color sum\n  rgb = min(1, previous.rgb + secondary.rgb)\n";
  text += print_fog_factor(state.fog);
  if (state.fog.enabled) text += "fog\n  rgb = fog.alpha * previous.rgb + (1 - fog.alpha) * fog.rgb\n";
  return text;
}

}  // namespace tessera::combiners
