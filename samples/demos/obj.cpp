// Reads an OBJ file and a texture that the command line names.
#include "samples/demos/demos.h"

namespace tessera::demos {
namespace {

constexpr std::string_view kFragmentText = R"(FRAG
DCL IN[0].xyz, GENERIC[0], PERSPECTIVE
DCL IN[1].xy, GENERIC[1], PERSPECTIVE
DCL OUT[0], COLOR
DCL CONST[0]
DCL SAMP[0]
DCL SVIEW[0], 2D, FLOAT
DCL TEMP[0..1]
IMM[0] FLT32 {0.5, 0.35, 0.65, 1.0}
0: DP3 TEMP[0].w, IN[0], IN[0]
1: RSQ TEMP[0].w, TEMP[0].wwww
2: DP3 TEMP[0].x, IN[0], CONST[0]
3: MUL TEMP[0].x, TEMP[0].xxxx, TEMP[0].wwww
4: MAD TEMP[0].x, TEMP[0].xxxx, IMM[0].xxxx, IMM[0].xxxx
5: MAD TEMP[0].x, TEMP[0].xxxx, IMM[0].zzzz, IMM[0].yyyy
6: TEX TEMP[1], IN[1], SAMP[0], 2D
7: MUL OUT[0].xyz, TEMP[1], TEMP[0].xxxx
8: MOV OUT[0].w, IMM[0].wwww
9: END
)";

class Obj : public view::Subject {
 public:
  Obj(std::string name, Mesh mesh, Image texture)
      : name_(std::move(name)), mesh_(std::move(mesh)), image_(std::move(texture)) {}

  Status start(Device& device) override {
    Result<MeshBuffers> buffers = upload(device, mesh_);
    Result<Programs> programs = make_programs(device, "obj", kMeshVertexText, kFragmentText);
    Result<ResourceRef> texture = make_texture(device, image_);
    if (!buffers) return buffers.diags();
    if (!programs) return programs.diags();
    if (!texture) return texture.diags();
    buffers_ = *buffers, programs_ = *programs, texture_ = *texture;
    return Done{};
  }

  Status draw(Context& c, const view::FrameInput& frame) override {
    const glm::mat4 world = view::rotation(static_cast<float>(frame.seconds) * 0.05f, {0, 1, 0});
    const Constants vertex = Constants().add(frame.clip_from_world() * world).add(world);
    const texture::Sampler sampler{.mip_filter = texture::MipFilter::Linear};
    c.set_depth_stencil_alpha({.depth_test = true, .depth_write = true});
    if (Status s = c.clear_color({0.16f, 0.17f, 0.19f, 1}); !s) return s;
    if (Status s = c.clear_depth(1); !s) return s;
    if (Status s = use_programs(c, programs_); !s) return s;
    if (Status s = vertex.set(c, ir::Stage::Vertex); !s) return s;
    if (Status s = Constants().add({0.48f, 0.64f, 0.6f}).set(c, ir::Stage::Fragment); !s) return s;
    if (Status s = c.set_texture(ir::Stage::Fragment, 0, {texture_}); !s) return s;
    if (Status s = c.set_sampler(ir::Stage::Fragment, 0, sampler); !s) return s;
    if (Status s = use_mesh(c, buffers_); !s) return s;
    return draw_mesh(c, buffers_);
  }

  std::string title() const override { return name_; }
  view::Camera camera() const override { return {.distance = 3.6f, .pitch_turns = 0.05f}; }

 private:
  std::string name_;
  Mesh mesh_;
  Image image_;
  MeshBuffers buffers_;
  Programs programs_;
  ResourceRef texture_;
};

}  // namespace

Made make_obj(const Words& words) {
  if (words.empty() || words.size() > 2) return error("obj: expected FILE.obj [TEXTURE.png]");
  Result<Mesh> mesh = read_obj_file(words[0]);
  if (!mesh) return mesh.diags();
  if (mesh->indices.empty()) return error(words[0] + ": no faces");
  fit_to_unit_box(*mesh);
  Image texture{.width = 1, .height = 1, .rgba_un8 = {210, 205, 195, 255}};
  if (words.size() == 2) {
    Result<Image> image = read_image_file(words[1]);
    if (!image) return image.diags();
    texture = std::move(*image);
  }
  return std::unique_ptr<view::Subject>(new Obj(words[0], std::move(*mesh), std::move(texture)));
}

}  // namespace tessera::demos
