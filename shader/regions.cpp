#include "shader/regions.h"

namespace tessera::ir {

RegionMap map_regions(const Program& program) {
  const size_t count = program.code.size();
  RegionMap map{std::vector<uint32_t>(count, RegionMap::kNone), std::vector<uint32_t>(count, RegionMap::kNone),
                std::vector<uint32_t>(count, RegionMap::kNone), std::vector<uint32_t>(count, RegionMap::kNone)};
  std::vector<uint32_t> open;
  const auto target = [&](uint32_t region) {
    size_t k = open.size();
    while (k-- > 0)
      if (const Instr& i = program.code[open[k]]; i.op != Op::If && i.imm == region) break;
    return open[k];
  };
  for (uint32_t at = 0; at < count; ++at) {
    const Instr& i = program.code[at];
    const bool ends = i.op == Op::EndIf || i.op == Op::EndBlock || i.op == Op::EndLoop;
    if (ends) {
      map.begin[at] = open.back();
      map.end[open.back()] = at;
      if (i.op == Op::EndIf) map.end[map.else_of[open.back()]] = at;
      open.pop_back();
    }
    if (i.op == Op::Else) {
      map.begin[at] = open.back();
      map.else_of[open.back()] = at;
    }
    if (i.op == Op::Exit || i.op == Op::Again) map.begin[at] = target(i.imm);
    if (!open.empty()) map.parent[at] = open.back();
    if (i.op == Op::If || i.op == Op::Block || i.op == Op::Loop) open.push_back(at);
  }
  return map;
}

}  // namespace tessera::ir
