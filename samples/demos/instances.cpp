// 100,000 instances in one draw: octahedra on a sphere that breathe; an instance has its place, its size and its phase.
#include <cmath>

#include "frontend/trigonometry.h"
#include "samples/demos/demos.h"

namespace tessera::demos {
namespace {

constexpr uint32_t kCount = 100'000;

struct Instance {
  float x, y, z, phase;
};

// Octahedron's corner IN[0], instance IN[1]. CONST[0..3] clip from world, CONST[4].x time in turns, .y size.
constexpr std::string_view kVertexText = R"(VERT
DCL IN[0]
DCL IN[1]
DCL OUT[0], POSITION
DCL OUT[1].xyz, GENERIC[0]
DCL OUT[2].xyz, GENERIC[1]
DCL CONST[0..4]
DCL TEMP[0..2]
IMM[0] FLT32 {6.2831853, 0.12, 1.0, 0.5}
IMM[1] FLT32 {0.35, 0.55, 0.9, 0.0}
IMM[2] FLT32 {0.95, 0.55, 0.2, 0.0}
 0: ADD TEMP[0].x, IN[1].wwww, CONST[4].xxxx
 1: MUL TEMP[0].x, TEMP[0].xxxx, IMM[0].xxxx
 2: SIN TEMP[0].x, TEMP[0].xxxx
 3: MAD TEMP[0].y, TEMP[0].xxxx, IMM[0].yyyy, IMM[0].zzzz
 4: MUL TEMP[1].xyz, IN[1], TEMP[0].yyyy
 5: MAD TEMP[1].xyz, IN[0], CONST[4].yyyy, TEMP[1]
 6: MOV TEMP[1].w, IMM[0].zzzz
 7: DP4 OUT[0].x, TEMP[1], CONST[0]
 8: DP4 OUT[0].y, TEMP[1], CONST[1]
 9: DP4 OUT[0].z, TEMP[1], CONST[2]
10: DP4 OUT[0].w, TEMP[1], CONST[3]
11: MOV OUT[1].xyz, TEMP[1]
12: MAD TEMP[2].x, TEMP[0].xxxx, IMM[0].wwww, IMM[0].wwww
13: LRP OUT[2].xyz, TEMP[2].xxxx, IMM[2], IMM[1]
14: END
)";

// The face's normal is the cross product of the position's derivatives.
constexpr std::string_view kFragmentText = R"(FRAG
DCL IN[0].xyz, GENERIC[0], PERSPECTIVE
DCL IN[1].xyz, GENERIC[1], PERSPECTIVE
DCL OUT[0], COLOR
DCL CONST[0]
DCL TEMP[0..3]
IMM[0] FLT32 {0.3, 0.7, 1.0, 1e-20}
 0: DDX TEMP[0].xyz, IN[0]
 1: DDY TEMP[1].xyz, IN[0]
 2: MUL TEMP[2].xyz, TEMP[1].yzxx, TEMP[0].zxyy
 3: MUL TEMP[3].xyz, TEMP[1].zxyy, TEMP[0].yzxx
 4: ADD TEMP[2].xyz, TEMP[2], -TEMP[3]
 5: DP3 TEMP[2].w, TEMP[2], TEMP[2]
 6: MAX TEMP[2].w, TEMP[2].wwww, IMM[0].wwww
 7: RSQ TEMP[2].w, TEMP[2].wwww
 8: DP3 TEMP[3].x, TEMP[2], CONST[0]
 9: MUL_SAT TEMP[3].x, TEMP[3].xxxx, TEMP[2].wwww
10: MAD TEMP[3].x, TEMP[3].xxxx, IMM[0].yyyy, IMM[0].xxxx
11: MUL OUT[0].xyz, IN[1], TEMP[3].xxxx
12: MOV OUT[0].w, IMM[0].zzzz
13: END
)";

constexpr float kCorners[] = {1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1};
constexpr uint16_t kFaces[] = {0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4, 2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5};

// By the golden angle, which spreads points evenly.
std::vector<Instance> spiral() {
  std::vector<Instance> all(kCount);
  for (uint32_t i = 0; i < kCount; ++i) {
    const double z = 1 - (2.0 * i + 1) / kCount, radius = std::sqrt(1 - z * z), turns = i * 0.3819660112501051;
    const double wave = 2 * z + 0.15 * sin_turns(turns * 3);
    all[i] = {static_cast<float>(radius * cos_turns(turns)), static_cast<float>(z),
              static_cast<float>(radius * sin_turns(turns)), static_cast<float>(wave)};
  }
  return all;
}

class Instances : public view::Subject {
 public:
  Status start(Device& device) override {
    const std::vector<Instance> all = spiral();
    const auto make = [&](auto bytes, ResourceRef& out) -> Status {
      Result<ResourceRef> buffer = device.create_buffer(bytes);
      if (!buffer) return buffer.diags();
      out = *buffer;
      return Done{};
    };
    if (Status s = make(std::as_bytes(std::span(kCorners)), corners_); !s) return s;
    if (Status s = make(std::as_bytes(std::span(kFaces)), faces_); !s) return s;
    if (Status s = make(std::as_bytes(std::span(all)), instances_); !s) return s;
    Result<Programs> programs = make_programs(device, "instances", kVertexText, kFragmentText);
    if (!programs) return programs.diags();
    programs_ = *programs;
    return Done{};
  }

  Status draw(Context& c, const view::FrameInput& frame) override {
    static constexpr raster::VertexElement kElements[] = {
        {.format = Format::R32G32B32_FLOAT}, {.buffer = 1, .instance_divisor = 1, .format = Format::R32G32B32A32_FLOAT}};
    const float turns = static_cast<float>(frame.seconds) * 0.25f;
    const Constants vertex = Constants().add(frame.clip_from_world()).add({turns, 0.0075f, 0});
    c.set_depth_stencil_alpha({.depth_test = true, .depth_write = true});
    c.set_rasterizer({.cull = raster::CullFace::Back});
    if (Status s = c.clear_color({0.04f, 0.05f, 0.07f, 1}); !s) return s;
    if (Status s = c.clear_depth(1); !s) return s;
    if (Status s = use_programs(c, programs_); !s) return s;
    if (Status s = vertex.set(c, ir::Stage::Vertex); !s) return s;
    if (Status s = Constants().add({0.48f, 0.64f, 0.6f}).set(c, ir::Stage::Fragment); !s) return s;
    if (Status s = c.set_vertex_elements(kElements); !s) return s;
    if (Status s = c.set_vertex_buffer(0, corners_, 12); !s) return s;
    if (Status s = c.set_vertex_buffer(1, instances_, sizeof(Instance)); !s) return s;
    if (Status s = c.set_index_buffer(faces_, 2); !s) return s;
    return c.draw({.count = std::size(kFaces), .instance_count = kCount, .indexed = true});
  }

  std::string title() const override { return "instances"; }
  view::Camera camera() const override { return {.distance = 3.4f, .pitch_turns = 0.06f}; }

 private:
  ResourceRef corners_, faces_, instances_;
  Programs programs_;
};

}  // namespace

Made make_instances(const Words& words) { return make_without_words<Instances>(words); }

}  // namespace tessera::demos
