// frontend/scene_ati.cpp: [ati fragment shader].
#include <fmt/format.h>

#include "combiners/ati_build.h"
#include "frontend/scene_fixed_function.h"

namespace tessera::scene {
namespace {

using namespace combiners;

struct Modifier { std::string_view text; uint8_t bit; };
constexpr Modifier kArgumentModifiers[] = {
    {"comp", ati_arg::Complement}, {"bias", ati_arg::Bias}, {"2x", ati_arg::Double}, {"neg", ati_arg::Negate}};
constexpr Modifier kResultModifiers[] = {
    {"2x", ati_dst::Double},       {"4x", ati_dst::Quadruple},  {"8x", ati_dst::Eightfold}, {"half", ati_dst::Half},
    {"quarter", ati_dst::Quarter}, {"eighth", ati_dst::Eighth}, {"sat", ati_dst::Saturate}};

// The bit of the modifier; 0: there is none of this name.
uint8_t bit_of(std::span<const Modifier> modifiers, std::string_view text) {
  for (const Modifier& m : modifiers)
    if (m.text == text) return m.bit;
  return 0;
}

// The next part of a word, up to a point.
std::string_view take_part(std::string_view& word) {
  const size_t dot = word.find('.');
  const std::string_view part = word.substr(0, dot);
  word = dot == std::string_view::npos ? std::string_view() : word.substr(dot + 1);
  return part;
}

// SOURCE, with .r .g .b .a behind it to replicate, and .comp .bias .2x .neg
AtiArgument parse_argument(Line& line) {
  const SourceLoc loc = line.loc();
  std::string_view word = line.word("an argument, as in r0, c1.a or r2.bias.2x");
  AtiArgument arg;
  if (line.failed()) return arg;
  arg.source = parse_token<AtiSource>(line, loc, take_part(word));
  while (!word.empty()) {
    const std::string_view part = take_part(word);
    const uint8_t bit = bit_of(kArgumentModifiers, part);
    arg.modifiers = static_cast<uint8_t>(arg.modifiers | bit);
    if (bit == 0) arg.replicate = parse_token<AtiReplicate>(line, loc, part);
  }
  return arg;
}

class AtiParser {
 public:
  FragmentState parse(const Section& section, std::vector<Diag>& diags) {
    SourceLoc last = section.loc;
    for_each_line(section, diags, [&](Line& line) {
      last = line.loc();
      parse_line(line);
    });
    if (const auto violation = builder_.end()) diags.push_back(error_at(last, std::string(violation->text)));
    const std::array<Color, kAtiConstants> constants = state_.ati.constants;
    state_.ati = builder_.shader();
    state_.ati.enabled = true;
    state_.ati.constants = constants;
    return state_;
  }

 private:
  // r0 = sample t0; r1 = pass t1; c0 1 1 1 1; rgb r0 = mul r0 c0; a r0 = mov one
  void parse_line(Line& line) {
    if (parse_common_line(line, state_)) return;
    const SourceLoc loc = line.loc();
    const std::string_view word = line.word("a register, a constant or channels");
    const auto named = from_text<AtiSource>(word);
    const uint32_t constant = named ? constant_of(*named) : kAtiConstants,
                   target = named ? register_of(*named) : kAtiRegisters;
    if (constant < kAtiConstants) state_.ati.constants[constant] = parse_unit_color(line);
    else if (target < kAtiRegisters) parse_route(line, loc, target);
    else parse_instruction(line, loc, word);
  }

  void parse_route(Line& line, SourceLoc loc, uint32_t target) {
    parse_equals(line);
    AtiRoute route;
    if (line.accept("sample")) route.kind = AtiRoute::Kind::Sample;
    else if (line.accept("pass")) route.kind = AtiRoute::Kind::Pass;
    else return line.fail_expected("sample or pass");
    route.coordinate = parse_token<AtiCoordinate>(line, "a coordinate: t0 to t7, r0 to r5");
    if (!line.done()) route.swizzle = parse_token<AtiSwizzle>(line, "str, stq, str_dr or stq_dq");
    if (line.failed()) return;
    require(line, loc, builder_.route(target, route));
    if (route.kind == AtiRoute::Kind::Sample) state_.units[target].enabled = true;
  }

  void parse_instruction(Line& line, SourceLoc loc, std::string_view channels) {
    AtiInstruction instr;
    const bool is_alpha = channels == "a";
    if (!is_alpha) instr.mask = parse_mask(line, loc, channels);
    const SourceLoc target_loc = line.loc();
    const AtiSource target = parse_token<AtiSource>(line, "a register");
    if (!line.failed() && register_of(target) == kAtiRegisters)
      line.fail_at(target_loc, "only registers r0 to r5 are written");
    instr.target = static_cast<uint8_t>(register_of(target));
    parse_equals(line);
    instr.op = parse_token<AtiOp>(line, "an operation, as in mad");
    for (size_t k = 0; k < argument_count(instr.op); ++k) instr.args[k] = parse_argument(line);
    while (!line.done() && !line.failed()) {
      const SourceLoc modifier_loc = line.loc();
      const uint8_t bit = bit_of(kResultModifiers, line.word("a modifier"));
      if (bit == 0) line.fail_at(modifier_loc, "expected 2x, 4x, 8x, half, quarter, eighth or sat");
      instr.modifiers = static_cast<uint8_t>(instr.modifiers | bit);
    }
    if (!line.failed()) require(line, loc, is_alpha ? builder_.alpha(instr) : builder_.color(instr));
  }

  uint8_t parse_mask(Line& line, SourceLoc loc, std::string_view channels) {
    uint8_t mask = 0;
    for (const char c : channels) {
      const size_t channel = std::string_view("rgb").find(c);
      if (channel == std::string_view::npos) {
        line.fail_at(loc, fmt::format("expected r0 to r5, c0 to c7, channels of rgb, or a, found '{}'", channels));
        return 0;
      }
      mask = static_cast<uint8_t>(mask | 1u << channel);
    }
    return mask;
  }

  FragmentState state_;
  AtiBuilder builder_;
};

}  // namespace

FragmentState parse_ati_fragment_shader(const Section& section, std::vector<Diag>& diags) {
  return AtiParser().parse(section, diags);
}

}  // namespace tessera::scene
