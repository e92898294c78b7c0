// shader/tgsi/lower_patch.cpp: outputs of a tessellation control program: memory that a patch's invocations share, so
// that each may read behind a BARRIER what the others wrote. A patch runs as a work group of one block: word k of output
// vertex v is word v * n + k of the group's shared memory, where n is the number of Program::outputs. PATCH, TESSOUTER
// and TESSINNER are words of the vertex behind the last. What nothing writes is 0.
#include <algorithm>
#include <map>
#include <optional>

#include "shader/tgsi/lowering.h"

namespace tessera::tgsi {
namespace {

constexpr uint32_t kBeyondAnyPatch = 0xfffffffc;
namespace arg = ir::mem_arg;

bool belongs_to_vertex(const Declaration& d) { return d.dimension_kind != Declaration::Dimension::None; }

}  // namespace

bool Registers::is_patch_output(const Register& reg) const {
  return p_.stage == Stage::TessCtrl && reg.file == File::Out;
}

// Four words a register, in the order of the registers' numbers.
void Registers::declare_patch_outputs() {
  std::map<uint32_t, const Declaration*> declared;
  for (const Declaration& d : p_.declarations)
    for (uint32_t r = d.first; r <= d.last && d.file == File::Out; ++r) declared.emplace(r, &d);
  for (const auto& [r, d] : declared) {
    patch_word_.emplace(r, static_cast<uint32_t>(4 * patch_word_.size()));
    for (uint32_t c = 0; c < 4; ++c) b_.emitted_output(d->semantic->name, d->semantic->index + (r - d->first), c, 0);
  }
}

// The registers that an access may reach: one; those of its array; or all that are declared with as many brackets.
std::optional<Registers::PatchRange> Registers::patch_range(const Place& place) const {
  const Register& reg = *place.reg;
  if (!place.index_v) {
    const auto number = static_cast<uint32_t>(reg.index.value);
    const Declaration* d = declaration_of(File::Out, number);
    return d ? std::optional(PatchRange{number, number, belongs_to_vertex(*d)}) : std::nullopt;
  }
  std::optional<PatchRange> range;
  for (const Declaration& d : p_.declarations) {
    if (d.file != File::Out) continue;
    if (reg.index.array_id ? d.array_id != reg.index.array_id : belongs_to_vertex(d) != reg.two_dimensional) continue;
    if (!range) range = PatchRange{d.first, d.last, belongs_to_vertex(d)};
    range->first = std::min(range->first, d.first);
    range->last = std::max(range->last, d.last);
  }
  return range;
}

// An output without its vertex is that of the invocation's own.
Value Registers::patch_vertex(const Place& place) {
  if (place.dimension_v) return *place.dimension_v;
  if (place.reg->two_dimensional) return b_.u32(static_cast<uint32_t>(place.reg->dimension.value));
  ir::Input own;
  own.semantic = Semantic::InvocationId;
  own.system_value = true;
  return b_.input(own);
}

// The byte where a word of an output lies; beyond the patch where there is no such register or vertex.
Value Registers::patch_address(const Place& place, uint32_t channel) {
  const std::optional<PatchRange> range = patch_range(place);
  const Value beyond_v = b_.u32(kBeyondAnyPatch);
  if (!range) return beyond_v;
  Value word_v = b_.u32(patch_word_.at(range->first) + channel), inside_v = b_.u32(~0u);
  if (place.index_v) {
    const Value step_v = b_.op(Op::ISub, {*place.index_v, b_.u32(range->first)});
    inside_v = b_.op(Op::ULt, {step_v, b_.u32(range->last - range->first + 1)});
    word_v = b_.op(Op::IAdd, {word_v, b_.op(Op::Shl, {step_v, b_.u32(2)})});
  }
  const Value vertices_v = b_.u32(b_.program().tessellation.vertices_out);
  const Value vertex_v = range->of_vertex ? patch_vertex(place) : vertices_v;
  if (range->of_vertex) inside_v = b_.op(Op::And, {inside_v, b_.op(Op::ULt, {vertex_v, vertices_v})});
  const Value words_v = b_.u32(static_cast<uint32_t>(4 * patch_word_.size()));
  const Value at_v = b_.op(Op::IAdd, {b_.op(Op::IMul, {vertex_v, words_v}), word_v});
  return b_.op(Op::Select, {inside_v, b_.op(Op::Shl, {at_v, b_.u32(2)}), beyond_v});
}

Value Registers::read_patch(const Place& place, uint32_t channel) {
  Value args[arg::Count], result;
  args[arg::X] = patch_address(place, channel);
  b_.memory(Op::MemLoad, {.space = ir::MemorySpace::Shared}, args, {&result, 1});
  return result;
}

void Registers::write_patch(const Place& place, uint32_t channel, Value value) {
  Value args[arg::Count];
  args[arg::X] = patch_address(place, channel);
  args[arg::Value] = value;
  b_.memory(Op::MemStore, {.space = ir::MemorySpace::Shared}, args, {});
}

}  // namespace tessera::tgsi
