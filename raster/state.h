// raster/state.h: the state objects: plain values, compared and hashed by content, shaped like gallium's.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/resource.h"
#include "texture/sampler.h"

namespace tessera::raster {

using Compare = texture::Compare;

inline constexpr uint32_t kMaxColorTargets = 8;
inline constexpr uint32_t kMaxVertexElements = 32;
inline constexpr uint32_t kMaxViewports = 16;
inline constexpr uint32_t kMaxTargetLayers = 2048;   // that one draw chooses from

enum class BlendFactor : uint8_t {
  Zero, One, SrcColor, InvSrcColor, SrcAlpha, InvSrcAlpha, DstColor, InvDstColor, DstAlpha, InvDstAlpha,
  ConstColor, InvConstColor, ConstAlpha, InvConstAlpha, SrcAlphaSaturate, Src1Color, InvSrc1Color, Src1Alpha, InvSrc1Alpha
};
enum class BlendEquation : uint8_t { Add, Subtract, ReverseSubtract, Min, Max };
// The equations of KHR_blend_equation_advanced, numbered as in TGSI's FS_BLEND_EQUATION_ADVANCED (bit n allows n).
enum class AdvancedEquation : uint8_t {
  None, Multiply, Screen, Overlay, Darken, Lighten, ColorDodge, ColorBurn, HardLight, SoftLight, Difference, Exclusion,
  HslHue, HslSaturation, HslColor, HslLuminosity
};
enum class LogicOp : uint8_t {   // the number is the truth table: bit (2*s + d)
  Clear, Nor, AndInverted, CopyInverted, AndReverse, Invert, Xor, Nand, And, Equiv, Noop, OrInverted, Copy, OrReverse, Or, Set
};

struct TargetBlend {
  bool enabled = false;
  BlendEquation rgb_equation = BlendEquation::Add, alpha_equation = BlendEquation::Add;
  BlendFactor rgb_src = BlendFactor::One, rgb_dst = BlendFactor::Zero;
  BlendFactor alpha_src = BlendFactor::One, alpha_dst = BlendFactor::Zero;
  uint8_t color_mask = 15;         // bit 0 red .. bit 3 alpha
  bool operator==(const TargetBlend&) const = default;
};

struct BlendState {
  bool independent = false;        // false: target 0's settings hold for all
  bool logic_op_enabled = false;
  LogicOp logic_op = LogicOp::Copy;
  // In place of target 0's factors and equations where it is enabled; the only target, and colours are premultiplied.
  AdvancedEquation advanced = AdvancedEquation::None;
  bool dither = false;             // unorm channels of up to 16 bits (raster/dither_simd-inl.h)
  // With several samples a pixel only: the samples that a fragment's alpha leaves covered, equal in every pixel or (with
  // dither) varied over each quad; alpha as 1 after that.
  bool alpha_to_coverage = false, alpha_to_coverage_dither = false, alpha_to_one = false;
  std::array<TargetBlend, kMaxColorTargets> target;
  const TargetBlend& of(uint32_t i) const { return target[independent ? i : 0]; }
  bool operator==(const BlendState&) const = default;
};

enum class CullFace : uint8_t { None, Front, Back, FrontAndBack };
enum class FillMode : uint8_t { Fill, Line, Point };

struct RasterizerState {
  bool flat_shade = false;             // inputs declared COLOR are flat
  bool provoking_first = false;        // of flat inputs: first vertex; else the last
  bool depth_clip = true;              // false: depth is clamped instead of clipped at near and far
  bool clip_halfz = false;             // clip space z 0..w instead of -w..w
  bool discard = false;                // nothing after vertex processing
  bool front_ccw = true;               // counter-clockwise in clip space (y up) is front
  CullFace cull = CullFace::None;
  FillMode fill_front = FillMode::Fill, fill_back = FillMode::Fill;
  bool scissor = false;
  bool half_pixel_center = true;       // false: pixel centres at integers
  bool bottom_edge_rule = false;       // the fill rule owns bottom edges instead of top ones
  bool light_two_side = false;
  bool multisample = true;             // false: all samples lie at the centre, masks are unused, programs see one sample
  bool clamp_fragment_color = false;
  bool offset_point = false, offset_line = false, offset_fill = false;   // by what the polygon is drawn as
  float offset_units = 0, offset_scale = 0, offset_clamp = 0;
  bool offset_units_are_depth = false; // and not what the format of depth can tell apart
  bool poly_stipple = false;           // filled polygons: only where the draw's pattern has ones
  // With one sample a pixel (or multisample off): alpha is multiplied by the part of the pixel that is covered.
  bool point_smooth = false, line_smooth = false, poly_smooth = false;
  float point_size = 1, line_width = 1;      // pixels, clamped to 1 .. kMaxPointSize_px and kMaxLineWidth_px
  bool point_size_per_vertex = false;  // PSIZE where the vertex program writes it
  // A point is a square of its exact size at its exact place. false: as OpenGL has it without sprites: whole pixels, or
  // a disc where several samples or point_smooth show one.
  bool point_quad = false;
  bool point_tri_clip = false;         // a point outside the view volume's sides still shows its part inside the target
  uint32_t sprite_coord_enable = 0;    // bit i: in points, TEXCOORD[i] (GENERIC[i] of programs without TEXCOORD) is the
                                       // place in the point, 0 to 1
  bool sprite_coord_lower_left = false;      // where that place is 0, 0; else at the upper left
  bool line_stipple = false;
  uint16_t line_stipple_pattern = 0xffff;    // bit 0 first; each bit counts line_stipple_factor pixels
  uint16_t line_stipple_factor = 1;          // 1 .. 256
  bool line_last_pixel = false;        // the last pixel of a line, or of a strip of lines, is drawn too
  uint8_t clip_plane_enable = 255;     // bit i: CLIPDIST word i clips, or the draw's plane i if the program has none
  bool operator==(const RasterizerState&) const = default;
};

inline constexpr float kMaxPointSize_px = 2048, kMaxLineWidth_px = 255;
inline constexpr uint32_t kMaxStippleFactor = 256;

// Row y of the target uses word y % 32, its pixel x bit 31 - x % 32.
using StipplePattern = std::array<uint32_t, 32>;
inline constexpr StipplePattern kSolidStipple = [] {
  StipplePattern pattern{};
  pattern.fill(~0u);
  return pattern;
}();

enum class StencilOp : uint8_t { Keep, Zero, Replace, Incr, Decr, IncrWrap, DecrWrap, Invert };
struct StencilFace {
  bool enabled = false;
  Compare func = Compare::Always;
  StencilOp fail = StencilOp::Keep, depth_pass = StencilOp::Keep, depth_fail = StencilOp::Keep;
  uint8_t value_mask = 255, write_mask = 255;
  bool operator==(const StencilFace&) const = default;
};

struct DepthStencilAlphaState {
  bool depth_test = false, depth_write = false;   // no write without the test
  Compare depth_func = Compare::Less;
  // Before the stencil test: fragments over a stored depth outside of these, both in [0, 1], are dropped.
  bool depth_bounds_test = false;
  float depth_bounds_min = 0, depth_bounds_max = 1;
  StencilFace stencil[2];                          // front, back (back not enabled: front's holds for both)
  bool alpha_test = false;
  Compare alpha_func = Compare::Always;
  float alpha_ref = 0;
  bool operator==(const DepthStencilAlphaState&) const = default;
};

struct VertexElement {                 // element i feeds IN[i]
  uint32_t offset_bytes = 0;
  uint32_t buffer = 0;                 // slot in the vertex buffers
  uint32_t instance_divisor = 0;       // 0: a vertex
  Format format = Format::R32G32B32A32_FLOAT;
  bool operator==(const VertexElement&) const = default;
};

struct VertexBuffer {
  std::shared_ptr<const Storage> storage;
  uint32_t offset_bytes = 0, stride_bytes = 0;
};

struct IndexBuffer {
  std::shared_ptr<const Storage> storage;
  uint32_t offset_bytes = 0;
  uint8_t index_bytes = 0;             // 1, 2, 4; 0: none
};

// Window = ndc * scale + translate; y down, pixel (0,0) centred at (0.5, 0.5).
struct Viewport {
  float scale[3] = {1, 1, 0.5f}, translate[3] = {0, 0, 0.5f};
  bool operator==(const Viewport&) const = default;
};

// a, b, c, d: inside where a x + b y + c z + d w >= 0 at CLIPVERTEX, or at POSITION. All zeros: no plane.
using ClipPlane = std::array<float, 4>;
inline constexpr uint32_t kMaxClipPlanes = 8;

struct IRect {                          // half-open
  int32_t x0 = 0, y0 = 0, x1 = 0, y1 = 0;
  bool empty() const { return x1 <= x0 || y1 <= y0; }
  bool operator==(const IRect&) const = default;
};

struct Surface {                        // one level of a resource as a target
  std::shared_ptr<Storage> storage;
  Format format = Format::NONE;
  uint32_t level = 0, first_layer = 0, last_layer = 0;
  bool operator==(const Surface&) const = default;
};

struct Framebuffer {
  std::array<Surface, kMaxColorTargets> color;   // holes are legal
  uint32_t color_count = 0;
  Surface depth_stencil;                         // storage null: none
  uint32_t width = 0, height = 0;                // smallest of all attached levels
  uint32_t samples = 1;
  // The layers that primitives choose from by the LAYER output of the provoking vertex, from each surface's first: the
  // fewest of all attached surfaces. A number (unsigned) beyond the last chooses the last; without LAYER, the first.
  uint32_t layers = 1;
  bool operator==(const Framebuffer&) const = default;
};

enum class Primitive : uint8_t {
  Points, Lines, LineLoop, LineStrip, Triangles, TriangleStrip, TriangleFan, Quads, QuadStrip, Polygon,
  LinesAdjacency, LineStripAdjacency, TrianglesAdjacency, TriangleStripAdjacency, Patches
};

struct DrawInfo {
  Primitive primitive = Primitive::Triangles;
  uint32_t start = 0, count = 0;                 // vertices, or indices when an index buffer is bound
  uint32_t instance_count = 1, start_instance = 0;
  int32_t base_vertex = 0;                       // added to indices
  bool indexed = false;
  bool primitive_restart = false;
  uint32_t restart_index = ~0u;
  uint32_t patch_vertices = 3;                   // of Primitive::Patches: 1 to 32
  uint32_t draw_id = 0;                          // DRAWID: the number of the draw in a multi-draw
};

}  // namespace tessera::raster
