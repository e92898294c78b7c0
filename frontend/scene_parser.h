// frontend/scene_parser.h: the text of a scene file → Scene. The grammar: scene.md.
// In:     text of any content and size up to kMaxSceneText_bytes; opens no other file, compiles no shader.
// Errors: every one found, at most kMaxSceneDiags, in the order of the text, with line and column.
#pragma once

#include <string_view>

#include "frontend/scene.h"

namespace tessera::scene {

inline constexpr size_t kMaxSceneText_bytes = 64u << 20;
inline constexpr size_t kMaxSceneDiags = 50;

Result<Scene> parse_scene(std::string_view text);
// The same for text that need not have a [test].
Result<Scene> parse_scene_sections(std::string_view text);
// Does the text begin as a scene does, with a section behind comments?
bool looks_like_scene(std::string_view text);

}  // namespace tessera::scene
