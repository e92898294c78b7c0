// shader/regions.h: which instructions belong to one region, found once for those who walk a program.
#pragma once

#include <vector>

#include "shader/ir.h"

namespace tessera::ir {

// By instruction; kNone where it does not apply. The program must have passed verify().
struct RegionMap {
  static constexpr uint32_t kNone = ~0u;
  std::vector<uint32_t> begin;      // Else, EndIf, EndBlock, EndLoop, Exit, Again: the If, Block or Loop it belongs to
  std::vector<uint32_t> end;        // If, Block, Loop, Else: the EndIf, EndBlock or EndLoop
  std::vector<uint32_t> else_of;    // If: its Else
  std::vector<uint32_t> parent;     // every instruction: the If, Block or Loop directly around it
};

RegionMap map_regions(const Program& program);

}  // namespace tessera::ir
