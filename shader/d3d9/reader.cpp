#include "shader/d3d9/reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "shader/d3d9/constant_table.h"
#include "shader/d3d9/diagnostics.h"
#include "shader/d3d9/form.h"
#include "shader/d3d9/names.h"
#include "shader/d3d9/token.h"

namespace tessera::d3d9 {
namespace {

// Errors of a statement's form are collected; one that leaves unclear where the next statement begins ends the reading.
class Reader {
 public:
  explicit Reader(std::span<const uint32_t> words) : words_(words) {}

  Result<Program> run();

 private:
  template <class... Args>
  bool fail(Rule rule, size_t at, fmt::format_string<Args...> format, Args&&... args) {
    diags_.add(rule, loc(at), fmt::format(format, std::forward<Args>(args)...));
    return false;
  }
  static SourceLoc loc(size_t at) { return word_loc(static_cast<uint32_t>(at)); }

  bool version();
  bool statements();
  bool comment(uint32_t word);
  bool statement(uint32_t word);
  bool opcode(uint32_t word, Opcode& found);
  bool body(uint32_t word, Opcode opcode);
  bool declaration();
  bool definition(Opcode opcode);
  bool instruction(uint32_t word, Opcode opcode);
  void add(Statement::Kind kind, size_t count);

  bool next(uint32_t& word);
  bool operand(uint32_t& word);
  bool reg(uint32_t word, Register& reg);
  bool address(Register& reg);
  bool destination(Destination& dst);
  bool source(Source& src);

  std::span<const uint32_t> words_;
  size_t pos_ = 0, begin_ = 0;           // of the statement
  size_t limit_ = 0;                     // end of the statement's words where its length is known
  Program program_;
  DiagList diags_;
};

bool Reader::version() {
  if (words_.empty()) return fail(Rule::truncated, 0, "expected the word of a version, found nothing");
  const std::optional<Version> version = version_from_word(words_[0]);
  if (!version) return fail(Rule::unknown_version, 0, "{:08x} is not the word of a known version", words_[0]);
  program_.version = *version;
  return true;
}

bool Reader::next(uint32_t& word) {
  if (pos_ >= words_.size()) return fail(Rule::truncated, pos_, "the words end before the end token");
  if (pos_ >= limit_)
    return fail(Rule::length_mismatch, begin_, "the instruction has more operands than its length of {}",
                limit_ - begin_ - 1);
  word = words_[pos_++];
  return true;
}

// A register's word.
bool Reader::operand(uint32_t& word) {
  if (!next(word)) return false;
  return ((word & token::kOperand) && !(word & token::kOperandReserved)) ||
         fail(Rule::reserved_bits, pos_ - 1, "{:08x} is not an operand", word);
}

bool Reader::reg(uint32_t word, Register& r) {
  r.loc = loc(pos_ - 1);
  const uint32_t type = token::type_of(word);
  const std::optional<File> file = file_from_token(type, program_.version);
  if (!file)
    return fail(Rule::unknown_register_type, pos_ - 1, "{} has no registers of type {}",
                version_info(program_.version).name, type);
  r.file = *file;
  r.number = word & token::kNumberMask;
  if (r.file == File::Const && type != token::kConstType)
    r.number += (type - token::kFirstConstBankType + 1) * token::kConstBank_registers;
  r.relative = (word & token::kRelative) != 0;
  return !r.relative || address(r);
}

// a0.x without a word of its own in model 1; later a source word.
bool Reader::address(Register& r) {
  r.address = File::Address;
  r.address_swizzle = 0;
  if (version_info(program_.version).model == 1) return true;
  uint32_t word = 0;
  if (!operand(word)) return false;
  const std::optional<File> file = file_from_token(token::type_of(word), program_.version);
  constexpr uint32_t kUnused = 0xfu << token::kModifierShift | token::kRelative | token::kNumberMask;
  if (!file || (*file != File::Address && *file != File::Loop) || (word & kUnused))
    return fail(Rule::bad_address, pos_ - 1, "expected a0 or aL as the address, found {:08x}", word);
  r.address = *file;
  r.address_swizzle = static_cast<uint8_t>(word >> token::kSwizzleShift);
  return true;
}

bool Reader::destination(Destination& dst) {
  uint32_t word = 0;
  if (!operand(word)) return false;
  dst.mask = word >> token::kMaskShift & 0xf;
  dst.saturate = (word & token::kSaturate) != 0;
  dst.partial_precision = (word & token::kPartialPrecision) != 0;
  dst.centroid = (word & token::kCentroid) != 0;
  const uint32_t shift = word >> token::kResultShift & 0xf;          // 4-bit two's complement, -3..3
  if ((word & token::kDestinationReserved) || (shift > 3 && shift < 13) || !dst.mask)
    return fail(Rule::reserved_bits, pos_ - 1, "{:08x} is not a destination", word);
  dst.shift = static_cast<int8_t>(shift > 3 ? static_cast<int>(shift) - 16 : static_cast<int>(shift));
  return reg(word, dst.reg);
}

bool Reader::source(Source& src) {
  uint32_t word = 0;
  if (!operand(word)) return false;
  const uint32_t modifier = word >> token::kModifierShift & 0xf;
  if (modifier > static_cast<uint32_t>(SourceModifier::Not))
    return fail(Rule::reserved_bits, pos_ - 1, "{} is not the number of a source modifier", modifier);
  src.modifier = static_cast<SourceModifier>(modifier);
  src.swizzle = static_cast<uint8_t>(word >> token::kSwizzleShift);
  return reg(word, src.reg);
}

void Reader::add(Statement::Kind kind, size_t count) {
  program_.order.push_back({kind, static_cast<uint32_t>(count - 1)});
}

bool Reader::comment(uint32_t word) {
  const size_t count = word >> 16;
  if (word & 1u << 31) return fail(Rule::reserved_bits, begin_, "bit 31 of a comment's word is 0");
  if (count > words_.size() - pos_)
    return fail(Rule::truncated, begin_, "a comment of {} words reaches beyond the end", count);
  const std::span<const uint32_t> body = words_.subspan(pos_, count);
  pos_ += count;
  program_.comments.push_back({{body.begin(), body.end()}, loc(begin_)});
  if (program_.constants.empty()) program_.constants = read_constant_table(body);
  add(Statement::Kind::Comment, program_.comments.size());
  return true;
}

bool Reader::opcode(uint32_t word, Opcode& found) {
  const uint32_t token = word & 0xffff, control = word >> token::kControlShift & 0xff;
  const std::optional<Opcode> opcode = opcode_from_token(token, control, program_.version);
  if (opcode) {
    found = *opcode;
    return true;
  }
  for (const OpcodeInfo& info : all_opcodes())
    if (info.token == token && info.control == control)
      return fail(Rule::wrong_version, begin_, "{} is not available in {}", info.text,
                  version_info(program_.version).name);
  return fail(Rule::unknown_opcode, begin_, "{:08x} holds no known opcode", word);
}

bool Reader::declaration() {
  Declaration d;
  d.loc = loc(begin_);
  uint32_t word = 0;
  if (!next(word) || !destination(d.dst)) return false;
  const bool is_sampler = d.dst.reg.file == File::Sampler;
  const uint32_t usage = word & token::kUsageMask, type = word >> token::kSamplerTypeShift & 0xf;
  const bool known = is_sampler
                         ? !(word & token::kSamplerReserved) && type <= static_cast<uint32_t>(SamplerType::Volume)
                         : !(word & token::kSemanticReserved) && usage <= static_cast<uint32_t>(Usage::Sample);
  if (!(word & token::kOperand) || !known)
    return fail(Rule::reserved_bits, begin_ + 1, "{:08x} is not a declaration", word);
  const File file = d.dst.reg.file;
  const bool pixel_2 = !version_info(program_.version).is_vertex() && version_info(program_.version).model == 2;
  const bool has_no_usage = word == token::kOperand && (file == File::Misc || pixel_2);
  d.kind = is_sampler     ? Declaration::Kind::Sampler
           : has_no_usage ? Declaration::Kind::Plain
                          : Declaration::Kind::Semantic;
  if (is_sampler) d.sampler = static_cast<SamplerType>(type);
  if (d.kind == Declaration::Kind::Semantic) {
    d.usage = static_cast<Usage>(usage);
    d.usage_index = word >> token::kUsageIndexShift & 0xf;
  }
  program_.declarations.push_back(d);
  add(Statement::Kind::Declaration, program_.declarations.size());
  check_declaration_form(program_, diags_);
  return true;
}

bool Reader::definition(Opcode opcode) {
  Definition d;
  d.loc = loc(begin_);
  Destination dst;
  if (!destination(dst)) return false;
  if (dst.mask != 0xf || dst.saturate || dst.partial_precision || dst.centroid || dst.shift)
    return fail(Rule::reserved_bits, begin_ + 1, "a defined constant has the full mask and no modifiers");
  d.reg = dst.reg;
  for (size_t i = 0; i < definition_info(opcode).words; ++i)
    if (!next(d.words[i])) return false;
  if (opcode == Opcode::Op_defb && d.words[0] > 1)
    return fail(Rule::bad_definition, pos_ - 1, "a boolean is 0 or 1, found {}", d.words[0]);
  program_.definitions.push_back(d);
  add(Statement::Kind::Definition, program_.definitions.size());
  check_definition_form(program_, opcode, diags_);
  return true;
}

bool Reader::instruction(uint32_t word, Opcode opcode) {
  const OpcodeInfo& info = opcode_info(opcode);
  Instruction inst{.opcode = opcode, .loc = loc(begin_)};
  inst.co_issued = (word & token::kCoIssued) != 0;
  if (info.has(trait::Compare)) inst.comparison = static_cast<Comparison>(word >> token::kControlShift & 0xff);
  inst.dst_count = static_cast<uint8_t>(info.dsts.size());
  inst.src_count = static_cast<uint8_t>(info.srcs.size());
  inst.first_dst = static_cast<uint32_t>(program_.destinations.size());
  for (size_t i = 0; i < inst.dst_count; ++i)
    if (!destination(program_.destinations.emplace_back())) return false;
  if (word & token::kPredicated) {
    inst.predicate = static_cast<uint32_t>(program_.sources.size());
    if (!source(program_.sources.emplace_back())) return false;
  }
  inst.first_src = static_cast<uint32_t>(program_.sources.size());
  for (size_t i = 0; i < inst.src_count; ++i)
    if (!source(program_.sources.emplace_back())) return false;
  program_.instructions.push_back(inst);
  add(Statement::Kind::Instruction, program_.instructions.size());
  check_instruction_form(program_, diags_);
  return true;
}

bool Reader::body(uint32_t word, Opcode opcode) {
  const OpcodeInfo& info = opcode_info(opcode);
  const uint32_t control = word >> token::kControlShift & 0xff;
  const bool plain = info.group == OpGroup::Declaration || info.group == OpGroup::Definition;
  const bool known_comparison = control >= 1 && control <= static_cast<uint32_t>(Comparison::Le);
  if ((word & token::kInstructionReserved) || (plain && (word & (token::kPredicated | token::kCoIssued))) ||
      (info.has(trait::Compare) && !known_comparison))
    return fail(Rule::reserved_bits, begin_, "{:08x} has bits without a meaning", word);
  if (info.group == OpGroup::Declaration) return declaration();
  if (info.group == OpGroup::Definition) return definition(opcode);
  return instruction(word, opcode);
}

bool Reader::statement(uint32_t word) {
  Opcode found{};
  if (!opcode(word, found)) return false;
  const uint32_t length = word >> token::kLengthShift & token::kMaxLength;
  const bool has_length = version_info(program_.version).model > 1;
  limit_ = has_length ? pos_ + length : words_.size();
  if (limit_ > words_.size())
    return fail(Rule::truncated, begin_, "an instruction of {} words reaches beyond the end", length);
  if (!has_length && length) return fail(Rule::length_mismatch, begin_, "instructions carry no length in model 1");
  if (!body(word, found)) return false;
  return !has_length || pos_ == limit_ ||
         fail(Rule::length_mismatch, begin_, "the instruction's length is {}, its operands take {}", length,
              pos_ - begin_ - 1);
}

bool Reader::statements() {
  for (pos_ = 1; pos_ < words_.size() && !diags_.full();) {
    begin_ = pos_;
    const uint32_t word = words_[pos_++];
    if (word == token::kEnd) {
      program_.end = loc(begin_);
      return pos_ == words_.size() ||
             fail(Rule::words_after_end, pos_, "{} words stand after the end token", words_.size() - pos_);
    }
    const bool is_comment = (word & 0xffff) == token::kComment;
    if (!(is_comment ? comment(word) : statement(word))) return false;
  }
  return fail(Rule::truncated, words_.size(), "the words end before the end token");
}

Result<Program> Reader::run() {
  if (version()) statements();
  if (!diags_.empty()) return diags_.take();
  return std::move(program_);
}

}  // namespace

Result<Program> read(std::span<const uint32_t> words) { return Reader(words).run(); }

}  // namespace tessera::d3d9
