// frontend/scene_combiners.cpp: [register combiners].
#include <fmt/format.h>

#include "frontend/scene_fixed_function.h"

namespace tessera::scene {
namespace {

using namespace combiners;

GeneralPortion empty_portion(Usage usage) {
  const Input zero{Register::Zero, Mapping::UnsignedIdentity, usage};
  return {{zero, zero, zero, zero}, {.sum = Register::Discard}};
}

// The register, perhaps with a component behind it, perhaps in a mapping: texture0, fog.alpha, expand(texture0.blue), one.
Input parse_input(Line& line, Usage usual) {
  const SourceLoc loc = line.loc();
  std::string_view word = line.word("an input, as in expand(texture0.alpha)");
  Input in{Register::Zero, Mapping::UnsignedIdentity, usual};
  if (line.failed()) return in;
  if (word == "one") return {Register::Zero, Mapping::UnsignedInvert, usual};
  if (const size_t open = word.find('('); open != std::string_view::npos) {
    if (!word.ends_with(')')) return line.fail_at(loc, fmt::format("expected a ')' at the end of '{}'", word)), in;
    in.mapping = parse_token<Mapping>(line, loc, word.substr(0, open));
    word = word.substr(open + 1, word.size() - open - 2);
  }
  if (const size_t dot = word.find('.'); dot != std::string_view::npos) {
    in.usage = parse_token<Usage>(line, loc, word.substr(dot + 1));
    word = word.substr(0, dot);
  }
  in.source = parse_token<Register>(line, loc, word);
  return in;
}

class CombinersParser {
 public:
  FragmentState parse(const Section& section, std::vector<Diag>& diags) {
    combiners().enabled = true;
    for_each_line(section, diags, [&](Line& line) { parse_line(line); });
    if (stage_lines_ > 0 && !count_is_given_) combiners().stage_count = stage_lines_;
    if (!units_are_given_) enable_read_units();
    return state_;
  }

 private:
  RegisterCombiners& combiners() { return state_.combiners; }

  void parse_line(Line& line) {
    if (parse_common_line(line, state_)) return;
    if (line.accept("stage")) return begin_stage(line);
    if (line.accept("rgb")) return parse_portion(line, Portion::Rgb);
    if (line.accept("alpha")) return parse_portion(line, Portion::Alpha);
    if (line.accept("final")) return parse_final(line);
    if (line.accept("const0")) return parse_constant(line, 0);
    if (line.accept("const1")) return parse_constant(line, 1);
    if (line.accept("units")) return parse_units(line);
    if (line.accept("color_sum_clamp")) combiners().color_sum_clamp = line.on_off();
    else if (line.accept("per_stage_constants")) combiners().per_stage_constants = line.on_off();
    else if (line.accept("stages")) parse_stages(line);
    else
      line.fail_expected(
          "stage, rgb, alpha, final, const0, const1, units, stages, color_sum_clamp, per_stage_constants or fog");
  }

  // ---- general stages ----

  void begin_stage(Line& line) {
    if (stage_lines_ == kMaxStages) return line.fail("there are 8 general stages");
    GeneralStage& stage = combiners().stages[stage_lines_++];
    stage.rgb = empty_portion(Usage::Rgb);
    stage.alpha = empty_portion(Usage::Alpha);
    products_ = {};
  }

  void parse_portion(Line& line, Portion p) {
    if (stage_lines_ == 0) return line.fail("a line 'stage' comes first");
    GeneralPortion& portion = combiners().stages[stage_lines_ - 1].portion(p);
    const SourceLoc loc = line.loc();
    if (line.peek() == "scale" || line.peek() == "bias") parse_scale_and_bias(line, portion.out);
    else parse_output(line, p, portion);
    require(line, loc, check_general_output(p, portion.out));
  }

  void parse_scale_and_bias(Line& line, GeneralOutput& out) {
    while (!line.done() && !line.failed()) {
      if (line.accept("scale")) out.scale = parse_token<Scale>(line, "a scale: 1, 2, 4 or 0.5");
      else if (line.accept("bias")) out.bias = parse_token<Bias>(line, "a bias: 0 or -0.5");
      else line.fail_expected("scale or bias");
    }
  }

  // OUT = A * B, OUT = A dot B; the second one in a portion is C and D. OUT = sum, OUT = mux.
  void parse_output(Line& line, Portion p, GeneralPortion& portion) {
    const Register target = parse_token<Register>(line, "an output register");
    parse_equals(line);
    if (line.accept("sum")) portion.out.sum = target, portion.out.mux = false;
    else if (line.accept("mux")) portion.out.sum = target, portion.out.mux = true;
    else parse_product(line, p, portion, target);
  }

  void parse_product(Line& line, Portion p, GeneralPortion& portion, Register target) {
    uint32_t& count = products_[p == Portion::Alpha];
    if (count == 2) return line.fail("a portion has two products and one sum or mux");
    const bool is_first = count++ == 0;
    portion.in[is_first ? 0 : 2] = parse_general_input(line, p);
    const bool is_dot = line.accept("dot");
    if (!is_dot && !line.accept("*")) return line.fail_expected("'*' or 'dot'");
    portion.in[is_first ? 1 : 3] = parse_general_input(line, p);
    (is_first ? portion.out.ab : portion.out.cd) = target;
    (is_first ? portion.out.ab_dot : portion.out.cd_dot) = is_dot;
  }

  Input parse_general_input(Line& line, Portion p) {
    const SourceLoc loc = line.loc();
    const Input in = parse_input(line, p == Portion::Rgb ? Usage::Rgb : Usage::Alpha);
    require(line, loc, check_general_input(p, in));
    return in;
  }

  // ---- the rest ----

  // A variable by its name, or `rgb = X` (variable D alone) and `alpha = X` (variable G).
  void parse_final(Line& line) {
    auto& in = combiners().final_combiner.in;
    if (line.accept("rgb")) {
      parse_equals(line);
      in[0] = in[1] = in[2] = Input{};
      return parse_final_input(line, Variable::D);
    }
    if (line.accept("alpha")) {
      parse_equals(line);
      return parse_final_input(line, Variable::G);
    }
    parse_final_input(line, parse_token<Variable>(line, "a variable, a to g; rgb or alpha"));
  }

  void parse_final_input(Line& line, Variable variable) {
    const SourceLoc loc = line.loc();
    const Input in = parse_input(line, variable == Variable::G ? Usage::Alpha : Usage::Rgb);
    require(line, loc, check_final_input(variable, in));
    combiners().final_combiner.in[index_of(variable)] = in;
  }

  // Before the first stage: the global constants; later: those of the stage.
  void parse_constant(Line& line, size_t number) {
    const Color color = parse_unit_color(line);
    if (stage_lines_ == 0) {
      combiners().constants[number] = color;
    } else {
      combiners().stages[stage_lines_ - 1].constants[number] = color;
      combiners().per_stage_constants = true;
    }
  }

  void parse_stages(Line& line) {
    combiners().stage_count = line.integer("the number of stages", 1, kMaxStages);
    count_is_given_ = true;
  }

  void parse_units(Line& line) {
    units_are_given_ = true;
    while (!line.done() && !line.failed())
      state_.units[line.integer("a texture unit", 0, kTextureUnits - 1)].enabled = true;
  }

  void enable_read_units() {
    for (uint32_t s = 0; s < combiners().stage_count; ++s)
      for (const Portion p : {Portion::Rgb, Portion::Alpha})
        for (const Input& in : combiners().stages[s].portion(p).in) enable_unit(in.source);
    for (const Input& in : combiners().final_combiner.in) enable_unit(in.source);
  }

  void enable_unit(Register source) {
    const uint32_t unit = to_token(source) - to_token(Register::Texture0);
    if (unit < kTextureUnits) state_.units[unit].enabled = true;
  }

  FragmentState state_;
  uint32_t stage_lines_ = 0;
  std::array<uint32_t, 2> products_{};      // of the stage's portions
  bool count_is_given_ = false, units_are_given_ = false;
};

}  // namespace

FragmentState parse_register_combiners(const Section& section, std::vector<Diag>& diags) {
  return CombinersParser().parse(section, diags);
}

}  // namespace tessera::scene
