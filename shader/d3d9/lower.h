// shader/d3d9/lower.h: valid program → IR. Swizzles, masks, modifiers, subroutines and predicates vanish here.
//
// What the IR sees of a shader:
//   inputs      vertex: v# is attribute number #. Pixel: by semantic, as below
//   outputs     oPos, oD#, oT#, oFog, oPts and o#, v# and t# of pixel shaders: semantic_of() of their usages; what a
//               vs_1_1 to vs_2_x leaves unwritten has Direct3D's default. oC# is COLOR[#], oDepth POSITION.z
//   constants   c# in buffer kFloatConstants, i# in kIntConstants (four words each), b# in kBoolConstants (one word);
//               def, defi and defb are part of the program
//   textures    s#, or the stage's number, is both view and sampler
//   stages      bump mapping of stage n, eight words each in kStageConstants: M00 M01 M10 M11, luminance scale and
//   offset
// Errors: programs that calls make larger than a limit.
#pragma once

#include <array>
#include <optional>

#include "shader/d3d9/program.h"
#include "shader/ir.h"

namespace tessera::d3d9 {

inline constexpr uint32_t kFloatConstants = 0, kIntConstants = 1, kBoolConstants = 2, kStageConstants = 3;
inline constexpr uint32_t kStageWords = 8;
inline constexpr uint32_t kMaxSamplers = 16;

struct LowerOptions {
  bool zero_wins = true;   // 0 times anything is 0, as on hardware of the time; false: as IEEE 754 has it
  // What is bound to each sampler; nothing: as declared, and 2D without a declaration. A texture is sampled as it is.
  std::array<std::optional<SamplerType>, kMaxSamplers> bound{};
  // ps_1_1 to ps_1_3: the coordinate that a stage's others are divided by (1 to 3); 0: none.
  std::array<uint8_t, 4> divided_by{};
  bool operator==(const LowerOptions&) const = default;
};

struct SemanticName {
  ir::Semantic name = ir::Semantic::Generic;
  uint16_t index = 0;
  bool operator==(const SemanticName&) const = default;
};
SemanticName semantic_of(Usage usage, uint32_t usage_index);

// `program` must have passed validate().
Result<ir::Program> lower(const Program& program, const LowerOptions& options = {});

}  // namespace tessera::d3d9
