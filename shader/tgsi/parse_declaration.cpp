#include "shader/tgsi/parse_declaration.h"

#include <fmt/format.h>

#include "shader/tgsi/names.h"
#include "shader/tgsi/numbers.h"
#include "shader/tgsi/parse_operand.h"

namespace tessera::tgsi {
namespace {

// `first [.. last]` and the closing bracket.
bool parse_range(Cursor& c, Declaration& dcl) {
  const SourceLoc loc = c.loc();
  if (!parse_index_number(c, dcl.first)) return false;
  dcl.last = dcl.first;
  if (c.now().is_dots()) {
    c.advance();
    if (!parse_index_number(c, dcl.last)) return false;
  }
  if (dcl.last < dcl.first)
    return c.fail_at(Rule::bad_range, loc, fmt::format("the range {}..{} is empty", dcl.first, dcl.last));
  return c.expect(']');
}

// One or two pairs of brackets; the first of two is the dimension.
bool parse_ranges(Cursor& c, Declaration& dcl) {
  if (!c.expect('[')) return false;
  if (c.accept(']')) {
    dcl.dimension_kind = Declaration::Dimension::Empty;
    return c.expect('[') && parse_range(c, dcl);
  }
  const SourceLoc loc = c.loc();
  if (!parse_range(c, dcl)) return false;
  if (!c.now().is('[')) return true;
  if (dcl.first != dcl.last) return c.fail_at(Rule::bad_range, loc, "the first bracket of two holds one number");
  dcl.dimension_kind = Declaration::Dimension::Number;
  dcl.dimension = dcl.first;
  c.advance();
  return parse_range(c, dcl);
}

bool parse_bracketed_index(Cursor& c, SemanticName& semantic) {
  if (!c.accept('[')) return true;
  semantic.index_written = true;
  return parse_index_number(c, semantic.index) && c.expect(']');
}

bool parse_array_id(Cursor& c, Declaration& dcl) {
  if (!c.expect('(')) return false;
  const SourceLoc loc = c.loc();
  if (!parse_index_number(c, dcl.array_id)) return false;
  if (dcl.array_id == 0) return c.fail_at(Rule::array_id_zero, loc, "array ids start at 1");
  return c.expect(')');
}

bool parse_streams(Cursor& c, Declaration& dcl) {
  if (!c.expect('(')) return false;
  std::array<uint8_t, 4> streams{};
  for (size_t i = 0; i < 4; ++i) {
    uint32_t stream;
    if (i && !c.expect(',')) return false;
    const SourceLoc loc = c.loc();
    if (!parse_index_number(c, stream)) return false;
    if (stream > 3) return c.fail_at(Rule::index_too_large, loc, "there are 4 vertex streams, 0 to 3");
    streams[i] = static_cast<uint8_t>(stream);
  }
  dcl.streams = streams;
  return c.expect(')');
}

// Sets `field` if `word` is one of `names` and the field is still free.
template <class Enum>
bool take_name(Names names, const std::string& word, std::optional<Enum>& field) {
  if (field) return false;
  field = find_enum<Enum>(names, word);
  return field.has_value();
}

bool take_flag(std::string_view name, const std::string& word, bool& flag) {
  if (word != name) return false;
  return std::exchange(flag, true) == false;
}

// Each takes one word behind a comma, whose token is still there; false: the word is not known.
bool take_varying_word(const std::string& word, Declaration& dcl, bool& is_semantic) {
  if (!dcl.semantic)
    if (const auto name = find_enum<Semantic>(kSemanticNames, word)) {
      dcl.semantic = SemanticName{*name};
      return is_semantic = true;
    }
  return take_name(kInterpolationNames, word, dcl.interpolation) || take_name(kLocationNames, word, dcl.location) ||
         take_flag("INVARIANT", word, dcl.invariant);
}

bool take_view_word(const std::string& word, Declaration& dcl) {
  const auto type = find_enum<ViewType>(kViewTypeNames, word);
  if (!type || dcl.view_type_count == 4) return false;
  dcl.view_types[dcl.view_type_count++] = *type;
  return true;
}

bool take_image_word(const std::string& word, Declaration& dcl) {
  if (word.starts_with("PIPE_FORMAT_") && !dcl.format) {
    dcl.format = format_from_name(word);
    return dcl.format.has_value();
  }
  return take_flag("RAW", word, dcl.raw) || take_flag("WR", word, dcl.writable);
}

bool take_word(const std::string& word, Declaration& dcl, bool& is_semantic) {
  switch (dcl.file) {
    case File::In:
    case File::Out:
    case File::Sv: return take_varying_word(word, dcl, is_semantic);
    case File::Temp: return take_flag("LOCAL", word, dcl.local);
    case File::Sview: return take_view_word(word, dcl);
    case File::Image: return take_image_word(word, dcl);
    case File::Buffer: return take_flag("ATOMIC", word, dcl.atomic);
    case File::Memory: return take_name(kMemoryKindNames, word, dcl.memory);
    case File::Null:
    case File::Const:
    case File::Samp:
    case File::Addr:
    case File::Imm:
    case File::ConstBuf:
    case File::HwAtomic: return false;
  }
  return false;
}

bool fail_word(Cursor& c, const std::string& word, const Declaration& dcl) {
  if (word.starts_with("PIPE_FORMAT_") && dcl.file == File::Image) return c.fail(Rule::unknown_format, "a format");
  const bool wants_semantic = dcl.file == File::In || dcl.file == File::Out || dcl.file == File::Sv;
  if (wants_semantic && !dcl.semantic) return c.fail(Rule::unknown_semantic, "a semantic");
  return c.fail(Rule::unknown_word, fmt::format("a word that a declaration of {} takes", name_of(kFileNames, dcl.file)));
}

bool parse_declaration_word(Cursor& c, Declaration& dcl) {
  const std::string word = c.word();
  if (word == "ARRAY" && !dcl.array_id) return c.advance(), parse_array_id(c, dcl);
  if (word == "STREAM" && dcl.file == File::Out && !dcl.streams) return c.advance(), parse_streams(c, dcl);
  bool is_semantic = false;
  if (!take_word(word, dcl, is_semantic)) return fail_word(c, word, dcl);
  c.advance();
  return is_semantic ? parse_bracketed_index(c, *dcl.semantic) : true;
}

// `, TARGET` comes first for views and images.
bool parse_target(Cursor& c, Declaration& dcl) {
  if (!c.expect(',')) return false;
  dcl.target = find_enum<TextureTarget>(kTargetNames, c.word());
  if (!dcl.target) return c.fail(Rule::unknown_target, "a texture target");
  c.advance();
  return true;
}

struct ImmediateForm { uint32_t count; std::string_view literal; };

ImmediateForm form_of(ImmediateType type) {
  switch (type) {
    case ImmediateType::Flt32: return {4, "a decimal number, or 0x and eight hex digits"};
    case ImmediateType::Uint32: return {4, "a decimal number from 0 to 4294967295"};
    case ImmediateType::Int32: return {4, "a decimal number from -2147483648 to 2147483647"};
    case ImmediateType::Flt64: return {2, "a number, decimal or hexadecimal, inf or nan"};
    case ImmediateType::Int64: return {2, "a signed integer of 64 bits"};
    case ImmediateType::Uint64: return {2, "an integer of 64 bits"};
  }
  return {};
}

std::optional<uint64_t> parse_value(ImmediateType type, std::string_view text) {
  switch (type) {
    case ImmediateType::Flt32: return parse_flt32(text);
    case ImmediateType::Uint32: return parse_decimal(text);
    case ImmediateType::Int32: return parse_int32(text);
    case ImmediateType::Flt64: return parse_flt64(text);
    case ImmediateType::Int64: return parse_int64(text);
    case ImmediateType::Uint64: return parse_uint64(text);
  }
  return std::nullopt;
}

bool parse_values(Cursor& c, Immediate& imm) {
  const ImmediateForm form = form_of(imm.type);
  const uint32_t words_each = 4 / form.count;
  for (uint32_t i = 0; i < form.count; ++i) {
    if (i && !c.expect(',')) return false;
    const auto value = c.now().kind == Token::Kind::Number ? parse_value(imm.type, c.now().text) : std::nullopt;
    if (!value) return c.fail(Rule::bad_immediate, form.literal);
    imm.words[i * words_each] = static_cast<uint32_t>(*value);
    if (words_each == 2) imm.words[i * 2 + 1] = static_cast<uint32_t>(*value >> 32);
    c.advance();
  }
  return true;
}

bool parse_flag(Cursor& c, uint32_t& value) {
  const SourceLoc loc = c.loc();
  if (!c.expect_number(value, Rule::bad_property_value, "0 or 1")) return false;
  return value <= 1 || c.fail_at(Rule::bad_property_value, loc, fmt::format("expected 0 or 1, found {}", value));
}

}  // namespace

bool parse_declaration(Cursor& c, Declaration& dcl) {
  const auto file = find_enum<File>(kFileNames, c.word());
  if (!file) return c.fail(Rule::unknown_file, "a register file");
  if (*file == File::Null || *file == File::Imm) return c.fail(Rule::file_not_declarable, "a file that can be declared");
  dcl.file = *file;
  c.advance();
  if (!parse_ranges(c, dcl)) return false;
  if (c.accept('.')) {
    dcl.usage_written = true;
    if (!parse_mask(c, dcl.usage_mask)) return false;
  }
  if ((dcl.file == File::Sview || dcl.file == File::Image) && !parse_target(c, dcl)) return false;
  while (c.accept(','))
    if (!parse_declaration_word(c, dcl)) return false;
  if (dcl.file == File::Sview && dcl.view_type_count != 1 && dcl.view_type_count != 4)
    return c.fail(Rule::expected_token, "one view type or four");
  return true;
}

bool parse_immediate(Cursor& c, const Token& imm_word, uint32_t count_before, Immediate& imm) {
  if (c.now().is('[') && imm_word.touches(c.now())) {
    c.advance();
    const SourceLoc loc = c.loc();
    uint32_t number;
    if (!parse_index_number(c, number)) return false;
    if (number != count_before)
      return c.fail_at(Rule::immediate_number, loc, fmt::format("expected {}, the count of immediates before it, found {}",
                                                                count_before, number));
    if (!c.expect(']')) return false;
    imm.number_written = true;
  }
  const auto type = find_enum<ImmediateType>(kImmediateTypeNames, c.word());
  if (!type) return c.fail(Rule::expected_token, "FLT32, UINT32, INT32, FLT64, INT64 or UINT64");
  imm.type = *type;
  c.advance();
  return c.expect('{') && parse_values(c, imm) && c.expect('}');
}

bool parse_property(Cursor& c, Property& property) {
  const auto name = find_name(kPropertyNames, c.word());
  if (!name) return c.fail(Rule::unknown_property, "the name of a property");
  property.name = static_cast<PropertyName>(*name);
  c.advance();
  const PropertyValues values = property_values(*name);
  if (values == PropertyValues::Flag) return parse_flag(c, property.value);
  if (values == PropertyValues::Number) return c.expect_number(property.value, Rule::bad_property_value, "a number");
  const auto value = find_name(property_value_names(values), c.word());
  if (!value) return c.fail(Rule::bad_property_value, fmt::format("a value such as {}", property_value_names(values)[0]));
  property.value = *value;
  c.advance();
  return true;
}

}  // namespace tessera::tgsi
