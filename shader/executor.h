// shader/executor.h: what every executor (interpreter, JIT) gives to raster/: a program that runs on blocks.
//
// A block is 64 lanes: 16 quads of pixels (lane = 4*quad + 2*(y&1) + (x&1)), 64 vertices, or 64 invocations.
// Every value of a running program is a *slot*: 64 words of 32 bits, one a lane, 64-byte aligned. The slots of one
// thread lie in one block of memory, the *slot file*:
//
//     [ uniform slots | input slots | temporaries ]
//
// The caller writes the inputs of a block straight into their slots, calls run(), and reads the outputs from theirs.
// An output may be an input's or a uniform's own slot: a program that only copies runs no instruction at all.
//
// Uniform values (constants, immediates, all that depends only on them) are computed once a draw by run_uniform(),
// kept as one word each, and spread over a thread's slots by load_uniforms() when the thread starts on that draw.
//
// Threads: an Executable is immutable and shared; a slot file has one owner.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/simd_target.h"
#include "shader/emitted.h"
#include "shader/ir.h"

namespace tessera {

// ---- services: what a program asks of texture/ and raster/ ------------------------------------------------

// One texture operation over a block. Pointers lead to 64 words each; null: the operand is absent.
struct SampleArgs {
  const ir::TextureOp* op = nullptr;             // what to do: kind, target, offsets (shader/ir.h)
  const uint32_t* coord[4] = {};                 // s, t, r, layer: floats; TXF: integers. By meaning, not by position
  const uint32_t* ref = nullptr;                 // shadow reference, float
  const uint32_t* lod = nullptr;                 // LOD, bias (float); TXF: level, integer; sample of a multisample fetch
  const uint32_t* ddx[3] = {}, *ddy[3] = {};     // explicit derivatives of s, t, r
  const uint32_t* offset[3] = {};                // texel offsets a lane (TG4), integers
  uint32_t* out[4] = {};                         // results; may be any slots that are no operand
  uint64_t exec = 0;                             // lanes that run, whole quads; other lanes' results do not matter
};

// One access to an image over a block.
enum class ImageAccess : uint8_t { Load, Store, Atomic };
struct ImageArgs {
  ImageAccess access = ImageAccess::Load;
  const ir::MemoryOp* op = nullptr;
  const uint32_t* x = nullptr, *y = nullptr, *slice = nullptr, *sample = nullptr;   // unsigned; null: 0
  const uint32_t* value[4] = {};                 // Store: null ones stay as they are; Atomic: as mem_arg::Value says
  uint32_t* out[4] = {};                         // Load: four channels; Atomic: the first; no operands
  uint64_t lanes = 0;                            // whose access it is; other lanes' results do not matter
};

struct Services {
  // `texture` is Bindings::textures[op.binding].
  void (*sample)(const void* texture, const SampleArgs& args) = nullptr;
  // `image` is one of Bindings::images and not null. In lane order.
  void (*access_image)(const void* image, const ImageArgs& args) = nullptr;
  // Width, height or layers, depth or layers or cubes, samples.
  void (*image_size)(const void* image, uint32_t size[4]) = nullptr;
};

// Bytes that a program reads and writes: a shader buffer, or the memory of a work group.
struct MemoryView {
  std::byte* data = nullptr;                     // 4-byte aligned
  uint32_t size_bytes = 0;                       // words that are not wholly inside are outside
  bool is_read_only = false;                     // stores are dropped, atomic operations do nothing and give 0
};

struct ConstantBuffer {
  const uint32_t* words = nullptr;
  uint32_t count = 0;  // words; reads beyond give 0
};

// What a draw binds to one stage. Views into storage that outlives the draw.
struct Bindings {
  std::span<const ConstantBuffer> constants;     // by buffer number; missing ones read 0
  std::span<const void* const> textures;         // by index into ir::Program::texture_bindings
  std::span<const MemoryView> memory[ir::kMemorySpaces];   // by MemorySpace, then by number; Image: empty
  std::span<const void* const> images;           // by number; missing and null ones read 0
  Services services;
};

// The vertices of each lane's primitive (geometry) or patch (tessellation), for inputs that are per_vertex: records of
// `stride` words, as raster/ keeps them for a chunk. Vertex v of a lane is record[lane * count + v].
struct PrimitiveVertices {
  const uint32_t* words = nullptr;
  uint32_t stride = 0;
  const uint32_t* record = nullptr;
  uint32_t count = 0;                            // vertices of a primitive; others read 0
  std::span<const uint32_t> word_of_input;       // by index into ir::Program::inputs: its word in a record; ~0u: reads 0
};

struct BlockArgs {
  const Bindings* bindings = nullptr;
  uint64_t exec = ~0ull;                         // lanes that run (fragments: whole quads that hold a live lane)
  uint64_t live = ~0ull;                         // lanes that are no helpers: the ones with effects
  uint32_t budget = 0;                           // loop back-edges a lane may take; 0: no limit
  const PrimitiveVertices* vertices = nullptr;   // geometry, tessellation
  EmittedVertices* emitted = nullptr;            // geometry: where its vertices go
};

// Where a block of a work group stands: before its beginning, at a barrier, or at its end. What else it needs to go on
// is in its slot file, which nothing else may use until the block has ended.
struct BlockState {
  bool has_begun = false, is_waiting = false;
  uint64_t exec = 0, live = 0;
  // The executor's own.
  uint64_t wanted = 0;
  uint32_t position = 0;
  std::array<uint64_t, 32> turn_bits{};
  uint32_t most_turns = 0;
};

struct BlockResult {
  uint64_t live = 0;                             // live lanes that are left: without killed and demoted ones
  bool over_budget = false;                      // a lane took more back-edges than allowed; results are meaningless
};

class Executable {
 public:
  virtual ~Executable() = default;

  const ir::Program& program() const { return *program_; }

  uint32_t slot_count() const { return slot_count_; }             // size of a slot file in slots of 256 bytes
  uint32_t uniform_count() const { return uniform_count_; }       // uniform slots, from slot 0 on
  uint32_t input_slot(uint32_t input) const { return uniform_count_ + input; }      // index into program().inputs
  uint32_t output_slot(uint32_t output) const { return output_slots_[output]; }     // index into program().outputs
  // The output is the same for all lanes of a draw: word output_slot() of the uniforms is its value.
  bool output_is_uniform(uint32_t output) const { return output_slots_[output] < uniform_count_; }
  bool is_empty() const { return is_empty_; }                     // nothing to run: outputs are inputs and uniforms

  // Computes the uniform words of one draw. words.size() == uniform_count().
  virtual void run_uniform(const Bindings& bindings, std::span<uint32_t> words) const = 0;
  // Spreads them over a thread's slot file.
  virtual void load_uniforms(std::span<const uint32_t> words, uint32_t* slots) const = 0;
  // Runs one block. Inputs must be in their slots; uniform slots loaded.
  virtual BlockResult run(uint32_t* slots, const BlockArgs& args) const = 0;
  // The same for a block of a larger work group: begins, or goes on from where `state` stands, and stops at the next
  // barrier. (run() passes barriers: a group of one block has nobody to wait for.) Executors without barriers run to
  // the end.
  virtual BlockResult run_to_barrier(uint32_t* slots, const BlockArgs& args, BlockState& state) const {
    state.has_begun = true;
    return run(slots, args);
  }

 protected:
  std::shared_ptr<const ir::Program> program_;
  uint32_t slot_count_ = 0, uniform_count_ = 0;
  std::vector<uint32_t> output_slots_;
  bool is_empty_ = false;
};

// The interpreter. `program` must have passed verify(); passes are run by the caller (shader/passes).
std::shared_ptr<const Executable> make_interpreter(std::shared_ptr<const ir::Program> program, SimdTarget simd);

}  // namespace tessera
