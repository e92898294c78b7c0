#include "combiners/rules.h"

namespace tessera::combiners {
namespace {

using Kind = Violation::Kind;

struct Rule {
  bool broken;
  Kind kind;
  std::string_view text;
};

template <size_t kCount>
std::optional<Violation> first_broken(const Rule (&rules)[kCount]) {
  for (const Rule& rule : rules)
    if (rule.broken) return Violation{rule.kind, rule.text};
  return std::nullopt;
}

bool same_register(Register a, Register b) { return a == b && a != Register::Discard; }

bool is_alpha_operand(EnvOperand operand) { return operand == EnvOperand::Alpha || operand == EnvOperand::OneMinusAlpha; }

}  // namespace

std::optional<Violation> check_general_input(Portion portion, const Input& input) {
  return first_broken({
      {!may_stand(input.source, kGeneralInput), Kind::Enum, "the register cannot be read in a general stage"},
      {portion == Portion::Alpha && input.usage == Usage::Rgb, Kind::Operation, "an alpha portion reads alpha or blue, not rgb"},
      {portion == Portion::Rgb && input.usage == Usage::Blue, Kind::Operation, "an rgb portion reads rgb or alpha, not blue"},
      {input.source == Register::Fog && input.usage == Usage::Alpha, Kind::Operation, "fog's alpha is read by the final combiner only"},
  });
}

std::optional<Violation> check_general_output(Portion portion, const GeneralOutput& o) {
  const bool is_writable = may_stand(o.ab, kOutput) && may_stand(o.cd, kOutput) && may_stand(o.sum, kOutput);
  return first_broken({
      {!is_writable, Kind::Enum, "the register cannot be written"},
      {portion == Portion::Alpha && (o.ab_dot || o.cd_dot), Kind::Value, "an alpha portion has no dot products"},
      {o.bias == Bias::NegativeHalf && (o.scale == Scale::Four || o.scale == Scale::Half), Kind::Operation,
       "a bias of -0.5 goes with a scale of 1 or 2 only"},
      {same_register(o.ab, o.cd) || same_register(o.ab, o.sum) || same_register(o.cd, o.sum), Kind::Operation,
       "the outputs of a portion must be different registers"},
  });
}

std::optional<Violation> check_final_input(Variable variable, const Input& input) {
  const bool is_sum = input.source == Register::Spare0PlusSecondary;
  const bool is_pseudo = is_sum || input.source == Register::ETimesF;
  const bool is_unsigned = input.mapping == Mapping::UnsignedIdentity || input.mapping == Mapping::UnsignedInvert;
  return first_broken({
      {!may_stand(input.source, kFinalInput), Kind::Enum, "the register cannot be read"},
      {!is_unsigned, Kind::Enum, "the final combiner has unsigned mappings only"},
      {variable >= Variable::E && is_pseudo, Kind::Operation, "E, F and G cannot read a product or sum of the final combiner"},
      {variable == Variable::A && is_sum, Kind::Operation, "A cannot read spare0_plus_secondary"},
      {variable == Variable::G && input.usage == Usage::Rgb, Kind::Operation, "G reads alpha or blue, not rgb"},
      {variable != Variable::G && input.usage == Usage::Blue, Kind::Operation, "A to F read rgb or alpha, not blue"},
      {is_pseudo && input.usage != Usage::Rgb, Kind::Operation, "a product or sum of the final combiner has rgb only"},
  });
}

std::optional<Violation> check_stage_count(int64_t count) {
  return first_broken({{count < 1 || count > kMaxStages, Kind::Value, "there are 1 to 8 general stages"}});
}

std::optional<Violation> check_combine(Portion portion, const EnvCombine& combine) {
  const bool is_dot = combine.function == EnvFunction::Dot3Rgb || combine.function == EnvFunction::Dot3Rgba;
  bool reads_alpha = true;
  for (const EnvArgument& arg : combine.args) reads_alpha = reads_alpha && is_alpha_operand(arg.operand);
  return first_broken({
      {portion == Portion::Alpha && is_dot, Kind::Enum, "alpha has no dot products"},
      {portion == Portion::Alpha && !reads_alpha, Kind::Enum, "alpha's operands are alpha and one_minus_alpha"},
      {combine.scale != 1 && combine.scale != 2 && combine.scale != 4, Kind::Value, "a scale is 1, 2 or 4"},
  });
}

}  // namespace tessera::combiners
