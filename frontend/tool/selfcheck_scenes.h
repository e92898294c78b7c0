// frontend/tool/selfcheck_scenes.h: the scenes whose pictures `tessera selfcheck` hashes. They need no files and touch
// each stage: interpolation, textures with mips, a cube, transcendental functions, loops, kill, depth, stencil, blending.
// A change here changes the committed hash.
#pragma once

#include <span>
#include <string_view>

namespace tessera::tool {

struct BuiltInScene { std::string_view name, text; };
std::span<const BuiltInScene> selfcheck_scenes();

}  // namespace tessera::tool
