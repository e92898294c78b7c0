// raster/geometry_stage.h: what the stages between vertex shading and clipping hand to each other, and a program made
// ready for a draw.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "raster/slot_file.h"
#include "raster/stage_inputs.h"
#include "shader/executor.h"

namespace tessera::raster {

// Vertices, each `stride` words: those of a program's outputs, in their order.
struct VertexRecords {
  std::vector<uint32_t> words;
  uint32_t stride = 0, count = 0;

  void begin(uint32_t words_each) {
    stride = words_each;
    count = 0;
    words.clear();
  }
  // Room for `more` vertices; gives the first one's words.
  uint32_t* append(uint32_t more) {
    words.resize(size_t{count + more} * stride);
    uint32_t* first = words.data() + size_t{count} * stride;
    count += more;
    return first;
  }
  const uint32_t* at(uint32_t vertex) const { return words.data() + size_t{vertex} * stride; }
};

// Primitives of vertices_each records, in API order.
struct StagePrimitives {
  uint32_t vertices_each = 3;
  std::vector<uint32_t> vertex;
  std::vector<uint32_t> source;                  // the job's input primitive that each comes from
  std::vector<uint8_t> stream;                   // of geometry programs; else empty: 0

  void begin(uint32_t vertices) {
    vertices_each = vertices;
    vertex.clear();
    source.clear();
    stream.clear();
  }
  uint32_t count() const { return static_cast<uint32_t>(source.size()); }
  // Those that come from input primitives before `source_end`.
  uint32_t count_before(uint32_t source_end) const {
    return static_cast<uint32_t>(std::ranges::lower_bound(source, source_end) - source.begin());
  }
  uint32_t stream_of(uint32_t primitive) const { return stream.empty() ? 0 : stream[primitive]; }
};

struct PreparedStage {
  const Executable* program = nullptr;           // null: no such stage
  StageViews views;
  Bindings bindings;                             // point into the views
  std::vector<uint32_t> uniforms;
  uint32_t budget = 0;

  void prepare(const Executable* executable, const StageInputs& inputs, const texture::BoundTexture* null_texture,
               uint32_t loop_budget) {
    program = executable;
    budget = loop_budget;
    if (program == nullptr) return;
    views.assign(inputs, program->program(), null_texture);
    bindings = views.bindings();
    uniforms.resize(program->uniform_count());
    program->run_uniform(bindings, uniforms);
  }

  // A slot file with the uniform values in it.
  uint32_t* load(SlotFile& file) const {
    uint32_t* slots = file.reserve(program->slot_count());
    program->load_uniforms(uniforms, slots);
    return slots;
  }
  uint32_t* input_lanes(uint32_t* slots, uint32_t input) const {
    return slots + size_t{program->input_slot(input)} * kBlockLanes;
  }
};

inline uint64_t first_lanes(uint32_t count) { return count >= kBlockLanes ? ~0ull : (1ull << count) - 1; }

// Appends the outputs of lanes [0, count).
inline void store_outputs(const Executable& program, const uint32_t* slots, uint32_t count, VertexRecords& records) {
  uint32_t* to = records.append(count);
  for (uint32_t word = 0; word < records.stride; ++word) {
    const uint32_t* from = slots + size_t{program.output_slot(word)} * kBlockLanes;
    for (uint32_t lane = 0; lane < count; ++lane) to[size_t{lane} * records.stride + word] = from[lane];
  }
}

}  // namespace tessera::raster
