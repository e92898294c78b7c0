// Glass in any order: every fragment sorts itself into the pixel's three nearest layers, which it fetches from three
// targets (FBFETCH); a last pass lays them over the background, far ones first. The rings are drawn in an order that
// changes with every second, and no picture shows it.
#include "samples/demos/demos.h"

namespace tessera::demos {
namespace {

// A layer is a colour and its depth in w. CMP takes the first where the difference of depths is negative.
constexpr std::string_view kGlassText = R"(FRAG
DCL IN[0].xyz, GENERIC[0], PERSPECTIVE
DCL IN[1], POSITION, LINEAR
DCL OUT[0], COLOR[0]
DCL OUT[1], COLOR[1]
DCL OUT[2], COLOR[2]
DCL CONST[0..1]
DCL TEMP[0..5]
IMM[0] FLT32 {0.4, 0.6, 0.0, 0.0}
 0: DP3 TEMP[0].w, IN[0], IN[0]
 1: RSQ TEMP[0].w, TEMP[0].wwww
 2: DP3 TEMP[0].x, IN[0], CONST[1]
 3: MUL TEMP[0].x, |TEMP[0].xxxx|, TEMP[0].wwww
 4: MAD TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy, IMM[0].xxxx
 5: MUL TEMP[0].xyz, CONST[0], TEMP[0].xxxx
 6: MOV TEMP[0].w, IN[1].zzzz
 7: FBFETCH TEMP[1], OUT[0]
 8: FBFETCH TEMP[2], OUT[1]
 9: FBFETCH TEMP[3], OUT[2]
10: ADD TEMP[4], TEMP[0].wwww, -TEMP[1].wwww
11: CMP OUT[0], TEMP[4], TEMP[0], TEMP[1]
12: CMP TEMP[5], TEMP[4], TEMP[1], TEMP[0]
13: ADD TEMP[4], TEMP[5].wwww, -TEMP[2].wwww
14: CMP OUT[1], TEMP[4], TEMP[5], TEMP[2]
15: CMP TEMP[5], TEMP[4], TEMP[2], TEMP[5]
16: ADD TEMP[4], TEMP[5].wwww, -TEMP[3].wwww
17: CMP OUT[2], TEMP[4], TEMP[5], TEMP[3]
18: END
)";

constexpr std::string_view kEverywhereText = R"(VERT
DCL IN[0]
DCL OUT[0], POSITION
DCL OUT[1].xy, GENERIC[0]
IMM[0] FLT32 {0.5, -0.5, 0.5, 0.5}
0: MOV OUT[0], IN[0]
1: MAD OUT[1].xy, IN[0], IMM[0], IMM[0].zwzw
2: END
)";

// An empty layer has depth 1.
constexpr std::string_view kLayersText = R"(FRAG
DCL IN[0].xy, GENERIC[0], LINEAR
DCL OUT[0], COLOR
DCL SAMP[0..2]
DCL SVIEW[0..2], 2D, FLOAT
DCL TEMP[0..2]
IMM[0] FLT32 {0.10, 0.11, 0.13, 1.0}
IMM[1] FLT32 {0.84, 0.86, 0.90, 0.55}
 0: LRP TEMP[0].xyz, IN[0].yyyy, IMM[0], IMM[1]
 1: TEX TEMP[1], IN[0], SAMP[2], 2D
 2: SLT TEMP[2].x, TEMP[1].wwww, IMM[0].wwww
 3: MUL TEMP[2].x, TEMP[2].xxxx, IMM[1].wwww
 4: LRP TEMP[0].xyz, TEMP[2].xxxx, TEMP[1], TEMP[0]
 5: TEX TEMP[1], IN[0], SAMP[1], 2D
 6: SLT TEMP[2].x, TEMP[1].wwww, IMM[0].wwww
 7: MUL TEMP[2].x, TEMP[2].xxxx, IMM[1].wwww
 8: LRP TEMP[0].xyz, TEMP[2].xxxx, TEMP[1], TEMP[0]
 9: TEX TEMP[1], IN[0], SAMP[0], 2D
10: SLT TEMP[2].x, TEMP[1].wwww, IMM[0].wwww
11: MUL TEMP[2].x, TEMP[2].xxxx, IMM[1].wwww
12: LRP OUT[0].xyz, TEMP[2].xxxx, TEMP[1], TEMP[0]
13: MOV OUT[0].w, IMM[0].wwww
14: END
)";

constexpr uint32_t kLayers = 3, kRings = 4;
constexpr glm::vec3 kColors[kRings] = {
    {0.95f, 0.35f, 0.25f}, {0.3f, 0.85f, 0.4f}, {0.3f, 0.5f, 1.0f}, {0.95f, 0.8f, 0.3f}};

class Transparency : public view::Subject {
 public:
  Status start(Device& device) override {
    device_ = &device;
    Result<MeshBuffers> mesh = upload(device, make_torus(64, 24, 0.22f));
    Result<Programs> glass = make_programs(device, "glass", kMeshVertexText, kGlassText);
    Result<Programs> layers = make_programs(device, "layers", kEverywhereText, kLayersText);
    if (!mesh) return mesh.diags();
    if (!glass) return glass.diags();
    if (!layers) return layers.diags();
    mesh_ = *mesh, glass_ = *glass, over_ = *layers;
    return Done{};
  }

  Status draw_ring(Context& c, const view::FrameInput& frame, uint32_t ring) {
    const float turns = static_cast<float>(ring) / kRings + static_cast<float>(frame.seconds) * 0.05f;
    glm::mat4 world = view::rotation(turns, {0, 1, 0});
    world = world * view::rotation(0.25f + 0.03f * static_cast<float>(ring), {1, 0, 0});
    world[3] = glm::vec4(world * glm::vec4(0.35f, 0, 0, 1));
    const Constants vertex = Constants().add(frame.clip_from_world() * world).add(world);
    if (Status s = vertex.set(c, ir::Stage::Vertex); !s) return s;
    const Constants fragment = Constants().add(kColors[ring]).add({0.48f, 0.64f, 0.6f});
    if (Status s = fragment.set(c, ir::Stage::Fragment); !s) return s;
    return draw_mesh(c, mesh_);
  }

  Status draw(Context& c, const view::FrameInput& frame) override {
    std::array<ResourceRef, kLayers> layers;
    if (Status s = c.set_depth_target({}); !s) return s;
    for (uint32_t i = 0; i < kLayers; ++i) {
      Result<ResourceRef> layer =
          device_->create_image({.format = Format::R32G32B32A32_FLOAT, .width = frame.width, .height = frame.height});
      if (!layer) return layer.diags();
      layers[i] = *layer;
      if (Status s = c.set_color_target(i, {layers[i]}); !s) return s;
    }
    if (Status s = c.clear_color({0, 0, 0, 1}); !s) return s;
    if (Status s = use_programs(c, glass_); !s) return s;
    if (Status s = use_mesh(c, mesh_); !s) return s;
    const uint32_t first = static_cast<uint32_t>(frame.seconds) % kRings;
    for (uint32_t i = 0; i < kRings; ++i)
      if (Status s = draw_ring(c, frame, (first + i) % kRings); !s) return s;

    if (Status s = c.set_color_target(0, {frame.color}); !s) return s;
    for (uint32_t i = 0; i < kLayers; ++i) {
      if (Status s = i == 0 ? Status(Done{}) : c.set_color_target(i, {}); !s) return s;
      if (Status s = c.set_texture(ir::Stage::Fragment, i, {layers[i]}); !s) return s;
      const texture::Sampler nearest{.min_filter = texture::Filter::Nearest, .mag_filter = texture::Filter::Nearest};
      if (Status s = c.set_sampler(ir::Stage::Fragment, i, nearest); !s) return s;
    }
    if (Status s = use_programs(c, over_); !s) return s;
    return draw_everywhere(*device_);
  }

  std::string title() const override { return "transparency"; }
  view::Camera camera() const override { return {.distance = 4.6f, .pitch_turns = 0.07f}; }

 private:
  Device* device_ = nullptr;
  MeshBuffers mesh_;
  Programs glass_, over_;
};

}  // namespace

Made make_transparency(const Words& words) { return make_without_words<Transparency>(words); }

}  // namespace tessera::demos
