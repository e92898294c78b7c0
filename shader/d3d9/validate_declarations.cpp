// shader/d3d9/validate_declarations.cpp: what is declared, and what must be.
#include "shader/d3d9/validation.h"

namespace tessera::d3d9 {
namespace {

// Rows of a matrix that lie in consecutive registers.
uint32_t rows_of(Opcode opcode) {
  switch (opcode) {
    case Opcode::Op_m4x4:
    case Opcode::Op_m3x4: return 4;
    case Opcode::Op_m4x3:
    case Opcode::Op_m3x3: return 3;
    case Opcode::Op_m3x2: return 2;
    default: return 1;
  }
}

}  // namespace

template <class Function>
void Validation::for_each_register(Function visit) const {
  for (const Instruction& inst : p.instructions) {
    for (const Destination& dst : p.dsts(inst)) visit(dst.reg, 1u);
    const std::string_view letters = opcode_info(inst.opcode).srcs;
    for (size_t i = 0; i < letters.size(); ++i)
      visit(p.srcs(inst)[i].reg, letters[i] == 'M' ? rows_of(inst.opcode) : 1u);
  }
}

void Validation::check_declarations() {
  check_order();
  for (const Declaration& d : p.declarations) check_declaration(d);
  for (const Definition& d : p.definitions) check_number(d.reg, 1);
  for_each_register([this](const Register& reg, uint32_t count) {
    check_number(reg, count);
    check_declared(reg);
  });
  check_position();
}

void Validation::check_order() {
  bool in_code = false;
  for (const Statement& s : p.order) {
    if (s.kind == Statement::Kind::Instruction) in_code = true;
    if (!in_code) continue;
    constexpr std::string_view kText = "this stands behind the first instruction";
    if (s.kind == Statement::Kind::Declaration)
      fail(Rule::declaration_after_code, p.declarations[s.index].loc, "{}", kText);
    if (s.kind == Statement::Kind::Definition)
      fail(Rule::declaration_after_code, p.definitions[s.index].loc, "{}", kText);
  }
}

void Validation::check_declaration(const Declaration& d) {
  const Register& reg = d.dst.reg;
  check_number(reg, 1);
  uint8_t& mask = declared_[key(reg)];
  if (mask & d.dst.mask) fail(Rule::duplicate_declaration, reg.loc, "{} is declared already", name(reg));
  mask |= d.dst.mask;
  if (d.kind != Declaration::Kind::Semantic) return;
  const bool is_output = reg.file == File::Output;
  const uint32_t usage = static_cast<uint32_t>(d.usage) << 8 | static_cast<uint32_t>(d.usage_index) << 1 | is_output;
  if (!usages_.emplace(usage, d.loc).second)
    fail(Rule::duplicate_declaration, d.loc, "{}{} is declared already", name_of(d.usage), d.usage_index);
  if (d.usage_index != 0) return;
  if (!v.is_vertex() && d.usage == Usage::Position) fail(Rule::bad_usage, d.loc, "a pixel shader has no position0");
  if (is_output && (d.usage == Usage::Position || d.usage == Usage::PSize) && d.dst.mask != 0xf)
    fail(Rule::bad_usage, d.loc, "{}0 has a full mask", name_of(d.usage));
}

void Validation::check_number(const Register& reg, uint32_t count) {
  const bool has_more = checks_.software_vertices && v.is_vertex() && reg.file == File::Const;
  const uint32_t limit = has_more ? assembled_count(reg.file, p.version) : register_count(reg.file, p.version);
  if (reg.number + count > limit)
    fail(Rule::register_number, reg.loc, "{} does not exist in {}: there are {}",
         register_name(reg.file, reg.number + count - 1), v.name, limit);
}

bool Validation::must_be_declared(File file) const {
  if (file == File::Input || file == File::Texture) return v.is_vertex() || v.model > 1;
  return file == File::Output || file == File::Sampler || file == File::Misc;
}

void Validation::check_declared(const Register& reg) {
  if (reg.relative || !must_be_declared(reg.file) || declared_.contains(key(reg))) return;
  fail(Rule::undeclared_register, reg.loc, "{} is not declared", name(reg));
  declared_[key(reg)] = 0;               // one diagnosis a register
}

void Validation::check_position() {
  if (!v.is_vertex()) return;
  bool found = false;
  for (const Declaration& d : p.declarations)
    found |= d.dst.reg.file == File::Output && d.usage == Usage::Position && d.usage_index == 0;
  for (const Destination& dst : p.destinations) found |= dst.reg.is(File::RasterOut, kRasterPosition);
  if (!found)
    fail(Rule::position_missing, p.end, "the vertex shader {} no position", v.model == 3 ? "declares" : "writes");
}

}  // namespace tessera::d3d9
