#include "shader/d3d9/parser.h"

#include <algorithm>
#include <charconv>

#include "shader/d3d9/cursor.h"
#include "shader/d3d9/form.h"
#include "shader/d3d9/names.h"
#include "shader/d3d9/numbers.h"
#include "shader/d3d9/parse_operand.h"

namespace tessera::d3d9 {
namespace {

// A mnemonic's parts between its underscores: `dcl`, `texcoord3`, `centroid`.
struct Mnemonic {
  static constexpr size_t kMaxParts = 8;
  std::string word;                      // in lower case
  std::string_view parts[kMaxParts];
  size_t count = 0;
  SourceLoc loc;
};

void split(Mnemonic& mnemonic) {
  for (std::string_view rest = mnemonic.word; mnemonic.count < Mnemonic::kMaxParts;) {
    const bool last_place = mnemonic.count + 1 == Mnemonic::kMaxParts;
    const size_t end = last_place ? std::string_view::npos : rest.find('_');
    mnemonic.parts[mnemonic.count++] = rest.substr(0, end);
    if (end == std::string_view::npos) return;
    rest.remove_prefix(end + 1);
  }
}

struct ResultModifier {
  std::string_view text;
  int8_t shift;                          // 0: not a shift
  bool Destination::*flag;
};
constexpr ResultModifier kResultModifiers[] = {
    {"sat", 0, &Destination::saturate},
    {"pp", 0, &Destination::partial_precision},
    {"centroid", 0, &Destination::centroid},
    {"x2", 1, nullptr},
    {"x4", 2, nullptr},
    {"x8", 3, nullptr},
    {"d2", -1, nullptr},
    {"d4", -2, nullptr},
    {"d8", -3, nullptr},
};

class Parser {
 public:
  Parser(std::string_view text, std::span<const Macro> macros) : cursor_(text, macros, diags_) {}

  Result<Program> run();
  bool version();

 private:
  void statement();
  void skip_statement(SourceLoc begin);
  bool begins_statement();
  bool end();

  bool prefix(Instruction& inst);
  bool body(Instruction& inst);
  bool mnemonic(Mnemonic& m);
  bool declaration(const Mnemonic& m);
  bool usage(const Mnemonic& m, size_t& part, Declaration& d);
  bool definition(Opcode opcode, const Mnemonic& m);
  bool literal(File file, uint32_t& word);
  bool instruction(const Mnemonic& m, Opcode opcode, Instruction& inst);
  bool modifiers(const Mnemonic& m, size_t first, Destination& dst);
  bool operands(const OpcodeInfo& info, Instruction& inst);
  bool separator(const OpcodeInfo& info, size_t index);
  void add(Statement::Kind kind, size_t count) { p.order.push_back({kind, static_cast<uint32_t>(count - 1)}); }
  std::string_view version_name() const { return version_info(p.version).name; }

  DiagList diags_;
  Cursor cursor_;
  Program p;
};

// `vs_2_x`, or `vs` and a touching `.2.x`.
bool Parser::version() {
  std::string name(cursor_.lower());
  const Token& minor = cursor_.ahead();
  const bool dotted =
      cursor_.at_word() && minor.kind == Token::Kind::Number && !minor.space_before && minor.text[0] == '.';
  if (dotted) name += minor.text;
  std::ranges::transform(name, name.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  const std::optional<Version> version = version_from_name(name);
  if (!version) return cursor_.fail(Rule::expected_version, "a shader version");
  p.version = *version;
  cursor_.advance();
  if (dotted) cursor_.advance();
  return true;
}

bool Parser::mnemonic(Mnemonic& m) {
  m.loc = cursor_.loc();
  if (!cursor_.at_word()) return cursor_.fail(Rule::unknown_instruction, "an instruction");
  m.word = cursor_.lower();
  split(m);
  if (!is_mnemonic(m.parts[0]))
    return cursor_.fail_at(Rule::unknown_instruction, m.loc, "unknown instruction {}", cursor_.now().text);
  cursor_.advance();
  return true;
}

// `+`, or `(p0)`.
bool Parser::prefix(Instruction& inst) {
  inst.loc = cursor_.loc();
  if (cursor_.accept('+')) {
    inst.co_issued = true;
  } else if (cursor_.accept('(')) {
    inst.predicate = static_cast<uint32_t>(p.sources.size());
    return parse_source(cursor_, p.version, p.sources.emplace_back()) && cursor_.expect(')');
  }
  return true;
}

bool Parser::body(Instruction& inst) {
  Mnemonic m;
  if (!mnemonic(m)) return false;
  const bool compares = m.count > 1 && comparison_from_name(m.parts[1]);
  std::optional<Opcode> opcode = opcode_from_text(m.parts[0], compares, p.version);
  if (!opcode && opcode_from_text(m.parts[0], !compares, p.version)) {
    if (!compares) return cursor_.fail_at(Rule::comparison_missing, m.loc, "{} needs a comparison", m.parts[0]);
    return cursor_.fail_at(Rule::unknown_modifier, m.loc, "{} takes no comparison", m.parts[0]);
  }
  if (!opcode)
    return cursor_.fail_at(Rule::wrong_version, m.loc, "{} is not available in {}", m.parts[0], version_name());
  const OpGroup group = opcode_info(*opcode).group;
  const bool computes = group != OpGroup::Declaration && group != OpGroup::Definition;
  if (!computes && inst.co_issued)
    return cursor_.fail_at(Rule::co_issue_not_allowed, inst.loc, "{} is in no pair", m.parts[0]);
  if (!computes && inst.predicate != kNoPredicate)
    return cursor_.fail_at(Rule::predicate_not_allowed, inst.loc, "{} takes no predicate", m.parts[0]);
  if (group == OpGroup::Declaration) return declaration(m);
  if (group == OpGroup::Definition) return definition(*opcode, m);
  if (compares) inst.comparison = *comparison_from_name(m.parts[1]);
  return instruction(m, *opcode, inst);
}

bool Parser::modifiers(const Mnemonic& m, size_t first, Destination& dst) {
  for (size_t i = first; i < m.count; ++i) {
    const auto at = std::ranges::find(kResultModifiers, m.parts[i], &ResultModifier::text);
    if (at == std::end(kResultModifiers))
      return cursor_.fail_at(Rule::unknown_modifier, m.loc, "unknown modifier _{}", m.parts[i]);
    if (at->shift && dst.shift)
      return cursor_.fail_at(Rule::modifier_not_allowed, m.loc, "the result is shifted twice");
    if (at->shift) dst.shift = at->shift;
    else dst.*at->flag = true;
  }
  return true;
}

// The comma before an operand.
bool Parser::separator(const OpcodeInfo& info, size_t index) {
  if (index == 0 || cursor_.accept(',')) return true;
  const size_t count = info.dsts.size() + info.srcs.size();
  return cursor_.fail_at(Rule::operand_count, cursor_.loc(), "{} needs {} operands, found {}", info.text, count, index);
}

bool Parser::operands(const OpcodeInfo& info, Instruction& inst) {
  size_t index = 0;
  for (size_t i = 0; i < info.dsts.size(); ++i)
    if (!separator(info, index++) || !parse_destination(cursor_, p.version, p.destinations[inst.first_dst + i]))
      return false;
  for (size_t i = 0; i < info.srcs.size(); ++i)
    if (!separator(info, index++) || !parse_source(cursor_, p.version, p.sources.emplace_back())) return false;
  return !cursor_.now().is(',') ||
         cursor_.fail_at(Rule::operand_count, cursor_.loc(), "too many operands for {}", info.text);
}

bool Parser::instruction(const Mnemonic& m, Opcode opcode, Instruction& inst) {
  const OpcodeInfo& info = opcode_info(opcode);
  inst.opcode = opcode;
  inst.dst_count = static_cast<uint8_t>(info.dsts.size());
  inst.src_count = static_cast<uint8_t>(info.srcs.size());
  inst.first_dst = static_cast<uint32_t>(p.destinations.size());
  inst.first_src = static_cast<uint32_t>(p.sources.size());
  Destination result;
  const size_t first_modifier = info.has(trait::Compare) ? 2 : 1;
  if (!modifiers(m, first_modifier, result)) return false;
  if (m.count > first_modifier && info.dsts.empty())
    return cursor_.fail_at(Rule::modifier_not_allowed, m.loc, "{} has no result that a modifier could change",
                           info.text);
  p.destinations.resize(p.destinations.size() + info.dsts.size(), result);
  if (!operands(info, inst)) return false;
  p.instructions.push_back(inst);
  add(Statement::Kind::Instruction, p.instructions.size());
  return check_instruction_form(p, diags_);
}

// The usage with its index, or the texture type, behind dcl; modifiers follow from `part` on.
bool Parser::usage(const Mnemonic& m, size_t& part, Declaration& d) {
  if (m.count == 1) return true;
  const std::string_view word = m.parts[1];
  part = 2;
  if (const std::optional<SamplerType> type = sampler_type_from_name(word)) {
    d.kind = Declaration::Kind::Sampler;
    d.sampler = *type;
    return true;
  }
  const size_t digits = word.find_last_not_of("0123456789") + 1;
  const std::optional<Usage> usage = usage_from_name(word.substr(0, digits));
  if (!usage) {
    part = 1;                            // a modifier, or an error to be found there
    return true;
  }
  const std::string_view number = word.substr(digits);
  uint32_t index = 0;
  const bool fits =
      std::from_chars(number.data(), number.data() + number.size(), index).ec != std::errc::result_out_of_range;
  if (!fits || index > kMaxUsageIndex)
    return cursor_.fail_at(Rule::bad_declaration, m.loc, "the index {} of a usage is above 15", number);
  d.kind = Declaration::Kind::Semantic;
  d.usage = *usage;
  d.usage_index = static_cast<uint8_t>(index);
  return true;
}

bool Parser::declaration(const Mnemonic& m) {
  Declaration d;
  d.loc = m.loc;
  size_t first_modifier = 1;
  if (!usage(m, first_modifier, d) || !modifiers(m, first_modifier, d.dst)) return false;
  if (!parse_destination(cursor_, p.version, d.dst)) return false;
  if (d.kind == Declaration::Kind::Plain && d.dst.reg.file == File::Sampler) d.kind = Declaration::Kind::Sampler;
  p.declarations.push_back(d);
  add(Statement::Kind::Declaration, p.declarations.size());
  return check_declaration_form(p, diags_);
}

bool Parser::literal(File file, uint32_t& word) {
  if (file == File::ConstBool) {
    const std::string_view text = cursor_.lower();
    if (text != "true" && text != "false") return cursor_.fail(Rule::bad_number, "true or false");
    word = text == "true" ? 1 : 0;
    cursor_.advance();
    return true;
  }
  const bool negative = cursor_.accept('-'), is_integer = file == File::ConstInt;
  const std::string_view text = cursor_.now().text;
  const bool is_number = cursor_.now().kind == Token::Kind::Number;
  const std::optional<uint32_t> bits = !is_number   ? std::nullopt
                                       : is_integer ? integer_bits(text, negative)
                                                    : float_bits(text, negative);
  if (!bits) return cursor_.fail(Rule::bad_number, is_integer ? "an integer of 32 bits" : "a number");
  word = *bits;
  cursor_.advance();
  return true;
}

bool Parser::definition(Opcode opcode, const Mnemonic& m) {
  if (m.count > 1) return cursor_.fail_at(Rule::modifier_not_allowed, m.loc, "{} takes no modifiers", m.parts[0]);
  const DefinitionInfo& info = definition_info(opcode);
  Definition d;
  d.loc = m.loc;
  Destination dst;
  if (!parse_destination(cursor_, p.version, dst)) return false;
  d.reg = dst.reg;
  for (size_t i = 0; i < info.words; ++i)
    if (!cursor_.expect(',') || !literal(info.file, d.words[i])) return false;
  p.definitions.push_back(d);
  add(Statement::Kind::Definition, p.definitions.size());
  return check_definition_form(p, opcode, diags_);
}

bool Parser::begins_statement() {
  if (!cursor_.now().first_on_line) return false;
  if (cursor_.now().is('+') || cursor_.now().is('(')) return true;
  const std::string_view word = cursor_.lower();
  return is_mnemonic(word.substr(0, word.find('_'))) || word == "end";
}

// After an error: to the next line that begins like a statement.
void Parser::skip_statement(SourceLoc begin) {
  while (!cursor_.at_end() && (cursor_.loc() == begin || !begins_statement())) cursor_.advance();
}

void Parser::statement() {
  const SourceLoc begin = cursor_.loc();
  Instruction inst;
  if (!prefix(inst) || !body(inst)) skip_statement(begin);
}

bool Parser::end() {
  if (cursor_.at_word() && cursor_.lower() == "end") {
    cursor_.advance();
    if (!cursor_.at_end()) cursor_.fail(Rule::text_after_end, "nothing behind `end`");
    return true;
  }
  return cursor_.at_end();
}

Result<Program> Parser::run() {
  if (version())
    while (!end() && !diags_.full()) statement();
  p.end = cursor_.loc();
  if (!diags_.empty()) return diags_.take();
  return std::move(p);
}

}  // namespace

bool begins_with_version(std::string_view text) { return Parser(text, {}).version(); }

Result<Program> parse(std::string_view text, std::span<const Macro> macros) {
  if (text.size() > kMaxText_bytes) {
    DiagList diags;
    diags.add(Rule::text_too_long, {1, 1},
              fmt::format("the text has {} bytes, more than {}", text.size(), kMaxText_bytes));
    return diags.take();
  }
  return Parser(text, macros).run();
}

}  // namespace tessera::d3d9
