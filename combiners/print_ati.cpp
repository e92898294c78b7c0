#include <fmt/format.h>

#include "combiners/print.h"

namespace tessera::combiners {
namespace {

// ---- routes ------------------------------------------------------------------------------------------------------

std::string coordinate(const AtiRoute& route) {
  const std::string_view from = text_of(route.coordinate), third = reads_q(route.swizzle) ? "q" : "r";
  return divides(route.swizzle) ? fmt::format("({0}.s / {0}.{1}, {0}.t / {0}.{1}, 1 / {0}.{1})", from, third)
                                : fmt::format("({0}.s, {0}.t, {0}.{1})", from, third);
}

std::string routes(const AtiPass& pass) {
  std::string text;
  for (uint32_t r = 0; r < kAtiRegisters; ++r) {
    const AtiRoute& route = pass.routes[r];
    if (route.kind == AtiRoute::Kind::None) continue;
    if (route.kind == AtiRoute::Kind::Sample)
      text += fmt::format("  r{0}.rgba = texture{0}{1}\n", r, coordinate(route));
    else text += fmt::format("  r{}.rgb = {}\n", r, coordinate(route));
  }
  return text;
}

// ---- instructions ------------------------------------------------------------------------------------------------

// `part`: what an argument without replication gives, "rgb" or "alpha".
std::string component(const AtiArgument& arg, std::string_view part) {
  constexpr std::string_view kParts[] = {"", "red", "green", "blue", "alpha"};
  if (arg.source == AtiSource::Zero) return "0";
  if (arg.source == AtiSource::One) return "1";
  return fmt::format("{}.{}", text_of(arg.source),
                     arg.replicate == AtiReplicate::None ? part : kParts[index_of(arg.replicate)]);
}

std::string argument(const AtiArgument& arg, std::string_view part) {
  std::string s = component(arg, part);
  if (arg.modifiers & ati_arg::Complement) s = fmt::format("(1 - {})", s);
  if (arg.modifiers & ati_arg::Bias) s = fmt::format("({} - 0.5)", s);
  if (arg.modifiers & ati_arg::Double) s = fmt::format("(2 * {})", s);
  return arg.modifiers & ati_arg::Negate ? fmt::format("(-{})", s) : s;
}

// By AtiOp, in the order of its table: {0} to {2} are the arguments, {3} is the third one's blue.
constexpr const char* kFormulas[] = {"{0}",
                                     "{0} + {1}",
                                     "{0} * {1}",
                                     "{0} - {1}",
                                     "dot3({0}, {1})",
                                     "dot4({0}, {1})",
                                     "{0} * {1} + {2}",
                                     "{0} * {1} + (1 - {0}) * {2}",
                                     "({2} > 0.5 ? {0} : {1})",
                                     "({2} >= 0 ? {0} : {1})",
                                     "dot2({0}, {1}) + {3}"};
static_assert(std::size(kFormulas) == kTokens<AtiOp>.size());

std::string operation(const AtiInstruction& instr, std::string_view part) {
  return fmt::format(fmt::runtime(kFormulas[index_of(instr.op)]), argument(instr.args[0], part),
                     argument(instr.args[1], part), argument(instr.args[2], part), argument(instr.args[2], "blue"));
}

std::string line(const AtiInstruction& instr, std::string_view channels, std::string value) {
  if (const float scale = ati_scale(instr.modifiers); scale != 1) value = fmt::format("{} * ({})", scale, value);
  if (instr.modifiers & ati_dst::Saturate) value = fmt::format("clamp({}, 0, 1)", value);
  return fmt::format("  r{}.{} = {}\n", instr.target, channels, value);
}

std::string pair_text(const AtiPair& pair) {
  std::string text, channels;
  for (size_t c = 0; c < 3; ++c)
    if (pair.color.mask >> c & 1) channels += "rgb"[c];
  if (pair.color.is_given) text += line(pair.color, channels, operation(pair.color, "rgb"));
  if (pair.alpha.is_given)                     // a dot product is the colour instruction's
    text += line(pair.alpha, "alpha",
                 is_dot(pair.alpha.op) ? operation(pair.color, "rgb") : operation(pair.alpha, "alpha"));
  return text;
}

}  // namespace

std::string print_ati(const AtiFragmentShader& shader) {
  std::string text =
      "ATI fragment shader; registers lie in [-8, 8]; the two lines of a pair read what was before both\n";
  for (uint32_t p = 0; p < shader.pass_count; ++p) {
    text += fmt::format("pass {}\n{}", p + 1, routes(shader.passes[p]));
    for (uint32_t k = 0; k < shader.passes[p].pair_count; ++k)
      text += fmt::format("  ; pair {}\n{}", k + 1, pair_text(shader.passes[p].pairs[k]));
  }
  return text + "result\n  rgba = clamp(r0.rgba, 0, 1)\n";
}

}  // namespace tessera::combiners
