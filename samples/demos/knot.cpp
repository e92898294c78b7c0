// A textured knot that turns: a mesh by formula, mip levels, light a pixel.
#include "samples/demos/demos.h"

namespace tessera::demos {
namespace {

// CONST[0] the direction to the light; CONST[1] the eye.
constexpr std::string_view kFragmentText = R"(FRAG
DCL IN[0].xyz, GENERIC[0], PERSPECTIVE
DCL IN[1].xy, GENERIC[1], PERSPECTIVE
DCL IN[2].xyz, GENERIC[2], PERSPECTIVE
DCL OUT[0], COLOR
DCL CONST[0..1]
DCL SAMP[0]
DCL SVIEW[0], 2D, FLOAT
DCL TEMP[0..4]
IMM[0] FLT32 {0.0, 0.25, 0.75, 1.0}
IMM[1] FLT32 {24.0, 2.0, 0.6, 0.0}
IMM[2] FLT32 {40.0, 0.5, 0.0, 0.0}
 0: DP3 TEMP[0].w, IN[0], IN[0]
 1: RSQ TEMP[0].w, TEMP[0].wwww
 2: MUL TEMP[0].xyz, IN[0], TEMP[0].wwww
 3: DP3 TEMP[1].x, TEMP[0], CONST[0]
 4: MAX TEMP[1].y, TEMP[1].xxxx, IMM[0].xxxx
 5: MAD TEMP[1].y, TEMP[1].yyyy, IMM[0].zzzz, IMM[0].yyyy
 6: ADD TEMP[2].xyz, CONST[1], -IN[2]
 7: DP3 TEMP[2].w, TEMP[2], TEMP[2]
 8: RSQ TEMP[2].w, TEMP[2].wwww
 9: MAD TEMP[2].xyz, TEMP[2], TEMP[2].wwww, CONST[0]
10: DP3 TEMP[2].w, TEMP[2], TEMP[2]
11: RSQ TEMP[2].w, TEMP[2].wwww
12: MUL TEMP[2].xyz, TEMP[2], TEMP[2].wwww
13: DP3_SAT TEMP[1].z, TEMP[0], TEMP[2]
14: POW TEMP[1].z, TEMP[1].zzzz, IMM[2].xxxx
15: MUL TEMP[3].xy, IN[1], IMM[1]
16: TEX TEMP[4], TEMP[3], SAMP[0], 2D
17: MUL TEMP[4].xyz, TEMP[4], TEMP[1].yyyy
18: MAD_SAT OUT[0].xyz, TEMP[1].zzzz, IMM[2].yyyy, TEMP[4]
19: MOV OUT[0].w, IMM[0].wwww
20: END
)";

// Two colours of rope, darker at the strands' edges.
glm::vec4 rope(float u, float v) {
  const float turn = u * 2 + v * 2, strand = turn - static_cast<float>(static_cast<int>(turn));
  const float shade = 0.55f + 1.8f * strand * (1 - strand);
  return (static_cast<int>(turn) % 2 ? glm::vec4(0.92f, 0.62f, 0.25f, 0) : glm::vec4(0.25f, 0.5f, 0.85f, 0)) * shade;
}

class Knot : public view::Subject {
 public:
  Status start(Device& device) override {
    Result<MeshBuffers> mesh = upload(device, make_torus_knot(2, 3, 384, 32, 0.34f));
    Result<Programs> programs = make_programs(device, "knot", kMeshVertexText, kFragmentText);
    Result<ResourceRef> texture = make_texture(device, 256, rope);
    if (!mesh) return mesh.diags();
    if (!programs) return programs.diags();
    if (!texture) return texture.diags();
    mesh_ = *mesh, programs_ = *programs, texture_ = *texture;
    return Done{};
  }

  Status draw(Context& c, const view::FrameInput& frame) override {
    const glm::mat4 world = view::rotation(static_cast<float>(frame.seconds) * 0.1f, {0, 1, 0});
    const Constants vertex = Constants().add(frame.clip_from_world() * world).add(world);
    const Constants fragment = Constants().add({0.48f, 0.64f, 0.6f}).add(frame.camera.eye());
    const texture::Sampler sampler{.mip_filter = texture::MipFilter::Linear, .max_anisotropy = 4};
    c.set_depth_stencil_alpha({.depth_test = true, .depth_write = true});
    if (Status s = c.clear_color({0.09f, 0.10f, 0.13f, 1}); !s) return s;
    if (Status s = c.clear_depth(1); !s) return s;
    if (Status s = use_programs(c, programs_); !s) return s;
    if (Status s = vertex.set(c, ir::Stage::Vertex); !s) return s;
    if (Status s = fragment.set(c, ir::Stage::Fragment); !s) return s;
    if (Status s = c.set_texture(ir::Stage::Fragment, 0, {texture_}); !s) return s;
    if (Status s = c.set_sampler(ir::Stage::Fragment, 0, sampler); !s) return s;
    if (Status s = use_mesh(c, mesh_); !s) return s;
    return draw_mesh(c, mesh_);
  }

  std::string title() const override { return "knot"; }
  view::Camera camera() const override { return {.distance = 7.5f, .pitch_turns = 0.05f}; }

 private:
  MeshBuffers mesh_;
  Programs programs_;
  ResourceRef texture_;
};

}  // namespace

Made make_knot(const Words& words) { return make_without_words<Knot>(words); }

}  // namespace tessera::demos
