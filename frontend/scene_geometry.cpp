#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>

#include "frontend/direct3d9/formats.h"
#include "frontend/mesh.h"
#include "frontend/scene_sections.h"
#include "shader/d3d9/names.h"

namespace tessera::scene {
namespace {

constexpr uint32_t kMaxRows = 1u << 24;

uint32_t round_up_to_word(uint32_t bytes) { return (bytes + 3) & ~3u; }

// "texcoord1"
std::optional<VertexUsage> usage_from_word(std::string_view word) {
  const size_t digits = word.find_first_of("0123456789");
  const std::optional<d3d9::Usage> usage = d3d9::usage_from_name(word.substr(0, digits));
  if (!usage) return std::nullopt;
  uint8_t index = 0;
  if (digits == std::string_view::npos) return VertexUsage{*usage, index};
  const auto [end, code] = std::from_chars(word.data() + digits, word.data() + word.size(), index);
  if (code != std::errc{} || end != word.data() + word.size() || index > 15) return std::nullopt;
  return VertexUsage{*usage, index};
}

// "attribute/format", "attribute/format/divisor" or "usage/format"
void parse_attribute(Line& line, bool instances, VertexTable& table) {
  const SourceLoc loc = line.loc();
  const std::string_view word = line.word("attribute/format");
  const size_t slash = word.find('/'), second = word.find('/', slash + 1);
  const auto bad = [&](std::string_view why) { line.fail_at(loc, fmt::format("'{}': {}", word, why)); };
  const auto read = [](std::string_view digits, uint32_t& value) {
    const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return code == std::errc{} && end == digits.data() + digits.size();
  };
  uint32_t attribute = 0, divisor = instances ? 1 : 0;
  std::optional<VertexUsage> usage;
  if (!instances && slash != std::string_view::npos) usage = usage_from_word(word.substr(0, slash));
  if (usage) attribute = static_cast<uint32_t>(table.elements.size());
  if (slash == std::string_view::npos || (!usage && !read(word.substr(0, slash), attribute)))
    return bad("expected attribute/format, as in 0/r32g32b32_float");
  if (attribute >= raster::kMaxVertexElements)
    return bad(fmt::format("attributes are below {}", raster::kMaxVertexElements));
  if (std::count(table.attributes.begin(), table.attributes.end(), attribute))
    return bad("this attribute was given before");
  const size_t format_end = second == std::string_view::npos ? word.size() : second;
  const std::string_view format_name = word.substr(slash + 1, format_end - slash - 1);
  const std::optional<Format> of_d3d9 = usage ? direct3d9::element_format(format_name) : std::nullopt;
  const std::optional<Format> format = of_d3d9 ? of_d3d9 : format_from_name(format_name);
  if (!format || *format == Format::NONE || format_info(*format).is_compressed ||
      format_info(*format).is_depth_or_stencil())
    return bad("this is no format of a vertex attribute");
  if (second != std::string_view::npos && (!instances || !read(word.substr(second + 1), divisor) || divisor == 0))
    return bad("only [instance data] takes a divisor, and it is at least 1");
  table.elements.push_back({table.stride_bytes, 0, divisor, *format});
  table.attributes.push_back(attribute);
  table.usages.push_back(usage);
  table.stride_bytes = round_up_to_word(table.stride_bytes + format_info(*format).block_bytes);
}

// How many numbers a row gives for it: the channels that are stored.
uint32_t channel_count(const FormatInfo& info) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < 4; ++i)
    if (info.swizzle[i] <= Swizzle::W) count = i + 1;
  return count;
}

Texel parse_channels(Line& line, const FormatInfo& info) {
  Texel texel;
  texel.word[3] = info.is_pure_integer() ? 1 : std::bit_cast<uint32_t>(1.0f);
  for (uint32_t i = 0; i < channel_count(info); ++i) {
    if (!info.is_pure_integer()) texel.word[i] = std::bit_cast<uint32_t>(line.real("the attributes' channels"));
    else if (line.peek().starts_with('-'))
      texel.word[i] = static_cast<uint32_t>(line.signed_integer("the attributes' channels"));
    else texel.word[i] = line.integer("the attributes' channels");
  }
  return texel;
}

void parse_row(Line& line, VertexTable& table) {
  if (table.row_count == kMaxRows) return line.fail(fmt::format("more than {} rows", kMaxRows));
  const size_t begin = table.bytes.size();
  table.bytes.resize(begin + table.stride_bytes);
  for (const raster::VertexElement& element : table.elements)
    pack_texel(element.format, parse_channels(line, format_info(element.format)),
               &table.bytes[begin + element.offset_bytes]);
  ++table.row_count;
}

}  // namespace

uint32_t largest_index(uint32_t index_bytes) { return index_bytes == 4 ? ~0u : (1u << index_bytes * 8) - 1; }

VertexTable parse_vertex_table(const Section& section, bool instances, std::vector<Diag>& diags) {
  VertexTable table;
  const size_t errors_before = diags.size();
  for_each_line(section, diags, [&](Line& line) {
    const bool is_header = table.elements.empty();
    while (is_header && !line.done() && !line.failed()) parse_attribute(line, instances, table);
    if (!is_header) parse_row(line, table);
  });
  if (diags.size() == errors_before && table.row_count == 0)
    diags.push_back(error_at(section.loc, "expected a line of attribute/format and at least one row"));
  return table;
}

void parse_indices(const Section& section, Geometry& geometry, std::vector<Diag>& diags) {
  static constexpr Named<uint32_t> kBits[] = {{"8", 1}, {"16", 2}, {"32", 4}};
  geometry.index_bytes = 4;
  for_each_line(section, diags, [&](Line& line) {
    if (geometry.indices.empty() && line.accept("bits")) {
      geometry.index_bytes = line.one_of(kBits);
      return;
    }
    while (!line.done() && !line.failed())
      geometry.indices.push_back(line.accept("restart")
                                     ? largest_index(geometry.index_bytes)
                                     : line.integer("an index", 0, largest_index(geometry.index_bytes)));
  });
  if (geometry.indices.empty()) diags.push_back(error_at(section.loc, "[indices] has no indices"));
}

MeshSource parse_mesh(const Section& section, std::vector<Diag>& diags) {
  MeshSource mesh;
  mesh.loc = section.loc;
  bool has_shape = false;
  const size_t errors_before = diags.size();
  for_each_line(section, diags, [&](Line& line) {
    const auto count = [&](std::string_view what, uint32_t least = 3) { return line.integer(what, least, 4096); };
    if (line.accept("fit")) {
      mesh.fit = true;
      return;
    }
    if (has_shape) return line.fail("a [mesh] takes one file or shape");
    has_shape = true;
    mesh.loc = line.loc();
    if (line.accept("file")) {
      mesh.shape = MeshFile{std::string(line.word("the name of a file"))};
    } else if (line.accept("grid")) {
      const uint32_t x = count("cells in x", 1);
      mesh.shape = MeshGrid{x, count("cells in y", 1)};
    } else if (line.accept("cube")) {
      mesh.shape = MeshCube{};
    } else if (line.accept("sphere")) {
      const uint32_t slices = count("slices");
      mesh.shape = MeshSphere{slices, count("stacks", 2)};
    } else if (line.accept("torus")) {
      const uint32_t segments = count("segments"), sides = count("sides");
      mesh.shape = MeshTorus{segments, sides, line.real("the tube's radius")};
    } else if (line.accept("torus_knot")) {
      const uint32_t p = line.integer("p", 1, 64), q = line.integer("q", 1, 64);
      const uint32_t segments = count("segments"), sides = count("sides");
      mesh.shape = MeshTorusKnot{p, q, segments, sides, line.real("the tube's radius")};
    } else {
      line.fail(fmt::format("a [mesh] has no line '{}'", line.peek()));
    }
  });
  if (diags.size() == errors_before && !has_shape)
    diags.push_back(error_at(section.loc, "a [mesh] takes a file or a shape"));
  return mesh;
}

}  // namespace tessera::scene
