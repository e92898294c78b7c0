// shader/ir.h: the one shader representation that every front end lowers to and every executor runs.
//
// Scalar SSA over lanes: a value is one 32-bit word a lane; float, int and uint are views of it. 64-bit values are
// pairs of words (low, high). No vectors: swizzles, masks and most moves vanish in lowering.
//
// Control flow is structured, as nested regions in one flat list of instructions:
//
//     If c                        Block                           Loop  r = init...
//       ...                         ...                             ...
//     Else  then-values...          Exit target, values...          Exit target, values...   leaves the loop
//       ...                         ...                             Again target, next...    next turn
//     EndIf r = else-values...    EndBlock r = values...            EndLoop r, next...       falls into the next turn
//
// - A value is visible after its definition inside its own region and the regions nested in it; what outlives a
//   region is a result of its end. A Loop has two sets of results: those of Loop (the values at the head of each
//   turn) and those of EndLoop (the values that Exit carried). An Exit or Again names any enclosing Block or Loop;
//   lanes that take it stop running until that region's end (or next turn).
// - Each lane runs as if alone. Operations without side effects run in whole quads; joins change running lanes only.
// - Booleans are ~0 and 0.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/format.h"
#include "core/result.h"
#include "shader/opcodes.h"

namespace tessera::ir {

using ValueId = uint32_t;
inline constexpr ValueId kNoValue = ~0u;

enum class Stage : uint8_t { Vertex, Fragment, Geometry, TessCtrl, TessEval, Compute };

// TGSI's semantic names (declaration order of the grammar); D3D9 and combiners use the same.
enum class Semantic : uint8_t {
#define SEMANTIC(name, text) name,
#include "shader/semantics.def"
#undef SEMANTIC
};
std::string_view semantic_name(Semantic s);

enum class Interpolation : uint8_t { Constant, Linear, Perspective, Color };  // Color: flat or perspective by state
enum class Location : uint8_t { Center, Centroid, Sample };

// What of a fragment's varying an input is: its value at the Location; or one of the numbers from which a program works
// out the value elsewhere (formulas: raster/frame.h). Those of the triangle name no varying.
enum class InputPart : uint8_t {
  Value,
  Corner0, Corner1, Corner2,              // of the varying: its values at the triangle's vertices
  OffsetX, OffsetY,                       // from vertex 0 to the pixel's centre, in pixels
  Lambda1Dx, Lambda1Dy, Lambda2Dx, Lambda2Dy, Rw0, Rw1, Rw2,
  Affine,                                 // the three rw are equal
  SamplesXLow, SamplesXHigh, SamplesYLow, SamplesYHigh   // sample positions: 4 bits each, 1/16 pixel from the corner
};

// One word a lane that comes in from outside: an attribute, a varying or a system value.
struct Input {
  Semantic semantic = Semantic::Generic;  // vertex stage attributes: Generic, index = attribute number
  uint16_t index = 0;                     // semantic index
  uint8_t component = 0;                  // 0..3
  bool system_value = false;              // SV register: integers as TGSI defines them; else an IN register
  bool per_vertex = false;                // of each vertex of the lane's primitive or patch: VertexInput reads it
  bool of_target = false;                 // COLOR[i]: the pixel's colour in target i from before this fragment;
                                          // SAMPLEID: how many samples a pixel of the target has
  Interpolation interpolation = Interpolation::Perspective;
  Location location = Location::Center;
  InputPart part = InputPart::Value;
  bool operator==(const Input&) const = default;
};

struct Output {
  Semantic semantic = Semantic::Generic;
  uint16_t index = 0;
  uint8_t component = 0;
  ValueId value = kNoValue;               // defined at the outermost level; kNoValue: Emit brings it, or it is in memory
  uint8_t stream = 0;                     // geometry: of stream output
};

// What a geometry program says of its primitives; numbers as TGSI counts them (POINTS 0, LINES 1, ... TRIANGLES 4).
struct GeometryFacts {
  uint8_t input_primitive = 0, output_primitive = 0;
  uint16_t max_vertices = 0;              // of a lane; what it emits beyond is dropped
  uint16_t invocations = 1;
  bool operator==(const GeometryFacts&) const = default;
};

struct TessellationFacts {
  uint8_t vertices_out = 0;               // control: invocations and vertices of a patch; outputs: tgsi/lower_patch.cpp
  uint8_t primitive = 0, spacing = 0;     // evaluation: LINES 1, TRIANGLES 4, QUADS 7; fractional odd, even, equal
  bool clockwise = false, point_mode = false;
  bool operator==(const TessellationFacts&) const = default;
};

enum class TextureTarget : uint8_t {
  Buffer, Tex1D, Tex2D, Tex3D, Cube, Rect, Tex1DArray, Tex2DArray, CubeArray,
  Shadow1D, Shadow2D, ShadowRect, ShadowCube, Shadow1DArray, Shadow2DArray, ShadowCubeArray,
  Tex2DMsaa, Tex2DArrayMsaa, Unknown
};

enum class TextureKind : uint8_t {
  Sample,        // LOD from the quad's derivatives
  SampleBias,    // the same plus a bias a lane
  SampleLod,     // LOD a lane
  SampleGrad,    // LOD from given derivatives
  Fetch,         // integer coordinates, level (or sample) a lane, no filtering
  Gather,        // one component of the four texels that bilinear filtering would use
  QuerySize,     // x, y, z: size of level `lod`; w: level count
  QueryLod,      // x: level that would be used; y: computed LOD
  QuerySamples   // x: sample count
};

// The part of a texture instruction that is known when the program is compiled.
struct TextureOp {
  TextureKind kind = TextureKind::Sample;
  TextureTarget target = TextureTarget::Tex2D;
  uint16_t binding = 0;                   // index into Program::texture_bindings
  uint8_t component = 0;                  // Gather: which
  int8_t offset[4][3] = {};               // constant texel offsets; Gather may have four, the others one
  uint8_t offset_count = 0;
  bool operator==(const TextureOp&) const = default;
};

// Which view is sampled through which sampler. Classic TGSI: the same number twice.
struct TextureBinding {
  uint16_t view = 0, sampler = 0;
  bool operator==(const TextureBinding&) const = default;
};

// Operand positions of Op::Texture; absent ones are kNoValue. Results: 4 words.
namespace tex_arg {
inline constexpr uint32_t S = 0, T = 1, R = 2, Layer = 3, Ref = 4, Lod = 5, Ddx = 6, Ddy = 9, Offset = 12, Count = 15;
}

// What a memory operation reaches. All but images are addressed by a byte offset whose two low bits do not count.
enum class MemorySpace : uint8_t {
  Buffer,        // shader buffers
  Image,         // texels of an image view, converted by its format
  Shared,        // of the work group
  Global,        // one buffer for all of a grid
  Arguments,     // of a grid; read only
  Counter        // atomic counter buffers
};
inline constexpr uint32_t kMemorySpaces = 6;

enum class AtomicKind : uint8_t {   // shader/atomic.h has their formulas
  Add, FAdd, Exchange, And, Or, Xor, UMin, UMax, IMin, IMax, CompareExchange, IncWrap, DecWrap
};

// The part of a memory instruction that is known when the program is compiled.
struct MemoryOp {
  MemorySpace space = MemorySpace::Buffer;
  TextureTarget target = TextureTarget::Buffer;   // Image: which coordinates there are
  AtomicKind atomic = AtomicKind::Add;            // MemAtomic
  uint8_t first_word = 0;                 // MemLoad: the first result is this word, counted from the address
  uint16_t binding = 0;                   // number of the buffer or image; operand Index is added
  Format format = Format::NONE;           // Image: as the program declares it; the view's own is what counts
  bool operator==(const MemoryOp&) const = default;
};

// Operand positions of MemLoad, MemStore, MemAtomic and MemSize; absent ones are kNoValue.
// X: a byte offset, or the first coordinate of a texel. Slice: depth, layer or face. Value: what is stored, word by
// word, absent ones stay; of an atomic operation its operand and, for CompareExchange, the word to store.
namespace mem_arg {
inline constexpr uint32_t X = 0, Y = 1, Slice = 2, Sample = 3, Index = 4, Value = 5, Count = 9;
}

struct Instr {
  Op op{};
  uint16_t result_count = 0;
  uint16_t arg_count = 0;
  uint32_t first_arg = 0;                 // into Program::args
  ValueId result = kNoValue;              // first of result_count consecutive values
  uint32_t imm = 0;                       // meaning by opcode: constant bits, input index, region id, texture op index...
  SourceLoc loc{0, 0};
};

struct Program {
  Stage stage = Stage::Fragment;
  std::vector<Instr> code;
  std::vector<ValueId> args;              // operands of all instructions
  uint32_t value_count = 0;

  std::vector<Input> inputs;              // Op::Input's imm is an index into this
  std::vector<Output> outputs;
  std::vector<TextureOp> texture_ops;     // Op::Texture's imm is an index into this
  std::vector<TextureBinding> texture_bindings;
  std::vector<MemoryOp> memory_ops;       // imm of the memory operations is an index into this
  std::vector<uint32_t> private_arrays;   // words a lane of each indirectly addressed register file

  // Facts that raster/ needs without looking at the code.
  bool uses_kill = false;                 // KILL, KILL_IF or DEMOTE occurs
  bool writes_memory = false;             // a store or an atomic operation on memory occurs
  bool uses_barrier = false;              // Barrier occurs
  bool writes_depth = false, writes_stencil = false, writes_sample_mask = false;
  bool color0_writes_all = false;         // FS_COLOR0_WRITES_ALL_CBUFS
  bool origin_lower_left = false, pixel_center_integer = false;   // FS_COORD_*
  bool early_depth_stencil = false;       // FS_EARLY_DEPTH_STENCIL
  bool post_depth_coverage = false;       // FS_POST_DEPTH_COVERAGE: the coverage that is read passed the early tests
  bool window_space_position = false;     // VS_WINDOW_SPACE_POSITION
  bool prohibits_clip_planes = false;     // VS_PROHIBIT_UCPS
  bool layer_viewport_relative = false;   // LAYER_VIEWPORT_RELATIVE: the number of the viewport is added to LAYER
  uint8_t depth_layout = 0;               // FS_DEPTH_LAYOUT
  uint32_t blend_equations = 0;           // FS_BLEND_EQUATION_ADVANCED: bit n allows raster/state.h's equation n
  std::array<uint32_t, 3> block_size{};   // CS_FIXED_BLOCK_*: invocations of a work group; 0: the dispatch says
  uint8_t clip_distances = 0, cull_distances = 0;   // CLIPDIST words that clip, and behind them those that cull
  GeometryFacts geometry;
  TessellationFacts tessellation;
};

inline std::span<const ValueId> args_of(const Program& p, const Instr& i) {
  return std::span(p.args).subspan(i.first_arg, i.arg_count);
}
inline std::span<ValueId> args_of(Program& p, const Instr& i) {
  return std::span(p.args).subspan(i.first_arg, i.arg_count);
}

}  // namespace tessera::ir
