// A checkerboard up to the horizon. On the right its box filter over the pixel's footprint is computed exactly from
// the derivatives; on the left one point a pixel decides.
#include <glm/matrix.hpp>

#include "samples/demos/demos.h"

namespace tessera::demos {
namespace {

// CONST[0..3] world from clip; the ground's point under the pixel.
constexpr std::string_view kVertexText = R"(VERT
DCL IN[0]
DCL OUT[0], POSITION
DCL OUT[1], GENERIC[0]
DCL OUT[2], GENERIC[1]
DCL CONST[0..3]
DCL TEMP[0]
IMM[0] FLT32 {1.0, -1.0, 0.0, 0.0}
 0: MOV OUT[0], IN[0]
 1: MOV TEMP[0], IN[0]
 2: MOV TEMP[0].z, IMM[0].xxxx
 3: DP4 OUT[1].x, TEMP[0], CONST[0]
 4: DP4 OUT[1].y, TEMP[0], CONST[1]
 5: DP4 OUT[1].z, TEMP[0], CONST[2]
 6: DP4 OUT[1].w, TEMP[0], CONST[3]
 7: MOV OUT[2], IN[0]
 8: END
)";

// With p the point and w its change from pixel to pixel: the mean of the signs over the box is i.x * i.y, where
// i = 2 (|fract((p - w/2) / 2) - 1/2| - |fract((p + w/2) / 2) - 1/2|) / w.
constexpr std::string_view kFragmentText = R"(FRAG
DCL IN[0], GENERIC[0], LINEAR
DCL IN[1], GENERIC[1], LINEAR
DCL OUT[0], COLOR
DCL CONST[0]
DCL TEMP[0..5]
IMM[0] FLT32 {0.0, 0.5, 1.0, 2.0}
IMM[1] FLT32 {0.36, 0.55, 0.80, 0.0001}
IMM[2] FLT32 {0.88, 0.86, 0.80, 1.0}
IMM[3] FLT32 {0.16, 0.20, 0.26, 1.0}
IMM[4] FLT32 {0.004, 0.02, 0.78, 0.85}
 0: RCP TEMP[0].w, IN[0].wwww
 1: MUL TEMP[0].xyz, IN[0], TEMP[0].wwww
 2: ADD TEMP[0].xyz, TEMP[0], -CONST[0]
 3: RCP TEMP[1].x, TEMP[0].yyyy
 4: MUL TEMP[1].x, TEMP[1].xxxx, -CONST[0].yyyy
 5: MAD TEMP[2].xy, TEMP[0].xzzz, TEMP[1].xxxx, CONST[0].xzzz
 6: DDX TEMP[3].xy, TEMP[2]
 7: DDY TEMP[3].zw, TEMP[2].xxxy
 8: MAX TEMP[3].xy, |TEMP[3]|, |TEMP[3].zwzw|
 9: MAX TEMP[3].xy, TEMP[3], IMM[1].wwww
10: MAD TEMP[4].xy, TEMP[3], -IMM[0].yyyy, TEMP[2]
11: MAD TEMP[4].zw, TEMP[3].xxxy, IMM[0].yyyy, TEMP[2].xxxy
12: MUL TEMP[4], TEMP[4], IMM[0].yyyy
13: FRC TEMP[4], TEMP[4]
14: ADD TEMP[4], TEMP[4], -IMM[0].yyyy
15: ADD TEMP[4].xy, |TEMP[4]|, -|TEMP[4].zwzw|
16: RCP TEMP[3].z, TEMP[3].xxxx
17: RCP TEMP[3].w, TEMP[3].yyyy
18: MUL TEMP[4].xy, TEMP[4], TEMP[3].zwzw
19: MUL TEMP[4].x, TEMP[4].xxxx, TEMP[4].yyyy
20: MUL TEMP[4].x, TEMP[4].xxxx, IMM[0].wwww
21: ADD_SAT TEMP[4].x, IMM[0].yyyy, -TEMP[4].xxxx
22: MUL TEMP[5].xy, TEMP[2], IMM[0].yyyy
23: FRC TEMP[5].xy, TEMP[5]
24: SGE TEMP[5].xy, TEMP[5], IMM[0].yyyy
25: ADD TEMP[5].x, TEMP[5].xxxx, -TEMP[5].yyyy
26: SGE TEMP[5].y, IN[1].xxxx, IMM[0].xxxx
27: LRP TEMP[4].x, TEMP[5].yyyy, TEMP[4].xxxx, |TEMP[5].xxxx|
28: LRP TEMP[4].xyz, TEMP[4].xxxx, IMM[2], IMM[3]
29: SLT TEMP[5].z, TEMP[0].yyyy, IMM[0].xxxx
30: LRP TEMP[4].xyz, TEMP[5].zzzz, TEMP[4], IMM[1]
31: ADD TEMP[5].x, |IN[1].xxxx|, -IMM[4].xxxx
32: SLT TEMP[5].x, TEMP[5].xxxx, IMM[0].xxxx
33: LRP OUT[0].xyz, TEMP[5].xxxx, IMM[4].zwyy, TEMP[4]
34: MOV OUT[0].w, IMM[0].zzzz
35: END
)";

class Checker : public view::Subject {
 public:
  Status start(Device& device) override {
    device_ = &device;
    Result<Programs> programs = make_programs(device, "checker", kVertexText, kFragmentText);
    if (!programs) return programs.diags();
    programs_ = *programs;
    return Done{};
  }

  Status draw(Context& c, const view::FrameInput& frame) override {
    view::Camera camera = frame.camera;
    camera.fly({0, 0, static_cast<float>(frame.seconds)});
    const Constants vertex = Constants().add(glm::inverse(camera.clip_from_world(frame.aspect())));
    const Constants fragment = Constants().add(camera.eye());
    if (Status s = c.clear_color({0, 0, 0, 1}); !s) return s;
    if (Status s = use_programs(c, programs_); !s) return s;
    if (Status s = vertex.set(c, ir::Stage::Vertex); !s) return s;
    if (Status s = fragment.set(c, ir::Stage::Fragment); !s) return s;
    return draw_everywhere(*device_);
  }

  std::string title() const override { return "checker"; }
  view::Camera camera() const override {
    return {.center = {0, 1, 0}, .distance = 4, .pitch_turns = 0.02f, .fov_degrees = 55};
  }
  std::vector<std::string> caption() const override { return {"left: one point a pixel; right: filtered"}; }

 private:
  Device* device_ = nullptr;
  Programs programs_;
};

}  // namespace

Made make_checker(const Words& words) { return make_without_words<Checker>(words); }

}  // namespace tessera::demos
