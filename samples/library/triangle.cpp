// Draws samples/triangle/triangle.scene by calls of the C++ API. usage: triangle_cpp FILE.png
#include <frontend/device.h>

#include <cstddef>
#include <cstdio>

using namespace tessera;

namespace {

constexpr std::string_view kVertexText = R"(VERT
DCL IN[0]
DCL IN[1]
DCL OUT[0], POSITION
DCL OUT[1], GENERIC[0]
0: MOV OUT[0], IN[0]
1: MOV OUT[1], IN[1]
2: END
)";

constexpr std::string_view kFragmentText = R"(FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
0: MOV OUT[0], IN[0]
1: END
)";

struct Vertex {
  float x, y, z;
  uint8_t color[4];
};

constexpr Vertex kVertices[] = {
    {-0.8f, -0.8f, 0, {255, 0, 0, 255}}, {0.8f, -0.8f, 0, {0, 255, 0, 255}}, {0, 0.8f, 0, {0, 0, 255, 255}}};

constexpr raster::VertexElement kElements[] = {
    {.offset_bytes = offsetof(Vertex, x), .format = Format::R32G32B32_FLOAT},
    {.offset_bytes = offsetof(Vertex, color), .format = Format::R8G8B8A8_UNORM}};

Status draw(Device& device, const char* path) {
  Context& c = device.context();
  const Result<ResourceRef> target = device.create_image({.width = 480, .height = 360});
  if (!target) return target.diags();
  const Result<ResourceRef> buffer = device.create_buffer(std::as_bytes(std::span(kVertices)));
  if (!buffer) return buffer.diags();
  for (const auto& [stage, text] : {std::pair(ir::Stage::Vertex, kVertexText), {ir::Stage::Fragment, kFragmentText}}) {
    const Result<ShaderRef> shader = device.create_shader(stage, text);
    if (!shader) return shader.diags();
    if (Status s = c.set_shader(*shader); !s) return s;
  }
  if (Status s = c.set_color_target(0, {*target}); !s) return s;
  if (Status s = c.set_vertex_elements(kElements); !s) return s;
  if (Status s = c.set_vertex_buffer(0, *buffer, sizeof(Vertex)); !s) return s;
  if (Status s = c.clear_color({0.06f, 0.07f, 0.09f, 1}); !s) return s;
  if (Status s = c.draw({.count = 3}); !s) return s;
  const Result<Image> picture = c.read_image(*target);
  return picture ? write_png_file(path, *picture) : Status(picture.diags());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: triangle_cpp FILE.png\n", stderr);
    return 2;
  }
  Result<std::unique_ptr<Device>> device = Device::create({});
  const Status status = device ? draw(**device, argv[1]) : Status(device.diags());
  if (!status) std::fputs(format_diags(status.diags(), "triangle").c_str(), stderr);
  return status ? 0 : 1;
}
