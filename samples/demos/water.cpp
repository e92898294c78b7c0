// Direct3D 9: water under an evening sky. ps_3_0 adds four waves in a subroutine, makes the normal from their slopes,
// and mixes the mirrored sky with the water's own colour by the angle.
#include <bit>
#include <glm/matrix.hpp>

#include "frontend/direct3d9.h"
#include "samples/demos/demos.h"

namespace tessera::demos {
namespace {

constexpr std::string_view kVertexText = R"(vs_3_0
dcl_position v0
dcl_position o0
dcl_texcoord0 o1
mov o0, v0
m4x4 o1, v0, c0
)";

// c0 the eye; c4..c7 the waves: direction x and z (radians a unit), height, phase.
constexpr std::string_view kPixelText = R"(ps_3_0
def c1, 0.15915494, 0.5, 6.2831853, -3.1415927
def c2, 0, 1, 0.06, 5
def c3, 0.01, 0.07, 0.10, 0.94
def c8, 0.16, 0.26, 0.50, 60
def c9, 0.92, 0.52, 0.26, 0.0025
def c10, 0.54, 0.20, -0.82, 3
dcl_texcoord0 v0
rcp r0.w, v0.w
mul r0.xyz, v0, r0.w
sub r0.xyz, r0, c0
nrm r1.xyz, r0                    ; the ray from the eye
if_lt r1.y, c2.x
  rcp r2.x, r1.y
  mul r2.x, r2.x, -c0.y           ; its length down to the water
  mad r3.xyz, r1, r2.x, c0        ; the point there
  mov r4.xyz, c2.yyyy
  mov r4.xz, c2.x
  mov r8, c4
  call l0
  mov r8, c5
  call l0
  mov r8, c6
  call l0
  mov r8, c7
  call l0
  mul r5.x, r2.x, c9.w            ; far waves are flat
  add r5.x, r5.x, c2.y
  rcp r5.x, r5.x
  mul r4.xz, r4, r5.x
  nrm r5.xyz, r4
  dp3 r6.x, r1, r5
  add r6.y, r6.x, r6.x
  mad r7.xyz, r5, -r6.y, r1       ; mirrored
  abs r7.y, r7.y
  add_sat r6.x, c2.y, r6.x        ; 1 - cos
  mul r6.y, r6.x, r6.x
  mul r6.y, r6.y, r6.y
  mad r6.x, r6.y, c3.w, c2.z      ; Fresnel, roughly
else
  mov r7.xyz, r1
  mov r6.x, c2.y
endif
mad_sat r2.x, r7.y, -c10.w, c2.y  ; sky: from the horizon up
mul r2.x, r2.x, r2.x
lrp r8.xyz, r2.x, c9, c8
dp3_sat r2.y, r7, c10             ; and a sun
pow r2.y, r2.y, c8.w
mad r8.xyz, c9, r2.y, r8
lrp oC0.xyz, r6.x, r8, c3
mov oC0.w, c2.y
ret
label l0                          ; the wave in r8 at r3, to the slopes in r4
mad r5.x, r3.x, r8.x, r8.w
mad r5.x, r3.z, r8.y, r5.x
mad r5.x, r5.x, c1.x, c1.y        ; to -pi .. pi
frc r5.x, r5.x
mad r5.x, r5.x, c1.z, c1.w
sincos r6.xy, r5.x
mul r6.x, r6.x, r8.z
mul r7.xy, r8, r6.x
sub r4.xz, r4, r7.xyyy
ret
)";

class Water : public view::Subject {
 public:
  Status start(Device& device) override {
    device_ = &device;
    d3d_ = std::make_unique<Direct3d9>(device);
    for (const auto& [stage, text] : {std::pair(ir::Stage::Vertex, kVertexText), {ir::Stage::Fragment, kPixelText}}) {
      Result<D3d9ShaderRef> shader = Direct3d9::create_shader(stage, text);
      if (!shader) return error(format_diags(shader.diags(), "water", text));
      if (Status s = d3d_->set_shader(*shader); !s) return s;
    }
    d3d_->set_declaration({{{d3d9::Usage::Position, 0}, {.format = Format::R32G32B32_FLOAT}}});
    d3d_->states.render[static_cast<size_t>(direct3d9::RenderState::CullMode)] = 1;   // none
    d3d_->states.render[static_cast<size_t>(direct3d9::RenderState::ZEnable)] = 0;
    return Done{};
  }

  // Floats to registers from `first` on.
  Status set(ir::Stage stage, uint32_t first, const std::vector<float>& values) {
    std::vector<uint32_t> words;
    for (const float value : values) words.push_back(std::bit_cast<uint32_t>(value));
    return d3d_->set_constants(stage, d3d9::File::Const, first, words);
  }

  Status draw(Context& c, const view::FrameInput& frame) override {
    static constexpr float kCorners[] = {-1, -1, 1, -1, 3, 1, 3, -1, 1};
    const glm::mat4 m = glm::inverse(frame.clip_from_world());
    std::vector<float> rows;
    for (int row = 0; row < 4; ++row)
      for (int column = 0; column < 4; ++column) rows.push_back(m[column][row]);
    const glm::vec3 eye = frame.camera.eye();
    const float t = static_cast<float>(frame.seconds);
    const Result<ResourceRef> corners = device_->create_buffer(std::as_bytes(std::span(kCorners)));
    if (!corners) return corners.diags();
    if (Status s = d3d_->set_color_target(0, {frame.color}); !s) return s;
    if (Status s = set(ir::Stage::Vertex, 0, rows); !s) return s;
    if (Status s = set(ir::Stage::Fragment, 0, {eye.x, eye.y, eye.z, 1}); !s) return s;
    const std::vector<float> waves = {0.9f, 0.5f, 0.09f, 1.1f * t, -0.7f, 1.3f, 0.06f, 1.4f * t,
                                      2.3f, 1.1f, 0.03f, 2.1f * t, -1.9f, 3.1f, 0.02f, 2.9f * t};
    if (Status s = set(ir::Stage::Fragment, 4, waves); !s) return s;
    if (Status s = c.clear_color({0, 0, 0, 1}); !s) return s;
    if (Status s = c.set_vertex_buffer(0, *corners, 12); !s) return s;
    return d3d_->draw({.count = 3});
  }

  std::string title() const override { return "water"; }
  view::Camera camera() const override {
    return {.center = {0, 1.6f, 0}, .distance = 6, .yaw_turns = 0.05f, .pitch_turns = 0.025f, .fov_degrees = 50};
  }

 private:
  Device* device_ = nullptr;
  std::unique_ptr<Direct3d9> d3d_;
};

}  // namespace

Made make_water(const Words& words) { return make_without_words<Water>(words); }

}  // namespace tessera::demos
