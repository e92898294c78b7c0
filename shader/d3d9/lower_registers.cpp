// shader/d3d9/lower_registers.cpp: where each register lives, and what it holds before it is written.
#include <algorithm>

#include "shader/d3d9/lowering.h"

namespace tessera::d3d9 {
namespace {

constexpr uint32_t kVertexConstants = 8192;        // of software vertex processing
constexpr uint32_t kBeyondAnyArray = 0xfffffffc;   // a word index that stays out of range with a component added

bool is_nan(uint32_t word) { return (word & 0x7fffffffu) > 0x7f800000u; }

}  // namespace

Registers::Registers(Builder& b, const Program& p) : b_(b), p_(p), version_(version_info(p.version)) {
  for (const Declaration& d : p.declarations) declared_[{d.dst.reg.file, d.dst.reg.number}] = &d;
  for (const Definition& d : p.definitions) defined_[{d.reg.file, d.reg.number}] = &d;
  find_uses();
  make_arrays();
}

bool Registers::is_variable(File file) const {
  switch (file) {
    case File::Temp: case File::Address: case File::Predicate: case File::RasterOut: case File::ColorOut:
    case File::TexcoordOut: case File::Output: case File::Target: case File::DepthOut: return true;
    case File::Texture: return version_.model == 1;
    case File::Input: case File::Const: case File::ConstInt: case File::ConstBool: case File::Sampler: case File::Loop:
    case File::Misc: case File::Label: return false;
  }
  return false;
}

void Registers::find_uses() {
  for (const Destination& dst : p_.destinations) note(dst.reg);
  for (const Source& src : p_.sources) note(src.reg);
  if (version_.is_vertex() && version_.model < 3) {
    note({.file = File::RasterOut, .number = kRasterPosition});
    note({.file = File::RasterOut, .number = kRasterFog});
    for (uint32_t n = 0; n < 2; ++n) note({.file = File::ColorOut, .number = n});
  }
  for (const auto& [key, dcl] : declared_)
    if (key.first == File::Output) note(dcl->dst.reg);
  if (!version_.is_vertex() && version_.model == 1) note({.file = File::Temp, .number = 0});
  for (const Instruction& i : p_.instructions)
    if (i.opcode == Opcode::Op_texm3x2depth || i.opcode == Opcode::Op_texdepth) note({.file = File::DepthOut});
  for (auto& [key, components] : variables_)
    for (uint32_t c = 0; c < 4; ++c) components[c] = b_.var(initial(key.first, key.second, c));
}

void Registers::note(const Register& reg) {
  if (reg.relative) {
    if (reg.file != File::Const) arrays_[reg.file];
    if (reg.address == File::Address) variables_[{File::Address, 0}];
  } else if (is_variable(reg.file)) {
    variables_[{reg.file, reg.number}];
  }
}

// The first colour is white where a vertex shader leaves it, the coordinates of ps_1_x are what was interpolated.
Value Registers::initial(File file, uint32_t number, uint32_t component) {
  if (file == File::ColorOut && number == 0) return b_.f32(1);
  if (file == File::Texture) return coordinate(number, component);
  return b_.u32(0);
}

// A file that is addressed relatively is an array of all of its registers; inputs are copied in at the start.
void Registers::make_arrays() {
  for (auto& [file, array] : arrays_) {
    const uint32_t count = register_count(file, p_.version);
    array = b_.private_array(count * 4);
    if (file != File::Input) continue;
    for (uint32_t n = 0; n < count; ++n)
      for (uint32_t c = 0; c < 4 && declaration_of(file, n); ++c)
        b_.array_store(array, b_.u32(n * 4 + c), input({.file = file, .number = n}, c));
  }
}

const Declaration* Registers::declaration_of(File file, uint32_t number) const {
  const auto found = declared_.find({file, number});
  return found == declared_.end() ? nullptr : found->second;
}

// ---- relative addresses --------------------------------------------------------------------------------------------

Value Registers::index_of(const Register& reg) {
  Value address_v = b_.u32(0);
  if (reg.address == File::Address)
    address_v = b_.read(variables_.at({File::Address, 0})[component_of(reg.address_swizzle, 0)]);
  else if (!loop_counters.empty())
    address_v = b_.read(loop_counters.back());
  return b_.op(Op::IAdd, {address_v, b_.u32(reg.number)});
}

Value Registers::array_word(const Register& reg, uint32_t component) {
  if (!reg.relative) return b_.u32(reg.number * 4 + component);
  const Value index_v = index_of(reg);
  const Value inside_v = b_.op(Op::ULt, {index_v, b_.u32(register_count(reg.file, p_.version))});
  const Value word_v = b_.op(Op::Select, {inside_v, b_.op(Op::Shl, {index_v, b_.u32(2)}), b_.u32(kBeyondAnyArray)});
  return b_.op(Op::IAdd, {word_v, b_.u32(component)});
}

// ---- reading and writing -------------------------------------------------------------------------------------------

Value Registers::read(const Register& reg, uint32_t component) {
  if (reg.file == File::Const) return limited(constant(reg, component));
  if (const auto array = arrays_.find(reg.file); array != arrays_.end() && (reg.relative || is_variable(reg.file)))
    return b_.array_load(array->second, array_word(reg, component));
  if (is_variable(reg.file)) return b_.read(variables_.at({reg.file, reg.number})[component]);
  if (reg.file == File::Misc) return misc(reg.number, component);
  if (reg.file == File::Texture) return coordinate(reg.number, component);
  return reg.file == File::Input ? input(reg, component) : b_.u32(0);
}

void Registers::write(const Register& reg, uint32_t component, Value value) {
  if (const auto array = arrays_.find(reg.file); array != arrays_.end())
    return b_.array_store(array->second, array_word(reg, component), value);
  if (is_variable(reg.file)) b_.write(variables_.at({reg.file, reg.number})[component], value);
}

// ---- inputs --------------------------------------------------------------------------------------------------------

Value Registers::input(const Register& reg, uint32_t component) {
  if (version_.is_vertex()) return attribute(reg.number, component);
  if (version_.model == 3) {
    const Declaration* const dcl = declaration_of(File::Input, reg.number);
    return dcl ? varying(*dcl, component) : b_.u32(0);
  }
  const Declaration* const dcl = declaration_of(File::Input, reg.number);
  const Value color_v = varying(semantic_of(Usage::Color, reg.number), component, dcl && dcl->dst.centroid);
  return b_.op(Op::FSat, {color_v});
}

Value Registers::attribute(uint32_t number, uint32_t component) {
  ir::Input in;
  in.index = static_cast<uint16_t>(number);
  in.component = static_cast<uint8_t>(component);
  return b_.input(in);
}

// Several semantics may share a register in components of their own.
Value Registers::varying(const Declaration& any, uint32_t component) {
  for (const Declaration& d : p_.declarations)
    if (d.dst.reg.is(any.dst.reg.file, any.dst.reg.number) && (d.dst.mask >> component & 1))
      return varying(semantic_of(d.usage, d.usage_index), component, d.dst.centroid);
  return b_.u32(0);
}

Value Registers::varying(SemanticName name, uint32_t component, bool centroid) {
  ir::Input in;
  in.semantic = name.name;
  in.index = name.index;
  in.component = static_cast<uint8_t>(component);
  if (name.name == ir::Semantic::Color) in.interpolation = ir::Interpolation::Color;
  if (centroid) in.location = ir::Location::Centroid;
  return b_.input(in);
}

Value Registers::coordinate(uint32_t stage, uint32_t component) {
  const Declaration* const dcl = declaration_of(File::Texture, stage);
  return varying(semantic_of(Usage::Texcoord, stage), component, dcl && dcl->dst.centroid);
}

// vPos counts whole pixels; only the sign of vFace counts.
Value Registers::misc(uint32_t number, uint32_t component) {
  ir::Input in;
  in.semantic = number == kMiscPosition ? ir::Semantic::Position : ir::Semantic::Face;
  in.component = static_cast<uint8_t>(number == kMiscPosition ? component : 0);
  if (number == kMiscPosition && component >= 2) return b_.u32(0);
  if (number == kMiscPosition) b_.program().pixel_center_integer = true;
  return b_.input(in);
}

// ---- constants -----------------------------------------------------------------------------------------------------

bool Registers::is_known_number(const Register& reg, uint32_t component) const {
  if (reg.relative || reg.file != File::Const) return false;
  const auto found = defined_.find({File::Const, reg.number});
  return found != defined_.end() && !is_nan(found->second->words[component]);
}

Value Registers::limited(Value constant) {
  if (version_.is_vertex() || version_.model > 1) return constant;
  return b_.op(Op::FMin, {b_.op(Op::FMax, {constant, b_.f32(-1)}), b_.f32(1)});
}

Value Registers::constant(const Register& reg, uint32_t component) {
  if (reg.relative) return relative_constant(index_of(reg), component);
  if (const auto found = defined_.find({File::Const, reg.number}); found != defined_.end())
    return b_.u32(found->second->words[component]);
  return b_.constant(kFloatConstants, reg.number * 4 + component);
}

// The program's own constants are seen through relative addresses, too.
Value Registers::relative_constant(Value index_v, uint32_t component) {
  const uint32_t count = version_.is_vertex() ? kVertexConstants : register_count(File::Const, p_.version);
  const Value inside_v = b_.op(Op::ULt, {index_v, b_.u32(count)});
  const Value word_v = b_.op(Op::Select, {inside_v, b_.op(Op::Shl, {index_v, b_.u32(2)}), b_.u32(kBeyondAnyArray)});
  Value result = b_.constant_at(kFloatConstants, b_.op(Op::IAdd, {word_v, b_.u32(component)}));
  for (const auto& [key, definition] : defined_)
    if (key.first == File::Const)
      result = b_.op(Op::Select,
                     {b_.op(Op::IEq, {index_v, b_.u32(key.second)}), b_.u32(definition->words[component]), result});
  return result;
}

Value Registers::int_constant(uint32_t number, uint32_t component) {
  const auto found = defined_.find({File::ConstInt, number});
  return found != defined_.end() ? b_.u32(found->second->words[component])
                                 : b_.constant(kIntConstants, number * 4 + component);
}

Value Registers::bool_constant(uint32_t number) {
  const auto found = defined_.find({File::ConstBool, number});
  return found != defined_.end() ? b_.u32(found->second->words[0]) : b_.constant(kBoolConstants, number);
}

// ---- outputs -------------------------------------------------------------------------------------------------------

void Registers::set_depth(Value depth) { write({.file = File::DepthOut}, 0, depth); }

void Registers::write_outputs() {
  if (!version_.is_vertex()) return write_pixel_outputs();
  return version_.model < 3 ? write_rasterizer_outputs() : write_declared_outputs();
}

// Colours and the fog factor are clamped a vertex.
void Registers::write_rasterizer_outputs() {
  for (const auto& [key, components] : variables_) {
    const auto [file, number] = key;
    const bool is_scalar = file == File::RasterOut && number != kRasterPosition;
    const bool is_clamped = file == File::ColorOut || (file == File::RasterOut && number == kRasterFog);
    SemanticName name;
    if (file == File::RasterOut)
      name = semantic_of(number == kRasterPosition ? Usage::Position
                         : number == kRasterFog    ? Usage::Fog
                                                   : Usage::PSize,
                         0);
    else if (file == File::ColorOut || file == File::TexcoordOut)
      name = semantic_of(file == File::ColorOut ? Usage::Color : Usage::Texcoord, number);
    else
      continue;
    for (uint32_t c = 0; c < (is_scalar ? 1u : 4u); ++c) {
      const Value value = b_.read(components[c]);
      b_.output(name.name, name.index, c, is_clamped ? b_.op(Op::FSat, {value}) : value);
    }
  }
}

void Registers::write_declared_outputs() {
  for (const Declaration& d : p_.declarations) {
    if (d.dst.reg.file != File::Output) continue;
    const SemanticName name = semantic_of(d.usage, d.usage_index);
    for (uint32_t c = 0; c < 4; ++c)
      if (d.dst.mask >> c & 1) b_.output(name.name, name.index, c, read(d.dst.reg, c));
  }
}

// A target whose register is not written keeps what it holds.
void Registers::write_pixel_outputs() {
  for (const auto& [key, components] : variables_) {
    const bool is_color = key.first == File::Target || (version_.model == 1 && key == Key{File::Temp, 0});
    for (uint32_t c = 0; c < 4 && is_color; ++c) b_.output(ir::Semantic::Color, key.second, c, b_.read(components[c]));
    if (key.first != File::DepthOut) continue;
    b_.program().writes_depth = true;
    b_.output(ir::Semantic::Position, 0, 2, b_.op(Op::FSat, {b_.read(components[0])}));
  }
}

}  // namespace tessera::d3d9
