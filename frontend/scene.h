// frontend/scene.h: a scene file as plain data: what scene_parser makes and scene_runner carries out.
// Everything that can be checked without opening other files has been checked; numbers are in range and names exist.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/format.h"
#include "core/result.h"
#include "frontend/device.h"
#include "frontend/direct3d9.h"
#include "frontend/scene_transfer.h"
#include "raster/state.h"
#include "texture/sampler.h"

namespace tessera::scene {

using Numbers4 = std::array<double, 4>;   // colours and texels: exact for floats and for 32-bit integers

struct Target {
  uint32_t width = 256, height = 256;
  std::array<Format, raster::kMaxColorTargets> color{};   // NONE: a hole
  uint32_t color_count = 0;
  Format depth = Format::NONE;
  uint32_t samples = 1;
  ResourceKind kind = ResourceKind::Tex2D;
  uint32_t layers = 1;                          // or faces, or depth slices
  bool empty = false;                           // no images: nothing is stored
};

// ---- textures ----
struct FileSource { std::string path; };
struct CheckerSource { uint32_t width, height, cells; Numbers4 even, odd; };
struct SolidSource { uint32_t width, height; Numbers4 color; };
struct GradientSource { uint32_t width, height; std::array<Numbers4, 4> corners; };   // top left, top right, bottom ...
struct DiscSource { uint32_t width, height; double radius; Numbers4 inside, outside; };
struct NoiseSource { uint32_t width, height, seed; };
struct TargetSource { std::string target; bool depth = false; uint32_t color = 0; };
struct TexelsSource { std::vector<Numbers4> texels; };   // by hand; the size is the level's
using TexelSource =
    std::variant<FileSource, CheckerSource, SolidSource, GradientSource, DiscSource, NoiseSource, TexelsSource>;

// What fills one slice (face, layer or depth slice) of a level, or all of its slices.
struct TexturePart {
  SourceLoc loc;
  uint32_t level = 0;
  std::optional<uint32_t> slice;
  TexelSource source;
};

struct Texture {
  SourceLoc loc;
  Format format = Format::R8G8B8A8_UNORM;
  ResourceKind kind = ResourceKind::Tex2D;
  bool mips = false;
  std::optional<TargetSource> target;           // else
  std::optional<std::pair<SourceLoc, std::string>> file;   // that brings its own format and size: DDS, KTX; else
  std::vector<TexturePart> parts;               // together every slice of every level
  uint32_t width = 0, height = 0;               // 0: those of the first part
  uint32_t slices = 1, levels = 1;              // of level 0: layers, faces or depth; levels that parts fill
  std::array<Swizzle, 4> swizzle = {Swizzle::X, Swizzle::Y, Swizzle::Z, Swizzle::W};
};

// ---- memory that programs write ----
struct Buffer { SourceLoc loc; std::vector<uint32_t> words; };
struct ImageSource {
  SourceLoc loc;
  std::optional<uint32_t> texture;                        // the section; always given
  uint32_t level = 0;
  Format format = Format::NONE;                           // NONE: the texture's own
};

// ---- programs ----
struct ShaderText {
  SourceLoc loc;                 // of the section's header; the text's first line is the next one
  std::string text;
  Dialect dialect = Dialect::Current;
  bool is_d3d9 = false;          // assembly of Direct3D 9, else TGSI
};

struct SamplerSection {
  texture::Sampler sampler;
  direct3d9::SamplerStates d3d9;   // in place of it where the scene has Direct3D 9 shaders
};

// ---- geometry ----
struct VertexTable {             // packed rows
  std::vector<raster::VertexElement> elements;
  std::vector<uint32_t> attributes;   // attribute number of each element
  std::vector<std::optional<VertexUsage>> usages;   // of each, where it was given by usage
  std::vector<std::byte> bytes;
  uint32_t stride_bytes = 0, row_count = 0;
};

struct MeshFile { std::string path; };
struct MeshGrid { uint32_t cells_x, cells_y; };
struct MeshCube {};
struct MeshSphere { uint32_t slices, stacks; };
struct MeshTorus { uint32_t segments, sides; float tube; };
struct MeshTorusKnot { uint32_t p, q, segments, sides; float tube; };
struct MeshSource {
  SourceLoc loc;
  std::variant<MeshFile, MeshGrid, MeshCube, MeshSphere, MeshTorus, MeshTorusKnot> shape;
  bool fit = false;
};

struct Geometry {
  SourceLoc loc;
  std::optional<VertexTable> vertices, instances;
  std::optional<MeshSource> mesh;
  std::vector<uint32_t> indices;
  uint32_t index_bytes = 0;      // 0: no [indices]
};

// ---- state ----
struct ConstantBlock {
  ir::Stage stage = ir::Stage::Vertex;
  uint32_t buffer = 0, first_word = 0;
  std::string name;              // Direct3D 9: in the shader's constant table, in place of the two
  std::vector<uint32_t> words;
};

// What only scenes with Direct3D 9 shaders have; matrices for row vectors.
struct D3d9State {
  direct3d9::States states;
  Matrix3d9 world = kIdentity3d9, view = kIdentity3d9, projection = kIdentity3d9;
  std::map<uint32_t, Matrix3d9> texture_matrix;    // by stage
  direct3d9::Material material;
  std::array<direct3d9::Light, direct3d9::kMaxLights> lights;
};

struct View {                    // one viewport
  std::optional<std::array<float, 4>> viewport;   // x y width height
  float depth_near = 0, depth_far = 1;
  raster::IRect scissor{0, 0, 1 << 15, 1 << 15};  // where none is given: beyond every target
};

struct State {
  std::optional<D3d9State> d3d9;
  raster::BlendState blend;
  raster::RasterizerState rasterizer;
  raster::DepthStencilAlphaState depth_stencil_alpha;
  std::array<float, 4> blend_color{};
  uint8_t stencil_reference[2] = {0, 0};
  uint32_t sample_mask = ~0u, min_samples = 1;
  std::array<View, raster::kMaxViewports> views;
  std::array<raster::ClipPlane, raster::kMaxClipPlanes> clip_planes{};
  raster::StipplePattern polygon_stipple = raster::kSolidStipple;
  bool primitive_restart = false;
  uint32_t restart_index = ~0u;
  raster::TessLevels tessellation_levels;
};

// ---- fixed-function state ----
enum class FixedFunctionKind : uint8_t { RegisterCombiners, TextureEnvironment, AtiFragmentShader };
struct FixedFunction {
  FixedFunctionKind kind = FixedFunctionKind::RegisterCombiners;
  SourceLoc loc;
  combiners::FragmentState state;
};

// ---- stream output ----
struct StreamOutput {
  SourceLoc loc;
  raster::StreamLayout layout;
  struct Target {
    SourceLoc loc;
    uint32_t buffer = 0, offset_bytes = 0;               // of a [buffer]
    std::optional<uint32_t> size_bytes;
  };
  std::array<std::optional<Target>, raster::kMaxStreamBuffers> targets;
};

// ---- commands of [test] ----
struct ClearColor { std::optional<uint32_t> target; Numbers4 color; ClearRegion region; };
struct ClearDepth { float depth; ClearRegion region; };
struct ClearStencil { uint8_t stencil; ClearRegion region; };
struct UseShader { ir::Stage stage; std::string name; };
struct UnsetShader { ir::Stage stage; };
struct UseStreamOutput { std::optional<std::string> name; bool append = false; };   // nothing: off
struct QueryBegin { std::string name; QueryKind kind; uint32_t stream = 0; };
struct QueryEnd { std::string name; };
struct ExpectQuery {
  std::string name;
  uint64_t PipelineStatistics::*field = nullptr;         // null: the query's one number
  std::string field_name;
  uint64_t least = 0, most = 0;
};
struct RenderCondition { std::optional<std::string> query; bool is_inverted = false; };
struct UseFixedFunction { std::optional<std::string> name; };     // nothing: off
struct UseGeometry { std::string name; };
struct UseTarget { std::string name; std::optional<uint32_t> layer; };
struct UseTexture { uint32_t unit, section, sampler; };   // a sampler without a section has the defaults
struct SetState { State state; };
struct SetConstants { std::vector<ConstantBlock> blocks; };
struct Resolve { std::string from, to; };  // names of targets
struct GenerateMips { uint32_t section; };
struct Draw {
  enum class Source : uint8_t { Vertices, Mesh, Rect, Streamed, Indirect } source = Source::Vertices;
  raster::DrawInfo info;
  bool all = false;                       // count: everything there is
  std::array<float, 4> rect{};            // Rect: x y width height in clip space
  std::string stream_output;              // Streamed: the section, and the number of its target
  uint32_t stream_target = 0;
  uint32_t buffer = 0;                    // Indirect: a [buffer] with `indirect`
  std::optional<uint32_t> count_buffer;
  IndirectDraws indirect;
};
struct Dispatch { Grid grid; };
struct ProbeBuffer {
  uint32_t buffer = 0, offset_bytes = 0;
  bool is_float = false;
  std::vector<uint32_t> words;
  double tolerance = 0;                   // of floats
};
struct Probe {
  bool depth = false, all = false;
  raster::IRect rect;
  Numbers4 expected{}, tolerance{};
};
struct ExpectImage {
  std::string path;
  std::array<uint8_t, 4> tolerance_un8{};
  uint64_t count = 0;                     // texels that may differ by more
};
using Action = std::variant<ClearColor, ClearDepth, ClearStencil, UseShader, UnsetShader, UseFixedFunction,
                            UseStreamOutput, QueryBegin, QueryEnd, ExpectQuery, RenderCondition,
                            UseGeometry, UseTarget, UseTexture, SetState, SetConstants, Resolve, GenerateMips, Draw,
                            Dispatch, Probe, ProbeBuffer, ExpectImage, Transfer>;
struct Command { SourceLoc loc; Action action; };

// Maps are by section name; "" is the section without one.
struct Scene {
  std::map<std::string, Target> targets;                       // always has ""
  std::map<uint32_t, Texture> textures;
  bool is_d3d9 = false;                                        // it has shaders of Direct3D 9, and no others
  std::map<uint32_t, SamplerSection> samplers;
  std::map<uint32_t, Buffer> buffers;
  std::map<uint32_t, ImageSource> images;
  std::map<std::string, BitmapRows> bitmaps;
  std::map<std::string, ShaderText> vertex_shaders, fragment_shaders, compute_shaders;
  std::map<std::string, ShaderText> geometry_shaders, control_shaders, evaluation_shaders;
  std::map<std::string, StreamOutput> stream_outputs;
  std::map<std::string, Geometry> geometries;
  std::map<std::string, std::vector<ConstantBlock>> constants;
  std::map<std::string, State> states;                         // always has ""
  std::map<std::string, FixedFunction> fixed_functions;        // of all three kinds
  std::vector<Command> commands;
};

}  // namespace tessera::scene
