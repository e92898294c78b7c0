// texture/kind.h: what the kinds of views are like. One table for checks, binding and messages.
#pragma once

#include <optional>
#include <string_view>

#include "core/resource.h"
#include "shader/ir.h"

namespace tessera::texture {

// Kinds whose slices lie in memory alike; a view may name any kind of its storage's family.
enum class KindFamily : uint8_t { Buffer, Lines, Images, Volume };

struct KindFacts {
  std::string_view name;
  KindFamily family;
  uint8_t dimensions;            // filtered ones: a cube has 2
  bool is_cube = false, is_array = false;
};

inline constexpr KindFacts kKindFacts[] = {   // indexed by ResourceKind
    {"a buffer", KindFamily::Buffer, 1},
    {"1D", KindFamily::Lines, 1},
    {"2D", KindFamily::Images, 2},
    {"3D", KindFamily::Volume, 3},
    {"a cube", KindFamily::Images, 2, true},
    {"a rectangle", KindFamily::Images, 2},
    {"a 1D array", KindFamily::Lines, 1, false, true},
    {"a 2D array", KindFamily::Images, 2, false, true},
    {"a cube array", KindFamily::Images, 2, true, true}};

inline const KindFacts& kind_facts(ResourceKind kind) { return kKindFacts[static_cast<size_t>(kind)]; }

// The kind that instructions with this target sample or access; none for Unknown.
std::optional<ResourceKind> kind_of_target(ir::TextureTarget target);

}  // namespace tessera::texture
