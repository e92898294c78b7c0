// shader/tgsi/lower_registers.cpp: where each register lives, and how it is read and written.
#include <algorithm>

#include "shader/tgsi/lowering.h"

namespace tessera::tgsi {
namespace {

constexpr uint32_t kSubgroupSize = 4;
constexpr uint32_t kBeyondAnyArray = 0xfffffffc;   // a word index that stays out of range with a channel added

bool keeps_indirect_array(File file) {
  return file == File::Temp || file == File::Out || file == File::In || file == File::Imm || file == File::Sv;
}

}  // namespace

Registers::Registers(Builder& b, const Program& p) : b_(b), p_(p) {
  for (const Declaration& d : p.declarations) {
    for (uint32_t r = d.first; r <= d.last && d.file != File::Const; ++r) declared_.emplace(std::pair{d.file, r}, &d);
    if (d.file == File::Const) constant_count_[d.dimension] = std::max(constant_count_[d.dimension], d.last + 1);
  }
  find_indirect_accesses();
  make_variables();
  make_arrays();
}

void Registers::find_indirect_accesses() {
  for (const Destination& dst : p_.destinations) note_register(dst.reg);
  for (const Source& src : p_.sources_list)
    if (!src.literal) note_register(src.reg);
  for (const Offset& offset : p_.offset_list) note_register(offset.reg);
  for (const Declaration& d : p_.declarations)
    if (d.file == File::Out)
      for (uint32_t r = d.first; r <= d.last; ++r) note_use(File::Out, r);
}

void Registers::note_register(const Register& reg) {
  if (reg.index.indirect) {
    note_index(reg.index);
    if (keeps_indirect_array(reg.file) && !is_of_vertex(reg) && !is_patch_output(reg)) indirect_ids_[reg.file].insert(reg.index.array_id);
  } else {
    note_use(reg.file, static_cast<uint32_t>(reg.index.value));
  }
  if (reg.two_dimensional) note_index(reg.dimension);
}

void Registers::note_index(const Index& index) {
  if (index.indirect) note_use(index.file, index.reg);
}

void Registers::note_use(File file, uint32_t reg) {
  if (is_variable(file)) variables_.try_emplace({file, reg});
}

// All start as 0 at the outermost level. Those that an array holds are never used: the passes drop them.
void Registers::make_variables() {
  const Value zero = b_.u32(0);
  for (auto& [name, channels] : variables_)
    for (Var& channel : channels) channel = b_.var(zero);
}

// An access without an array id may reach the whole file: then one array holds all of it.
void Registers::make_arrays() {
  for (const auto& [file, ids] : indirect_ids_) {
    if (file == File::Imm) {
      if (!p_.immediates.empty()) make_array(file, 0, static_cast<uint32_t>(p_.immediates.size() - 1));
      continue;
    }
    const bool whole_file = ids.contains(0);
    uint32_t first = ~0u, last = 0;
    for (const Declaration& d : p_.declarations) {
      if (d.file != file) continue;
      first = std::min(first, d.first);
      last = std::max(last, d.last);
      if (!whole_file && ids.contains(d.array_id)) make_array(file, d.first, d.last);
    }
    if (whole_file && first <= last) make_array(file, first, last);
    for (const Declaration& d : p_.declarations) {
      if (d.file != file || d.array_id == 0) continue;
      if (const Range* holder = range_of(file, d.first))
        named_arrays_.emplace(std::pair{file, d.array_id}, Range{d.first, d.last - d.first + 1, holder->array, holder->array_first});
    }
  }
}

void Registers::make_array(File file, uint32_t first, uint32_t last) {
  Range range{first, last - first + 1, 0, first};
  array_words_ += range.count * 4;
  range.array = b_.private_array(range.count * 4);
  arrays_.emplace(std::pair{file, first}, range);
  if (!is_variable(file)) fill_array(range, file);
}

// Inputs, system values and immediates are copied in when the program begins.
void Registers::fill_array(const Range& range, File file) {
  for (uint32_t r = range.first; r < range.first + range.count; ++r) {
    const Declaration* d = file == File::Imm ? nullptr : declaration_of(file, r);
    if (file != File::Imm && !d) continue;
    if (file == File::In && d->dimension_kind != Declaration::Dimension::None) continue;   // is of a vertex
    for (uint32_t c = 0; c < 4; ++c)
      b_.array_store(range.array, b_.u32((r - range.first) * 4 + c), direct_value(file, r, c));
  }
}

const Declaration* Registers::declaration_of(File file, uint32_t reg) const {
  const auto it = declared_.find({file, reg});
  return it == declared_.end() ? nullptr : it->second;
}

const Registers::Range* Registers::range_of(File file, uint32_t reg) const {
  auto after = arrays_.upper_bound({file, reg});
  if (after == arrays_.begin()) return nullptr;
  const auto& [name, range] = *std::prev(after);
  return name.first == file && reg - range.first < range.count ? &range : nullptr;
}

// What an access may reach: the declaration with its array id, else the whole file.
const Registers::Range* Registers::range_of_access(File file, uint32_t array_id) const {
  if (array_id) {
    const auto named = named_arrays_.find({file, array_id});
    return named == named_arrays_.end() ? nullptr : &named->second;
  }
  const auto whole = arrays_.lower_bound({file, 0});
  return whole == arrays_.end() || whole->first.first != file ? nullptr : &whole->second;
}

Registers::Place Registers::resolve(const Register& reg) {
  Place place{&reg, {}, {}};
  if (reg.index.indirect) place.index_v = index_value(reg.index);
  if (reg.two_dimensional && reg.dimension.indirect) place.dimension_v = index_value(reg.dimension);
  return place;
}

Value Registers::index_value(const Index& index) {
  Register base;
  base.file = index.file;
  base.index.value = static_cast<int32_t>(index.reg);
  const Value base_v = read(Place{&base, {}, {}}, index.component);
  return index.value == 0 ? base_v : b_.op(Op::IAdd, {base_v, b_.u32(static_cast<uint32_t>(index.value))});
}

// The word of the array where the register's x lies; out of any range where the access leaves `range`.
Value Registers::safe_word(const Range& range, Value index_v) {
  const Value in_range_v = b_.op(Op::ISub, {index_v, b_.u32(range.first)});
  const Value inside_v = b_.op(Op::ULt, {in_range_v, b_.u32(range.count)});
  const Value element_v = b_.op(Op::ISub, {index_v, b_.u32(range.array_first)});
  return b_.op(Op::Select, {inside_v, b_.op(Op::Shl, {element_v, b_.u32(2)}), b_.u32(kBeyondAnyArray)});
}

Value Registers::read(const Place& place, uint32_t channel) {
  const Register& reg = *place.reg;
  if (reg.file == File::Const) return read_constant(place, channel);
  if (is_of_vertex(reg)) return read_vertex(place, channel);
  if (is_patch_output(reg)) return read_patch(place, channel);
  if (place.index_v) {
    const Range* range = range_of_access(reg.file, reg.index.array_id);
    if (!range) return b_.u32(0);
    return b_.array_load(range->array, b_.op(Op::IAdd, {safe_word(*range, *place.index_v), b_.u32(channel)}));
  }
  const uint32_t number = static_cast<uint32_t>(reg.index.value);
  if (is_variable(reg.file))
    if (const Range* range = range_of(reg.file, number))
      return b_.array_load(range->array, b_.u32((number - range->first) * 4 + channel));
  return direct_value(reg.file, number, channel);
}

void Registers::write(const Place& place, uint32_t channel, Value value) {
  const Register& reg = *place.reg;
  if (is_patch_output(reg)) return write_patch(place, channel, value);
  if (place.index_v) {
    const Range* range = range_of_access(reg.file, reg.index.array_id);
    if (range) b_.array_store(range->array, b_.op(Op::IAdd, {safe_word(*range, *place.index_v), b_.u32(channel)}), value);
    return;
  }
  if (reg.file == File::Null) return;
  const uint32_t number = static_cast<uint32_t>(reg.index.value);
  if (const Range* range = range_of(reg.file, number))
    b_.array_store(range->array, b_.u32((number - range->first) * 4 + channel), value);
  else
    b_.write(variables_.at({reg.file, number})[channel], value);
}

Value Registers::direct_value(File file, uint32_t reg, uint32_t channel) {
  if (is_variable(file)) return b_.read(variables_.at({file, reg})[channel]);
  if (file == File::Imm) return b_.u32(p_.immediates[reg].words[channel]);
  if (const Declaration* dcl = declaration_of(file, reg)) return input_word(*dcl, reg, channel);
  return b_.u32(0);
}

// A vertex attribute is known by its number, everything else by its semantic.
ir::Input Registers::input_of(const Declaration& dcl, uint32_t reg, uint32_t channel) const {
  ir::Input in;
  in.component = static_cast<uint8_t>(channel);
  in.system_value = dcl.file == File::Sv;
  if (dcl.semantic) {
    in.semantic = dcl.semantic->name;
    in.index = static_cast<uint16_t>(dcl.semantic->index + (reg - dcl.first));
  }
  if (p_.stage == Stage::Vertex && !in.system_value) {
    in.semantic = Semantic::Generic;
    in.index = static_cast<uint16_t>(reg);
  }
  in.interpolation = dcl.interpolation.value_or(in.system_value ? Interpolation::Constant : Interpolation::Perspective);
  in.location = dcl.location.value_or(Location::Center);
  return in;
}

// What every lane knows of its subgroup, the quad. Masks are 64 bits in xy.
std::optional<Value> Registers::subgroup_word(Semantic name, uint32_t channel) {
  if (name < Semantic::SubgroupSize || name > Semantic::SubgroupLtMask) return std::nullopt;
  if (channel != 0) return b_.u32(0);
  if (name == Semantic::SubgroupSize) return b_.u32(kSubgroupSize);
  const Value lane_v = b_.op(Op::LaneInQuad, {});
  const auto mask_from = [&](uint32_t first) { return b_.op(Op::And, {b_.op(Op::Shl, {b_.u32(first), lane_v}), b_.u32(15)}); };
  switch (name) {
    case Semantic::SubgroupEqMask: return mask_from(1);
    case Semantic::SubgroupGeMask: return mask_from(15);
    case Semantic::SubgroupGtMask: return mask_from(14);
    case Semantic::SubgroupLeMask: return b_.op(Op::Xor, {mask_from(14), b_.u32(15)});
    case Semantic::SubgroupLtMask: return b_.op(Op::Xor, {mask_from(15), b_.u32(15)});
    default: return lane_v;
  }
}

// A program that says how many words of user data it takes has no others.
bool Registers::is_left_out(Semantic name, uint32_t channel) const {
  if (name != Semantic::CsUserData) return false;
  return channel >= p_.property(PropertyName::CsUserDataComponentsAmd).value_or(4);
}

Value Registers::input_word(const Declaration& dcl, uint32_t reg, uint32_t channel) {
  if (dcl.file == File::Sv) {
    if (const std::optional<Value> word = subgroup_word(dcl.semantic->name, channel)) return *word;
    if (is_left_out(dcl.semantic->name, channel)) return b_.u32(0);
  }
  return b_.input(input_of(dcl, reg, channel));
}

// CONST[i] is CONST[0][i]. An index beyond the declared range reads 0.
Value Registers::read_constant(const Place& place, uint32_t channel) {
  if (!place.dimension_v)
    return read_constant_of(place.reg->two_dimensional ? static_cast<uint32_t>(place.reg->dimension.value) : 0, place, channel);
  Value result = b_.u32(0);
  for (const auto& [buffer, count] : constant_count_) {
    const Value is_it_v = b_.op(Op::IEq, {*place.dimension_v, b_.u32(buffer)});
    result = b_.op(Op::Select, {is_it_v, read_constant_of(buffer, place, channel), result});
  }
  return result;
}

Value Registers::read_constant_of(uint32_t buffer, const Place& place, uint32_t channel) {
  if (!place.index_v) return b_.constant(buffer, static_cast<uint32_t>(place.reg->index.value) * 4 + channel);
  const auto count = constant_count_.find(buffer);
  const Range range{0, count == constant_count_.end() ? 0 : count->second, 0, 0};
  return b_.constant_at(buffer, b_.op(Op::IAdd, {safe_word(range, *place.index_v), b_.u32(channel)}));
}

}  // namespace tessera::tgsi
