#include "shader/d3d9/parse_operand.h"

#include <algorithm>
#include <charconv>

#include "shader/d3d9/names.h"

namespace tessera::d3d9 {
namespace {

constexpr int64_t kMaxIndex = 1 << 20;   // of the sum and of each term; the version's own limit is much lower

// xyzw or rgba; 4: another letter.
uint8_t component_from_letter(char letter) {
  switch (letter) {
    case 'x': case 'r': return 0;
    case 'y': case 'g': return 1;
    case 'z': case 'b': return 2;
    case 'w': case 'a': return 3;
    default: return 4;
  }
}

// The letters behind a dot, which touch it.
bool parse_letters(Cursor& cursor, Rule rule, std::string_view expected, std::string_view& letters) {
  if (!cursor.at_word() || cursor.now().space_before) return cursor.fail(rule, expected);
  letters = cursor.lower();
  return std::ranges::all_of(letters, [](char c) { return component_from_letter(c) < 4; }) ||
         cursor.fail(rule, expected);
}

bool parse_mask(Cursor& cursor, uint8_t& mask) {
  if (!cursor.accept('.')) return true;
  constexpr std::string_view kExpected = "components of xyzw or rgba in that order";
  std::string_view letters;
  if (!parse_letters(cursor, Rule::bad_mask, kExpected, letters)) return false;
  mask = 0;
  for (char c : letters) {
    const uint32_t bit = 1u << component_from_letter(c);
    if (mask >= bit) return cursor.fail(Rule::bad_mask, kExpected);
    mask |= static_cast<uint8_t>(bit);
  }
  cursor.advance();
  return true;
}

// The last letter repeats.
bool parse_swizzle(Cursor& cursor, uint8_t& swizzle) {
  if (!cursor.accept('.')) return true;
  constexpr std::string_view kExpected = "one to four components of xyzw or rgba";
  std::string_view letters;
  if (!parse_letters(cursor, Rule::bad_swizzle, kExpected, letters)) return false;
  if (letters.size() > 4) return cursor.fail(Rule::bad_swizzle, kExpected);
  uint32_t packed = 0;
  for (size_t k = 0; k < 4; ++k)
    packed |= static_cast<uint32_t>(component_from_letter(letters[std::min(k, letters.size() - 1)])) << (2 * k);
  swizzle = static_cast<uint8_t>(packed);
  cursor.advance();
  return true;
}

bool parse_address(Cursor& cursor, Version version, Register& reg) {
  const std::optional<NamedRegister> named = register_from_name(cursor.lower(), version);
  if (!named || (named->file != File::Address && named->file != File::Loop) || named->number != 0u)
    return cursor.fail(Rule::bad_address, "a0 or aL");
  if (reg.relative) return cursor.fail(Rule::bad_index, "one address register");
  reg.relative = true;
  reg.address = named->file;
  reg.address_swizzle = kIdentitySwizzle;
  cursor.advance();
  return parse_swizzle(cursor, reg.address_swizzle);
}

// `[term + term ...]`, behind the register. `-` stands before an address register only.
bool parse_index(Cursor& cursor, Version version, Register& reg) {
  if (!cursor.accept('[')) return true;
  int64_t sum = reg.number;
  bool negative = false;
  do {
    if (cursor.at_word() && !negative) {
      if (!parse_address(cursor, version, reg)) return false;
    } else {
      const std::string_view text = cursor.now().text;
      int64_t term = 0;
      const auto [rest, problem] = std::from_chars(text.data(), text.data() + text.size(), term);
      if (cursor.now().kind != Token::Kind::Number || problem != std::errc() || rest != text.data() + text.size() ||
          term > kMaxIndex)
        return cursor.fail(Rule::bad_index, negative ? "a whole number" : "a whole number, a0 or aL");
      sum += negative ? -term : term;
      cursor.advance();
    }
    negative = cursor.now().is('-') && !reg.relative;
  } while (cursor.accept('+') || (negative && cursor.accept('-')));
  if (!cursor.accept(']')) return cursor.fail(Rule::bad_index, "+ or ]");
  if (sum < 0 || sum > kMaxIndex)
    return cursor.fail_at(Rule::register_number, reg.loc, "register number {} is out of range", sum);
  reg.number = static_cast<uint32_t>(sum);
  return true;
}

// A register's word with its source modifier, and an index, behind which the modifier may stand as well.
bool parse_register(Cursor& cursor, Version version, Register& reg, std::string& modifier) {
  reg.loc = cursor.loc();
  if (!cursor.at_word()) return cursor.fail(Rule::unknown_register, "a register");
  const std::string_view word = cursor.lower();
  const size_t underscore = std::min(word.find('_'), word.size());
  const std::optional<NamedRegister> named = register_from_name(word.substr(0, underscore), version);
  if (!named) return cursor.fail(Rule::unknown_register, "a register");
  modifier = word.substr(underscore);
  reg.file = named->file;
  reg.number = named->number.value_or(0);
  cursor.advance();
  if (!named->number && !cursor.now().is('['))
    return cursor.fail_at(Rule::unknown_register, reg.loc, "expected a number behind {}", file_info(reg.file).text);
  if (!parse_index(cursor, version, reg)) return false;
  if (cursor.at_word() && cursor.now().text.starts_with('_')) {
    modifier += cursor.lower();
    cursor.advance();
  }
  return true;
}

// `-`, `!`, or `1 -`, as words.def spells them.
bool parse_sign(Cursor& cursor, std::string_view& sign) {
  if (cursor.accept('-')) sign = modifier_info(SourceModifier::Negate).before;
  else if (cursor.accept('!')) sign = modifier_info(SourceModifier::Not).before;
  else if (cursor.now().kind == Token::Kind::Number) {
    if (cursor.now().text != "1") return cursor.fail(Rule::source_modifier_not_allowed, "a register, or 1 -");
    cursor.advance();
    sign = modifier_info(SourceModifier::Complement).before;
    return cursor.expect('-');
  }
  return true;
}

bool find_modifier(std::string_view sign, std::string_view suffix, SourceModifier& found) {
  if (suffix == "db") suffix = "dz";     // of another alphabet
  if (suffix == "da") suffix = "dw";
  for (uint32_t i = 0; i <= static_cast<uint32_t>(SourceModifier::Not); ++i) {
    const ModifierInfo& info = modifier_info(static_cast<SourceModifier>(i));
    if (info.before != sign || info.after != suffix) continue;
    found = static_cast<SourceModifier>(i);
    return true;
  }
  return false;
}

bool is_suffix(std::string_view suffix) {
  SourceModifier found{};
  return find_modifier("", suffix, found);
}

}  // namespace

bool parse_destination(Cursor& cursor, Version version, Destination& dst) {
  std::string modifier;
  if (!parse_register(cursor, version, dst.reg, modifier)) return false;
  if (!modifier.empty())
    return cursor.fail_at(Rule::source_modifier_not_allowed, dst.reg.loc, "a destination has no modifier {}", modifier);
  return parse_mask(cursor, dst.mask);
}

bool parse_source(Cursor& cursor, Version version, Source& src) {
  std::string_view sign;
  std::string modifier;
  if (!parse_sign(cursor, sign) || !parse_register(cursor, version, src.reg, modifier)) return false;
  if (!sign.empty() || !modifier.empty()) {
    const std::string_view suffix = modifier.empty() ? std::string_view() : std::string_view(modifier).substr(1);
    if (!find_modifier(sign, suffix, src.modifier)) {
      const Rule rule = is_suffix(suffix) || suffix.find('_') != std::string_view::npos
                            ? Rule::source_modifier_not_allowed
                            : Rule::unknown_modifier;
      return cursor.fail_at(rule, src.reg.loc, "{}{} is no modifier of a source", sign, modifier);
    }
  }
  return parse_swizzle(cursor, src.swizzle);
}

}  // namespace tessera::d3d9
