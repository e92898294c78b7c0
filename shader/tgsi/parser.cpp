#include "shader/tgsi/parser.h"

#include <fmt/format.h>

#include "shader/tgsi/cursor.h"
#include "shader/tgsi/names.h"
#include "shader/tgsi/numbers.h"
#include "shader/tgsi/parse_declaration.h"
#include "shader/tgsi/parse_operand.h"

namespace tessera::tgsi {
namespace {

constexpr size_t kMaxText_bytes = size_t{16} << 20;
constexpr uint32_t kMaxOffsets = 4;

std::string plural(size_t count, std::string_view noun) { return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s"); }

std::string counts_text(const OpcodeInfo& info) {
  return fmt::format("{} takes {} and {}", info.name, plural(info.dsts.size(), "destination"), plural(info.srcs.size(), "source"));
}

class Parser {
 public:
  Parser(std::string_view text, DiagList& diags) : diags_(diags), c_(text, diags) {}
  Program run();

 private:
  bool parse_stage();
  bool parse_statement();
  bool parse_instruction();
  bool parse_opcode(Instruction& inst);
  bool parse_operands(Instruction& inst, const OpcodeInfo& info);
  bool parse_operand(Instruction& inst, const OpcodeInfo& info);
  bool parse_word(Instruction& inst, const OpcodeInfo& info);
  bool parse_label(Instruction& inst, const OpcodeInfo& info);
  bool check_counts(const Instruction& inst, const OpcodeInfo& info);
  bool at_operand();
  void add(Statement::Kind kind, size_t count) { program_.order.push_back({kind, static_cast<uint32_t>(count)}); }

  DiagList& diags_;
  Cursor c_;
  Program program_;
};

Program Parser::run() {
  if (!parse_stage()) c_.skip_statement(c_.loc());
  while (!c_.at_end() && !diags_.full()) {
    const SourceLoc begin = c_.loc();
    if (!parse_statement()) c_.skip_statement(begin);
  }
  program_.end = c_.loc();
  return std::move(program_);
}

bool Parser::parse_stage() {
  const auto stage = find_enum<Stage>(kStageNames, c_.word());
  if (!stage) return c_.fail(Rule::bad_stage, "VERT, FRAG, GEOM, TESS_CTRL, TESS_EVAL or COMP");
  program_.stage = *stage;
  c_.advance();
  return true;
}

bool Parser::parse_statement() {
  const Token first = c_.now();
  const std::string word = c_.word();
  if (word == "DCL") {
    Declaration dcl;
    c_.advance();
    dcl.loc = c_.loc();
    if (!parse_declaration(c_, dcl)) return false;
    add(Statement::Kind::Declaration, program_.declarations.size());
    program_.declarations.push_back(dcl);
    return true;
  }
  if (word == "IMM") {
    Immediate imm;
    imm.loc = c_.loc();
    c_.advance();
    if (!parse_immediate(c_, first, static_cast<uint32_t>(program_.immediates.size()), imm)) return false;
    add(Statement::Kind::Immediate, program_.immediates.size());
    program_.immediates.push_back(imm);
    return true;
  }
  if (word == "PROPERTY") {
    Property property;
    c_.advance();
    property.loc = c_.loc();
    if (!parse_property(c_, property)) return false;
    add(Statement::Kind::Property, program_.properties.size());
    program_.properties.push_back(property);
    return true;
  }
  return parse_instruction();
}

bool Parser::parse_instruction() {
  Instruction inst;
  if (c_.now().kind == Token::Kind::Number) {
    uint32_t number;
    if (!c_.expect_number(number, Rule::expected_token, "the number of an instruction") || !c_.expect(':')) return false;
    inst.number = number;
  }
  inst.loc = c_.loc();
  if (!parse_opcode(inst)) return false;
  const OpcodeInfo& info = opcode_info(inst.opcode);
  inst.first_dst = static_cast<uint32_t>(program_.destinations.size());
  inst.first_src = static_cast<uint32_t>(program_.sources_list.size());
  inst.first_offset = static_cast<uint32_t>(program_.offset_list.size());
  if (!parse_operands(inst, info) || !parse_label(inst, info)) return false;
  add(Statement::Kind::Instruction, program_.instructions.size());
  program_.instructions.push_back(inst);
  return true;
}

bool Parser::parse_opcode(Instruction& inst) {
  const std::string word = c_.word();
  std::string_view name = word;
  auto opcode = opcode_from_name(name);
  const auto take_suffix = [&](std::string_view suffix) {
    if (opcode || !name.ends_with(suffix)) return false;
    name.remove_suffix(suffix.size());
    opcode = opcode_from_name(name);
    return true;
  };
  inst.precise = take_suffix("_PRECISE");
  inst.saturate = take_suffix("_SAT");
  if (!opcode) return c_.fail(Rule::unknown_opcode, "DCL, IMM, PROPERTY or an opcode");
  inst.opcode = *opcode;
  c_.advance();
  return true;
}

bool Parser::parse_operands(Instruction& inst, const OpcodeInfo& info) {
  if (info.dsts.size() + info.srcs.size() > 0) {
    do {
      const bool word = c_.at_word() && !c_.ahead().is('[');
      if (!(word ? parse_word(inst, info) : parse_operand(inst, info))) return false;
    } while (c_.accept(','));
  }
  return check_counts(inst, info);
}

bool Parser::parse_operand(Instruction& inst, const OpcodeInfo& info) {
  const bool takes_offsets = info.kind == OpKind::Classic || info.kind == OpKind::Sampled;
  if (inst.dst_count < info.dsts.size()) {
    ++inst.dst_count;
    return parse_destination(c_, program_.destinations.emplace_back());
  }
  if (inst.src_count < info.srcs.size() && !inst.target) {
    ++inst.src_count;
    return parse_source(c_, program_.sources_list.emplace_back());
  }
  if (!takes_offsets || inst.src_count < info.min_srcs)
    return c_.fail_at(Rule::operand_count, c_.loc(), counts_text(info) + ", found more");
  if (inst.offset_count == kMaxOffsets) return c_.fail(Rule::too_many_offsets, "at most four texel offsets");
  ++inst.offset_count;
  return parse_offset(c_, program_.offset_list.emplace_back());
}

// A texture target, a qualifier or a format.
bool Parser::parse_word(Instruction& inst, const OpcodeInfo& info) {
  const std::string word = c_.word();
  const bool memory = info.kind == OpKind::Memory, classic = info.kind == OpKind::Classic;
  const auto target = find_enum<TextureTarget>(kTargetNames, word);
  const auto qualifier = find_name(kQualifierNames, word);
  if (target && (memory || classic) && !inst.target) {
    inst.target = target;
  } else if (qualifier && memory) {
    inst.qualifiers = static_cast<uint8_t>(inst.qualifiers | 1u << *qualifier);
  } else if (word.starts_with("PIPE_FORMAT_") && memory && !inst.format) {
    inst.format = format_from_name(word);
    if (!inst.format) return c_.fail(Rule::unknown_format, "a format");
  } else if (target || qualifier || word.starts_with("PIPE_FORMAT_")) {
    return c_.fail(Rule::word_not_allowed, fmt::format("an operand of {}", info.name));
  } else if (inst.dst_count < info.dsts.size() || inst.src_count < info.min_srcs) {
    return c_.fail(Rule::unknown_file, "a register");
  } else {
    return c_.fail(Rule::unknown_word, fmt::format("a word that {} takes", info.name));
  }
  c_.advance();
  return true;
}

bool Parser::parse_label(Instruction& inst, const OpcodeInfo& info) {
  if (!c_.now().is(':')) return true;
  if (info.kind != OpKind::Labelled) return c_.fail(Rule::word_not_allowed, fmt::format("no label after {}", info.name));
  c_.advance();
  uint32_t label;
  if (!c_.expect_number(label, Rule::expected_token, "the number of an instruction")) return false;
  inst.label = label;
  return true;
}

// A register on the same line, where the next statement would begin.
bool Parser::at_operand() {
  return c_.at_word() && !c_.now().first_on_line && c_.ahead().is('[') && c_.word() != "IMM";
}

bool Parser::check_counts(const Instruction& inst, const OpcodeInfo& info) {
  const bool more = at_operand();
  if (inst.dst_count < info.dsts.size() || inst.src_count < info.min_srcs || more)
    return c_.fail_at(Rule::operand_count, more ? c_.loc() : inst.loc,
                      fmt::format("{}, found {}", counts_text(info), more ? "more" : plural(inst.dst_count + inst.src_count, "operand")));
  if (info.kind == OpKind::Classic && !inst.target)
    return c_.fail_at(Rule::target_missing, inst.loc, fmt::format("expected a texture target behind the operands of {}", info.name));
  return true;
}

}  // namespace

Result<Program> parse(std::string_view text) {
  DiagList diags;
  if (text.size() > kMaxText_bytes) {
    diags.add(Rule::text_too_long, {1, 1}, fmt::format("a text of {} bytes is longer than 16 MiB", text.size()));
    return diags.take();
  }
  Program program = Parser(text, diags).run();
  if (!diags.empty()) return diags.take();
  return program;
}

}  // namespace tessera::tgsi
