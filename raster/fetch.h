// raster/fetch.h: vertex attributes from memory into the input slots of a block of 64 vertices.
// In:     vertex buffers and elements of a draw; vertex ids and instances of the block's lanes.
// Out:    one 32-bit word a lane and component. Missing components read 0, 0, 0, 1.
// Errors: none: a vertex that does not lie wholly inside its buffer reads as zeros, the missing components included.
// Threads: a FetchPlan is immutable; fetch_block() writes only the slots.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/simd_target.h"
#include "raster/state.h"
#include "shader/executor.h"

namespace tessera::raster {

inline constexpr uint32_t kNoSlot = ~0u;

// An element of a draw, resolved to the bytes it reads.
struct AttributeSource {
  Format format = Format::NONE;        // NONE: nothing feeds the attribute
  uint32_t texel_bytes = 0;
  uint32_t word_count = 0;             // of formats that are plain 32-bit words: how many; else 0
  uint32_t one = 0;                    // the missing fourth component: 1.0f or 1
  const std::byte* data = nullptr;     // of the whole buffer
  uint64_t size_bytes = 0, offset_bytes = 0, stride_bytes = 0;
  uint32_t instance_divisor = 0, start_instance = 0;
  uint32_t attribute = 0;              // number of the element
  uint32_t slot[4] = {kNoSlot, kNoSlot, kNoSlot, kNoSlot};   // by component
};

struct SystemValueSlot {
  ir::Semantic semantic{};
  uint32_t slot = 0;
};

struct FetchPlan {
  std::vector<AttributeSource> attributes;
  std::vector<SystemValueSlot> system_values;
  uint32_t base_vertex = 0;            // indexed: added to indices; else the first vertex
  uint32_t start_instance = 0;
  uint32_t draw_id = 0;
  SimdTarget simd = best_simd_target();
};

// `plan` may be a used one; what it held is replaced.
void make_fetch_plan(const Executable& vertex, std::span<const VertexElement> elements,
                     std::span<const VertexBuffer> buffers, const DrawInfo& info, FetchPlan& plan);

// Fills the input slots of lanes [0, count); `instances` count from 0.
void fetch_block(const FetchPlan& plan, const uint32_t* ids, const uint32_t* instances, uint32_t count,
                 uint32_t* slots);

}  // namespace tessera::raster
