// frontend/vtest/objects.h: the objects of a sub-context: immutable, shared with whatever they are bound to, so that
// destroying one takes away its name only. Each is made from the payload of CREATE_OBJECT, word 1 being its handle.
// Enumerants out of range become the nearest defined value's; the object is made all the same.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

#include "frontend/vtest/resource.h"
#include "frontend/vtest/words.h"

namespace tessera::vtest {

struct Blend { raster::BlendState state; };
struct Rasterizer { raster::RasterizerState state; };
struct DepthStencilAlpha { raster::DepthStencilAlphaState state; };
struct VertexElements { std::vector<raster::VertexElement> elements; };
struct SamplerState { texture::Sampler sampler; };

struct SamplerView { TextureView view; };

struct Surface {
  ClientResourceRef resource;
  Format format = Format::NONE;
  uint32_t level = 0, first_layer = 0, last_layer = 0;
};

inline constexpr uint32_t kQueryResultBytes = 16;   // state, size and value of a query in its buffer

struct StreamTarget {
  ClientResourceRef buffer;
  uint32_t size_bytes = 0;
  StreamTargetRef target;
};

struct Query {
  QueryRef query;
  ClientResourceRef result;             // a buffer of at least 16 bytes with shared memory
};

// One output of stream output as the client names it: components of a register OUT[].
struct StreamedRegister {
  uint32_t reg = 0;
  raster::StreamElement element;        // its semantic is not known before the text is whole
};

// A program's text comes in pieces; once whole it is compiled, and `shader` stays null where that fails.
struct Program {
  ir::Stage stage = ir::Stage::Vertex;
  uint32_t shared_bytes = 0;            // of compute programs
  std::vector<StreamedRegister> streamed;
  raster::StreamLayout stream_output;
  size_t length_bytes = 0;              // of the whole text
  std::string text;
  MemoryShare memory;                   // of the text
  ShaderRef shader;
};

using Object = std::variant<std::shared_ptr<const Blend>, std::shared_ptr<const Rasterizer>,
                            std::shared_ptr<const DepthStencilAlpha>, std::shared_ptr<const VertexElements>,
                            std::shared_ptr<const SamplerState>, std::shared_ptr<const SamplerView>,
                            std::shared_ptr<const Surface>, std::shared_ptr<const StreamTarget>,
                            std::shared_ptr<const Query>, std::shared_ptr<Program>>;
using ObjectTable = std::unordered_map<uint32_t, Object>;

template <class T>
Result<std::shared_ptr<T>> find_object(const ObjectTable& objects, uint32_t handle) {
  const auto found = objects.find(handle);
  if (found == objects.end()) return error("object: does not exist");
  if (const auto* object = std::get_if<std::shared_ptr<T>>(&found->second)) return *object;
  return error("object: of another type");
}

// Null for handle 0, which unbinds.
template <class T>
Result<std::shared_ptr<T>> find_or_null(const ObjectTable& objects, uint32_t handle) {
  if (handle == 0) return std::shared_ptr<T>();
  return find_object<T>(objects, handle);
}

// The protocol's numbers for types of objects, as far as they are served.
enum class ObjectType : uint32_t {
  Blend = 1, Rasterizer, DepthStencilAlpha, Shader, VertexElements, SamplerView, SamplerState, Surface, Query,
  StreamoutTarget, MsaaSurface
};

Blend read_blend(Words d);
Rasterizer read_rasterizer(Words d);
DepthStencilAlpha read_depth_stencil_alpha(Words d);
Result<VertexElements> read_vertex_elements(Words d);
SamplerState read_sampler_state(Words d);
// `resource` is the one that word 2 names.
Result<SamplerView> read_sampler_view(Words d, const ClientResourceRef& resource);
Result<Surface> read_surface(Words d, const ClientResourceRef& resource);
Result<StreamTarget> read_stream_target(Words d, const ClientResourceRef& resource, Context& context);
Result<Query> read_query(Words d, const ClientResourceRef& resource, Context& context);

// Words 5 and on of a first piece: strides of the buffers, then the streamed registers; gives the word behind them.
Result<size_t> read_streamed_registers(Words d, Program& program);
// Finds the semantics of the streamed registers in the text.
Status find_streamed_semantics(Program& program);

// The protocol's stage numbers: vertex, fragment, geometry, tessellation control and evaluation, compute.
std::optional<ir::Stage> stage_from_number(uint32_t number);

}  // namespace tessera::vtest
