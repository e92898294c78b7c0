#include "frontend/view/overlay_draw.h"

#include <imgui.h>

#include <algorithm>

#include "frontend/view/fresh_state.h"

namespace tessera::view {
namespace {

// CONST[0]: pixels to clip space.
constexpr std::string_view kVertexText = R"(VERT
DCL IN[0]
DCL IN[1]
DCL IN[2]
DCL OUT[0], POSITION
DCL OUT[1], GENERIC[0]
DCL OUT[2], GENERIC[1]
DCL CONST[0]
IMM[0] FLT32 {0.0, 1.0, 0.0, 0.0}
0: MAD OUT[0].xy, IN[0], CONST[0].xyyy, CONST[0].zwww
1: MOV OUT[0].zw, IMM[0].xxxy
2: MOV OUT[1], IN[1]
3: MOV OUT[2], IN[2]
4: END
)";

constexpr std::string_view kFragmentText = R"(FRAG
DCL IN[0], GENERIC[0], LINEAR
DCL IN[1], GENERIC[1], LINEAR
DCL OUT[0], COLOR
DCL SAMP[0]
DCL SVIEW[0], 2D, FLOAT
DCL TEMP[0]
0: TEX TEMP[0], IN[0], SAMP[0], 2D
1: MUL OUT[0], TEMP[0], IN[1]
2: END
)";

constexpr raster::VertexElement kElements[] = {
    {.offset_bytes = offsetof(ImDrawVert, pos), .format = Format::R32G32_FLOAT},
    {.offset_bytes = offsetof(ImDrawVert, uv), .format = Format::R32G32_FLOAT},
    {.offset_bytes = offsetof(ImDrawVert, col), .format = Format::R8G8B8A8_UNORM}};

Status set_state(Context& c, const ImDrawData& data) {
  raster::BlendState blend;
  blend.target[0] = {.enabled = true,
                     .rgb_src = raster::BlendFactor::SrcAlpha,
                     .rgb_dst = raster::BlendFactor::InvSrcAlpha,
                     .alpha_src = raster::BlendFactor::One,
                     .alpha_dst = raster::BlendFactor::InvSrcAlpha};
  c.set_blend(blend);
  c.set_rasterizer({.scissor = true});
  const float constants[] = {2 / data.DisplaySize.x, -2 / data.DisplaySize.y, -1, 1};
  return c.set_constants(ir::Stage::Vertex, 0, constants);
}

Status draw_list(Device& device, const ImDrawList& list, uint32_t width, uint32_t height) {
  Context& c = device.context();
  if (list.VtxBuffer.empty() || list.IdxBuffer.empty()) return Done{};
  const auto vertices = std::as_bytes(std::span(list.VtxBuffer.Data, static_cast<size_t>(list.VtxBuffer.Size)));
  const auto indices = std::as_bytes(std::span(list.IdxBuffer.Data, static_cast<size_t>(list.IdxBuffer.Size)));
  const Result<ResourceRef> vertex_buffer = device.create_buffer(vertices);
  const Result<ResourceRef> index_buffer = device.create_buffer(indices);
  if (!vertex_buffer) return vertex_buffer.diags();
  if (!index_buffer) return index_buffer.diags();
  if (Status s = c.set_vertex_buffer(0, *vertex_buffer, sizeof(ImDrawVert)); !s) return s;
  if (Status s = c.set_index_buffer(*index_buffer, sizeof(ImDrawIdx)); !s) return s;
  for (const ImDrawCmd& command : list.CmdBuffer) {
    if (command.UserCallback) continue;
    const auto pixel = [](float x, uint32_t limit) {
      return static_cast<int32_t>(std::min(std::max(x, 0.0f), static_cast<float>(limit)));
    };
    const ImVec4& clip = command.ClipRect;
    c.set_scissor({pixel(clip.x, width), pixel(clip.y, height), pixel(clip.z, width), pixel(clip.w, height)});
    const Status s = c.draw({.start = command.IdxOffset, .count = command.ElemCount,
                             .base_vertex = static_cast<int32_t>(command.VtxOffset), .indexed = true});
    if (!s) return s;
  }
  return Done{};
}

}  // namespace

Status OverlayDraw::start(Device& device) {
  Result<ShaderRef> vertex = device.create_shader(ir::Stage::Vertex, kVertexText);
  Result<ShaderRef> fragment = device.create_shader(ir::Stage::Fragment, kFragmentText);
  if (!vertex) return vertex.diags();
  if (!fragment) return fragment.diags();
  unsigned char* texels = nullptr;
  int width = 0, height = 0;
  ImGui::GetIO().Fonts->GetTexDataAsRGBA32(&texels, &width, &height);
  const Box box{.width = static_cast<uint32_t>(width), .height = static_cast<uint32_t>(height)};
  Result<ResourceRef> font = device.create_image({.width = box.width, .height = box.height});
  if (!font) return font.diags();
  const auto bytes = std::as_bytes(std::span(texels, size_t{box.width} * box.height * 4));
  if (Status s = device.context().write_texels(*font, 0, box, bytes); !s) return s;
  vertex_ = *vertex, fragment_ = *fragment, font_ = *font;
  return Done{};
}

Status OverlayDraw::draw(Device& device, const ImDrawData& data, const ResourceRef& target) {
  Context& c = device.context();
  if (Status s = use_fresh_state(c); !s) return s;
  if (Status s = c.set_color_target(0, {target}); !s) return s;
  if (Status s = c.set_shader(vertex_); !s) return s;
  if (Status s = c.set_shader(fragment_); !s) return s;
  if (Status s = c.set_vertex_elements(kElements); !s) return s;
  if (Status s = c.set_texture(ir::Stage::Fragment, 0, {font_}); !s) return s;
  if (Status s = set_state(c, data); !s) return s;
  for (int i = 0; i < data.CmdListsCount; ++i)
    if (Status s = draw_list(device, *data.CmdLists[i], target->desc().width, target->desc().height); !s) return s;
  return use_fresh_state(c);
}

}  // namespace tessera::view
