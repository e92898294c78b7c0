#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "frontend/scene_sections.h"
#include "raster/patches.h"

namespace tessera::scene {
namespace {

using raster::Primitive;

constexpr Named<Primitive> kPrimitives[] = {
    {"triangles", Primitive::Triangles}, {"triangle_strip", Primitive::TriangleStrip},
    {"triangle_fan", Primitive::TriangleFan}, {"quads", Primitive::Quads}, {"quad_strip", Primitive::QuadStrip},
    {"polygon", Primitive::Polygon}, {"points", Primitive::Points}, {"lines", Primitive::Lines},
    {"line_loop", Primitive::LineLoop}, {"line_strip", Primitive::LineStrip},
    {"lines_adjacency", Primitive::LinesAdjacency}, {"line_strip_adjacency", Primitive::LineStripAdjacency},
    {"triangles_adjacency", Primitive::TrianglesAdjacency},
    {"triangle_strip_adjacency", Primitive::TriangleStripAdjacency}, {"patches", Primitive::Patches}};

constexpr Named<QueryKind> kQueryKinds[] = {
    {"samples_passed", QueryKind::SamplesPassed}, {"any_samples_passed", QueryKind::AnySamplesPassed},
    {"primitives_generated", QueryKind::PrimitivesGenerated}, {"primitives_written", QueryKind::PrimitivesWritten},
    {"stream_overflow", QueryKind::StreamOverflow}, {"any_stream_overflow", QueryKind::AnyStreamOverflow},
    {"statistics", QueryKind::PipelineStatistics}};

using S = PipelineStatistics;
constexpr Named<uint64_t S::*> kStatistics[] = {
    {"input_vertices", &S::input_vertices}, {"input_primitives", &S::input_primitives},
    {"vertex_invocations", &S::vertex_invocations}, {"control_patches", &S::control_patches},
    {"evaluation_invocations", &S::evaluation_invocations}, {"geometry_invocations", &S::geometry_invocations},
    {"geometry_primitives", &S::geometry_primitives}, {"clipped_in", &S::clipped_in}, {"clipped_out", &S::clipped_out},
    {"fragment_invocations", &S::fragment_invocations}, {"compute_invocations", &S::compute_invocations}};

constexpr Named<ir::Stage> kStages[] = {
    {"vertex", ir::Stage::Vertex}, {"fragment", ir::Stage::Fragment}, {"compute", ir::Stage::Compute},
    {"geometry", ir::Stage::Geometry}, {"control", ir::Stage::TessCtrl}, {"evaluation", ir::Stage::TessEval}};

bool is_finite(double x) { return x - x == 0; }

class TestParser {
 public:
  TestParser(const Scene& scene) : scene_(scene), state_(scene.states.at("")), target_(&scene.targets.at("")) {}

  std::vector<Command> parse(const Section& section, std::vector<Diag>& diags) {
    for_each_line(section, diags, [&](Line& line) {
      loc_ = line.loc();
      parse_line(line);
    });
    return std::move(commands_);
  }

 private:
  void parse_line(Line& line) {
    static constexpr struct { std::string_view name; void (TestParser::*parse)(Line&); } kCommands[] = {
        {"clear", &TestParser::parse_clear}, {"draw", &TestParser::parse_draw}, {"use", &TestParser::parse_use},
        {"set", &TestParser::parse_set}, {"constant", &TestParser::parse_constant},
        {"generate", &TestParser::parse_generate}, {"resolve", &TestParser::parse_resolve},
        {"probe", &TestParser::parse_probe}, {"expect", &TestParser::parse_expect},
        {"dispatch", &TestParser::parse_grid},
        {"query", &TestParser::parse_query}, {"condition", &TestParser::parse_condition}};
    if (std::optional<Transfer> transfer = accept_transfer(line, scene_, pixels_)) {
      if (!line.failed()) add(std::move(*transfer));
      return;
    }
    for (const auto& command : kCommands)
      if (line.accept(command.name)) return (this->*command.parse)(line);
    line.fail(fmt::format("[test] has no command '{}'", line.peek()));
  }

  void add(Action action) { commands_.push_back({loc_, std::move(action)}); }

  void parse_clear(Line& line) {
    if (line.accept("depth")) {
      if (target_->depth == Format::NONE) return line.fail_at(loc_, "the target has no depth");
      const float depth = line.real("the depth");
      return add(ClearDepth{depth, parse_region(line)});
    }
    if (line.accept("stencil")) {
      if (!format_has_stencil(target_->depth)) return line.fail_at(loc_, "the target has no stencil");
      const auto stencil = static_cast<uint8_t>(line.integer("the stencil value", 0, 255));
      return add(ClearStencil{stencil, parse_region(line)});
    }
    const IndexedWord word = split_index(line, line.word("color, depth or stencil"), raster::kMaxColorTargets);
    if (word.name != "color") return line.fail_at(loc_, "clear what? expected color, depth or stencil");
    if (word.index && (*word.index >= target_->color_count || target_->color[*word.index] == Format::NONE))
      return line.fail_at(loc_, fmt::format("the target has no colour {}", *word.index));
    const Numbers4 color = line.four("red, green, blue and alpha");
    add(ClearColor{word.index, color, parse_region(line)});
  }

  // rect x y width height | layers first count | mask bits
  ClearRegion parse_region(Line& line) {
    ClearRegion region;
    const auto coordinate = [&](std::string_view what) { return static_cast<int32_t>(line.integer(what, 0, 16384)); };
    while (!line.done() && !line.failed()) {
      if (line.accept("rect")) {
        const int32_t x = coordinate("x"), y = coordinate("y"), width = coordinate("the width");
        region.rect = raster::IRect{x, y, x + width, y + coordinate("the height")};
      } else if (line.accept("layers")) {
        region.first_layer = line.integer("the first layer");
        region.layers = line.integer("the number of layers");
      } else if (line.accept("mask")) {
        region.stencil_mask = static_cast<uint8_t>(line.integer("the bits", 0, 255));
        region.color_mask = region.stencil_mask & 15;
      } else {
        line.fail_expected("rect, layers or mask");
      }
    }
    return region;
  }

  void parse_draw(Line& line) {
    Draw draw;
    if (line.accept("rect")) {
      draw.source = Draw::Source::Rect;
      for (float& value : draw.rect) value = line.real("x, y, width and height in clip space");
      draw.info.primitive = Primitive::TriangleStrip;
      draw.info.count = 4;
    } else if (line.accept("mesh")) {
      draw.source = Draw::Source::Mesh;
      draw.all = true;
      if (!scene_.geometries.contains(geometry_) || !scene_.geometries.at(geometry_).mesh)
        return line.fail_at(loc_, "the geometry in use has no [mesh]");
    } else if (line.accept("streamed")) {
      parse_streamed(line, draw);
    } else if (line.accept("indirect")) {
      parse_indirect(line, draw);
    } else {
      parse_vertices(line, draw);
    }
    parse_draw_options(line, draw);
    check_range(line, draw);
    if (!line.failed()) add(draw);
  }

  // What the target of a stream output holds.
  void parse_streamed(Line& line, Draw& draw) {
    draw.source = Draw::Source::Streamed;
    draw.info.primitive = line.one_of(kPrimitives);
    draw.stream_target = line.integer("the number of a target", 0, raster::kMaxStreamBuffers - 1);
    draw.stream_output = line.accept("of") ? section_name(line, scene_.stream_outputs, "stream output") : "";
    if (line.failed()) return;
    const auto found = scene_.stream_outputs.find(draw.stream_output);
    if (found == scene_.stream_outputs.end() || !found->second.targets[draw.stream_target])
      line.fail_at(loc_, fmt::format("there is no [stream output] with a target {}", draw.stream_target));
  }

  // The numbers stand in a [buffer].
  void parse_indirect(Line& line, Draw& draw) {
    draw.source = Draw::Source::Indirect;
    draw.info.indexed = line.accept("indexed");
    draw.info.primitive = line.one_of(kPrimitives);
    if (!line.accept("buffer")) return line.fail_expected("buffer");
    draw.buffer = buffer_section(line);
    while (!line.done() && !line.failed()) {
      if (line.accept("offset")) draw.indirect.offset_bytes = line.integer("the offset in bytes");
      else if (line.accept("stride")) draw.indirect.stride_bytes = line.integer("the bytes from draw to draw");
      else if (line.accept("draws")) draw.indirect.draw_count = line.integer("the number of draws");
      else if (line.accept("count_buffer")) draw.count_buffer = buffer_section(line);
      else if (line.accept("count_offset")) draw.indirect.count_offset_bytes = line.integer("the offset in bytes");
      else break;
    }
  }

  uint32_t buffer_section(Line& line) {
    const SourceLoc loc = line.loc();
    const uint32_t section = line.integer("the number of a [buffer]");
    if (!line.failed() && !scene_.buffers.contains(section))
      line.fail_at(loc, fmt::format("there is no [buffer {}]", section));
    return section;
  }

  void parse_query(Line& line) {
    if (line.accept("begin")) {
      QueryBegin begin{std::string(line.word("a name for the query")), line.one_of(kQueryKinds)};
      if (line.accept("stream")) begin.stream = line.integer("the stream", 0, kVertexStreams - 1);
      queries_.insert_or_assign(begin.name, begin.kind);
      return add(begin);
    }
    if (!line.accept("end")) return line.fail_expected("begin or end");
    const std::string name = query_name(line);
    if (!line.failed()) add(QueryEnd{name});
  }

  std::string query_name(Line& line) {
    const SourceLoc loc = line.loc();
    std::string name(line.word("the name of a query"));
    if (!line.failed() && !queries_.contains(name)) line.fail_at(loc, fmt::format("no query {} has begun", name));
    return name;
  }

  void parse_condition(Line& line) {
    if (line.accept("off")) return add(RenderCondition{});
    const bool is_inverted = line.accept("not");
    const std::string name = query_name(line);
    if (!line.failed()) add(RenderCondition{name, is_inverted});
  }

  void parse_expect_query(Line& line) {
    ExpectQuery expect{query_name(line), nullptr, {}, 0, 0};
    if (line.failed()) return;
    if (queries_.at(expect.name) == QueryKind::PipelineStatistics) {
      expect.field_name = line.peek();
      expect.field = line.one_of(kStatistics);
    }
    expect.least = expect.most = line.integer("the number that is expected");
    if (line.accept("to")) expect.most = line.integer("the largest number that is expected");
    if (!line.failed()) add(expect);
  }

  void parse_grid(Line& line) {
    if (scene_.compute_shaders.empty()) return line.fail_at(loc_, "the scene has no [compute shader tgsi]");
    const Dispatch dispatch = parse_dispatch(line);
    if (!line.failed()) add(dispatch);
  }

  void parse_vertices(Line& line, Draw& draw) {
    draw.info.indexed = line.accept("indexed");
    draw.info.primitive = line.one_of(kPrimitives);
    draw.all = !line.next_is_number();
    if (!draw.all) {
      draw.info.start = line.integer(draw.info.indexed ? "the first index" : "the first vertex");
      draw.info.count = line.integer("the count");
    }
    const auto found = scene_.geometries.find(geometry_);
    const Geometry* const geometry = found == scene_.geometries.end() ? nullptr : &found->second;
    if (draw.info.indexed && (!geometry || geometry->index_bytes == 0))
      return line.fail_at(loc_, "the geometry in use has no [indices]");
    if (draw.all && !draw.info.indexed && (!geometry || !geometry->vertices))
      return line.fail_at(loc_, "the geometry in use has no [vertex data] to count; give first vertex and count");
    if (!draw.info.indexed) return;
    draw.info.primitive_restart = state_.primitive_restart;
    draw.info.restart_index = state_.restart_index & largest_index(geometry->index_bytes);
  }

  // A draw reads vertices beyond the data as 0; in a scene that is a mistake.
  void check_range(Line& line, const Draw& draw) {
    const auto found = scene_.geometries.find(geometry_);
    const bool has_own_count = draw.source == Draw::Source::Vertices || draw.source == Draw::Source::Mesh;
    if (line.failed() || found == scene_.geometries.end() || !has_own_count) return;
    const Geometry& geometry = found->second;
    if (geometry.instances) check_instances(line, *geometry.instances, draw.info);
    if (draw.source == Draw::Source::Mesh) return;
    if (draw.info.indexed) return check_indices(line, geometry, draw);
    const uint64_t end = uint64_t{draw.info.start} + draw.info.count;
    if (geometry.vertices && !draw.all && draw.info.count > 0 && end > geometry.vertices->row_count)
      line.fail_at(loc_, fmt::format("the draw reads vertex {}; there are {}", end - 1, geometry.vertices->row_count));
  }

  void check_instances(Line& line, const VertexTable& table, const raster::DrawInfo& info) {
    if (info.instance_count == 0) return;
    for (const raster::VertexElement& element : table.elements)
      if (const uint32_t row = info.start_instance + (info.instance_count - 1) / element.instance_divisor;
          row >= table.row_count)
        return line.fail_at(loc_, fmt::format("the draw reads instance row {}; there are {}", row, table.row_count));
  }

  void check_indices(Line& line, const Geometry& geometry, const Draw& draw) {
    const uint64_t total = geometry.indices.size();
    const uint64_t begin = draw.all ? 0 : draw.info.start, count = draw.all ? total : draw.info.count;
    if (begin + count > total)
      return line.fail_at(loc_, fmt::format("[indices] has {} indices, the draw reads up to {}", total, begin + count));
    for (uint64_t i = begin; geometry.vertices && i < begin + count; ++i) {
      const uint32_t index = geometry.indices[i];
      if (draw.info.primitive_restart && index == draw.info.restart_index) continue;
      if (const int64_t vertex = int64_t{index} + draw.info.base_vertex;
          vertex < 0 || vertex >= geometry.vertices->row_count)
        return line.fail_at(
            loc_, fmt::format("index {} reads vertex {}; there are {}", index, vertex, geometry.vertices->row_count));
    }
  }

  void parse_draw_options(Line& line, Draw& draw) {
    while (!line.done() && !line.failed()) {
      if (line.accept("instances")) draw.info.instance_count = line.integer("the number of instances", 0, 1u << 24);
      else if (line.accept("first")) draw.info.start_instance = line.integer("the first instance", 0, 1u << 24);
      else if (line.accept("base")) draw.info.base_vertex = line.signed_integer("the base vertex");
      else if (draw.info.primitive == Primitive::Patches && line.accept("vertices"))
        draw.info.patch_vertices = line.integer("the vertices of a patch", 1, raster::kMaxPatchVertices);
      else line.fail_expected("instances, first or base");
    }
  }

  // `main` is the section without a name.
  template <class Map>
  std::string section_name(Line& line, const Map& sections, std::string_view kind) {
    const SourceLoc loc = line.loc();
    const std::string_view word = line.word("a name");
    const std::string name(word == "main" ? "" : word);
    if (!line.failed() && !sections.contains(name))
      line.fail_at(loc, fmt::format("there is no [{}{}{}]", kind, name.empty() ? "" : " ", name));
    return name;
  }

  void parse_use(Line& line) {
    if (const FixedFunctionSection* const kind = accept_fixed_function(line))
      return parse_use_fixed_function(line, *kind);
    if (line.accept_phrase("fragment shader off") || line.accept_phrase("pixel shader off"))
      return add(UnsetShader{ir::Stage::Fragment});
    if (scene_.is_d3d9 && line.accept_phrase("vertex shader off")) return add(UnsetShader{ir::Stage::Vertex});
    if (parse_use_between(line)) return;
    if (line.accept("vertex")) return parse_use_shader(line, ir::Stage::Vertex, scene_.vertex_shaders);
    if (line.accept("fragment") || line.accept("pixel")) return parse_use_shader(line, ir::Stage::Fragment, scene_.fragment_shaders);
    if (line.accept("compute")) return parse_use_shader(line, ir::Stage::Compute, scene_.compute_shaders);
    if (line.accept("geometry")) {
      geometry_ = section_name(line, scene_.geometries, "vertex data");
      return add(UseGeometry{geometry_});
    }
    if (line.accept("target")) {
      const std::string name = section_name(line, scene_.targets, "target");
      if (line.failed()) return;
      target_ = &scene_.targets.at(name);
      UseTarget use{name, std::nullopt};
      if (line.accept("layer")) use.layer = line.integer("the layer", 0, target_->layers - 1);
      return add(use);
    }
    if (line.accept("state")) {
      const std::string name = section_name(line, scene_.states, "state");
      if (line.failed()) return;
      state_ = scene_.states.at(name);
      return add(SetState{state_});
    }
    if (line.accept("constants")) {
      const std::string name = section_name(line, scene_.constants, "constants");
      if (!line.failed()) add(SetConstants{scene_.constants.at(name)});
      return;
    }
    if (line.accept("texture")) {
      const uint32_t unit = line.integer("the unit", 0, kMaxTextureUnits - 1);
      const uint32_t section = texture_section(line);
      return add(UseTexture{unit, section, line.accept("sampler") ? sampler_section(line) : section});
    }
    line.fail_expected("vertex, fragment or compute shader, register combiners, texture environment, ati fragment shader, "
                       "geometry, target, state, constants or texture");
  }

  // What stands between the vertex shader and the rasterizer can also be off.
  bool parse_use_between(Line& line) {
    if (line.accept_phrase("stream output")) {
      UseStreamOutput use;
      if (!line.accept("off")) use.name = section_name(line, scene_.stream_outputs, "stream output");
      use.append = line.accept("append");
      if (!line.failed()) add(use);
      return true;
    }
    const auto shader = [&](std::string_view words, ir::Stage stage, const auto& shaders) {
      if (!line.accept_phrase(words)) return false;
      if (line.accept("off")) add(UnsetShader{stage});
      else add(UseShader{stage, section_name(line, shaders, words)});
      return true;
    };
    return shader("geometry shader", ir::Stage::Geometry, scene_.geometry_shaders) ||
           shader("tessellation control shader", ir::Stage::TessCtrl, scene_.control_shaders) ||
           shader("tessellation evaluation shader", ir::Stage::TessEval, scene_.evaluation_shaders);
  }

  void parse_use_fixed_function(Line& line, const FixedFunctionSection& kind) {
    if (line.accept("off")) return add(UseFixedFunction{});
    const SourceLoc loc = line.loc();
    const std::string name = section_name(line, scene_.fixed_functions, kind.words);
    if (line.failed()) return;
    if (scene_.fixed_functions.at(name).kind != kind.kind)
      return line.fail_at(loc, fmt::format("it is no [{}]", kind.words));
    add(UseFixedFunction{name});
  }

  template <class Map>
  void parse_use_shader(Line& line, ir::Stage stage, const Map& shaders) {
    if (!line.accept("shader")) return line.fail_expected("shader");
    const std::string_view kind = stage == ir::Stage::Vertex    ? "vertex shader"
                                  : stage == ir::Stage::Compute ? "compute shader"
                                                                : "fragment shader";
    add(UseShader{stage, section_name(line, shaders, kind)});
  }

  uint32_t sampler_section(Line& line) {
    const SourceLoc loc = line.loc();
    const uint32_t section = line.integer("the number of a [sampler]");
    if (!scene_.samplers.contains(section)) line.fail_at(loc, fmt::format("there is no [sampler {}]", section));
    return section;
  }

  uint32_t texture_section(Line& line) {
    const SourceLoc loc = line.loc();
    const uint32_t section = line.integer("the number of a [texture]");
    if (!scene_.textures.contains(section)) line.fail_at(loc, fmt::format("there is no [texture {}]", section));
    return section;
  }

  void parse_set(Line& line) {
    parse_state_line(line, state_);
    add(SetState{state_});
  }

  void parse_constant(Line& line) {
    ConstantBlock block = scene_.is_d3d9 ? parse_d3d9_constant_line(line) : parse_constant_line(line);
    add(SetConstants{{std::move(block)}});
  }

  void parse_resolve(Line& line) {
    const std::string from = section_name(line, scene_.targets, "target");
    const std::string to = section_name(line, scene_.targets, "target");
    if (line.failed()) return;
    const Target &source = scene_.targets.at(from), &target = scene_.targets.at(to);
    if (source.samples == 1) return line.fail_at(loc_, "the first target has one sample a pixel");
    if (target.samples != 1) return line.fail_at(loc_, "the second target needs one sample a pixel");
    add(Resolve{from, to});
  }

  void parse_generate(Line& line) {
    if (!line.accept("mips")) return line.fail_expected("mips");
    add(GenerateMips{texture_section(line)});
  }

  void parse_probe_buffer(Line& line) {
    ProbeBuffer probe;
    const SourceLoc loc = line.loc();
    probe.buffer = line.integer("the number of a [buffer]");
    const auto found = scene_.buffers.find(probe.buffer);
    if (found == scene_.buffers.end()) return line.fail_at(loc, fmt::format("there is no [buffer {}]", probe.buffer));
    const SourceLoc offset_loc = line.loc();
    probe.offset_bytes = line.integer("the offset in bytes");
    if (probe.offset_bytes % 4 != 0) line.fail_at(offset_loc, "the offset is a multiple of 4");
    if (line.accept("tolerance")) probe.tolerance = parse_tolerance(line)[0];
    probe.is_float = line.accept("float");
    if (!probe.is_float && line.peek() != "int") return line.fail_expected("int or float, and the values");
    probe.words = parse_words(line);
    if (uint64_t{probe.offset_bytes} / 4 + probe.words.size() > found->second.words.size())
      line.fail_at(offset_loc, fmt::format("the probe reads beyond the buffer's {} bytes", found->second.words.size() * 4));
    if (!line.failed()) add(probe);
  }

  void parse_probe(Line& line) {
    if (line.accept("buffer")) return parse_probe_buffer(line);
    Probe probe;
    probe.depth = line.accept("depth");
    if (probe.depth && target_->depth == Format::NONE) return line.fail_at(loc_, "the target has no depth");
    if (!probe.depth && target_->color[0] == Format::NONE) return line.fail_at(loc_, "the target has no colour 0");
    probe.all = line.accept("all");
    if (probe.all) probe.rect = {0, 0, static_cast<int32_t>(target_->width), static_cast<int32_t>(target_->height)};
    else parse_probe_rect(line, probe);
    const uint32_t channels = probe.depth ? 1 : 4;
    for (uint32_t i = 0; i < channels; ++i)
      probe.expected[i] = line.number(probe.depth ? "the depth" : "red, green, blue and alpha");
    if (line.accept("tolerance")) probe.tolerance = parse_tolerance(line);
    if (!line.failed()) add(probe);
  }

  void parse_probe_rect(Line& line, Probe& probe) {
    const bool is_rect = line.accept("rect");
    const SourceLoc loc = line.loc();
    const uint32_t x = line.integer("x"), y = line.integer("y");
    const uint32_t width = is_rect ? line.integer("the width", 1) : 1,
                   height = is_rect ? line.integer("the height", 1) : 1;
    if (uint64_t{x} + width > target_->width || uint64_t{y} + height > target_->height)
      return line.fail_at(loc,
                          fmt::format("the probe lies outside the target of {} x {}", target_->width, target_->height));
    probe.rect = {static_cast<int32_t>(x), static_cast<int32_t>(y), static_cast<int32_t>(x + width),
                  static_cast<int32_t>(y + height)};
  }

  Numbers4 parse_tolerance(Line& line) {
    Numbers4 tolerance;
    tolerance.fill(line.number("the tolerance"));
    for (size_t i = 1; i < 4 && line.next_is_number(); ++i) {
      tolerance[i] = line.number("the tolerance");
      if (i == 1) tolerance[2] = tolerance[3] = -1;   // one number or all four
    }
    for (const double t : tolerance)
      if (!line.failed() && !(t >= 0 && is_finite(t))) line.fail("a tolerance is one number or four, none below 0");
    return tolerance;
  }

  void parse_expect(Line& line) {
    if (line.accept("query")) return parse_expect_query(line);
    if (!line.accept("image")) return line.fail_expected("image or query");
    ExpectImage expect;
    expect.path = line.word("the name of a PNG file");
    if (line.accept("tolerance")) {
      const Numbers4 tolerance = parse_tolerance(line);
      for (size_t i = 0; i < 4; ++i) {
        if (tolerance[i] > 255) return line.fail("a tolerance of an image is at most 255");
        expect.tolerance_un8[i] = static_cast<uint8_t>(tolerance[i]);
      }
    }
    if (line.accept("count")) expect.count = line.integer("the number of texels");
    if (target_->color[0] == Format::NONE) return line.fail_at(loc_, "the target has no colour 0");
    if (!line.failed()) add(expect);
  }

  const Scene& scene_;
  State state_;                // as the commands so far leave it
  const Target* target_;
  std::string geometry_;
  std::map<std::string, QueryKind> queries_;   // that have begun
  PixelTransfer pixels_;       // as the `pixel` commands so far leave it
  SourceLoc loc_;              // of the line's first word
  std::vector<Command> commands_;
};

}  // namespace

ConstantBlock parse_constant_line(Line& line) {
  ConstantBlock block;
  block.stage = line.one_of(kStages);
  const SourceLoc loc = line.loc();
  std::string_view place = line.word("a register and a colon, as in 4: or 1[4]:");
  if (line.failed()) return block;
  const auto take = [&](char end, uint32_t& value) {
    const size_t at = place.find(end);
    const std::string_view digits = place.substr(0, at);
    const auto [stop, code] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (at == std::string_view::npos || code != std::errc{} || stop != digits.data() + digits.size()) return false;
    place.remove_prefix(at + 1);
    return true;
  };
  uint32_t reg = 0;
  const bool has_buffer = place.find('[') != std::string_view::npos;
  const bool well_formed =
      has_buffer ? take('[', block.buffer) && take(']', reg) && place == ":" : take(':', reg) && place.empty();
  constexpr uint32_t kRegisters = kMaxConstantWords / 4;
  if (!well_formed || block.buffer >= kMaxConstantBuffers || reg >= kRegisters) {
    line.fail_at(loc, fmt::format("expected a register below {} and a colon, as in 4: or 1[4]: (buffers below {})",
                                  kRegisters, kMaxConstantBuffers));
    return block;
  }
  block.first_word = reg * 4;
  block.words = parse_words(line);
  if (block.first_word + block.words.size() > kMaxConstantWords)
    line.fail_at(loc, "the values go beyond the last register");
  return block;
}

std::vector<Command> parse_test(const Section& section, const Scene& scene, std::vector<Diag>& diags) {
  return TestParser(scene).parse(section, diags);
}

}  // namespace tessera::scene
