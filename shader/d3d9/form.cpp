#include "shader/d3d9/form.h"

#include <fmt/format.h>

#include <algorithm>

#include "shader/d3d9/names.h"

namespace tessera::d3d9 {
namespace {

constexpr uint32_t kMaxEncoded = 2047, kMaxEncodedConst = 8191;   // numbers that the bytecode can hold

bool has_access(File file, Access access) {
  return (static_cast<uint32_t>(file_info(file).access) & static_cast<uint32_t>(access)) != 0;
}

// The operands' letters that ask for certain files; the others take what can be read or written.
struct LetterInfo {
  char letter;
  File file, other;
  std::string_view text;
};
constexpr LetterInfo kLetters[] = {
    {'A', File::Address, File::Address, "a0"},
    {'P', File::Predicate, File::Predicate, "p0"},
    {'Q', File::Predicate, File::Predicate, "p0"},
    {'C', File::ConstBool, File::Predicate, "a boolean constant or p0"},
    {'I', File::ConstInt, File::ConstInt, "an integer constant"},
    {'N', File::Loop, File::Loop, "aL"},
    {'L', File::Label, File::Label, "a label"},
};
const LetterInfo* letter_info(char letter) {
  const auto at = std::ranges::find(kLetters, letter, &LetterInfo::letter);
  return at == std::end(kLetters) ? nullptr : at;
}

bool takes_a_sign(File file) {
  return file != File::Sampler && file != File::Label && file != File::ConstInt && file != File::Loop;
}
bool is_truth(File file) { return file == File::ConstBool || file == File::Predicate; }

class Form {
 public:
  Form(const Program& program, DiagList& diags) : p(program), v(version_info(program.version)), diags_(diags) {}

  bool declaration(const Declaration& d);
  bool definition(const Definition& d, Opcode opcode);
  bool instruction(const Instruction& inst);

 private:
  template <class... Args>
  bool fail(Rule rule, SourceLoc loc, fmt::format_string<Args...> format, Args&&... args) {
    diags_.add(rule, loc, fmt::format(format, std::forward<Args>(args)...));
    return false;
  }
  static std::string name(const Register& reg) { return register_name(reg.file, reg.number); }

  bool reg(const Register& reg);
  bool relative(const Register& reg);
  bool address(const Register& reg);
  bool destination(const Destination& dst, char letter, SourceLoc statement);
  bool modifiers(const Destination& dst, SourceLoc statement);
  bool source(const Source& src, char letter);
  bool kind(const Register& reg, const LetterInfo& wanted);
  bool source_modifier(const Source& src);
  bool predicate(const Source& src);

  const Program& p;
  const VersionInfo& v;
  DiagList& diags_;
};

bool Form::reg(const Register& r) {
  const uint32_t count = assembled_count(r.file, p.version);
  if (!count) return fail(Rule::register_not_in_version, r.loc, "register {} does not exist in {}", name(r), v.name);
  if (r.relative && !relative(r)) return false;
  const uint32_t end = r.relative ? (r.file == File::Const ? kMaxEncodedConst : kMaxEncoded) + 1 : count;
  return r.number < end ||
         fail(Rule::register_number, r.loc, "register number {} of {} is out of range in {}: there are {}", r.number,
              file_info(r.file).text, v.name, end);
}

bool Form::relative(const Register& r) {
  const bool in_vertex = r.file == File::Const || (v.model == 3 && (r.file == File::Input || r.file == File::Output));
  const bool in_pixel = v.model == 3 && r.file == File::Input;
  if (!(v.is_vertex() ? in_vertex : in_pixel))
    return fail(Rule::relative_not_allowed, r.loc, "{} registers cannot be indexed in {}", file_info(r.file).text,
                v.name);
  return address(r);
}

bool Form::address(const Register& r) {
  if (r.address == File::Loop) {
    if (v.model == 1) return fail(Rule::bad_address, r.loc, "aL does not exist in {}", v.name);
    return r.address_swizzle == kIdentitySwizzle || fail(Rule::bad_address, r.loc, "aL takes no swizzle");
  }
  if (r.address != File::Address || !v.is_vertex())
    return fail(Rule::bad_address, r.loc, "expected {} as the address, found another register",
                v.is_vertex() ? "a0 or aL" : "aL");
  return v.model > 1 || r.address_swizzle == 0 || fail(Rule::bad_address, r.loc, "the address in {} is a0.x", v.name);
}

bool Form::kind(const Register& r, const LetterInfo& wanted) {
  return r.file == wanted.file || r.file == wanted.other ||
         fail(Rule::operand_kind, r.loc, "expected {}, found {}", wanted.text, name(r));
}

bool Form::modifiers(const Destination& dst, SourceLoc statement) {
  if (dst.shift && !contains(in::ps_1, p.version))
    return fail(Rule::modifier_not_allowed, statement, "results are shifted in ps_1_x only, not in {}", v.name);
  if ((dst.partial_precision || dst.centroid) && v.is_vertex())
    return fail(Rule::modifier_not_allowed, statement, "_pp and _centroid do not exist in {}", v.name);
  return true;
}

bool Form::destination(const Destination& dst, char letter, SourceLoc statement) {
  if (!reg(dst.reg) || !modifiers(dst, statement)) return false;
  if (const LetterInfo* wanted = letter_info(letter)) return kind(dst.reg, *wanted);
  if (letter == 'K')
    return has_access(dst.reg.file, Access::Read) ||
           fail(Rule::not_readable, dst.reg.loc, "{} cannot be read", name(dst.reg));
  return has_access(dst.reg.file, Access::Write) ||
         fail(Rule::not_writable, dst.reg.loc, "{} cannot be written", name(dst.reg));
}

bool Form::source_modifier(const Source& src) {
  if (src.modifier == SourceModifier::None) return true;
  const ModifierInfo& info = modifier_info(src.modifier);
  const File file = src.reg.file;
  const bool negates = src.modifier == SourceModifier::Not;
  if (!contains(info.versions, p.version))
    return fail(Rule::source_modifier_not_allowed, src.reg.loc, "the modifier {}{}{} does not exist in {}", info.before,
                info.after.empty() ? "" : "_", info.after, v.name);
  return (negates == is_truth(file) && takes_a_sign(file)) ||
         fail(Rule::source_modifier_not_allowed, src.reg.loc, "{} does not take the modifier {}{}", name(src.reg),
              info.before, info.after);
}

bool Form::source(const Source& src, char letter) {
  if (!reg(src.reg)) return false;
  const LetterInfo* wanted = letter_info(letter);
  if (wanted && !kind(src.reg, *wanted)) return false;
  const bool is_sampler = letter == 'X' && src.reg.file == File::Sampler;   // the validator asks for it
  if (!wanted && !is_sampler && !has_access(src.reg.file, Access::Read))
    return fail(Rule::not_readable, src.reg.loc, "{} cannot be read", name(src.reg));
  return source_modifier(src);
}

bool Form::predicate(const Source& src) {
  if (!contains(in::predicated, p.version))
    return fail(Rule::predicate_not_allowed, src.reg.loc, "{} has no predicates", v.name);
  if (!source(src, 'Q')) return false;
  return src.swizzle == kIdentitySwizzle || is_replicate(src.swizzle) ||
         fail(Rule::predicate_not_allowed, src.reg.loc, "expected p0 or one component of it");
}

bool Form::instruction(const Instruction& inst) {
  const OpcodeInfo& info = opcode_info(inst.opcode);
  if (inst.co_issued && !contains(in::ps_1, p.version))
    return fail(Rule::co_issue_not_allowed, inst.loc, "{} pairs no instructions", v.name);
  if (inst.co_issued && p.instructions.size() == 1)
    return fail(Rule::co_issue_not_allowed, inst.loc, "the first instruction has none before it to pair with");
  if (const Source* predicate_source = p.predicate(inst); predicate_source && !predicate(*predicate_source))
    return false;
  for (size_t i = 0; i < inst.dst_count; ++i)
    if (!destination(p.dsts(inst)[i], info.dsts[i], inst.loc)) return false;
  for (size_t i = 0; i < inst.src_count; ++i)
    if (!source(p.srcs(inst)[i], info.srcs[i])) return false;
  return true;
}

bool Form::declaration(const Declaration& d) {
  const Destination& dst = d.dst;
  if (!reg(dst.reg)) return false;
  if (dst.reg.relative) return fail(Rule::relative_not_allowed, dst.reg.loc, "a declared register has no index");
  if (dst.saturate || dst.shift)
    return fail(Rule::modifier_not_allowed, d.loc, "a declaration takes _pp and _centroid only");
  if (!modifiers(dst, d.loc)) return false;
  const bool is_sampler = dst.reg.file == File::Sampler;
  if (is_sampler != (d.kind == Declaration::Kind::Sampler))
    return fail(Rule::bad_declaration, d.loc, "samplers, and no others, are declared with a texture type");
  if (is_sampler)
    return !v.is_vertex() || d.sampler != SamplerType::None ||
           fail(Rule::bad_declaration, d.loc, "expected a texture type for {}", name(dst.reg));
  const File file = dst.reg.file;
  const bool has_usage = d.kind == Declaration::Kind::Semantic;
  const bool needs_usage = file == File::Output || (file == File::Input && (v.is_vertex() || v.model == 3));
  const bool needs_none =
      file == File::Misc || (v.model == 2 && !v.is_vertex() && (file == File::Input || file == File::Texture));
  if (!needs_usage && !needs_none)
    return fail(Rule::bad_declaration, d.loc, "{} is not declared in {}", name(dst.reg), v.name);
  return has_usage == needs_usage || fail(Rule::bad_declaration, d.loc, "{} is declared {} a usage in {}",
                                          name(dst.reg), needs_usage ? "with" : "without", v.name);
}

bool Form::definition(const Definition& d, Opcode opcode) {
  const File wanted = definition_info(opcode).file;
  if (d.reg.file != wanted || d.reg.relative)
    return fail(Rule::bad_definition, d.reg.loc, "{} defines {} registers, found {}", opcode_info(opcode).text,
                file_info(wanted).text, name(d.reg));
  return reg(d.reg);
}

}  // namespace

bool check_declaration_form(const Program& program, DiagList& diags) {
  return Form(program, diags).declaration(program.declarations.back());
}

bool check_definition_form(const Program& program, Opcode opcode, DiagList& diags) {
  return Form(program, diags).definition(program.definitions.back(), opcode);
}

bool check_instruction_form(const Program& program, DiagList& diags) {
  return Form(program, diags).instruction(program.instructions.back());
}

}  // namespace tessera::d3d9
