// shader/tgsi/lower_outputs.cpp: what leaves a program at its end or with each vertex that it emits, and what comes in
// from neighbouring stages: the vertices of a primitive, the target's colour.
#include <algorithm>

#include "shader/tgsi/lowering.h"

namespace tessera::tgsi {
namespace {

enum DepthLayout : uint8_t { kNone, kAny, kGreater, kLess, kUnchanged };   // FS_DEPTH_LAYOUT

// A fragment's POSITION is its depth, in z; STENCIL is in y, SAMPLEMASK in x.
uint8_t output_channels(const Declaration& d, Stage stage) {
  if (stage != Stage::Fragment) return d.usage_mask;
  if (d.semantic->name == Semantic::Position) return 4;
  if (d.semantic->name == Semantic::Stencil) return 2;
  if (d.semantic->name == Semantic::SampleMask) return 1;
  return d.usage_mask;
}

Register output_register(uint32_t number) {
  Register reg;
  reg.file = File::Out;
  reg.index.value = static_cast<int32_t>(number);
  return reg;
}

}  // namespace

// Some registers are declared twice, with the same or with other channels.
template <class Visit>
void Registers::for_each_output(Visit visit) const {
  std::map<uint32_t, uint8_t> visited;
  for (const Declaration& d : p_.declarations) {
    if (d.file != File::Out || !d.semantic) continue;
    for (uint32_t r = d.first; r <= d.last; ++r) {
      const uint8_t channels = output_channels(d, p_.stage) & ~visited[r];
      visited[r] |= channels;
      for (uint32_t c = 0; c < 4; ++c)
        if (channels >> c & 1) visit(d, r, c);
    }
  }
}

// What the program promised of its depth holds: a written depth on the wrong side is the fragment's own.
static Value promised_depth(Builder& b, uint8_t layout, Value written) {
  ir::Input own;
  own.semantic = Semantic::Position;
  own.component = 2;
  if (layout == kGreater) return b.op(Op::FMax, {b.input(own), written});
  return layout == kLess ? b.op(Op::FMin, {b.input(own), written}) : written;
}

void Registers::write_outputs() {
  const uint8_t layout = b_.program().depth_layout;
  for_each_output([&](const Declaration& d, uint32_t r, uint32_t c) {
    const Register reg = output_register(r);
    const bool depth = p_.stage == Stage::Fragment && d.semantic->name == Semantic::Position;
    if (depth && layout == kUnchanged) return;
    const Value value = read(Place{&reg, {}, {}}, c);
    b_.output(d.semantic->name, d.semantic->index + (r - d.first), c, depth ? promised_depth(b_, layout, value) : value);
  });
}

// ---- geometry: vertices out --------------------------------------------------------------------------------------------

void Registers::declare_emitted_outputs() {
  for_each_output([&](const Declaration& d, uint32_t r, uint32_t c) {
    b_.emitted_output(d.semantic->name, d.semantic->index + (r - d.first), c, d.streams ? (*d.streams)[c] : 0);
  });
}

// The outputs keep what they hold: nothing is undefined behind EMIT.
void Registers::emit_vertex(Value stream) {
  std::vector<Value> words;
  for_each_output([&](const Declaration&, uint32_t r, uint32_t c) {
    const Register reg = output_register(r);
    words.push_back(read(Place{&reg, {}, {}}, c));
  });
  b_.emit(stream, words);
}

// ---- vertices in -------------------------------------------------------------------------------------------------------

// A primitive's number may be written with a vertex or without: it has none.
bool Registers::is_of_vertex(const Register& reg) const {
  if (reg.file != File::In || !reg.two_dimensional || p_.stage == Stage::Vertex || p_.stage == Stage::Fragment) return false;
  const Declaration* d = reg.index.indirect ? nullptr : declaration_of(File::In, static_cast<uint32_t>(reg.index.value));
  return !d || !d->semantic || d->semantic->name != Semantic::PrimitiveId;
}

// IN[vertex][register]. A register that is only known when the program runs is picked from all that are declared, or
// from those of its array.
Value Registers::read_vertex(const Place& place, uint32_t channel) {
  const Register& reg = *place.reg;
  const Value vertex = place.dimension_v ? *place.dimension_v : b_.u32(static_cast<uint32_t>(reg.dimension.value));
  if (!place.index_v) {
    const auto number = static_cast<uint32_t>(reg.index.value);
    const Declaration* d = declaration_of(File::In, number);
    return d ? b_.vertex_input(input_of(*d, number, channel), vertex) : b_.u32(0);
  }
  Value result = b_.u32(0);
  for (const Declaration& d : p_.declarations) {
    if (d.file != File::In || d.dimension_kind == Declaration::Dimension::None) continue;
    if (reg.index.array_id && d.array_id != reg.index.array_id) continue;
    for (uint32_t r = d.first; r <= d.last; ++r) {
      const Value is_it_v = b_.op(Op::IEq, {*place.index_v, b_.u32(r)});
      result = b_.op(Op::Select, {is_it_v, b_.vertex_input(input_of(d, r, channel), vertex), result});
    }
  }
  return result;
}

// ---- the target's colour -----------------------------------------------------------------------------------------------

Value Registers::fetch_target(const Register& color_output, uint32_t channel) {
  const auto number = static_cast<uint32_t>(color_output.index.value);
  const Declaration* d = declaration_of(File::Out, number);
  if (!d) return b_.u32(0);
  ir::Input in;
  in.semantic = Semantic::Color;
  in.index = static_cast<uint16_t>(d->semantic->index + (number - d->first));
  in.component = static_cast<uint8_t>(channel);
  in.of_target = true;
  return b_.input(in);
}

}  // namespace tessera::tgsi
