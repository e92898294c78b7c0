// shader/d3d9/versions.h: the table of versions.def, and sets of versions for the other tables.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "shader/ir.h"

namespace tessera::d3d9 {

enum class Version : uint8_t {
#define VERSION(name, ...) name,
#include "shader/d3d9/versions.def"
#undef VERSION
};

inline constexpr size_t kVersionCount = 0
#define VERSION(...) +1
#include "shader/d3d9/versions.def"
#undef VERSION
    ;
inline constexpr uint32_t kNoLimit = ~0u;

struct VersionInfo {
  std::string_view name;
  uint32_t word;                         // first of the bytecode
  ir::Stage stage;
  uint32_t model;                        // 1, 2 or 3
  uint32_t slots, texture_slots;
  uint32_t static_ifs, dynamic, loops, calls, branches;

  bool is_vertex() const { return stage == ir::Stage::Vertex; }
};
const VersionInfo& version_info(Version version);
std::optional<Version> version_from_word(uint32_t word);
std::optional<Version> version_from_name(std::string_view lower_case_name);   // `vs_1_1` or `vs.1.1`

// A set of versions, bit by bit.
using Versions = uint32_t;
namespace in {
#define VERSION(name, ...) inline constexpr Versions name = 1u << static_cast<uint32_t>(Version::name);
#include "shader/d3d9/versions.def"
#undef VERSION
// "up": and all later ones of the stage. Version 1_0 goes with 1_1.
inline constexpr Versions vs_1 = vs_1_0 | vs_1_1, vs_2 = vs_2_0 | vs_2_x | vs_2_sw, vs_3_up = vs_3_0 | vs_3_sw;
inline constexpr Versions vs_2_x_up = vs_2_x | vs_2_sw | vs_3_up, vs_2_up = vs_2 | vs_3_up, vs = vs_1 | vs_2_up;
inline constexpr Versions ps_1_0_1 = ps_1_0 | ps_1_1, ps_1_2_3 = ps_1_2 | ps_1_3, ps_1_1_3 = ps_1_0_1 | ps_1_2_3;
inline constexpr Versions ps_1 = ps_1_1_3 | ps_1_4, ps_2 = ps_2_0 | ps_2_x | ps_2_sw, ps_3_up = ps_3_0 | ps_3_sw;
inline constexpr Versions ps_2_x_up = ps_2_x | ps_2_sw | ps_3_up, ps_2_up = ps_2 | ps_3_up, ps = ps_1 | ps_2_up;
inline constexpr Versions ps_1_2_up = ps & ~ps_1_0_1;
inline constexpr Versions model_1 = vs_1 | ps_1, model_2 = vs_2 | ps_2, model_3 = vs_3_up | ps_3_up, all = vs | ps;
inline constexpr Versions up_2 = vs_2_up | ps_2_up, flow = vs_2_up | ps_2_x_up, predicated = vs_2_x_up | ps_2_x_up;
inline constexpr Versions software = vs_2_sw | vs_3_sw | ps_2_sw | ps_3_sw;
}  // namespace in

constexpr bool contains(Versions versions, Version version) { return versions >> static_cast<uint32_t>(version) & 1; }

}  // namespace tessera::d3d9
