#include <fmt/format.h>

#include <algorithm>

#include "frontend/scene_math.h"
#include "frontend/scene_sections.h"

namespace tessera::scene {
namespace {

constexpr uint32_t kMaxBuffer_bytes = 1u << 30;

}  // namespace

// `int` and integers, or float expressions, to the end of the line.
std::vector<uint32_t> parse_words(Line& line) {
  std::vector<uint32_t> words;
  if (line.accept("int")) {
    while (!line.done() && !line.failed())
      words.push_back(line.peek().starts_with('-') ? static_cast<uint32_t>(line.signed_integer("an integer"))
                                                   : line.integer("an integer"));
    return words;
  }
  const SourceLoc loc = line.loc();
  Result<std::vector<uint32_t>> values = evaluate_values(line.rest(), loc);
  if (values) return std::move(*values);
  line.fail_at(values.diags().front().loc, values.diags().front().text);
  return words;
}

Buffer parse_buffer(const Section& section, std::vector<Diag>& diags) {
  Buffer buffer{section.loc, {}};
  uint32_t size_bytes = 0;
  for_each_line(section, diags, [&](Line& line) {
    const SourceLoc loc = line.loc();
    if (line.accept("size")) {
      size_bytes = line.integer("the size in bytes", 4, kMaxBuffer_bytes);
      if (size_bytes % 4 != 0) line.fail_at(loc, "the size is a multiple of 4 bytes");
      return;
    }
    const std::vector<uint32_t> words = parse_words(line);
    buffer.words.insert(buffer.words.end(), words.begin(), words.end());
  });
  if (size_bytes != 0 && buffer.words.size() > size_bytes / 4)
    diags.push_back(error_at(
        section.loc, fmt::format("the values take {} bytes, more than the size says", buffer.words.size() * 4)));
  buffer.words.resize(std::max<size_t>(buffer.words.size(), size_bytes / 4));
  if (buffer.words.empty()) diags.push_back(error_at(section.loc, "a [buffer] has a size or values"));
  return buffer;
}

ImageSource parse_image(const Section& section, std::vector<Diag>& diags) {
  ImageSource image;
  image.loc = section.loc;
  for_each_line(section, diags, [&](Line& line) {
    if (line.accept("texture")) image.texture = line.integer("the number of a [texture]", 0, 255);
    else if (line.accept("level")) image.level = line.integer("the level", 0, kMaxLevels - 1);
    else if (line.accept("format")) image.format = line.format();
    else line.fail(fmt::format("an [image] has no line '{}'", line.peek()));
  });
  if (!image.texture) diags.push_back(error_at(section.loc, "an [image] needs a `texture` line"));
  return image;
}

Dispatch parse_dispatch(Line& line) {
  Dispatch dispatch;
  Grid& grid = dispatch.grid;
  for (size_t d = 0; d < 3 && (d == 0 || line.next_is_number()); ++d)
    grid.groups[d] = line.integer("the number of work groups", 1, kMaxGridGroups);
  while (!line.done() && !line.failed()) {
    if (line.accept("block"))
      for (size_t d = 0; d < 3 && (d == 0 || line.next_is_number()); ++d)
        grid.block[d] = line.integer("the invocations of a group", 1, kMaxGroupSize);
    else if (line.accept("shared")) grid.shared_bytes = line.integer("the bytes of shared memory", 0, kMaxSharedBytes);
    else if (line.accept("user"))
      for (size_t i = 0; i < grid.user_data.size() && (i == 0 || line.next_is_number()); ++i)
        grid.user_data[i] = line.integer("a word for the program");
    else line.fail_expected("block, shared or user");
  }
  return dispatch;
}

}  // namespace tessera::scene
