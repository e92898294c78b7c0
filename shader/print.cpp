#include "shader/print.h"

#include <fmt/format.h>

#include "shader/names.h"

namespace tessera::ir {
namespace {

using Out = std::back_insert_iterator<std::string>;

void print_input(Out out, const Input& i) {
  fmt::format_to(out, "input {}[{}].{}", name_of(i.semantic), i.index, "xyzw"[i.component]);
  if (i.system_value) fmt::format_to(out, " system");
  else if (i.of_target) fmt::format_to(out, " target");
  else if (i.per_vertex) fmt::format_to(out, " vertex");
  else fmt::format_to(out, " {} {}", name_of(i.interpolation), name_of(i.location));
  if (i.part != InputPart::Value) fmt::format_to(out, " part {}", name_of(i.part));
  fmt::format_to(out, "\n");
}

void print_output(Out out, const Output& o) {
  fmt::format_to(out, "output {}[{}].{}", name_of(o.semantic), o.index, "xyzw"[o.component]);
  if (o.value == kNoValue) fmt::format_to(out, " _");
  else fmt::format_to(out, " %{}", o.value);
  if (o.stream != 0) fmt::format_to(out, " stream {}", o.stream);
  fmt::format_to(out, "\n");
}

void print_primitives(Out out, const Program& p) {
  if (const GeometryFacts& g = p.geometry; g != GeometryFacts{})
    fmt::format_to(out, "geometry {} {} {} {}\n", g.input_primitive, g.output_primitive, g.max_vertices, g.invocations);
  if (const TessellationFacts& t = p.tessellation; t != TessellationFacts{})
    fmt::format_to(out, "tessellation {} {} {} {} {}\n", t.vertices_out, t.primitive, t.spacing, int{t.clockwise},
                   int{t.point_mode});
  if (p.clip_distances + p.cull_distances != 0)
    fmt::format_to(out, "distances {} {}\n", p.clip_distances, p.cull_distances);
}

void print_texture_op(Out out, const TextureOp& t) {
  fmt::format_to(out, "texture_op {} {} binding {}", name_of(t.kind), name_of(t.target), t.binding);
  if (t.component != 0) fmt::format_to(out, " component {}", t.component);
  for (uint32_t k = 0; k < t.offset_count; ++k)
    fmt::format_to(out, " offset {} {} {}", t.offset[k][0], t.offset[k][1], t.offset[k][2]);
  fmt::format_to(out, "\n");
}

void print_memory_op(Out out, const MemoryOp& m) {
  fmt::format_to(out, "memory_op {} binding {}", name_of(m.space), m.binding);
  if (m.space == MemorySpace::Image) fmt::format_to(out, " target {} format {}", name_of(m.target), format_info(m.format).name);
  if (m.atomic != AtomicKind::Add) fmt::format_to(out, " atomic {}", name_of(m.atomic));
  if (m.first_word != 0) fmt::format_to(out, " first_word {}", m.first_word);
  fmt::format_to(out, "\n");
}

void print_instr(Out out, const Program& p, const Instr& i) {
  const OpInfo& info = op_info(i.op);
  for (uint32_t k = 0; k < i.result_count; ++k) fmt::format_to(out, "%{} ", i.result + k);
  fmt::format_to(out, "{}{}", i.result_count > 0 ? "= " : "", info.name);
  if (info.is(trait::ImmBits)) fmt::format_to(out, " 0x{:08x}", i.imm);
  else if (info.is(trait::ImmMask)) fmt::format_to(out, " {}", i.imm);
  for (uint32_t k = 0; k < i.arg_count; ++k) {
    const ValueId v = p.args[i.first_arg + k];
    if (v == kNoValue) fmt::format_to(out, " _");
    else fmt::format_to(out, " %{}", v);
  }
}

bool opens(Op op) { return op == Op::If || op == Op::Else || op == Op::Block || op == Op::Loop; }
bool closes(Op op) { return op == Op::Else || op == Op::EndIf || op == Op::EndBlock || op == Op::EndLoop; }

}  // namespace

std::string print(const Program& p) {
  std::string text;
  const Out out = std::back_inserter(text);
  fmt::format_to(out, "stage {}\n", name_of(p.stage));
  for (const Flag& f : kFlags)
    if (p.*f.member) fmt::format_to(out, "flag {}\n", f.name);
  if (p.depth_layout != 0) fmt::format_to(out, "depth_layout {}\n", p.depth_layout);
  if (p.blend_equations != 0) fmt::format_to(out, "blend_equations {}\n", p.blend_equations);
  if (p.block_size != std::array<uint32_t, 3>{})
    fmt::format_to(out, "block_size {} {} {}\n", p.block_size[0], p.block_size[1], p.block_size[2]);
  print_primitives(out, p);
  for (const Input& i : p.inputs) print_input(out, i);
  for (const TextureBinding& b : p.texture_bindings) fmt::format_to(out, "texture_binding {} {}\n", b.view, b.sampler);
  for (const TextureOp& t : p.texture_ops) print_texture_op(out, t);
  for (const MemoryOp& m : p.memory_ops) print_memory_op(out, m);
  for (const uint32_t words : p.private_arrays) fmt::format_to(out, "array {}\n", words);
  for (const Output& o : p.outputs) print_output(out, o);
  fmt::format_to(out, "code\n");
  size_t depth = 0;
  for (const Instr& i : p.code) {
    if (closes(i.op)) --depth;
    fmt::format_to(out, "{:{}}", "", 2 + 2 * depth);
    print_instr(out, p, i);
    if (i.loc != SourceLoc{}) fmt::format_to(out, " @{}:{}", i.loc.line, i.loc.column);
    fmt::format_to(out, "\n");
    if (opens(i.op)) ++depth;
  }
  return text;
}

std::string print(const Program& p, const Instr& i) {
  std::string text;
  print_instr(std::back_inserter(text), p, i);
  return text;
}

}  // namespace tessera::ir
