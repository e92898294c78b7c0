// shader/d3d9/validate_strict.cpp: limits of hardware that this engine does not have.
#include "shader/d3d9/validation.h"

#include <algorithm>

namespace tessera::d3d9 {
namespace {

struct Ports {
  File file;
  Versions versions;
  size_t count;
};
constexpr Ports kPorts[] = {
#define PORTS(file, versions, count) {File::file, versions, count},
#include "shader/d3d9/registers.def"
};

}  // namespace

void Validation::check_strict() {
  for (const Instruction& inst : p.instructions) {
    const std::string_view letters = opcode_info(inst.opcode).srcs;
    for (size_t i = 0; i < letters.size(); ++i)
      if (letters[i] == 'S' && !is_replicate(p.srcs(inst)[i].swizzle))
        fail(Rule::scalar_swizzle, p.srcs(inst)[i].reg.loc, "{} reads one component here",
             opcode_info(inst.opcode).text);
    check_ports(inst);
    check_outputs(inst);
  }
  check_gradients();
  check_dependent_reads();
  check_color();
}

void Validation::check_ports(const Instruction& inst) {
  for (const Ports& ports : kPorts) {
    if (!in_version(ports.versions)) continue;
    std::vector<uint32_t> distinct;
    for (const Source& src : p.srcs(inst))
      if (src.reg.file == ports.file && std::ranges::find(distinct, src.reg.number) == distinct.end())
        distinct.push_back(src.reg.number);
    if (distinct.size() > ports.count)
      fail(Rule::read_ports, inst.loc, "{} reads {} {} registers, in {} an instruction may read {}",
           opcode_info(inst.opcode).text, distinct.size(), file_info(ports.file).text, v.name, ports.count);
  }
}

void Validation::check_outputs(const Instruction& inst) {
  for (const Destination& dst : p.dsts(inst)) {
    if (dst.reg.file == File::Target && in_version(in::ps_2_0) && inst.opcode != Opcode::Op_mov)
      fail(Rule::output_by_mov, dst.reg.loc, "{} is written by mov in {}", name(dst.reg), v.name);
  }
}

// oDepth as well: its one write is decided by no branch.
void Validation::check_gradients() {
  uint32_t depth_writes = 0, dynamic_count = 0;
  std::vector<bool> dynamic;             // of the open blocks: lanes decide
  for (const Instruction& inst : p.instructions) {
    const OpcodeInfo& info = opcode_info(inst.opcode);
    const bool opens = inst.opcode == Opcode::Op_if_ || inst.opcode == Opcode::Op_if_cc ||
                       inst.opcode == Opcode::Op_loop || inst.opcode == Opcode::Op_rep;
    const bool closes =
        inst.opcode == Opcode::Op_endif || inst.opcode == Opcode::Op_endloop || inst.opcode == Opcode::Op_endrep;
    if (opens) dynamic.push_back(inst.opcode == Opcode::Op_if_cc || p.srcs(inst)[0].reg.file == File::Predicate);
    if (opens) dynamic_count += dynamic.back();
    if (closes && !dynamic.empty()) {
      dynamic_count -= dynamic.back();
      dynamic.pop_back();
    }
    if (info.has(trait::Gradient) && dynamic_count)
      fail(Rule::gradient_in_branch, inst.loc, "{} stands in a branch that lanes decide", info.text);
    for (const Destination& dst : p.dsts(inst))
      if (dst.reg.file == File::DepthOut && (++depth_writes > 1 || !dynamic.empty()))
        fail(Rule::output_by_mov, dst.reg.loc, "oDepth is written once, outside of blocks");
  }
}

// Levels: how many texture reads, each depending on the one before, lie behind a register's value.
void Validation::check_dependent_reads() {
  constexpr uint32_t kMaxLevels = 4;
  if (!in_version(in::ps_2_0)) return;
  std::unordered_map<uint64_t, uint32_t> levels;
  for (const Instruction& inst : p.instructions) {
    uint32_t level = 0;
    for (const Source& src : p.srcs(inst)) {
      const auto at = levels.find(key(src.reg));
      if (at != levels.end()) level = std::max(level, at->second);
    }
    if (opcode_info(inst.opcode).group == OpGroup::Texture && inst.opcode != Opcode::Op_texkill && ++level > kMaxLevels)
      fail(Rule::dependent_reads, inst.loc, "this read depends on {} others", level - 1);
    if (inst.opcode == Opcode::Op_texkill) continue;
    for (const Destination& dst : p.dsts(inst)) {
      uint32_t& old = levels[key(dst.reg)];
      old = dst.mask == 0xf ? level : std::max(old, level);
    }
  }
}

void Validation::check_color() {
  if (v.is_vertex()) return;
  const File file = v.model == 1 ? File::Temp : File::Target;
  const bool written = std::ranges::any_of(p.destinations, [&](const Destination& dst) { return dst.reg.is(file, 0); });
  if (!written) fail(Rule::color_missing, p.end, "the pixel shader does not write {}", register_name(file, 0));
}

}  // namespace tessera::d3d9
