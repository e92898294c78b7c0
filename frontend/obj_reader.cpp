#include <fmt/format.h>

#include <charconv>
#include <map>
#include <optional>

#include "frontend/image_io.h"
#include "frontend/mesh.h"

namespace tessera {
namespace {

using Vec2 = std::array<float, 2>;
using Vec3 = std::array<float, 3>;

// Indices of one corner of a face, from 0; ~0u: not given.
struct Corner {
  uint32_t position = ~0u, texcoord = ~0u, normal = ~0u;
  auto operator<=>(const Corner&) const = default;
};

// Words of one line, each with its column.
class LineReader {
 public:
  LineReader(std::string_view line, uint32_t number) : line_(line.substr(0, line.find('#'))), number_(number) {}

  std::string_view word() {
    while (at_ < line_.size() && is_space(line_[at_])) ++at_;
    word_begin_ = at_;
    while (at_ < line_.size() && !is_space(line_[at_])) ++at_;
    return line_.substr(word_begin_, at_ - word_begin_);
  }
  SourceLoc loc() const { return {number_, static_cast<uint32_t>(word_begin_ + 1)}; }

 private:
  static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r'; }
  std::string_view line_;
  uint32_t number_;
  size_t at_ = 0, word_begin_ = 0;
};

class ObjParser {
 public:
  Result<Mesh> parse(std::string_view text) {
    uint32_t number = 0;
    while (!text.empty() && !failure_) {
      const size_t end = text.find('\n');
      parse_line(text.substr(0, end), ++number);
      text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    if (failure_) return *failure_;
    if (mesh_.indices.empty()) return error("the mesh has no faces");
    if (normals_missing_) compute_normals(mesh_);
    return std::move(mesh_);
  }

 private:
  void parse_line(std::string_view line, uint32_t number) {
    LineReader in(line, number);
    const std::string_view keyword = in.word();
    if (keyword == "v") positions_.push_back(numbers<3>(in));
    if (keyword == "vn") normals_.push_back(numbers<3>(in));
    if (keyword == "vt") texcoords_.push_back(numbers<2>(in));
    if (keyword == "f") parse_face(in);
  }

  template <size_t N>
  std::array<float, N> numbers(LineReader& in) {
    std::array<float, N> values{};
    for (float& value : values) {
      std::string_view word = in.word();
      if (!word.empty() && word.front() == '+') word.remove_prefix(1);
      const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), value);
      if (code != std::errc{} || end != word.data() + word.size() || !(value - value == 0))
        fail(in, fmt::format("expected {} finite numbers, found '{}'", N, word));
    }
    return values;
  }

  void parse_face(LineReader& in) {
    std::vector<uint32_t> corners;
    for (std::string_view word = in.word(); !word.empty() && !failure_; word = in.word())
      corners.push_back(vertex_of(parse_corner(in, word)));
    if (failure_) return;
    if (corners.size() < 3) return fail(in, fmt::format("a face has at least 3 corners, found {}", corners.size()));
    for (size_t i = 2; i < corners.size(); ++i)
      mesh_.indices.insert(mesh_.indices.end(), {corners[0], corners[i - 1], corners[i]});
  }

  // v, v/vt, v//vn or v/vt/vn
  Corner parse_corner(const LineReader& in, std::string_view word) {
    Corner corner;
    uint32_t* const parts[3] = {&corner.position, &corner.texcoord, &corner.normal};
    const size_t counts[3] = {positions_.size(), texcoords_.size(), normals_.size()};
    constexpr std::string_view kNames[3] = {"vertex", "texture coordinate", "normal"};
    for (int i = 0; i < 3; ++i) {
      const size_t end = word.find('/');
      const std::string_view part = word.substr(0, end);
      if (!part.empty() || i == 0) *parts[i] = parse_index(in, part, counts[i], kNames[i]);
      if (end == std::string_view::npos) return corner;
      word.remove_prefix(end + 1);
    }
    fail(in, "a corner has at most 3 parts");
    return corner;
  }

  uint32_t parse_index(const LineReader& in, std::string_view word, size_t count, std::string_view what) {
    int64_t index = 0;
    const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), index);
    if (code != std::errc{} || end != word.data() + word.size() || index == 0) {
      fail(in, fmt::format("expected the index of a {}, found '{}'", what, word));
      return 0;
    }
    const int64_t from_zero = index > 0 ? index - 1 : static_cast<int64_t>(count) + index;
    if (from_zero < 0 || from_zero >= static_cast<int64_t>(count)) {
      fail(in, fmt::format("{} {} does not exist; there are {} up to here", what, index, count));
      return 0;
    }
    return static_cast<uint32_t>(from_zero);
  }

  uint32_t vertex_of(const Corner& corner) {
    if (failure_) return 0;
    const auto [found, is_new] = vertices_.try_emplace(corner, static_cast<uint32_t>(mesh_.vertices.size()));
    if (!is_new) return found->second;
    MeshVertex vertex;
    vertex.position = positions_[corner.position];
    if (corner.texcoord != ~0u)
      vertex.texcoord = {texcoords_[corner.texcoord][0], 1.0f - texcoords_[corner.texcoord][1]};
    if (corner.normal != ~0u) vertex.normal = normals_[corner.normal];
    normals_missing_ |= corner.normal == ~0u;
    mesh_.vertices.push_back(vertex);
    return found->second;
  }

  void fail(const LineReader& in, std::string text) {
    if (!failure_) failure_ = error_at(in.loc(), std::move(text));
  }

  std::vector<Vec3> positions_, normals_;
  std::vector<Vec2> texcoords_;
  std::map<Corner, uint32_t> vertices_;
  Mesh mesh_;
  bool normals_missing_ = false;
  std::optional<Diag> failure_;
};

}  // namespace

Result<Mesh> parse_obj(std::string_view text) { return ObjParser().parse(text); }

Result<Mesh> read_obj_file(const std::string& path) {
  Result<std::vector<uint8_t>> file = read_file(path);
  if (!file) return file.diags();
  const std::string_view text(reinterpret_cast<const char*>(file->data()), file->size());
  Result<Mesh> mesh = parse_obj(text);
  if (mesh) return mesh;
  const Diag& diag = mesh.diags().front();
  return error(fmt::format("'{}', line {}, column {}: {}", path, diag.loc.line, diag.loc.column, diag.text));
}

}  // namespace tessera
