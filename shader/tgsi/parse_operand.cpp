#include "shader/tgsi/parse_operand.h"

#include <fmt/format.h>

#include "shader/tgsi/names.h"
#include "shader/tgsi/numbers.h"

namespace tessera::tgsi {
namespace {

// Channel numbers of 1 to 4 letters, all of xyzw or all of rgba; 0 letters: not a swizzle.
uint32_t channels_of(std::string_view letters, uint8_t channels[4]) {
  if (letters.empty() || letters.size() > 4) return 0;
  const std::string upper = to_upper(letters);
  for (const std::string_view set : {"XYZW", "RGBA"}) {
    uint32_t count = 0;
    for (const char letter : upper) {
      const size_t channel = set.find(letter);
      if (channel == std::string_view::npos) break;
      channels[count++] = static_cast<uint8_t>(channel);
    }
    if (count == upper.size()) return count;
  }
  return 0;
}

bool parse_file(Cursor& c, File& file) {
  const auto found = find_enum<File>(kFileNames, c.word());
  if (!found) return c.fail(Rule::unknown_file, "a register");
  file = *found;
  c.advance();
  return true;
}

// `.x` behind the register that holds an index.
bool parse_component(Cursor& c, Index& index) {
  uint8_t channels[4];
  if (channels_of(c.now().text, channels) != 1) return c.fail(Rule::bad_swizzle, "one channel letter");
  index.component = channels[0];
  index.component_written = true;
  c.advance();
  return true;
}

// `+4`: the sign and the number touch.
bool parse_index_offset(Cursor& c, Index& index) {
  const bool negative = c.now().is('-');
  const Token sign = c.now();
  c.advance();
  if (!sign.touches(c.now())) return c.fail(Rule::bad_index, "the number of the offset right behind its sign");
  uint32_t magnitude;
  if (!parse_index_number(c, magnitude)) return false;
  index.value = negative ? -static_cast<int32_t>(magnitude) : static_cast<int32_t>(magnitude);
  return true;
}

bool parse_indirect(Cursor& c, Index& index) {
  index.indirect = true;
  if (!parse_file(c, index.file)) return false;
  if (!c.expect('[') || !parse_index_number(c, index.reg) || !c.expect(']')) return false;
  if (c.accept('.') && !parse_component(c, index)) return false;
  if (c.now().is('+') || c.now().is('-')) return parse_index_offset(c, index);
  return true;
}

bool parse_array_id(Cursor& c, Index& index) {
  c.advance();
  return parse_index_number(c, index.array_id) && c.expect(')');
}

bool parse_index(Cursor& c, Index& index) {
  if (!c.expect('[')) return false;
  if (c.at_word()) {
    if (!parse_indirect(c, index)) return false;
  } else {
    uint32_t number;
    if (!parse_index_number(c, number)) return false;
    index.value = static_cast<int32_t>(number);
  }
  const Token close = c.now();
  if (!c.expect(']')) return false;
  return c.now().is('(') && close.touches(c.now()) ? parse_array_id(c, index) : true;
}

// The letters behind the dot of a source: missing ones repeat the last.
bool parse_swizzle(Cursor& c, Source& src) {
  const uint32_t count = channels_of(c.now().text, src.swizzle);
  if (count == 0) return c.fail(Rule::bad_swizzle, "one to four letters of xyzw or rgba");
  for (uint32_t i = count; i < 4; ++i) src.swizzle[i] = src.swizzle[count - 1];
  src.letters = static_cast<uint8_t>(count);
  c.advance();
  return true;
}

bool parse_literal(Cursor& c, Source& src) {
  const auto bits = parse_flt32(c.now().text);
  if (!bits) return c.fail(Rule::bad_immediate, "a number");
  src.literal = *bits ^ (src.negate ? 0x80000000u : 0u);
  src.negate = false;
  c.advance();
  return true;
}

}  // namespace

bool parse_index_number(Cursor& c, uint32_t& value) {
  const SourceLoc loc = c.loc();
  if (!c.expect_number(value, Rule::bad_index, "an index")) return false;
  if (value > kMaxIndex) return c.fail_at(Rule::index_too_large, loc, fmt::format("{} is more than {}", value, kMaxIndex));
  return true;
}

bool parse_register(Cursor& c, Register& reg) {
  reg.loc = c.loc();
  if (!parse_file(c, reg.file) || !parse_index(c, reg.index)) return false;
  if (!c.now().is('[')) return true;
  reg.two_dimensional = true;
  reg.dimension = reg.index;
  reg.index = {};
  return parse_index(c, reg.index);
}

bool parse_mask(Cursor& c, uint8_t& mask) {
  uint8_t channels[4];
  const uint32_t count = channels_of(c.now().text, channels);
  mask = 0;
  for (uint32_t i = 0; i < count; ++i) {
    if (mask >> channels[i]) return c.fail(Rule::bad_mask, "letters of xyzw in that order");
    mask = static_cast<uint8_t>(mask | 1u << channels[i]);
  }
  if (count == 0) return c.fail(Rule::bad_mask, "letters of xyzw in that order");
  c.advance();
  return true;
}

bool parse_destination(Cursor& c, Destination& dst) {
  if (c.now().is('-') || c.now().is('|')) return c.fail(Rule::bad_modifier, "a destination without modifiers");
  if (!parse_register(c, dst.reg)) return false;
  dst.mask_written = c.accept('.');
  return dst.mask_written ? parse_mask(c, dst.mask) : true;
}

bool parse_source(Cursor& c, Source& src) {
  src.loc = c.loc();
  src.negate = c.accept('-');
  src.absolute = c.accept('|');
  if (c.now().kind == Token::Kind::Number && !src.absolute) return parse_literal(c, src);
  if (c.now().is('-') || c.now().is('|')) return c.fail(Rule::bad_modifier, "a register");
  if (!parse_register(c, src.reg)) return false;
  if (c.accept('.') && !parse_swizzle(c, src)) return false;
  if (src.absolute && !c.accept('|')) return c.fail(Rule::bad_modifier, "the closing '|'");
  return true;
}

bool parse_offset(Cursor& c, Offset& offset) {
  if (c.now().is('-') || c.now().is('|')) return c.fail(Rule::bad_modifier, "a texel offset without modifiers");
  if (!parse_register(c, offset.reg)) return false;
  if (!c.accept('.')) return true;
  uint8_t channels[4];
  if (channels_of(c.now().text, channels) != 3) return c.fail(Rule::bad_swizzle, "three letters of xyzw");
  std::copy(channels, channels + 3, offset.swizzle);
  offset.swizzle_written = true;
  c.advance();
  return true;
}

}  // namespace tessera::tgsi
