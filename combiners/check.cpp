#include "combiners/check.h"

#include <fmt/format.h>

#include "combiners/ati_build.h"
#include "combiners/rules.h"

namespace tessera::combiners {
namespace {

class Checker {
 public:
  Status run(const FragmentState& state) {
    if (state.combiners.enabled && state.ati.enabled) diags_.push_back(error("combiners, ati: both are enabled"));
    check_combiners(state.combiners);
    for (uint32_t u = 0; u < kTextureUnits; ++u)
      check_unit(state.units[u].environment, fmt::format("units[{}].environment", u));
    require(check_ati(state.ati), "ati");
    for (const Color& c : state.ati.constants) check_color(c, "ati.constants");
    check_color(state.fog.color, "fog.color");
    check_token(state.fog.mode, "fog.mode");
    check_token(state.fog.source, "fog.source");
    if (!diags_.empty()) return std::move(diags_);
    return Done{};
  }

 private:
  void require(const std::optional<Violation>& broken, std::string_view field) {
    if (broken) diags_.push_back(error(fmt::format("{}: {}", field, broken->text)));
  }

  template <class Colors>
  void check_color(const Colors& color, std::string_view field) {
    for (const float c : color)
      if (!(c >= 0 && c <= 1))
        return diags_.push_back(error(fmt::format("{}: colours lie in 0 to 1, found {}", field, c)));
  }

  template <class E>
  void check_token(E value, std::string_view field) {
    if (index_of(value) == kTokens<E>.size())
      diags_.push_back(error(fmt::format("{}: the value is none of the enumeration's", field)));
  }

  void check_input(const Input& in, std::string_view field) {
    check_token(in.source, field);
    check_token(in.mapping, field);
    check_token(in.usage, field);
  }

  void check_combiners(const RegisterCombiners& combiners) {
    require(check_stage_count(combiners.stage_count), "combiners.stage_count");
    for (const Color& c : combiners.constants) check_color(c, "combiners.constants");
    for (uint32_t s = 0; s < kMaxStages; ++s) {
      const GeneralStage& stage = combiners.stages[s];
      for (const Color& c : stage.constants) check_color(c, fmt::format("combiners.stages[{}].constants", s));
      for (const Portion p : {Portion::Rgb, Portion::Alpha})
        check_portion(stage.portion(p), p, fmt::format("combiners.stages[{}].{}", s, text_of(p)));
    }
    for (size_t v = 0; v < 7; ++v) {
      const std::string field = fmt::format("combiners.final_combiner.{}", kTokens<Variable>[v].text);
      check_input(combiners.final_combiner.in[v], field);
      require(check_final_input(kTokens<Variable>[v].value, combiners.final_combiner.in[v]), field);
    }
  }

  void check_portion(const GeneralPortion& portion, Portion p, const std::string& field) {
    for (size_t v = 0; v < 4; ++v) {
      const std::string name = fmt::format("{}.{}", field, kTokens<Variable>[v].text);
      check_input(portion.in[v], name);
      require(check_general_input(p, portion.in[v]), name);
    }
    check_token(portion.out.scale, field);
    check_token(portion.out.bias, field);
    require(check_general_output(p, portion.out), field);
  }

  void check_unit(const TextureEnvironment& env, const std::string& field) {
    check_token(env.mode, field);
    check_color(env.color, field + ".color");
    for (const auto& [combine, p] : {std::pair(&env.rgb, Portion::Rgb), std::pair(&env.alpha, Portion::Alpha)}) {
      check_token(combine->function, field);
      for (const EnvArgument& arg : combine->args) {
        check_token(arg.source, field);
        check_token(arg.operand, field);
      }
      require(check_combine(p, *combine), field);
    }
  }

  std::vector<Diag> diags_;
};

}  // namespace

Status check(const FragmentState& state) { return Checker().run(state); }

}  // namespace tessera::combiners
