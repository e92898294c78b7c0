// Bumps a pixel as in 1999: a normal map in tangent space, unit vectors from cube maps, lighting by register combiners.
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include "frontend/scene_parser.h"
#include "frontend/trigonometry.h"
#include "samples/demos/demos.h"

namespace tessera::demos {
namespace {

// CONST[0..3] clip from object; CONST[4] light, CONST[5] eye. L and half vector H by tangent, binormal and normal.
constexpr std::string_view kVertexText = R"(VERT
DCL IN[0..2]
DCL OUT[0], POSITION
DCL OUT[1].xy, TEXCOORD[0]
DCL OUT[2].xyz, TEXCOORD[1]
DCL OUT[3].xyz, TEXCOORD[2]
DCL CONST[0..5]
DCL TEMP[0..4]
IMM[0] FLT32 {10.0, 4.0, 0.0, 0.0}
 0: DP4 OUT[0].x, IN[0], CONST[0]
 1: DP4 OUT[0].y, IN[0], CONST[1]
 2: DP4 OUT[0].z, IN[0], CONST[2]
 3: DP4 OUT[0].w, IN[0], CONST[3]
 4: MUL OUT[1].xy, IN[2], IMM[0]
 5: MOV TEMP[1].x, -IN[0].yyyy
 6: MOV TEMP[1].y, IN[0].xxxx
 7: MOV TEMP[1].z, IMM[0].zzzz
 8: DP3 TEMP[1].w, TEMP[1], TEMP[1]
 9: RSQ TEMP[1].w, TEMP[1].wwww
10: MUL TEMP[1].xyz, TEMP[1], TEMP[1].wwww
11: MUL TEMP[2].xyz, IN[1].yzxx, TEMP[1].zxyy
12: MUL TEMP[3].xyz, IN[1].zxyy, TEMP[1].yzxx
13: ADD TEMP[2].xyz, TEMP[2], -TEMP[3]
14: ADD TEMP[3].xyz, CONST[4], -IN[0]
15: DP3 TEMP[3].w, TEMP[3], TEMP[3]
16: RSQ TEMP[3].w, TEMP[3].wwww
17: MUL TEMP[3].xyz, TEMP[3], TEMP[3].wwww
18: ADD TEMP[4].xyz, CONST[5], -IN[0]
19: DP3 TEMP[4].w, TEMP[4], TEMP[4]
20: RSQ TEMP[4].w, TEMP[4].wwww
21: MAD TEMP[4].xyz, TEMP[4], TEMP[4].wwww, TEMP[3]
22: DP3 OUT[2].x, TEMP[3], TEMP[1]
23: DP3 OUT[2].y, TEMP[3], -TEMP[2]
24: DP3 OUT[2].z, TEMP[3], IN[1]
25: DP3 OUT[3].x, TEMP[4], TEMP[1]
26: DP3 OUT[3].y, TEMP[4], -TEMP[2]
27: DP3 OUT[3].z, TEMP[4], IN[1]
28: END
)";

constexpr std::string_view kCombinersText = R"([register combiners]
const0 0.16 0.17 0.22 1
const1 1 0.92 0.78 1
stage
rgb spare0 = expand(texture0) dot expand(texture1)
rgb spare1 = expand(texture0) dot expand(texture2)
stage
rgb spare0 = spare0 * const1
rgb spare1 = spare1 * spare1
stage
rgb spare1 = spare1 * spare1
rgb secondary = const0 * one
stage
rgb spare1 = spare1 * spare1
final a const1
final b spare0_plus_secondary
final c zero
final d spare1
final alpha = one
)";

glm::vec4 studs(float u, float v) {
  const auto centred = [](float x) { return 4 * (x * 2 - static_cast<float>(static_cast<int>(x * 2))) - 2; };
  const glm::vec2 at(centred(u), centred(v));
  const float squared = glm::dot(at, at);
  return coded_normal(squared < 1.8f ? glm::normalize(glm::vec3(at * 0.65f, 1.0f)) : glm::vec3(0, 0, 1));
}

class Bump : public view::Subject {
 public:
  Status start(Device& device) override {
    Result<MeshBuffers> mesh = upload(device, make_torus(96, 48, 0.45f));
    Result<ShaderRef> vertex = device.create_shader(ir::Stage::Vertex, kVertexText);
    Result<scene::Scene> combiners = scene::parse_scene_sections(kCombinersText);
    Result<ResourceRef> normals = make_texture(device, 128, studs), cube = make_normalization_cube(device);
    if (!mesh) return mesh.diags();
    if (!vertex) return vertex.diags();
    if (!combiners) return combiners.diags();
    if (!normals) return normals.diags();
    if (!cube) return cube.diags();
    mesh_ = *mesh, vertex_ = *vertex, combiners_ = combiners->fixed_functions.at("").state;
    textures_ = {*normals, *cube, *cube};
    return Done{};
  }

  Status draw(Context& c, const view::FrameInput& frame) override {
    const float turns = static_cast<float>(frame.seconds) * 0.1f;
    const glm::mat4 world = view::rotation(-0.18f, {1, 0, 0}) * view::rotation(turns, {0, 0, 1});
    const glm::mat4 object_from_world = glm::inverse(world);
    const Constants vertex = Constants().add(frame.clip_from_world() * world)
                                 .add(object_from_world * glm::vec4(-1.8f, 2.4f, 2.6f, 1))
                                 .add(object_from_world * glm::vec4(frame.camera.eye(), 1));
    c.set_depth_stencil_alpha({.depth_test = true, .depth_write = true});
    if (Status s = c.clear_color({0.05f, 0.05f, 0.06f, 1}); !s) return s;
    if (Status s = c.clear_depth(1); !s) return s;
    if (Status s = c.set_shader(vertex_); !s) return s;
    if (Status s = c.set_fixed_function(combiners_); !s) return s;
    if (Status s = vertex.set(c, ir::Stage::Vertex); !s) return s;
    for (uint32_t unit = 0; unit < 3; ++unit) {
      if (Status s = c.set_texture(ir::Stage::Fragment, unit, {textures_[unit]}); !s) return s;
      const auto mips = unit == 0 ? texture::MipFilter::Linear : texture::MipFilter::None;
      if (Status s = c.set_sampler(ir::Stage::Fragment, unit, {.mip_filter = mips}); !s) return s;
    }
    if (Status s = use_mesh(c, mesh_); !s) return s;
    return draw_mesh(c, mesh_);
  }

  std::string title() const override { return "bump"; }
  view::Camera camera() const override { return {.distance = 4.1f, .pitch_turns = 0.02f}; }
  std::vector<std::string> caption() const override {
    return {"texture0 = normal map N    texture1 = L / |L|    texture2 = H / |H|    (cube maps)",
            "spare0 = (2 texture0 - 1) . (2 texture1 - 1)                        N.L",
            "spare1 = (2 texture0 - 1) . (2 texture2 - 1), squared three times   (N.H)^8",
            "colour = const1 * clamp(spare0 * const1 + const0) + spare1"};
  }

 private:
  MeshBuffers mesh_;
  ShaderRef vertex_;
  combiners::FragmentState combiners_;
  std::array<ResourceRef, 3> textures_;
};

}  // namespace

Made make_bump(const Words& words) { return make_without_words<Bump>(words); }

}  // namespace tessera::demos
