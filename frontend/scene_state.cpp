#include <fmt/format.h>

#include <charconv>

#include "frontend/scene_sections.h"

namespace tessera::scene {
namespace {

using raster::AdvancedEquation;
using raster::BlendEquation;
using raster::BlendFactor;
using raster::CullFace;
using raster::LogicOp;
using raster::StencilOp;
using texture::Compare;

constexpr Named<BlendFactor> kFactors[] = {
    {"zero", BlendFactor::Zero}, {"one", BlendFactor::One},
    {"src_color", BlendFactor::SrcColor}, {"inv_src_color", BlendFactor::InvSrcColor},
    {"src_alpha", BlendFactor::SrcAlpha}, {"inv_src_alpha", BlendFactor::InvSrcAlpha},
    {"dst_color", BlendFactor::DstColor}, {"inv_dst_color", BlendFactor::InvDstColor},
    {"dst_alpha", BlendFactor::DstAlpha}, {"inv_dst_alpha", BlendFactor::InvDstAlpha},
    {"const_color", BlendFactor::ConstColor}, {"inv_const_color", BlendFactor::InvConstColor},
    {"const_alpha", BlendFactor::ConstAlpha}, {"inv_const_alpha", BlendFactor::InvConstAlpha},
    {"src_alpha_saturate", BlendFactor::SrcAlphaSaturate},
    {"src1_color", BlendFactor::Src1Color}, {"inv_src1_color", BlendFactor::InvSrc1Color},
    {"src1_alpha", BlendFactor::Src1Alpha}, {"inv_src1_alpha", BlendFactor::InvSrc1Alpha}};

constexpr Named<BlendEquation> kEquations[] = {{"add", BlendEquation::Add}, {"subtract", BlendEquation::Subtract},
    {"reverse_subtract", BlendEquation::ReverseSubtract}, {"min", BlendEquation::Min}, {"max", BlendEquation::Max}};

constexpr Named<AdvancedEquation> kAdvanced[] = {
    {"off", AdvancedEquation::None}, {"multiply", AdvancedEquation::Multiply}, {"screen", AdvancedEquation::Screen},
    {"overlay", AdvancedEquation::Overlay}, {"darken", AdvancedEquation::Darken},
    {"lighten", AdvancedEquation::Lighten}, {"color_dodge", AdvancedEquation::ColorDodge},
    {"color_burn", AdvancedEquation::ColorBurn}, {"hard_light", AdvancedEquation::HardLight},
    {"soft_light", AdvancedEquation::SoftLight}, {"difference", AdvancedEquation::Difference},
    {"exclusion", AdvancedEquation::Exclusion}, {"hsl_hue", AdvancedEquation::HslHue},
    {"hsl_saturation", AdvancedEquation::HslSaturation}, {"hsl_color", AdvancedEquation::HslColor},
    {"hsl_luminosity", AdvancedEquation::HslLuminosity}};

constexpr Named<LogicOp> kLogicOps[] = {
    {"clear", LogicOp::Clear}, {"nor", LogicOp::Nor}, {"and_inverted", LogicOp::AndInverted},
    {"copy_inverted", LogicOp::CopyInverted}, {"and_reverse", LogicOp::AndReverse}, {"invert", LogicOp::Invert},
    {"xor", LogicOp::Xor}, {"nand", LogicOp::Nand}, {"and", LogicOp::And}, {"equiv", LogicOp::Equiv},
    {"noop", LogicOp::Noop}, {"or_inverted", LogicOp::OrInverted}, {"copy", LogicOp::Copy},
    {"or_reverse", LogicOp::OrReverse}, {"or", LogicOp::Or}, {"set", LogicOp::Set}};

constexpr Named<Compare> kCompares[] = {{"never", Compare::Never}, {"less", Compare::Less}, {"equal", Compare::Equal},
    {"lequal", Compare::Lequal}, {"greater", Compare::Greater}, {"notequal", Compare::NotEqual},
    {"gequal", Compare::Gequal}, {"always", Compare::Always}};

constexpr Named<StencilOp> kStencilOps[] = {{"keep", StencilOp::Keep}, {"zero", StencilOp::Zero},
    {"replace", StencilOp::Replace}, {"incr", StencilOp::Incr}, {"decr", StencilOp::Decr},
    {"incr_wrap", StencilOp::IncrWrap}, {"decr_wrap", StencilOp::DecrWrap}, {"invert", StencilOp::Invert}};

constexpr Named<CullFace> kCulls[] = {{"none", CullFace::None}, {"front", CullFace::Front}, {"back", CullFace::Back},
    {"front_and_back", CullFace::FrontAndBack}};

constexpr Named<raster::FillMode> kFillModes[] = {{"fill", raster::FillMode::Fill}, {"line", raster::FillMode::Line},
    {"point", raster::FillMode::Point}};

constexpr Named<uint32_t> kFaces[] = {{"front", 1}, {"back", 2}, {"both", 3}};   // bit i: stencil face i

// ---- blending: lines that may name one target ----

void parse_blend(Line& line, raster::TargetBlend& target) {
  target.enabled = !line.accept("off");
  if (!target.enabled) return;
  target.rgb_src = line.one_of(kFactors);
  target.rgb_dst = line.one_of(kFactors);
  const bool separate = !line.done();
  target.alpha_src = separate ? line.one_of(kFactors) : target.rgb_src;
  target.alpha_dst = separate ? line.one_of(kFactors) : target.rgb_dst;
}

void parse_blend_equation(Line& line, raster::TargetBlend& target) {
  target.rgb_equation = line.one_of(kEquations);
  target.alpha_equation = line.done() ? target.rgb_equation : line.one_of(kEquations);
}

void parse_color_mask(Line& line, raster::TargetBlend& target) {
  constexpr std::string_view kChannels = "rgba";
  target.color_mask = 0;
  if (line.accept("none")) return;
  const std::string_view channels = line.peek();
  for (const char c : channels) {
    const size_t channel = kChannels.find(c);
    if (channel == std::string_view::npos) return line.fail_expected("channels of rgba, or none");
    target.color_mask = static_cast<uint8_t>(target.color_mask | 1u << channel);
  }
  line.word("channels of rgba, or none");
}

struct TargetKeyword {
  std::string_view name;
  void (*parse)(Line&, raster::TargetBlend&);
  void (*assign)(const raster::TargetBlend& from, raster::TargetBlend& to);   // what parse() sets
};
constexpr TargetKeyword kTargetKeywords[] = {
    {"blend", parse_blend,
     [](const raster::TargetBlend& from, raster::TargetBlend& to) {
       to.enabled = from.enabled;
       to.rgb_src = from.rgb_src, to.rgb_dst = from.rgb_dst;
       to.alpha_src = from.alpha_src, to.alpha_dst = from.alpha_dst;
     }},
    {"blend_equation", parse_blend_equation,
     [](const raster::TargetBlend& from, raster::TargetBlend& to) {
       to.rgb_equation = from.rgb_equation, to.alpha_equation = from.alpha_equation;
     }},
    {"color_mask", parse_color_mask,
     [](const raster::TargetBlend& from, raster::TargetBlend& to) { to.color_mask = from.color_mask; }}};

// Without an index a line holds for all targets.
bool parse_target_line(Line& line, State& state) {
  const std::string_view word = line.peek();
  for (const TargetKeyword& keyword : kTargetKeywords) {
    if (word.substr(0, word.find('[')) != keyword.name) continue;
    const IndexedWord indexed = split_index(line, word, raster::kMaxColorTargets);
    line.word("a state");
    raster::TargetBlend parsed;
    keyword.parse(line, parsed);
    if (line.failed()) return true;
    state.blend.independent |= indexed.index.has_value();
    for (uint32_t i = 0; i < raster::kMaxColorTargets; ++i)
      if (!indexed.index || *indexed.index == i) keyword.assign(parsed, state.blend.target[i]);
    return true;
  }
  return false;
}

// ---- the other lines ----

std::array<float, 4> four_reals(Line& line, std::string_view what) {
  std::array<float, 4> values{};
  for (float& value : values) value = line.real(what);
  return values;
}

void parse_stencil(Line& line, State& state) {
  const uint32_t faces = line.one_of(kFaces);
  raster::StencilFace face;
  face.enabled = !line.accept("off");
  uint8_t reference = 0;
  if (face.enabled) {
    face.func = line.one_of(kCompares);
    reference = static_cast<uint8_t>(line.integer("the reference", 0, 255));
    face.value_mask = static_cast<uint8_t>(line.integer("the value mask", 0, 255));
    face.write_mask = static_cast<uint8_t>(line.integer("the write mask", 0, 255));
  }
  for (size_t i = 0; i < 2; ++i) {
    if (!(faces >> i & 1)) continue;
    raster::StencilFace& mine = state.depth_stencil_alpha.stencil[i];
    face.fail = mine.fail, face.depth_fail = mine.depth_fail, face.depth_pass = mine.depth_pass;
    mine = face;
    state.stencil_reference[i] = reference;
  }
}

void parse_stencil_op(Line& line, State& state) {
  const uint32_t faces = line.one_of(kFaces);
  const StencilOp fail = line.one_of(kStencilOps), depth_fail = line.one_of(kStencilOps),
                  pass = line.one_of(kStencilOps);
  for (size_t i = 0; i < 2; ++i) {
    if (!(faces >> i & 1)) continue;
    raster::StencilFace& face = state.depth_stencil_alpha.stencil[i];
    face.fail = fail, face.depth_fail = depth_fail, face.depth_pass = pass;
  }
}

void parse_depth_test(Line& line, State& state) {
  raster::DepthStencilAlphaState& dsa = state.depth_stencil_alpha;
  const bool on = !line.accept("off");
  if (on) dsa.depth_func = line.one_of(kCompares);
  dsa.depth_test = dsa.depth_write = on;
}

void parse_alpha_test(Line& line, State& state) {
  raster::DepthStencilAlphaState& dsa = state.depth_stencil_alpha;
  dsa.alpha_test = !line.accept("off");
  if (!dsa.alpha_test) return;
  dsa.alpha_func = line.one_of(kCompares);
  dsa.alpha_ref = line.real("the reference");
}

void parse_logic_op(Line& line, State& state) {
  state.blend.logic_op_enabled = !line.accept("off");
  if (state.blend.logic_op_enabled) state.blend.logic_op = line.one_of(kLogicOps);
}

// It takes the place of target 0's `blend`, which it turns on.
void parse_blend_advanced(Line& line, State& state) {
  state.blend.advanced = line.one_of(kAdvanced);
  if (state.blend.advanced != AdvancedEquation::None) state.blend.target[0].enabled = true;
}

void parse_depth_bounds(Line& line, State& state) {
  raster::DepthStencilAlphaState& dsa = state.depth_stencil_alpha;
  dsa.depth_bounds_test = !line.accept("off");
  if (!dsa.depth_bounds_test) return;
  dsa.depth_bounds_min = line.real("the least depth");
  dsa.depth_bounds_max = line.real("the greatest depth");
  if (!(dsa.depth_bounds_min >= 0 && dsa.depth_bounds_min <= dsa.depth_bounds_max && dsa.depth_bounds_max <= 1))
    line.fail("expected depth bounds with 0 <= least <= greatest <= 1");
}

void parse_offset(Line& line, State& state) {
  raster::RasterizerState& r = state.rasterizer;
  r.offset_fill = r.offset_line = r.offset_point = !line.accept("off");
  if (!r.offset_fill) return;
  r.offset_units = line.real("offset units");
  r.offset_scale = line.real("offset scale");
  r.offset_clamp = line.real("offset clamp");
  if (line.done()) return;
  r.offset_fill = r.offset_line = r.offset_point = false;
  while (!line.done() && !line.failed()) {
    const raster::FillMode mode = line.one_of(kFillModes);
    (mode == raster::FillMode::Fill   ? r.offset_fill
     : mode == raster::FillMode::Line ? r.offset_line
                                      : r.offset_point) = true;
  }
}

void parse_fill(Line& line, State& state) {
  state.rasterizer.fill_front = line.one_of(kFillModes);
  state.rasterizer.fill_back = line.done() ? state.rasterizer.fill_front : line.one_of(kFillModes);
}

float above_zero(Line& line, std::string_view what) {
  const float value = line.real(what);
  if (!line.failed() && !(value > 0)) line.fail(fmt::format("{} must be above 0", what));
  return value;
}

void parse_point_size(Line& line, State& state) {
  state.rasterizer.point_size_per_vertex = line.accept("shader");
  if (!state.rasterizer.point_size_per_vertex) state.rasterizer.point_size = above_zero(line, "the size in pixels");
}

void parse_sprite_coord(Line& line, State& state) {
  state.rasterizer.sprite_coord_enable = line.accept("off") ? 0 : line.integer("the mask of inputs, or off");
  state.rasterizer.sprite_coord_lower_left = line.accept("lower_left");
  if (!state.rasterizer.sprite_coord_lower_left) line.accept("upper_left");
}

void parse_line_stipple(Line& line, State& state) {
  raster::RasterizerState& r = state.rasterizer;
  r.line_stipple = !line.accept("off");
  if (!r.line_stipple) return;
  r.line_stipple_factor = static_cast<uint16_t>(line.integer("the factor", 1, raster::kMaxStippleFactor));
  r.line_stipple_pattern = static_cast<uint16_t>(line.integer("the pattern of 16 bits, or off", 0, 0xffff));
}

// Words are repeated over the 32 rows.
void parse_polygon_stipple(Line& line, State& state) {
  state.rasterizer.poly_stipple = !line.accept("off");
  if (!state.rasterizer.poly_stipple) return;
  size_t count = 0;
  while (count < state.polygon_stipple.size() && !line.failed() && (count == 0 || !line.done()))
    state.polygon_stipple[count++] = line.integer("rows of 32 bits, or off");
  for (size_t row = count; count != 0 && row < state.polygon_stipple.size(); ++row)
    state.polygon_stipple[row] = state.polygon_stipple[row - count];
}

raster::IRect parse_scissor_rect(Line& line) {
  const auto side = static_cast<int32_t>(kMaxImageSide_px);
  const auto coordinate = [&](std::string_view what) {
    return static_cast<int32_t>(line.integer(what, 0, static_cast<uint32_t>(side)));
  };
  const int32_t x = coordinate("x"), y = coordinate("y"), width = coordinate("the width"),
                height = coordinate("the height");
  return {x, y, x + width, y + height};
}

// viewport, depth_range and scissor: of all viewports, or of one in brackets.
bool parse_view_line(Line& line, State& state) {
  const std::string_view name = line.peek().substr(0, line.peek().find('['));
  if (name != "viewport" && name != "depth_range" && name != "scissor") return false;
  const std::optional<uint32_t> index = split_index(line, line.word("a state"), raster::kMaxViewports).index;
  View view = state.views[index.value_or(0)];
  const auto each = [&](auto set) {
    for (uint32_t i = 0; i < raster::kMaxViewports; ++i)
      if (i == index.value_or(i)) set(state.views[i]);
  };
  if (name == "viewport") {
    view.viewport = four_reals(line, "x, y, width and height of the viewport");
    if (!((*view.viewport)[2] > 0 && (*view.viewport)[3] > 0)) line.fail("the viewport has no area");
    each([&](View& v) { v.viewport = view.viewport; });
  } else if (name == "depth_range") {
    view.depth_near = line.real("near");
    view.depth_far = line.real("far");
    each([&](View& v) { v.depth_near = view.depth_near, v.depth_far = view.depth_far; });
  } else {
    state.rasterizer.scissor = !line.accept("off");
    if (!state.rasterizer.scissor) return true;
    view.scissor = parse_scissor_rect(line);
    each([&](View& v) { v.scissor = view.scissor; });
  }
  return true;
}

void parse_clip_plane(Line& line, State& state) {
  const uint32_t plane = line.integer("the number of the plane", 0, raster::kMaxClipPlanes - 1);
  state.clip_planes[plane] = line.accept("off") ? raster::ClipPlane{} : four_reals(line, "a, b, c and d of the plane, or off");
}

void parse_restart(Line& line, State& state) {
  state.primitive_restart = !line.accept("off");
  state.restart_index = ~0u;
  if (state.primitive_restart && !line.accept("on"))
    state.restart_index = line.integer("on, off, or the restart index");
}

void parse_tessellation_levels(Line& line, State& state) {
  for (float& level : state.tessellation_levels.outer)
    level = line.real("four levels of the edges, and two of the inside");
  for (float& level : state.tessellation_levels.inner) level = line.real("two levels of the inside");
}

void parse_alpha_to_coverage(Line& line, State& state) {
  state.blend.alpha_to_coverage_dither = line.accept("dither");
  state.blend.alpha_to_coverage = state.blend.alpha_to_coverage_dither || line.on_off();
}

template <bool raster::RasterizerState::*member>
void parse_switch(Line& line, State& state) { state.rasterizer.*member = line.on_off(); }

// A choice between two words; the second means true.
struct Choice { std::string_view no, yes; };
template <bool raster::RasterizerState::*member>
void parse_choice(Line& line, State& state, const Choice& choice) {
  const Named<bool> names[] = {{choice.no, false}, {choice.yes, true}};
  state.rasterizer.*member = line.one_of(names);
}

struct Keyword {
  std::string_view name;
  void (*parse)(Line&, State&);
  bool in_d3d9 = false;       // also a line of scenes with Direct3D 9 shaders, which have their own states
};

using R = raster::RasterizerState;
constexpr Keyword kKeywords[] = {
    {"blend_color", [](Line& l, State& s) { s.blend_color = four_reals(l, "red, green, blue and alpha"); }},
    {"blend_advanced", parse_blend_advanced},
    {"logic_op", parse_logic_op},
    {"dither", [](Line& l, State& s) { s.blend.dither = l.on_off(); }},
    {"depth_test", parse_depth_test},
    {"depth_write", [](Line& l, State& s) { s.depth_stencil_alpha.depth_write = l.on_off(); }},
    {"depth_bounds", parse_depth_bounds},
    {"alpha_test", parse_alpha_test},
    {"stencil", parse_stencil},
    {"stencil_op", parse_stencil_op},
    {"cull", [](Line& l, State& s) { s.rasterizer.cull = l.one_of(kCulls); }},
    {"front", [](Line& l, State& s) { parse_choice<&R::front_ccw>(l, s, {"cw", "ccw"}); }},
    {"flat", parse_switch<&R::flat_shade>},
    {"provoking", [](Line& l, State& s) { parse_choice<&R::provoking_first>(l, s, {"last", "first"}); }},
    {"clip_z", [](Line& l, State& s) { parse_choice<&R::clip_halfz>(l, s, {"minus_one", "zero"}); }},
    {"depth_clip", parse_switch<&R::depth_clip>},
    {"clip_plane", parse_clip_plane, true},
    {"clip_distances", [](Line& l, State& s) {
       s.rasterizer.clip_plane_enable = static_cast<uint8_t>(l.integer("the mask", 0, 255));
     }},
    {"offset", parse_offset},
    {"fill", parse_fill},
    {"polygon_stipple", parse_polygon_stipple},
    {"polygon_smooth", parse_switch<&R::poly_smooth>},
    {"point_size", parse_point_size},
    {"point_smooth", parse_switch<&R::point_smooth>},
    {"point_quad", parse_switch<&R::point_quad>},
    {"point_clip", [](Line& l, State& s) { parse_choice<&R::point_tri_clip>(l, s, {"centre", "sides"}); }},
    {"sprite_coord", parse_sprite_coord},
    {"line_width", [](Line& l, State& s) { s.rasterizer.line_width = above_zero(l, "the width in pixels"); }},
    {"line_smooth", parse_switch<&R::line_smooth>},
    {"line_stipple", parse_line_stipple},
    {"line_last_pixel", parse_switch<&R::line_last_pixel>},
    {"fill_rule", [](Line& l, State& s) { parse_choice<&R::bottom_edge_rule>(l, s, {"top", "bottom"}); }},
    {"pixel_center", [](Line& l, State& s) { parse_choice<&R::half_pixel_center>(l, s, {"integer", "half"}); }},
    {"two_side", parse_switch<&R::light_two_side>},
    {"clamp_color", parse_switch<&R::clamp_fragment_color>},
    {"restart", parse_restart, true},
    {"discard", parse_switch<&R::discard>},
    {"tessellation_levels", parse_tessellation_levels},
    {"multisample", parse_switch<&R::multisample>},
    {"sample_mask", [](Line& l, State& s) { s.sample_mask = l.integer("the mask"); }},
    {"min_samples", [](Line& l, State& s) { s.min_samples = l.integer("the number of samples", 1, 16); }},
    {"alpha_to_coverage", parse_alpha_to_coverage},
    {"alpha_to_one", [](Line& l, State& s) { s.blend.alpha_to_one = l.on_off(); }},
};

}  // namespace

IndexedWord split_index(Line& line, std::string_view word, uint32_t limit) {
  const size_t bracket = word.find('[');
  if (bracket == std::string_view::npos) return {word, std::nullopt};
  const std::string_view digits = word.substr(bracket + 1);
  uint32_t index = 0;
  const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), index);
  if (code != std::errc{} || std::string_view(end, digits.data() + digits.size()) != "]" || index >= limit)
    line.fail(fmt::format("expected an index below {} in brackets, found '{}'", limit, word));
  return {word.substr(0, bracket), line.failed() ? 0 : index};
}

void parse_state_line(Line& line, State& state) {
  if (state.d3d9 ? parse_d3d9_state_line(line, *state.d3d9) : parse_target_line(line, state)) return;
  if (parse_view_line(line, state)) return;
  for (const Keyword& keyword : kKeywords)
    if ((keyword.in_d3d9 || !state.d3d9) && line.accept(keyword.name)) return keyword.parse(line, state);
  line.fail(fmt::format("there is no state '{}'", line.peek()));
}

}  // namespace tessera::scene
