// frontend/scene_stream.cpp: [stream output]: what the last stage before the rasterizer writes to which [buffer].
#include <fmt/format.h>

#include <charconv>

#include "frontend/scene_sections.h"
#include "shader/names.h"

namespace tessera::scene {
namespace {

constexpr uint32_t kBuffers = raster::kMaxStreamBuffers;

class StreamParser {
 public:
  StreamOutput parse(const Section& section, std::vector<Diag>& diags) {
    stream_.loc = section.loc;
    const size_t errors_before = diags.size();
    for_each_line(section, diags, [&](Line& line) { parse_line(line); });
    if (diags.size() != errors_before) return std::move(stream_);
    raster::StreamLayout& layout = stream_.layout;
    for (uint32_t b = 0; b < kBuffers; ++b)
      if (layout.stride_bytes[b] == 0) layout.stride_bytes[b] = static_cast<uint16_t>(filled_bytes_[b]);
    if (layout.elements.empty()) diags.push_back(error_at(section.loc, "a [stream output] writes at least one output"));
    for (uint32_t b = 0; b < kBuffers; ++b)
      if (filled_bytes_[b] != 0 && !stream_.targets[b])
        diags.push_back(error_at(section.loc, fmt::format("target {} has no line `target {} buffer ...`", b, b)));
    return std::move(stream_);
  }

 private:
  void parse_line(Line& line) {
    if (line.accept("target")) return parse_target(line);
    if (line.accept("stride")) {
      const uint32_t number = line.integer("the number of a target", 0, kBuffers - 1);
      stream_.layout.stride_bytes[number] =
          static_cast<uint16_t>(line.integer("the bytes of a vertex", 4, raster::kMaxStreamStride_bytes));
      return;
    }
    const uint32_t number = line.integer("target, stride, or the number of a target", 0, kBuffers - 1);
    if (line.accept("skip"))
      filled_bytes_[number] += line.integer("the bytes that stay", 4, raster::kMaxStreamStride_bytes);
    else parse_element(line, number);
    if (filled_bytes_[number] > raster::kMaxStreamStride_bytes)
      line.fail(fmt::format("a vertex has at most {} bytes", raster::kMaxStreamStride_bytes));
  }

  void parse_target(Line& line) {
    const uint32_t number = line.integer("the number of a target", 0, kBuffers - 1);
    StreamOutput::Target target{.loc = line.loc()};
    if (!line.accept("buffer")) return line.fail_expected("buffer");
    target.buffer = line.integer("the number of a [buffer]");
    if (line.accept("offset")) target.offset_bytes = line.integer("the offset in bytes");
    if (line.accept("size")) target.size_bytes = line.integer("the size in bytes");
    stream_.targets[number] = target;
  }

  // POSITION, GENERIC[1].xy: the components are neighbours.
  void parse_element(Line& line, uint32_t number) {
    const SourceLoc loc = line.loc();
    std::string_view word = line.word("an output, as in POSITION or GENERIC[1].xy");
    raster::StreamElement element{.buffer = static_cast<uint8_t>(number)};
    if (const size_t dot = word.find('.'); dot != std::string_view::npos) {
      const size_t first = std::string_view("xyzw").find(word.substr(dot + 1));
      if (first == std::string_view::npos || dot + 1 == word.size())
        return line.fail_at(loc, "expected neighbouring components, as in .xy or .yzw");
      element.first_component = static_cast<uint8_t>(first);
      element.component_count = static_cast<uint8_t>(word.size() - dot - 1);
      word = word.substr(0, dot);
    }
    const IndexedWord name = split_index(line, word, 256);
    const std::optional<ir::Semantic> semantic = semantic_of(name.name);
    if (!semantic) return line.fail_at(loc, fmt::format("'{}' is no output", name.name));
    element.semantic = *semantic;
    element.index = static_cast<uint16_t>(name.index.value_or(0));
    if (line.accept("stream")) element.stream = static_cast<uint8_t>(line.integer("the stream", 0, kVertexStreams - 1));
    element.offset_bytes = static_cast<uint16_t>(filled_bytes_[number]);
    filled_bytes_[number] += 4u * element.component_count;
    stream_.layout.elements.push_back(element);
  }

  static std::optional<ir::Semantic> semantic_of(std::string_view name) {
    for (uint32_t i = 0; i <= static_cast<uint32_t>(ir::Semantic::ViewportMask); ++i)
      if (const auto semantic = static_cast<ir::Semantic>(i); ir::semantic_name(semantic) == name) return semantic;
    return std::nullopt;
  }

  StreamOutput stream_;
  std::array<uint32_t, kBuffers> filled_bytes_{};
};

}  // namespace

StreamOutput parse_stream_output(const Section& section, std::vector<Diag>& diags) {
  return StreamParser().parse(section, diags);
}

}  // namespace tessera::scene
