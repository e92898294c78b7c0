// Pixel rectangles and bitmaps of a Context: as instances of a rectangle, drawn with the state that is set.
#include "frontend/pixels.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>
#include <vector>

#include "core/scalar.h"
#include "frontend/context_impl.h"
#include "frontend/pixel_runs.h"
#include "frontend/transfer_rows.h"

namespace tessera {
namespace {

constexpr uint32_t kStencilVarying = 31;           // GENERIC: out of the way of programs' own
constexpr uint32_t kMaxSide_texels = 16384;

bool is_finite(float x) { return std::isfinite(x); }

// IN: the rectangle, its colour, depth, stencil. CONST: secondary colour, fog, texture coordinates.
std::string vertex_text() {
  std::string text =
      "VERT\nPROPERTY VS_WINDOW_SPACE_POSITION 1\nDCL IN[0]\nDCL IN[1]\nDCL IN[2]\nDCL IN[3]\nDCL SV[0], VERTEXID\n"
      "DCL OUT[0], POSITION\nDCL OUT[1], COLOR\nDCL OUT[2], COLOR[1]\nDCL OUT[3], FOG\n";
  text += fmt::format("DCL OUT[4], GENERIC[{}]\n", kStencilVarying);
  for (uint32_t i = 0; i < kRasterTexcoords; ++i)
    text += fmt::format("DCL OUT[{}], TEXCOORD[{}]\nDCL OUT[{}], GENERIC[{}]\n", 5 + 2 * i, i, 6 + 2 * i, i);
  text +=
      fmt::format("DCL CONST[0..{}]\nDCL TEMP[0]\nIMM[0] UINT32 {{1, 2, 0, 0}}\nIMM[1] FLT32 {{1.0, 0.0, 0.0, 0.0}}\n",
                  1 + kRasterTexcoords);
  std::vector<std::string> lines = {
      "AND TEMP[0].xy, SV[0].xxxx, IMM[0].xyyy",   "UCMP OUT[0].x, TEMP[0].xxxx, IN[0].zzzz, IN[0].xxxx",
      "UCMP OUT[0].y, TEMP[0].yyyy, IN[0].wwww, IN[0].yyyy", "MOV OUT[0].z, IN[2].xxxx",
      "MOV OUT[0].w, IMM[1].xxxx",                 "MOV OUT[1], IN[1]",
      "MOV OUT[2], CONST[0]",                      "MOV OUT[3], CONST[1]",
      "MOV OUT[4], IN[3].xxxx"};
  for (uint32_t i = 0; i < kRasterTexcoords; ++i) {
    lines.push_back(fmt::format("MOV OUT[{}], CONST[{}]", 5 + 2 * i, 2 + i));
    lines.push_back(fmt::format("MOV OUT[{}], CONST[{}]", 6 + 2 * i, 2 + i));
  }
  lines.emplace_back("END");
  for (size_t i = 0; i < lines.size(); ++i) text += fmt::format("{}: {}\n", i, lines[i]);
  return text;
}

std::string stencil_text() {
  return fmt::format(
      "FRAG\nDCL IN[0], GENERIC[{}], CONSTANT\nDCL OUT[0], STENCIL\n0: MOV OUT[0].y, IN[0].xxxx\n1: END\n",
      kStencilVarying);
}

std::vector<uint32_t> constants_of(const RasterPosition& at) {
  std::vector<uint32_t> words;
  const auto add = [&](const std::array<float, 4>& v) {
    for (const float x : v) words.push_back(scalar::bits_of(x));
  };
  add(at.secondary);
  add({at.fog, 0, 0, 1});
  for (const std::array<float, 4>& texcoord : at.texcoord) add(texcoord);
  return words;
}

// Fragments of a rectangle are no polygon's: of the rasterizer's state this counts.
raster::RasterizerState rectangle_state(const raster::RasterizerState& set) {
  raster::RasterizerState s;
  s.scissor = set.scissor;
  s.half_pixel_center = set.half_pixel_center;
  s.bottom_edge_rule = set.bottom_edge_rule;
  s.multisample = set.multisample;
  s.clamp_fragment_color = set.clamp_fragment_color;
  s.discard = set.discard;
  s.clip_plane_enable = 0;
  return s;
}

// The stencil of the instances replaces what is there, and with `depth` so does the depth, where it is written at all.
raster::DepthStencilAlphaState direct_writes(const raster::DepthStencilAlphaState& set, bool depth) {
  raster::DepthStencilAlphaState s;
  s.depth_test = s.depth_write = depth && set.depth_write;
  s.depth_func = raster::Compare::Always;
  raster::StencilFace& face = s.stencil[0];
  face.enabled = true;
  face.fail = face.depth_fail = face.depth_pass = raster::StencilOp::Replace;
  face.write_mask = set.stencil[0].write_mask;
  return s;
}

bool holds_floats(const FormatInfo& format) {
  return std::any_of(std::begin(format.field), std::end(format.field), [](const FormatField& f) {
    return f.kind == FieldKind::Float || f.kind == FieldKind::SharedExp || f.kind == FieldKind::Fixed;
  });
}

std::array<float, 4> color_of(const Texel& texel, const PixelTransfer& t, bool clamps) {
  std::array<float, 4> color;
  for (size_t c = 0; c < 4; ++c) {
    const float v = scalar::float_of(texel.word[c]) * t.scale[c] + t.bias[c];
    color[c] = clamps ? scalar::saturate(v) : v;
  }
  return color;
}

uint32_t stencil_of(uint8_t stencil, const PixelTransfer& t) {
  const uint32_t shifted = t.stencil_shift >= 0 ? uint32_t{stencil} << std::min(t.stencil_shift, 31)
                                                : uint32_t{stencil} >> std::min(-int64_t{t.stencil_shift}, int64_t{31});
  return (shifted + static_cast<uint32_t>(t.stencil_offset)) & 255;
}

Status check_kind(PixelKind kind, Format format) {
  if (static_cast<size_t>(format) >= all_formats().size() || format == Format::NONE)
    return error("pixels.format: it is none");
  const FormatInfo& info = format_info(format);
  if (kind == PixelKind::Color && info.is_pure_integer())   // OpenGL's DrawPixels refuses them likewise
    return error(fmt::format("pixels.format: {} holds integers, which are no colours", info.name));
  const bool fits = kind == PixelKind::Color     ? !info.is_depth_or_stencil()
                    : kind == PixelKind::Depth   ? format_has_depth(format)
                    : kind == PixelKind::Stencil ? format_has_stencil(format)
                                                 : format_has_depth(format) && format_has_stencil(format);
  if (fits && !info.is_compressed && kind <= PixelKind::DepthStencil) return Done{};
  return error(fmt::format("pixels.format: {} holds no texels of the kind that is drawn", info.name));
}

std::vector<PixelValue> values_of(const PixelRect& pixels, const Rows& rows, const PixelTransfer& transfer,
                                  const RasterPosition& at) {
  std::vector<PixelValue> values(size_t{pixels.width} * pixels.height);
  const FormatInfo& format = format_info(pixels.format);
  const bool clamps = !holds_floats(format);
  PixelValue* out = values.data();
  for (uint32_t y = 0; y < pixels.height; ++y)
    for (uint32_t x = 0; x < pixels.width; ++x, ++out) {
      const std::byte* const texel = pixels.bytes.data() + y * rows.row_bytes + size_t{x} * format.block_bytes;
      out->color = pixels.kind == PixelKind::Color ? color_of(unpack_texel(pixels.format, texel), transfer, clamps)
                                                   : at.color;
      out->depth = at.z;
      if (pixels.kind == PixelKind::Depth || pixels.kind == PixelKind::DepthStencil)
        out->depth = scalar::saturate(unpack_depth(pixels.format, texel) * transfer.depth_scale + transfer.depth_bias);
      if (pixels.kind >= PixelKind::Stencil) out->stencil = stencil_of(unpack_stencil(pixels.format, texel), transfer);
    }
  return values;
}

}  // namespace

void Context::set_raster_position(const RasterPosition& position) { impl_->raster_position = position; }
const RasterPosition& Context::raster_position() const { return impl_->raster_position; }

Status Context::set_pixel_transfer(const PixelTransfer& transfer) {
  if (!is_finite(transfer.zoom_x) || !is_finite(transfer.zoom_y))
    return error("zoom_x, zoom_y: expected finite numbers");
  impl_->pixel_transfer = transfer;
  return Done{};
}

// What is set in the context and does not count for rectangles, put back after rectangles have been drawn.
class Context::Impl::DrawingState {
 public:
  explicit DrawingState(Impl& impl)
      : impl_(impl), shader_(impl.vertex.shader), fragment_(impl.fragment.shader), fixed_function_(impl.fixed_function),
        constants_(impl.vertex.constants), elements_(impl.pipeline_desc.elements), buffer_(impl.vertex_buffers[0]),
        rasterizer_(impl.pipeline_desc.rasterizer), depth_stencil_alpha_(impl.pipeline_desc.depth_stencil_alpha),
        stream_output_(std::move(impl.pipeline_desc.stream_output)) {
    impl.pipeline_desc.stream_output = {};
    impl.pipeline_dirty = true;
    for (size_t i = 0; i < between_.size(); ++i) between_[i] = std::move(impl.stages_between()[i]->shader);
  }
  DrawingState(const DrawingState&) = delete;
  DrawingState& operator=(const DrawingState&) = delete;
  ~DrawingState() {
    impl_.vertex.shader = shader_;
    impl_.fragment.shader = fragment_;
    impl_.fixed_function = fixed_function_;
    impl_.vertex.constants = constants_;
    impl_.pipeline_desc.elements = elements_;
    impl_.vertex_buffers[0] = buffer_;
    impl_.pipeline_desc.rasterizer = rasterizer_;
    impl_.pipeline_desc.depth_stencil_alpha = depth_stencil_alpha_;
    impl_.pipeline_desc.stream_output = std::move(stream_output_);
    for (size_t i = 0; i < between_.size(); ++i) impl_.stages_between()[i]->shader = std::move(between_[i]);
    impl_.pipeline_dirty = impl_.vertex.bound_dirty = impl_.fragment.bound_dirty = true;
  }

 private:
  Impl& impl_;
  ShaderRef shader_, fragment_;
  std::optional<combiners::FragmentState> fixed_function_;
  std::vector<std::shared_ptr<const std::vector<uint32_t>>> constants_;
  std::vector<raster::VertexElement> elements_;
  VertexBufferSlot buffer_;
  raster::RasterizerState rasterizer_;
  raster::DepthStencilAlphaState depth_stencil_alpha_;
  raster::StreamLayout stream_output_;             // the rectangles are not streamed out,
  std::array<ShaderRef, 3> between_;               // and go through no stages between
};

// Draws instances with the programs and tests that are set; stencil directly.
Status Context::Impl::draw_instances(Context& context, const std::vector<PixelInstance>& instances, PixelKind kind) {
  if (instances.empty()) return Done{};
  const DrawingState put_back(*this);
  Result<ShaderRef> program = device.create_shader(ir::Stage::Vertex, vertex_text());
  if (!program) return program.diags();
  if (Status s = context.set_shader(*program); !s) return s;
  if (kind == PixelKind::Stencil || kind == PixelKind::DepthStencil) {
    Result<ShaderRef> writes = device.create_shader(ir::Stage::Fragment, stencil_text());
    if (!writes) return writes.diags();
    if (Status s = context.set_shader(*writes); !s) return s;
    context.unset_fixed_function();
    context.set_depth_stencil_alpha(direct_writes(pipeline_desc.depth_stencil_alpha, kind == PixelKind::DepthStencil));
  }
  context.set_rasterizer(rectangle_state(pipeline_desc.rasterizer));
  if (Status s = context.set_constants(ir::Stage::Vertex, 0, constants_of(raster_position)); !s) return s;
  Result<ResourceRef> buffer = device.create_buffer(std::as_bytes(std::span(instances)));
  if (!buffer) return buffer.diags();
  const auto element = [](size_t offset, Format format) {
    return raster::VertexElement{
        .offset_bytes = static_cast<uint32_t>(offset), .instance_divisor = 1, .format = format};
  };
  const raster::VertexElement elements[] = {element(offsetof(PixelInstance, rect), Format::R32G32B32A32_FLOAT),
                                            element(offsetof(PixelInstance, color), Format::R32G32B32A32_FLOAT),
                                            element(offsetof(PixelInstance, depth), Format::R32_FLOAT),
                                            element(offsetof(PixelInstance, stencil), Format::R32_UINT)};
  if (Status s = context.set_vertex_elements(elements); !s) return s;
  if (Status s = context.set_vertex_buffer(0, *buffer, sizeof(PixelInstance)); !s) return s;
  return context.draw({.primitive = raster::Primitive::TriangleStrip, .count = 4,
                       .instance_count = static_cast<uint32_t>(instances.size())});
}

Result<PixelGrid> Context::Impl::pixel_grid() const {
  const RasterPosition& at = raster_position;
  if (!is_finite(at.x) || !is_finite(at.y) || !is_finite(at.z))
    return error("raster_position: expected finite numbers");
  Result<raster::Framebuffer> target = framebuffer();
  if (!target) return target.diags();
  const raster::RasterizerState& r = pipeline_desc.rasterizer;
  return PixelGrid{.x = at.x, .y = at.y, .zoom_x = pixel_transfer.zoom_x, .zoom_y = pixel_transfer.zoom_y,
                   .target_width = target->width, .target_height = target->height,
                   .half_pixel_center = r.half_pixel_center, .bottom_edge_rule = r.bottom_edge_rule,
                   .samples = target->samples > 1 && r.multisample};
}

Status Context::draw_pixels(const PixelRect& pixels) {
  Impl& own = *impl_;
  if (Status s = check_kind(pixels.kind, pixels.format); !s) return s;
  if (pixels.width > kMaxSide_texels || pixels.height > kMaxSide_texels)
    return error(
        fmt::format("pixels.width, height: at most {}, found {} x {}", kMaxSide_texels, pixels.width, pixels.height));
  const Box box{.width = pixels.width, .height = pixels.height};
  const Result<Rows> rows = plan_rows(pixels.format, box, pixels.pitch, pixels.bytes.size());
  if (!rows) return rows.diags();
  Result<PixelGrid> grid = own.pixel_grid();
  if (!grid) return grid.diags();
  if (!own.raster_position.valid || pixels.width == 0 || pixels.height == 0) return Done{};
  const std::vector<PixelValue> values = values_of(pixels, *rows, own.pixel_transfer, own.raster_position);
  return own.draw_instances(*this, make_runs(*grid, pixels.width, pixels.height, values), pixels.kind);
}

Status Context::copy_pixels(const Attachment& from, const Box& box, PixelKind kind) {
  if (Status s = check_image(from.resource, "from.resource"); !s) return s;
  if (Status s = check_level_and_slice(*from.resource, from.level, from.layer); !s) return s;
  const Format format = from.resource->desc().format;
  if (Status s = check_kind(kind, format); !s) return s;
  const Box here{box.x, box.y, from.layer, box.width, box.height, 1};
  if (Status s = check_box(*from.resource, from.level, here); !s) return s;
  Result<ResourceRef> single = resolved(from.resource, from.layer);
  if (!single) return single.diags();
  std::vector<std::byte> bytes(size_t{box.width} * box.height * format_info(format).block_bytes);
  const bool is_resolved = *single != from.resource;
  const Box source{box.x, box.y, is_resolved ? 0 : from.layer, box.width, box.height, 1};
  if (Status s = read_box(*single, from.level, source, bytes); !s) return s;
  return draw_pixels({.kind = kind, .format = format, .width = box.width, .height = box.height, .bytes = bytes});
}

Status Context::draw_bitmap(const Bitmap& bitmap) {
  Impl& own = *impl_;
  RasterPosition& at = own.raster_position;
  if (bitmap.width > kMaxSide_texels || bitmap.height > kMaxSide_texels)
    return error(
        fmt::format("bitmap.width, height: at most {}, found {} x {}", kMaxSide_texels, bitmap.width, bitmap.height));
  for (const float v : {bitmap.origin_x, bitmap.origin_y, bitmap.move_x, bitmap.move_y})
    if (!is_finite(v)) return error("bitmap.origin_x, origin_y, move_x, move_y: expected finite numbers");
  const size_t length = (size_t{bitmap.width} + 7) / 8, pitch = bitmap.row_bytes ? bitmap.row_bytes : length;
  if (pitch < length) return error(fmt::format("bitmap.row_bytes: expected at least {}, found {}", length, pitch));
  const bool is_empty = bitmap.width == 0 || bitmap.height == 0;
  if (!is_empty && (bitmap.bits.size() < length || (bitmap.bits.size() - length) / pitch < bitmap.height - 1))
    return error(fmt::format("bitmap.bits: expected {} rows of {} bytes, found {} bytes", bitmap.height, pitch,
                             bitmap.bits.size()));
  Result<PixelGrid> grid = own.pixel_grid();
  if (!grid) return grid.diags();
  if (!at.valid) return Done{};
  std::vector<PixelValue> values(size_t{bitmap.width} * bitmap.height);
  for (size_t i = 0; i < values.size(); ++i) {
    const size_t x = i % bitmap.width, y = i / bitmap.width;
    values[i] = {at.color, at.z, 0, (static_cast<uint32_t>(bitmap.bits[y * pitch + x / 8]) >> (7 - x % 8) & 1) != 0};
  }
  grid->zoom_x = 1;
  grid->zoom_y = bitmap.rows_up ? -1 : 1;
  grid->x = std::floor(double{at.x} - bitmap.origin_x);
  grid->y = bitmap.rows_up ? std::ceil(double{at.y} + bitmap.origin_y) : std::floor(double{at.y} - bitmap.origin_y);
  // Whole pixels, whatever the rules for edges and samples are.
  grid->bottom_edge_rule = grid->samples = false;
  if (Status s = own.draw_instances(*this, make_runs(*grid, bitmap.width, bitmap.height, values), PixelKind::Color); !s)
    return s;
  at.x += bitmap.move_x;
  at.y += bitmap.move_y;
  return Done{};
}

}  // namespace tessera
