// samples/demos/demo.h: what the demos share: meshes as buffers, programs from text, matrices as constants.
#pragma once

#include <glm/vec4.hpp>
#include <string>
#include <vector>

#include "frontend/mesh.h"
#include "frontend/view/subject.h"

namespace tessera::demos {

// What a demo is made with: words of the command line.
using Words = std::vector<std::string>;
using Made = Result<std::unique_ptr<view::Subject>>;

struct MeshBuffers {
  ResourceRef vertices, indices;
  uint32_t index_count = 0;
};

// IN[0] position, IN[1] normal, IN[2] texture coordinate.
Result<MeshBuffers> upload(Device& device, const Mesh& mesh);
Status use_mesh(Context& context, const MeshBuffers& mesh);
Status draw_mesh(Context& context, const MeshBuffers& mesh, uint32_t instances = 1);
// A triangle that covers the target: IN[0] is (x, y, 0, 1), -1 to 1 inside.
Status draw_everywhere(Device& device);

struct Programs {
  ShaderRef vertex, fragment;
};
// `name` stands before the errors' places.
Result<Programs> make_programs(Device& device, std::string_view name, std::string_view vertex,
                               std::string_view fragment);
Status use_programs(Context& context, const Programs& programs);

// Registers, one behind the other; a matrix is four, its rows: DP4 multiplies by it.
class Constants {
 public:
  Constants& add(const glm::mat4& matrix);
  Constants& add(const glm::vec4& value);
  Constants& add(const glm::vec3& value, float w = 1) { return add(glm::vec4(value, w)); }
  Status set(Context& context, ir::Stage stage) const { return context.set_constants(stage, 0, values_); }

 private:
  std::vector<float> values_;
};

// An image with all mip levels from a formula: texel(u, v) gives 0..1, u and v of the texels' centres.
Result<ResourceRef> make_texture(Device& device, uint32_t side, glm::vec4 (*texel)(float u, float v));
// A PNG or JPEG file, with mip levels.
Result<ResourceRef> read_texture(Device& device, const std::string& path);
Result<ResourceRef> make_texture(Device& device, const Image& image);

glm::vec4 coded_normal(const glm::vec3& unit);                        // as texels hold it: n / 2 + 1/2
Result<ResourceRef> make_normalization_cube(Device& device);          // for every direction, its unit vector, coded

// The vertex program of lit meshes. CONST[0..3] clip from object, CONST[4..7] world from object; gives GENERIC[0] the
// world normal, GENERIC[1] the texture coordinate, GENERIC[2] the world position.
extern const std::string_view kMeshVertexText;

}  // namespace tessera::demos
