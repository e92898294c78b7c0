#include <fmt/format.h>

#include <bit>

#include "combiners/place.h"
#include "frontend/tool/pixel_report.h"
#include "raster/depth_stencil.h"

namespace tessera::tool {

std::string_view scene_line(const PixelContext& context, uint32_t line) {
  std::string_view text = context.source;
  for (uint32_t n = 1; n < line && !text.empty(); ++n)
    text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
  if (line == 0) return {};
  text = text.substr(0, text.find('\n'));
  const size_t first = text.find_first_not_of(" \t\r"), last = text.find_last_not_of(" \t\r");
  return first == std::string_view::npos ? std::string_view{} : text.substr(first, last - first + 1);
}

uint32_t line_of(const PixelContext& context, const raster::PixelEvent& event, const SourceLoc& loc) {
  const scene::ShaderText* text = scene::fragment_text_at(context.scene, event.place);
  return text == nullptr || loc.line == 0 ? 0 : text->loc.line + loc.line;
}

std::string stage_of(const PixelContext& context, const raster::PixelEvent& event, const SourceLoc& loc) {
  const scene::FixedFunction* section = scene::fixed_function_at(context.scene, event.place);
  return section == nullptr ? std::string() : combiners::place_name(section->state, loc);
}

SourceLoc command_loc(const PixelContext& context, const raster::PixelEvent& event) {
  const auto& commands = context.scene.commands;
  return event.place < commands.size() ? commands[event.place].loc : SourceLoc{};
}

std::string input_name(const ir::Input& input) {
  std::string name =
      fmt::format("{}[{}].{}", ir::semantic_name(input.semantic), input.index, "xyzw"[input.component & 3]);
  if (input.of_target) name += " of the target";
  switch (input.part) {
    case ir::InputPart::Value: break;
    case ir::InputPart::Corner0: name += " at vertex 0"; break;
    case ir::InputPart::Corner1: name += " at vertex 1"; break;
    case ir::InputPart::Corner2: name += " at vertex 2"; break;
    default: return fmt::format("triangle's number {}", static_cast<int>(input.part));
  }
  return name;
}

std::string output_name(const ir::Output& output) {
  return fmt::format("{}[{}].{}", ir::semantic_name(output.semantic), output.index, "xyzw"[output.component & 3]);
}

StoredColor stored_color(Format format, const std::array<std::byte, raster::kMaxTexelBytes>& bytes) {
  const FormatInfo& info = format_info(format);
  StoredColor color;
  color.is_integer = info.is_pure_integer();
  color.is_signed = info.field[0].kind == FieldKind::Sint;
  color.texel = unpack_texel(format, bytes.data());
  color.bits = "0x";
  for (size_t i = info.block_bytes; i-- > 0;) color.bits += fmt::format("{:02x}", static_cast<unsigned>(bytes[i]));
  return color;
}

double depth_value(Format format, uint32_t key) {
  const raster::DepthLayout layout = raster::depth_layout(format);
  if (layout.is_float) return static_cast<double>(std::bit_cast<float>(key));
  return layout.depth_bits == 0 ? 0 : static_cast<double>(key) / static_cast<double>(layout.max_key());
}

bool has_stencil(Format format) { return raster::depth_layout(format).has_stencil; }

}  // namespace tessera::tool
