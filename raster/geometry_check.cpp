#include "raster/geometry_check.h"

#include <algorithm>

#include "fmt/format.h"
#include "raster/input_assembly.h"
#include "raster/patches.h"

namespace tessera::raster {
namespace {

// As TGSI counts what a geometry program takes.
uint8_t input_primitive_of(uint32_t vertices_each) {
  constexpr uint8_t kByVertices[] = {255, 0, 1, 4, 10, 255, 12};
  return vertices_each < std::size(kByVertices) ? kByVertices[vertices_each] : 255;
}

void check_primitive(const DrawCall& call, std::vector<Diag>& errors) {
  const GeometryPrograms& programs = call.pipeline->desc.geometry;
  const bool is_patches = call.info.primitive == Primitive::Patches;
  if (is_patches && (call.info.patch_vertices == 0 || call.info.patch_vertices > kMaxPatchVertices))
    errors.push_back(error(fmt::format("info.patch_vertices: expected 1 to {}, found {}", kMaxPatchVertices,
                                       call.info.patch_vertices)));
  if (programs.evaluation && !is_patches)
    errors.push_back(error("info.primitive: with a tessellation evaluation program only patches are drawn"));
  if (!programs.evaluation && is_patches)
    errors.push_back(error("info.primitive: patches need a tessellation evaluation program"));
  if (!programs.geometry || is_patches) return;
  if (programs.geometry->program().geometry.input_primitive != input_primitive_of(vertices_of(call.info.primitive, 0)))
    errors.push_back(error("info.primitive: the geometry program takes other primitives than the draw has"));
}

void check_target(const DrawCall& call, uint32_t number, std::vector<Diag>& errors) {
  const StreamTarget& target = call.geometry->targets[number];
  const bool is_written = !call.pipeline->geometry.stream.buffer[number].copies.empty();
  if (!target.storage) {
    if (is_written)
      errors.push_back(error(fmt::format("geometry.targets[{}]: stream output writes it, and none is bound", number)));
    return;
  }
  if (target.offset_bytes % 4 != 0 ||
      uint64_t{target.offset_bytes} + target.size_bytes > target.storage->size_bytes() || !target.fill)
    errors.push_back(
        error(fmt::format("geometry.targets[{}]: {} bytes from {} on are not words inside of the buffer's {}", number,
                          target.size_bytes, target.offset_bytes, target.storage->size_bytes())));
  const auto is_it = [&](const std::shared_ptr<const Storage>& s) { return s == target.storage; };
  if (is_written &&
      (std::ranges::any_of(call.vertex_buffers, [&](const VertexBuffer& b) { return is_it(b.storage); }) ||
       is_it(call.index_buffer.storage)))
    errors.push_back(error(fmt::format("geometry.targets[{}]: the draw also reads it as vertices or indices", number)));
}

}  // namespace

void check_geometry(const DrawCall& call, std::vector<Diag>& errors) {
  check_primitive(call, errors);
  if (!call.geometry || !call.geometry->has_targets()) return;
  for (uint32_t i = 0; i < kMaxStreamBuffers; ++i) check_target(call, i, errors);
}

}  // namespace tessera::raster
