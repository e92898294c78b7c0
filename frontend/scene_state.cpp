#include <fmt/format.h>

#include <charconv>

#include "frontend/scene_sections.h"

namespace tessera::scene {
namespace {

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

void parse_offset(Line& line, State& state) {
  raster::RasterizerState& r = state.rasterizer;
  r.offset_fill = !line.accept("off");
  if (!r.offset_fill) return;
  r.offset_units = line.real("offset units");
  r.offset_scale = line.real("offset scale");
  r.offset_clamp = line.real("offset clamp");
}

void parse_scissor(Line& line, State& state) {
  state.rasterizer.scissor = !line.accept("off");
  if (!state.rasterizer.scissor) return;
  const auto side = static_cast<int32_t>(kMaxImageSide_px);
  const auto coordinate = [&](std::string_view what) {
    return static_cast<int32_t>(line.integer(what, 0, static_cast<uint32_t>(side)));
  };
  const int32_t x = coordinate("x"), y = coordinate("y"), width = coordinate("the width"),
                height = coordinate("the height");
  state.scissor = {x, y, x + width, y + height};
}

void parse_clip_plane(Line& line, State& state) {
  const uint32_t plane = line.integer("the number of the plane", 0, raster::kMaxClipPlanes - 1);
  state.clip_planes[plane] = line.accept("off") ? raster::ClipPlane{} : four_reals(line, "a, b, c and d of the plane, or off");
}

void parse_viewport(Line& line, State& state) {
  state.viewport = four_reals(line, "x, y, width and height of the viewport");
  if (!((*state.viewport)[2] > 0 && (*state.viewport)[3] > 0)) line.fail("the viewport has no area");
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
};

using R = raster::RasterizerState;
constexpr Keyword kKeywords[] = {
    {"blend_color", [](Line& l, State& s) { s.blend_color = four_reals(l, "red, green, blue and alpha"); }},
    {"logic_op", parse_logic_op},
    {"depth_test", parse_depth_test},
    {"depth_write", [](Line& l, State& s) { s.depth_stencil_alpha.depth_write = l.on_off(); }},
    {"alpha_test", parse_alpha_test},
    {"stencil", parse_stencil},
    {"stencil_op", parse_stencil_op},
    {"cull", [](Line& l, State& s) { s.rasterizer.cull = l.one_of(kCulls); }},
    {"front", [](Line& l, State& s) { parse_choice<&R::front_ccw>(l, s, {"cw", "ccw"}); }},
    {"viewport", parse_viewport},
    {"depth_range", [](Line& l, State& s) { s.depth_near = l.real("near"), s.depth_far = l.real("far"); }},
    {"scissor", parse_scissor},
    {"flat", parse_switch<&R::flat_shade>},
    {"provoking", [](Line& l, State& s) { parse_choice<&R::provoking_first>(l, s, {"last", "first"}); }},
    {"clip_z", [](Line& l, State& s) { parse_choice<&R::clip_halfz>(l, s, {"minus_one", "zero"}); }},
    {"depth_clip", parse_switch<&R::depth_clip>},
    {"clip_plane", parse_clip_plane},
    {"clip_distances", [](Line& l, State& s) {
       s.rasterizer.clip_plane_enable = static_cast<uint8_t>(l.integer("the mask", 0, 255));
     }},
    {"offset", parse_offset},
    {"fill_rule", [](Line& l, State& s) { parse_choice<&R::bottom_edge_rule>(l, s, {"top", "bottom"}); }},
    {"pixel_center", [](Line& l, State& s) { parse_choice<&R::half_pixel_center>(l, s, {"integer", "half"}); }},
    {"two_side", parse_switch<&R::light_two_side>},
    {"clamp_color", parse_switch<&R::clamp_fragment_color>},
    {"restart", parse_restart},
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
  if (parse_target_line(line, state)) return;
  for (const Keyword& keyword : kKeywords)
    if (line.accept(keyword.name)) return keyword.parse(line, state);
  line.fail(fmt::format("there is no state '{}'", line.peek()));
}

}  // namespace tessera::scene
