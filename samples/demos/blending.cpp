// Six blend modes of the shader's own: it fetches the pixel that earlier discs of the same draw have left (FBFETCH).
// Three discs of every mode go around their middle.
#include "frontend/trigonometry.h"
#include "samples/demos/demos.h"

namespace tessera::demos {
namespace {

// Instance: IN[1] the disc's middle, its size in y, its mode; IN[2] its colour. CONST[0].x: width by height.
constexpr std::string_view kVertexText = R"(VERT
DCL IN[0..2]
DCL OUT[0], POSITION
DCL OUT[1].xyz, GENERIC[0]
DCL OUT[2].xyz, GENERIC[1]
DCL CONST[0]
DCL TEMP[0]
IMM[0] FLT32 {0.0, 1.0, 0.0, 0.0}
0: MUL TEMP[0].xy, IN[0], IN[1].zzzz
1: MUL TEMP[0].x, TEMP[0].xxxx, CONST[0].xxxx
2: ADD OUT[0].xy, TEMP[0], IN[1]
3: MOV OUT[0].zw, IMM[0].xxxy
4: MOV OUT[1].xy, IN[0]
5: MOV OUT[1].z, IN[1].wwww
6: MOV OUT[2].xyz, IN[2]
7: END
)";

constexpr std::string_view kFragmentText = R"(FRAG
DCL IN[0].xyz, GENERIC[0], LINEAR
DCL IN[1].xyz, GENERIC[1], CONSTANT
DCL OUT[0], COLOR
DCL TEMP[0..4]
IMM[0] FLT32 {0.0, 1.0, 2.0, 0.5}
IMM[1] INT32 {0, 1, 2, 3}
IMM[2] INT32 {4, 5, 0, 0}
 0: DP2 TEMP[0].x, IN[0], IN[0]
 1: ADD TEMP[0].x, IMM[0].yyyy, -TEMP[0].xxxx
 2: KILL_IF TEMP[0].xxxx
 3: FBFETCH TEMP[1], OUT[0]
 4: MOV TEMP[2].xyz, IN[1]
 5: MUL TEMP[3].xyz, TEMP[1], TEMP[2]
 6: F2I TEMP[4].x, IN[0].zzzz
 7: SWITCH TEMP[4].xxxx
 8: CASE IMM[1].xxxx
 9:   MOV TEMP[0].xyz, TEMP[3]
10:   BRK
11: CASE IMM[1].yyyy
12:   ADD TEMP[0].xyz, TEMP[1], TEMP[2]
13:   ADD TEMP[0].xyz, TEMP[0], -TEMP[3]
14:   BRK
15: CASE IMM[1].zzzz
16:   MIN TEMP[0].xyz, TEMP[1], TEMP[2]
17:   BRK
18: CASE IMM[1].wwww
19:   MAX TEMP[0].xyz, TEMP[1], TEMP[2]
20:   BRK
21: CASE IMM[2].xxxx
22:   ADD TEMP[0].xyz, TEMP[1], -TEMP[2]
23:   MOV TEMP[0].xyz, |TEMP[0]|
24:   BRK
25: CASE IMM[2].yyyy
26:   ADD TEMP[0].xyz, TEMP[1], TEMP[2]
27:   MAD TEMP[0].xyz, TEMP[3], -IMM[0].zzzz, TEMP[0]
28:   BRK
29: ENDSWITCH
30: MOV_SAT OUT[0].xyz, TEMP[0]
31: MOV OUT[0].w, IMM[0].yyyy
32: END
)";

constexpr float kCorners[] = {-1, -1, 1, -1, -1, 1, 1, 1};
constexpr uint32_t kModes = 6, kDiscs = 3;
constexpr std::array<glm::vec3, kDiscs> kColors = {{{0.95f, 0.3f, 0.2f}, {0.2f, 0.8f, 0.35f}, {0.25f, 0.4f, 0.95f}}};

class Blending : public view::Subject {
 public:
  Status start(Device& device) override {
    device_ = &device;
    Result<Programs> programs = make_programs(device, "blending", kVertexText, kFragmentText);
    if (!programs) return programs.diags();
    programs_ = *programs;
    return Done{};
  }

  // Middle x, y, size, mode and colour of each disc.
  static std::vector<float> discs(double seconds, float aspect) {
    std::vector<float> values;
    for (uint32_t mode = 0; mode < kModes; ++mode)
      for (uint32_t disc = 0; disc < kDiscs; ++disc) {
        const double turns = disc / double{kDiscs} + seconds * 0.1;
        const float x = static_cast<float>(mode % 3) * 0.64f - 0.64f, y = mode < 3 ? 0.5f : -0.38f;
        values.insert(values.end(), {x + static_cast<float>(cos_turns(turns)) * 0.15f / aspect,
                                     y + static_cast<float>(sin_turns(turns)) * 0.15f, 0.25f, static_cast<float>(mode)});
        values.insert(values.end(), {kColors[disc].x, kColors[disc].y, kColors[disc].z});
      }
    return values;
  }

  Status draw(Context& c, const view::FrameInput& frame) override {
    static constexpr raster::VertexElement kElements[] = {
        {.format = Format::R32G32_FLOAT},
        {.buffer = 1, .instance_divisor = 1, .format = Format::R32G32B32A32_FLOAT},
        {.offset_bytes = 16, .buffer = 1, .instance_divisor = 1, .format = Format::R32G32B32_FLOAT}};
    const std::vector<float> all = discs(frame.seconds, frame.aspect());
    const Result<ResourceRef> corners = device_->create_buffer(std::as_bytes(std::span(kCorners)));
    const Result<ResourceRef> instances = device_->create_buffer(std::as_bytes(std::span(all)));
    if (!corners) return corners.diags();
    if (!instances) return instances.diags();
    if (Status s = c.clear_color({0.62f, 0.60f, 0.55f, 1}); !s) return s;
    if (Status s = use_programs(c, programs_); !s) return s;
    if (Status s = Constants().add({1 / frame.aspect(), 0, 0}).set(c, ir::Stage::Vertex); !s) return s;
    if (Status s = c.set_vertex_elements(kElements); !s) return s;
    if (Status s = c.set_vertex_buffer(0, *corners, 8); !s) return s;
    if (Status s = c.set_vertex_buffer(1, *instances, 28); !s) return s;
    return c.draw({.primitive = raster::Primitive::TriangleStrip, .count = 4, .instance_count = kModes * kDiscs});
  }

  std::string title() const override { return "blending"; }
  std::vector<std::string> caption() const override {
    return {"multiply, screen, darken /", "lighten, difference, exclusion"};
  }

 private:
  Device* device_ = nullptr;
  Programs programs_;
};

}  // namespace

Made make_blending(const Words& words) { return make_without_words<Blending>(words); }

}  // namespace tessera::demos
