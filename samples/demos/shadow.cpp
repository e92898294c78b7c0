// A shadow map: depth as the light sees it, compared before it is filtered; four taps soften the edge. The light goes
// around a knot over a floor.
#include "frontend/trigonometry.h"
#include "samples/demos/demos.h"

namespace tessera::demos {
namespace {

constexpr uint32_t kMapSide = 1024;

constexpr std::string_view kNothingText = R"(FRAG
0: END
)";

// CONST[0] colour, CONST[1] direction to the light, CONST[2..5] shadow map's coordinates from world.
constexpr std::string_view kLitText = R"(FRAG
DCL IN[0].xyz, GENERIC[0], PERSPECTIVE
DCL IN[1].xyz, GENERIC[2], PERSPECTIVE
DCL OUT[0], COLOR
DCL CONST[0..5]
DCL SAMP[0]
DCL SVIEW[0], SHADOW2D, FLOAT
DCL TEMP[0..3]
IMM[0] FLT32 {0.0, 0.7, 0.3, 1.0}
IMM[1] FLT32 {0.25, 0.0, 0.0, 0.0}
IMM[2] INT32 {-1, 0, 1, 0}
 0: MOV TEMP[0].xyz, IN[1]
 1: MOV TEMP[0].w, IMM[0].wwww
 2: DP4 TEMP[1].x, TEMP[0], CONST[2]
 3: DP4 TEMP[1].y, TEMP[0], CONST[3]
 4: DP4 TEMP[1].z, TEMP[0], CONST[4]
 5: TEX TEMP[2].x, TEMP[1].xyzz, SAMP[0], SHADOW2D, IMM[2].xyw
 6: TEX TEMP[2].y, TEMP[1].xyzz, SAMP[0], SHADOW2D, IMM[2].zyw
 7: TEX TEMP[2].z, TEMP[1].xyzz, SAMP[0], SHADOW2D, IMM[2].yxw
 8: TEX TEMP[2].w, TEMP[1].xyzz, SAMP[0], SHADOW2D, IMM[2].yzw
 9: DP4 TEMP[2].x, TEMP[2], IMM[1].xxxx
10: DP3 TEMP[0].w, IN[0], IN[0]
11: RSQ TEMP[0].w, TEMP[0].wwww
12: DP3 TEMP[0].x, IN[0], CONST[1]
13: MUL TEMP[0].x, TEMP[0].xxxx, TEMP[0].wwww
14: MAX TEMP[0].x, TEMP[0].xxxx, IMM[0].xxxx
15: MUL TEMP[0].x, TEMP[0].xxxx, TEMP[2].xxxx
16: MAD TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy, IMM[0].zzzz
17: MUL OUT[0].xyz, CONST[0], TEMP[0].xxxx
18: MOV OUT[0].w, IMM[0].wwww
19: END
)";

class Shadow : public view::Subject {
 public:
  Status start(Device& device) override {
    Result<MeshBuffers> knot = upload(device, make_torus_knot(2, 3, 256, 24, 0.28f)), floor = upload(device, make_grid(1, 1));
    Result<Programs> lit = make_programs(device, "lit", kMeshVertexText, kLitText);
    Result<Programs> depth = make_programs(device, "depth", kMeshVertexText, kNothingText);
    Result<ResourceRef> map = device.create_image({.format = Format::Z32_FLOAT, .width = kMapSide, .height = kMapSide});
    if (!knot) return knot.diags();
    if (!floor) return floor.diags();
    if (!lit) return lit.diags();
    if (!depth) return depth.diags();
    if (!map) return map.diags();
    knot_ = *knot, floor_ = *floor, lit_ = *lit, depth_ = *depth, map_ = *map;
    return Done{};
  }

  // Knot and floor, both as the matrix shows them.
  Status draw_world(Context& c, const glm::mat4& clip_from_world, const Constants* colors[2]) {
    glm::mat4 ground = glm::mat4(4.0f) * view::rotation(-0.25f, {1, 0, 0});
    ground[3] = {0, -1.6f, 0, 1};
    const std::pair<const MeshBuffers*, glm::mat4> parts[] = {{&knot_, glm::mat4(1.0f)}, {&floor_, ground}};
    for (int i = 0; i < 2; ++i) {
      const auto& [mesh, world] = parts[i];
      if (Status s = Constants().add(clip_from_world * world).add(world).set(c, ir::Stage::Vertex); !s) return s;
      if (colors)
        if (Status s = colors[i]->set(c, ir::Stage::Fragment); !s) return s;
      if (Status s = use_mesh(c, *mesh); !s) return s;
      if (Status s = draw_mesh(c, *mesh); !s) return s;
    }
    return Done{};
  }

  Status draw_map(Context& c, const glm::mat4& light) {
    c.set_rasterizer({.offset_fill = true, .offset_units = 2, .offset_scale = 2.5f});
    if (Status s = c.set_color_target(0, {}); !s) return s;
    if (Status s = c.set_depth_target({map_}); !s) return s;
    if (Status s = c.clear_depth(1); !s) return s;
    if (Status s = use_programs(c, depth_); !s) return s;
    return draw_world(c, light, nullptr);
  }

  Status draw(Context& c, const view::FrameInput& frame) override {
    const double turns = frame.seconds * 0.05 + 0.1;
    const glm::vec3 to_light(0.6f * static_cast<float>(sin_turns(turns)), 0.8f, 0.6f * static_cast<float>(cos_turns(turns)));
    const glm::mat4 light = view::orthographic(4.4f, 4.4f, 1, 20) * view::look_at(to_light * 9.0f, {0, 0, 0}, {0, 1, 0});
    glm::mat4 texel_from_clip(0.5f);
    texel_from_clip[1][1] = -0.5f;
    texel_from_clip[3] = {0.5f, 0.5f, 0.5f, 1};
    const glm::mat4 texel_from_world = texel_from_clip * light;
    const Constants red = Constants().add({0.90f, 0.38f, 0.30f}).add(to_light).add(texel_from_world);
    const Constants sand = Constants().add({0.90f, 0.88f, 0.80f}).add(to_light).add(texel_from_world);
    const Constants* colors[2] = {&red, &sand};

    c.set_depth_stencil_alpha({.depth_test = true, .depth_write = true});
    if (Status s = draw_map(c, light); !s) return s;
    c.set_rasterizer({});
    if (Status s = c.set_color_target(0, {frame.color}); !s) return s;
    if (Status s = c.set_depth_target({frame.depth}); !s) return s;
    if (Status s = c.clear_color({0.70f, 0.78f, 0.86f, 1}); !s) return s;
    if (Status s = c.clear_depth(1); !s) return s;
    if (Status s = use_programs(c, lit_); !s) return s;
    if (Status s = c.set_texture(ir::Stage::Fragment, 0, {map_}); !s) return s;
    if (Status s = c.set_sampler(ir::Stage::Fragment, 0,
                                 {.wrap_s = texture::Wrap::ClampToEdge, .wrap_t = texture::Wrap::ClampToEdge, .compare = true});
        !s)
      return s;
    return draw_world(c, frame.clip_from_world(), colors);
  }

  std::string title() const override { return "shadow"; }
  view::Camera camera() const override { return {.center = {0, -0.5f, 0}, .distance = 8.5f, .pitch_turns = 0.08f}; }

 private:
  MeshBuffers knot_, floor_;
  Programs lit_, depth_;
  ResourceRef map_;
};

}  // namespace

Made make_shadow(const Words& words) { return make_without_words<Shadow>(words); }

}  // namespace tessera::demos
