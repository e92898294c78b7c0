#include "samples/demos/demo.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <glm/geometric.hpp>
#include <glm/vec2.hpp>

namespace tessera::demos {

const std::string_view kMeshVertexText = R"(VERT
DCL IN[0]
DCL IN[1]
DCL IN[2]
DCL OUT[0], POSITION
DCL OUT[1].xyz, GENERIC[0]
DCL OUT[2].xy, GENERIC[1]
DCL OUT[3].xyz, GENERIC[2]
DCL CONST[0..7]
 0: DP4 OUT[0].x, IN[0], CONST[0]
 1: DP4 OUT[0].y, IN[0], CONST[1]
 2: DP4 OUT[0].z, IN[0], CONST[2]
 3: DP4 OUT[0].w, IN[0], CONST[3]
 4: DP3 OUT[1].x, IN[1], CONST[4]
 5: DP3 OUT[1].y, IN[1], CONST[5]
 6: DP3 OUT[1].z, IN[1], CONST[6]
 7: MOV OUT[2].xy, IN[2]
 8: DP4 OUT[3].x, IN[0], CONST[4]
 9: DP4 OUT[3].y, IN[0], CONST[5]
10: DP4 OUT[3].z, IN[0], CONST[6]
11: END
)";

Result<MeshBuffers> upload(Device& device, const Mesh& mesh) {
  if (mesh.indices.empty()) return error("the mesh has no triangles");
  Result<ResourceRef> vertices = device.create_buffer(std::as_bytes(std::span(mesh.vertices)));
  Result<ResourceRef> indices = device.create_buffer(std::as_bytes(std::span(mesh.indices)));
  if (!vertices) return vertices.diags();
  if (!indices) return indices.diags();
  return MeshBuffers{*vertices, *indices, static_cast<uint32_t>(mesh.indices.size())};
}

Status use_mesh(Context& context, const MeshBuffers& mesh) {
  static constexpr raster::VertexElement kElements[] = {
      {.offset_bytes = offsetof(MeshVertex, position), .format = Format::R32G32B32_FLOAT},
      {.offset_bytes = offsetof(MeshVertex, normal), .format = Format::R32G32B32_FLOAT},
      {.offset_bytes = offsetof(MeshVertex, texcoord), .format = Format::R32G32_FLOAT}};
  if (Status s = context.set_vertex_elements(kElements); !s) return s;
  if (Status s = context.set_vertex_buffer(0, mesh.vertices, sizeof(MeshVertex)); !s) return s;
  return context.set_index_buffer(mesh.indices, 4);
}

Status draw_mesh(Context& context, const MeshBuffers& mesh, uint32_t instances) {
  return context.draw({.count = mesh.index_count, .instance_count = instances, .indexed = true});
}

Status draw_everywhere(Device& device) {
  static constexpr float kCorners[] = {-1, -1, 3, -1, -1, 3};
  static constexpr raster::VertexElement kElement[] = {{.format = Format::R32G32_FLOAT}};
  Context& context = device.context();
  const Result<ResourceRef> buffer = device.create_buffer(std::as_bytes(std::span(kCorners)));
  if (!buffer) return buffer.diags();
  if (Status s = context.set_vertex_elements(kElement); !s) return s;
  if (Status s = context.set_vertex_buffer(0, *buffer, 8); !s) return s;
  return context.draw({.count = 3});
}

Result<Programs> make_programs(Device& device, std::string_view name, std::string_view vertex,
                               std::string_view fragment) {
  Programs programs;
  const auto make = [&](ir::Stage stage, std::string_view text, ShaderRef& out) -> Status {
    Result<ShaderRef> shader = device.create_shader(stage, text);
    if (!shader) return error(format_diags(shader.diags(), name, text));
    out = *shader;
    return Done{};
  };
  if (Status s = make(ir::Stage::Vertex, vertex, programs.vertex); !s) return s.diags();
  if (Status s = make(ir::Stage::Fragment, fragment, programs.fragment); !s) return s.diags();
  return programs;
}

Status use_programs(Context& context, const Programs& programs) {
  const Status s = context.set_shader(programs.vertex);
  return s ? context.set_shader(programs.fragment) : s;
}

Constants& Constants::add(const glm::mat4& matrix) {
  for (int row = 0; row < 4; ++row)
    for (int column = 0; column < 4; ++column) values_.push_back(matrix[column][row]);
  return *this;
}

Constants& Constants::add(const glm::vec4& value) {
  values_.insert(values_.end(), {value.x, value.y, value.z, value.w});
  return *this;
}

Result<ResourceRef> make_texture(Device& device, const Image& image) {
  const uint32_t levels = static_cast<uint32_t>(std::bit_width(std::max(image.width, image.height)));
  Result<ResourceRef> texture = device.create_image({.width = image.width, .height = image.height, .levels = levels});
  if (!texture) return texture;
  const Box box{.width = image.width, .height = image.height};
  Context& context = device.context();
  if (Status s = context.write_texels(*texture, 0, box, std::as_bytes(std::span(image.rgba_un8))); !s) return s.diags();
  if (Status s = context.generate_mips(*texture); !s) return s.diags();
  return texture;
}

Result<ResourceRef> make_texture(Device& device, uint32_t side, glm::vec4 (*texel)(float u, float v)) {
  Image image{.width = side, .height = side, .rgba_un8 = std::vector<uint8_t>(size_t{side} * side * 4)};
  const float size = static_cast<float>(side);
  for (uint32_t y = 0; y < side; ++y)
    for (uint32_t x = 0; x < side; ++x) {
      const glm::vec4 color = texel((static_cast<float>(x) + 0.5f) / size, (static_cast<float>(y) + 0.5f) / size);
      for (int c = 0; c < 4; ++c)
        image.texel(x, y)[c] = static_cast<uint8_t>(std::clamp(color[c], 0.0f, 1.0f) * 255 + 0.5f);
    }
  return make_texture(device, image);
}

Result<ResourceRef> read_texture(Device& device, const std::string& path) {
  const Result<Image> image = read_image_file(path);
  if (!image) return error(path + ": " + image.diags().front().text);
  return make_texture(device, *image);
}

glm::vec4 coded_normal(const glm::vec3& unit) { return glm::vec4(unit * 0.5f + 0.5f, 1.0f); }

Result<ResourceRef> make_normalization_cube(Device& device) {
  constexpr uint32_t kSide = 64;
  Result<ResourceRef> cube =
      device.create_image({.kind = ResourceKind::Cube, .width = kSide, .height = kSide, .layers = 6});
  if (!cube) return cube;
  std::vector<uint8_t> texels;
  for (int face = 0; face < 6; ++face)
    for (uint32_t y = 0; y < kSide; ++y)
      for (uint32_t x = 0; x < kSide; ++x) {
        const glm::vec2 at = (glm::vec2(x, y) * 2.0f + 1.0f) / static_cast<float>(kSide) - 1.0f;
        const float s = at.x, t = at.y;
        const glm::vec3 ways[] = {{1, -t, -s}, {-1, -t, s}, {s, 1, t}, {s, -1, -t}, {s, -t, 1}, {-s, -t, -1}};
        const glm::vec4 code = coded_normal(glm::normalize(ways[face]));
        for (int c = 0; c < 4; ++c) texels.push_back(static_cast<uint8_t>(code[c] * 255 + 0.5f));
      }
  const Box all{.width = kSide, .height = kSide, .depth = 6};
  const Status s = device.context().write_texels(*cube, 0, all, std::as_bytes(std::span(texels)));
  return s ? cube : Result<ResourceRef>(s.diags());
}

}  // namespace tessera::demos
