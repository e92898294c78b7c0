// frontend/scene_sections.h: one parser for the lines of each kind of section. Each keeps its errors in `diags`.
#pragma once

#include <string_view>
#include <vector>

#include "frontend/scene.h"
#include "frontend/scene_line.h"

namespace tessera::scene {

// A section: its header's words behind the kind, and its lines, the first of which has number loc.line + 1.
struct Section {
  SourceLoc loc;                        // of the header
  std::string_view header;              // "vertex shader tgsi 2007 red"
  std::vector<std::string_view> lines;
};

// Calls parse(line) for each line of the section that has words, and closes it with finish().
template <class Parse>
void for_each_line(const Section& section, std::vector<Diag>& diags, Parse parse) {
  uint32_t number = section.loc.line;
  for (std::string_view text : section.lines) {
    Line line(text, ++number, diags);
    if (line.done()) continue;
    parse(line);
    line.finish();
  }
}

// "blend[1]" → "blend", 1; nothing in brackets → `index` stays empty.
struct IndexedWord { std::string_view name; std::optional<uint32_t> index; };
IndexedWord split_index(Line& line, std::string_view word, uint32_t limit);

Target parse_target(const Section& section, std::vector<Diag>& diags);
Texture parse_texture(const Section& section, bool is_d3d9, std::vector<Diag>& diags);
SamplerSection parse_sampler(const Section& section, bool is_d3d9, std::vector<Diag>& diags);
void parse_d3d9_sampler_line(Line& line, direct3d9::SamplerStates& states);
Buffer parse_buffer(const Section& section, std::vector<Diag>& diags);
ImageSource parse_image(const Section& section, std::vector<Diag>& diags);
StreamOutput parse_stream_output(const Section& section, std::vector<Diag>& diags);
Dispatch parse_dispatch(Line& line);                 // what follows `dispatch`
std::vector<uint32_t> parse_words(Line& line);       // `int` and integers, or float expressions
VertexTable parse_vertex_table(const Section& section, bool instances, std::vector<Diag>& diags);
MeshSource parse_mesh(const Section& section, std::vector<Diag>& diags);
void parse_indices(const Section& section, Geometry& geometry, std::vector<Diag>& diags);
uint32_t largest_index(uint32_t index_bytes);        // all bits set: `restart`
ConstantBlock parse_constant_line(Line& line);       // vertex 0: ..., fragment 1[3]: ...
void parse_state_line(Line& line, State& state);     // one line of [state], or what follows `set`
bool parse_d3d9_state_line(Line& line, D3d9State& state);   // false: no state of Direct3D 9
ConstantBlock parse_d3d9_constant_line(Line& line);  // vertex c0: ..., pixel i0: ..., vertex WorldViewProj: ...
combiners::FragmentState parse_register_combiners(const Section& section, std::vector<Diag>& diags);
combiners::FragmentState parse_texture_environment(const Section& section, std::vector<Diag>& diags);
combiners::FragmentState parse_ati_fragment_shader(const Section& section, std::vector<Diag>& diags);
// A kind of fixed-function state, as it is spelled in headers and behind `use`.
struct FixedFunctionSection {
  std::string_view words;
  FixedFunctionKind kind;
  combiners::FragmentState (*parse)(const Section& section, std::vector<Diag>& diags);
};
inline constexpr FixedFunctionSection kFixedFunctionSections[] = {
    {"register combiners", FixedFunctionKind::RegisterCombiners, parse_register_combiners},
    {"texture environment", FixedFunctionKind::TextureEnvironment, parse_texture_environment},
    {"ati fragment shader", FixedFunctionKind::AtiFragmentShader, parse_ati_fragment_shader},
};
// Takes the words of a kind; null where the next words are others.
const FixedFunctionSection* accept_fixed_function(Line& line);
// The rest of the scene is complete: names are looked up in it.
std::vector<Command> parse_test(const Section& section, const Scene& scene, std::vector<Diag>& diags);

}  // namespace tessera::scene
