// frontend/scene_environment.cpp: [texture environment].
#include "frontend/scene_fixed_function.h"

namespace tessera::scene {
namespace {

using namespace combiners;

// SOURCE, SOURCE.alpha, 1-SOURCE, 1-SOURCE.alpha
EnvArgument parse_argument(Line& line, Portion p) {
  const SourceLoc loc = line.loc();
  std::string_view word = line.word("an argument, as in texture or 1-previous.alpha");
  if (line.failed()) return {};
  const bool is_inverted = word.starts_with("1-");
  if (is_inverted) word.remove_prefix(2);
  bool is_alpha = p == Portion::Alpha;
  if (const size_t dot = word.find('.'); dot != std::string_view::npos) {
    const auto part = from_text<Portion>(word.substr(dot + 1));
    if (!part) line.fail_at(loc, "behind the point of an argument stands rgb or alpha");
    is_alpha = part == Portion::Alpha;
    word = word.substr(0, dot);
  }
  const EnvOperand plain = is_alpha ? EnvOperand::Alpha : EnvOperand::Color;
  const EnvOperand inverted = is_alpha ? EnvOperand::OneMinusAlpha : EnvOperand::OneMinusColor;
  return {parse_token<EnvSource>(line, loc, word), is_inverted ? inverted : plain};
}

class EnvironmentParser {
 public:
  FragmentState parse(const Section& section, std::vector<Diag>& diags) {
    for_each_line(section, diags, [&](Line& line) { parse_line(line); });
    return state_;
  }

 private:
  void parse_line(Line& line) {
    if (parse_common_line(line, state_)) return;
    if (line.accept("unit")) return parse_unit(line);
    for (const Portion p : {Portion::Rgb, Portion::Alpha})
      if (line.accept(text_of(p))) return parse_combine(line, p);
    if (!line.accept("color")) return line.fail_expected("unit, rgb, alpha, color, color_sum or fog");
    if (!unit_) return line.fail("a line 'unit' comes first");
    unit_->environment.color = parse_unit_color(line);
  }

  void parse_unit(Line& line) {
    const SourceLoc loc = line.loc();
    unit_ = &state_.units[line.integer("a texture unit", 0, kTextureUnits - 1)];
    if (unit_->enabled) line.fail_at(loc, "the unit was given before");
    unit_->enabled = true;
    unit_->environment.mode = parse_token<EnvMode>(line, "a mode, as in modulate");
  }

  // FUNCTION ARGUMENT... scale N
  void parse_combine(Line& line, Portion p) {
    if (!unit_) return line.fail("a line 'unit' comes first");
    EnvCombine& combine = p == Portion::Rgb ? unit_->environment.rgb : unit_->environment.alpha;
    const SourceLoc loc = line.loc();
    combine.function = parse_token<EnvFunction>(line, "a function, as in modulate");
    for (size_t a = 0; !line.done() && line.peek() != "scale" && !line.failed(); ++a) {
      if (a == combine.args.size()) return line.fail("a function has at most four arguments");
      const SourceLoc argument_loc = line.loc();
      EnvCombine changed = combine;
      changed.args[a] = parse_argument(line, p);
      if (combine.function != EnvFunction::Dot3Rgb && combine.function != EnvFunction::Dot3Rgba)
        require(line, argument_loc, check_combine(p, changed));
      combine = changed;
    }
    if (line.accept("scale")) combine.scale = line.integer("a scale: 1, 2 or 4");
    require(line, loc, check_combine(p, combine));
  }

  FragmentState state_;
  TextureUnit* unit_ = nullptr;               // of the last line `unit`
};

}  // namespace

FragmentState parse_texture_environment(const Section& section, std::vector<Diag>& diags) {
  return EnvironmentParser().parse(section, diags);
}

}  // namespace tessera::scene
