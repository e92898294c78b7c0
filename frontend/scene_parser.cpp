#include "frontend/scene_parser.h"

#include <fmt/format.h>

#include <algorithm>

#include "frontend/scene_sections.h"

namespace tessera::scene {
namespace {

// In shader sections '#' is the shader language's business, so the header line alone ends a section.
bool is_header(std::string_view line) { return line.starts_with('['); }

constexpr uint32_t kMaxNumbered = 256;   // textures and samplers

class SceneParser {
 public:
  Result<Scene> parse(std::string_view text, bool needs_test) {
    split(text);
    for (const Section& section : sections_)
      scene_.is_d3d9 = scene_.is_d3d9 || section.header.find(" shader d3d9") != std::string_view::npos;
    for (const Section& section : sections_)
      if (!section.header.starts_with("test")) parse_section(section);
    complete();
    if (diags_.empty() && (needs_test || has_test())) parse_tests();
    if (!diags_.empty()) return sorted_diags();
    return std::move(scene_);
  }

 private:
  void split(std::string_view text) {
    uint32_t number = 0;
    while (!text.empty()) {
      const size_t end = text.find('\n');
      std::string_view line = text.substr(0, end);
      text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
      ++number;
      if (is_header(line)) begin_section(line, number);
      else if (!sections_.empty()) sections_.back().lines.push_back(line);
      else if (Line words(line, number, diags_); !words.done()) words.fail_expected("a section in brackets");
    }
  }

  void begin_section(std::string_view line, uint32_t number) {
    line = without_comment(line);
    const size_t end = line.find(']');
    if (end == std::string_view::npos) fail({number, 1}, "the section's header has no ']'");
    else if (line.find_first_not_of(" \t\r", end + 1) != std::string_view::npos)
      fail({number, static_cast<uint32_t>(end + 2)}, "expected the end of the line behind the section's header");
    sections_.push_back({{number, 1}, line.substr(1, end == std::string_view::npos ? end : end - 1), {}});
  }

  void parse_section(const Section& section) {
    // Columns: the header's text begins behind the bracket.
    const std::string header = fmt::format(" {}", section.header);
    Line words(header, section.loc.line, diags_);
    if (const FixedFunctionSection* const kind = accept_fixed_function(words)) {
      insert(section, words, scene_.fixed_functions,
             [&] { return FixedFunction{kind->kind, section.loc, kind->parse(section, diags_)}; });
    } else if (words.accept("target")) {
      insert(section, words, scene_.targets, [&] { return parse_target(section, diags_); });
    } else if (words.accept("texture")) {
      insert_numbered(section, words, scene_.textures, kMaxNumbered,
                      [&] { return parse_texture(section, scene_.is_d3d9, diags_); });
    } else if (words.accept("sampler")) {
      insert_numbered(section, words, scene_.samplers, kMaxNumbered, [&] { return parse_sampler(section, scene_.is_d3d9, diags_); });
    } else if (words.accept("vertex")) {
      if (words.accept("data")) return parse_geometry(section, words, "vertex data");
      parse_shader(section, words, scene_.vertex_shaders);
    } else if (words.accept("fragment") || words.accept("pixel")) {
      parse_shader(section, words, scene_.fragment_shaders);
    } else if (words.accept("compute")) {
      parse_shader(section, words, scene_.compute_shaders);
    } else if (words.accept("geometry")) {
      parse_shader(section, words, scene_.geometry_shaders);
    } else if (words.accept_phrase("tessellation control")) {
      parse_shader(section, words, scene_.control_shaders);
    } else if (words.accept_phrase("tessellation evaluation")) {
      parse_shader(section, words, scene_.evaluation_shaders);
    } else if (words.accept_phrase("stream output")) {
      insert(section, words, scene_.stream_outputs, [&] { return parse_stream_output(section, diags_); });
    } else if (words.accept("buffer")) {
      insert_numbered(section, words, scene_.buffers, kMaxShaderBuffers, [&] { return parse_buffer(section, diags_); });
    } else if (words.accept("image")) {
      insert_numbered(section, words, scene_.images, kMaxShaderImages, [&] { return parse_image(section, diags_); });
    } else if (words.accept("bitmap")) {
      insert(section, words, scene_.bitmaps, [&] { return parse_bitmap(section, diags_); });
    } else if (words.accept("instance") && words.accept("data")) {
      parse_geometry(section, words, "instance data");
    } else if (words.accept("indices")) {
      parse_geometry(section, words, "indices");
    } else if (words.accept("mesh")) {
      parse_geometry(section, words, "mesh");
    } else if (words.accept("constants")) {
      insert(section, words, scene_.constants, [&] {
        std::vector<ConstantBlock> blocks;
        for_each_line(section, diags_, [&](Line& line) { blocks.push_back(scene_.is_d3d9 ? parse_d3d9_constant_line(line) : parse_constant_line(line)); });
        return blocks;
      });
    } else if (words.accept("state")) {
      insert(section, words, scene_.states, [&] {
        State state = default_state();
        for_each_line(section, diags_, [&](Line& line) { parse_state_line(line, state); });
        return state;
      });
    } else {
      fail(section.loc, fmt::format("there is no section [{}]", section.header));
    }
  }

  State default_state() const {
    State state;
    if (scene_.is_d3d9) state.d3d9.emplace();
    return state;
  }

  // The optional name at the end of a header.
  std::string parse_name(Line& words) {
    if (words.done()) return {};
    const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
    const auto is_name_char = [&](char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '_' || c == '-'; };
    const std::string name(words.peek());
    if (!is_letter(name.front()) || !std::all_of(name.begin(), name.end(), is_name_char) || name == "main" ||
        name == "off")
      words.fail(fmt::format("'{}' is no name of a section", name));
    words.word("a name");
    words.finish();
    return name;
  }

  template <class Map, class Parse>
  void insert(const Section& section, Line& words, Map& map, Parse parse) {
    const std::string name = parse_name(words);
    if (words.failed()) return;
    if (map.contains(name)) return fail(section.loc, fmt::format("[{}] was given before", section.header));
    map.emplace(name, parse());
  }

  template <class Map, class Parse>
  void insert_numbered(const Section& section, Line& words, Map& map, uint32_t limit, Parse parse) {
    const uint32_t number = words.integer("a number", 0, limit - 1);
    words.finish();
    if (words.failed()) return;
    if (map.contains(number)) return fail(section.loc, fmt::format("[{}] was given before", section.header));
    map.emplace(number, parse());
  }

  void parse_shader(const Section& section, Line& words, std::map<std::string, ShaderText>& shaders) {
    if (!words.accept("shader")) return words.fail_expected("shader");
    const bool is_d3d9 = words.accept("d3d9");
    if (!is_d3d9 && !words.accept("tgsi")) return words.fail_expected("tgsi or d3d9, the language of the shader");
    if (!is_d3d9 && scene_.is_d3d9) return fail(section.loc, "a scene with Direct3D 9 shaders has no others");
    const Dialect dialect = words.accept("2007") ? Dialect::Tgsi2007 : Dialect::Current;
    insert(section, words, shaders, [&] {
      ShaderText shader{section.loc, {}, dialect, is_d3d9};
      for (std::string_view line : section.lines) shader.text.append(line).push_back('\n');
      return shader;
    });
  }

  void parse_geometry(const Section& section, Line& words, std::string_view part) {
    const std::string name = parse_name(words);
    if (words.failed()) return;
    Geometry& g = scene_.geometries[name];
    const bool is_given = part == "vertex data" ? g.vertices.has_value()
                          : part == "instance data" ? g.instances.has_value()
                          : part == "mesh" ? g.mesh.has_value() : g.index_bytes != 0;
    if (is_given) return fail(section.loc, fmt::format("[{}] was given before", section.header));
    g.loc = section.loc;
    if (part == "vertex data") g.vertices = parse_vertex_table(section, false, diags_);
    if (part == "instance data") g.instances = parse_vertex_table(section, true, diags_);
    if (part == "mesh") g.mesh = parse_mesh(section, diags_);
    if (part == "indices") parse_indices(section, g, diags_);
  }

  // What holds between sections.
  void complete() {
    if (!scene_.targets.contains("")) {
      Target& target = scene_.targets[""];
      target.color[target.color_count++] = Format::R8G8B8A8_UNORM;
    }
    scene_.states.try_emplace("", default_state());
    for (const auto& [name, section] : scene_.fixed_functions)
      if (scene_.is_d3d9) fail(section.loc, "a scene with Direct3D 9 shaders has no OpenGL fixed function");
    for (const auto& [number, texture] : scene_.textures) check_target_source(texture);
    for (const auto& [number, image] : scene_.images)
      if (image.texture && !scene_.textures.contains(*image.texture))
        fail(image.loc, fmt::format("there is no [texture {}]", *image.texture));
    for (const auto& [name, geometry] : scene_.geometries) check_attributes(geometry);
    for (const auto& [name, stream] : scene_.stream_outputs)
      for (const auto& target : stream.targets)
        if (target && !scene_.buffers.contains(target->buffer))
          fail(target->loc, fmt::format("there is no [buffer {}]", target->buffer));
  }

  void check_target_source(const Texture& texture) {
    if (!texture.target) return;
    const auto found = scene_.targets.find(texture.target->target);
    if (found == scene_.targets.end())
      return fail(texture.loc, fmt::format("there is no [target {}]", texture.target->target));
    const Target& target = found->second;
    if (texture.target->depth ? target.depth == Format::NONE : target.color[texture.target->color] == Format::NONE)
      fail(texture.loc, fmt::format("[target {}] has no such image", texture.target->target));
  }

  // Attributes run from 0 without gaps, each given once.
  void check_attributes(const Geometry& geometry) {
    if (geometry.vertices && !scene_.is_d3d9 && std::ranges::any_of(geometry.vertices->usages, [](const auto& u) { return u.has_value(); }))
      return fail(geometry.loc, "only scenes with Direct3D 9 shaders name attributes by usage");
    if (geometry.mesh && geometry.vertices)
      return fail(geometry.loc, "a geometry has [vertex data] or a [mesh], not both");
    std::vector<uint32_t> numbers;
    if (geometry.mesh) numbers = {0, 1, 2};
    for (const auto* table : {&geometry.vertices, &geometry.instances})
      if (*table) numbers.insert(numbers.end(), (*table)->attributes.begin(), (*table)->attributes.end());
    std::sort(numbers.begin(), numbers.end());
    for (uint32_t i = 0; i < numbers.size(); ++i)
      if (numbers[i] != i)
        return fail(geometry.loc, fmt::format("attributes run from 0 without gaps, each given once; attribute {} is {}",
                                              i, numbers[i] > i ? "missing" : "given twice"));
  }

  static bool is_test(const Section& s) { return s.header == "test"; }
  bool has_test() const { return std::any_of(sections_.begin(), sections_.end(), is_test); }

  void parse_tests() {
    for (const Section& section : sections_)
      if (section.header.starts_with("test") && !is_test(section) && !section.header.starts_with("texture"))
        fail(section.loc, fmt::format("there is no section [{}]", section.header));
    const auto first = std::find_if(sections_.begin(), sections_.end(), is_test);
    if (first == sections_.end()) return fail({1, 1}, "the scene has no [test] section, so nothing would be drawn");
    const auto second = std::find_if(first + 1, sections_.end(), is_test);
    if (second != sections_.end()) return fail(second->loc, "[test] was given before");
    scene_.commands = parse_test(*first, scene_, diags_);
    if (diags_.empty() && scene_.commands.empty()) fail(first->loc, "[test] has no commands");
  }

  std::vector<Diag> sorted_diags() {
    std::stable_sort(diags_.begin(), diags_.end(), [](const Diag& a, const Diag& b) {
      return std::pair(a.loc.line, a.loc.column) < std::pair(b.loc.line, b.loc.column);
    });
    if (diags_.size() > kMaxSceneDiags) diags_.resize(kMaxSceneDiags);
    return std::move(diags_);
  }

  void fail(SourceLoc loc, std::string text) { diags_.push_back(error_at(loc, std::move(text))); }

  Scene scene_;
  std::vector<Section> sections_;
  std::vector<Diag> diags_;
};

Result<Scene> parse(std::string_view text, bool needs_test) {
  if (text.size() > kMaxSceneText_bytes) return error(fmt::format("a scene has at most {} bytes", kMaxSceneText_bytes));
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  return SceneParser().parse(text, needs_test);
}

}  // namespace

Result<Scene> parse_scene(std::string_view text) { return parse(text, true); }
Result<Scene> parse_scene_sections(std::string_view text) { return parse(text, false); }

bool looks_like_scene(std::string_view text) {
  while (!text.empty()) {
    const size_t end = text.find('\n');
    const std::string_view line = without_comment(text.substr(0, end));
    if (line.find_first_not_of(" \t\r") != std::string_view::npos) return is_header(line);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return false;
}

}  // namespace tessera::scene
