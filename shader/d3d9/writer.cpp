#include "shader/d3d9/writer.h"

#include "shader/d3d9/names.h"
#include "shader/d3d9/token.h"

namespace tessera::d3d9 {
namespace {

class Writer {
 public:
  explicit Writer(const Program& program) : p(program), has_length_(version_info(p.version).model > 1) {}

  std::vector<uint32_t> run();

 private:
  void statement(const Statement& s);
  void comment(const Comment& c);
  void declaration(const Declaration& d);
  void definition(const Definition& d);
  void instruction(const Instruction& inst);
  void finish(size_t begin);

  static uint32_t register_word(const Register& reg);
  void address(const Register& reg);
  void destination(const Destination& dst);
  void source(const Source& src);

  const Program& p;
  const bool has_length_;
  std::vector<uint32_t> words_;
};

uint32_t Writer::register_word(const Register& reg) {
  uint32_t type = file_info(reg.file).token;
  const uint32_t bank = reg.number / token::kConstBank_registers;
  if (reg.file == File::Const && bank) type = token::kFirstConstBankType + bank - 1;
  return token::kOperand | token::type_bits(type) | reg.number % token::kConstBank_registers |
         (reg.relative ? token::kRelative : 0);
}

void Writer::address(const Register& reg) {
  if (!reg.relative || !has_length_) return;
  words_.push_back(register_word({.file = reg.address, .loc = {}}) | static_cast<uint32_t>(reg.address_swizzle)
                                                                         << token::kSwizzleShift);
}

void Writer::destination(const Destination& dst) {
  words_.push_back(register_word(dst.reg) | static_cast<uint32_t>(dst.mask) << token::kMaskShift |
                   (dst.saturate ? token::kSaturate : 0) | (dst.partial_precision ? token::kPartialPrecision : 0) |
                   (dst.centroid ? token::kCentroid : 0) |
                   (static_cast<uint32_t>(dst.shift) & 0xf) << token::kResultShift);
  address(dst.reg);
}

void Writer::source(const Source& src) {
  words_.push_back(register_word(src.reg) | static_cast<uint32_t>(src.swizzle) << token::kSwizzleShift |
                   static_cast<uint32_t>(src.modifier) << token::kModifierShift);
  address(src.reg);
}

// The length of the statement whose first word is words_[begin].
void Writer::finish(size_t begin) {
  if (has_length_) words_[begin] |= static_cast<uint32_t>(words_.size() - begin - 1) << token::kLengthShift;
}

void Writer::comment(const Comment& c) {
  words_.push_back(token::kComment | static_cast<uint32_t>(c.words.size()) << 16);
  words_.insert(words_.end(), c.words.begin(), c.words.end());
}

void Writer::declaration(const Declaration& d) {
  const size_t begin = words_.size();
  words_.push_back(opcode_info(Opcode::Op_dcl).token);
  uint32_t word = token::kOperand;
  if (d.kind == Declaration::Kind::Sampler) word |= static_cast<uint32_t>(d.sampler) << token::kSamplerTypeShift;
  if (d.kind == Declaration::Kind::Semantic)
    word |= static_cast<uint32_t>(d.usage) | static_cast<uint32_t>(d.usage_index) << token::kUsageIndexShift;
  words_.push_back(word);
  destination(d.dst);
  finish(begin);
}

void Writer::definition(const Definition& d) {
  const size_t begin = words_.size();
  const DefinitionInfo& info = definition_info(d.reg.file);
  words_.push_back(opcode_info(info.opcode).token);
  destination({.reg = d.reg});
  words_.insert(words_.end(), d.words.begin(), d.words.begin() + info.words);
  finish(begin);
}

void Writer::instruction(const Instruction& inst) {
  const OpcodeInfo& info = opcode_info(inst.opcode);
  const size_t begin = words_.size();
  const uint32_t control = info.has(trait::Compare) ? static_cast<uint32_t>(inst.comparison) : info.control;
  const Source* predicate = p.predicate(inst);
  words_.push_back(info.token | control << token::kControlShift | (predicate ? token::kPredicated : 0) |
                   (inst.co_issued ? token::kCoIssued : 0));
  for (const Destination& dst : p.dsts(inst)) destination(dst);
  if (predicate) source(*predicate);
  for (const Source& src : p.srcs(inst)) source(src);
  finish(begin);
}

void Writer::statement(const Statement& s) {
  switch (s.kind) {
    case Statement::Kind::Declaration: return declaration(p.declarations[s.index]);
    case Statement::Kind::Definition: return definition(p.definitions[s.index]);
    case Statement::Kind::Instruction: return instruction(p.instructions[s.index]);
    case Statement::Kind::Comment: return comment(p.comments[s.index]);
  }
}

std::vector<uint32_t> Writer::run() {
  words_.push_back(version_info(p.version).word);
  for (const Statement& s : p.order) statement(s);
  words_.push_back(token::kEnd);
  return std::move(words_);
}

}  // namespace

std::vector<uint32_t> write(const Program& program) { return Writer(program).run(); }

}  // namespace tessera::d3d9
