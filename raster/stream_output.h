// raster/stream_output.h: vertices of the last stage before the rasterizer, written to buffers.
// In:     a layout: which outputs go where in up to four buffers, each fed by one stream; primitives of a chunk.
// Out:    points, lines and triangles one after the other, vertex by vertex; bytes that no element names stay as they
//         are. A primitive that does not fit in every buffer of its stream is written to none of them.
// Threads: a StreamCapture is made beside its chunk; write_streams() is called for one chunk after the other, in API
//         order, which alone decides what lies where.
// Source: OpenGL 4.6, section 13.3.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/resource.h"
#include "shader/emitted.h"
#include "shader/ir.h"

namespace tessera::raster {

inline constexpr uint32_t kMaxStreamBuffers = 4;
inline constexpr uint32_t kMaxStreamElements = 128;
inline constexpr uint32_t kMaxStreamStride_bytes = 2048;

// Components of one output of the last program to one place of a buffer's vertex.
struct StreamElement {
  ir::Semantic semantic = ir::Semantic::Position;
  uint16_t index = 0;
  uint8_t first_component = 0, component_count = 4;
  uint8_t buffer = 0, stream = 0;
  uint16_t offset_bytes = 0;                     // in the buffer's vertex; a multiple of 4
  bool operator==(const StreamElement&) const = default;
};

struct StreamLayout {
  std::vector<StreamElement> elements;           // none: no stream output
  std::array<uint16_t, kMaxStreamBuffers> stride_bytes{};   // of a vertex; multiples of 4
  bool operator==(const StreamLayout&) const = default;
};

// The layout, with outputs found in a program.
struct StreamLink {
  struct Copy { uint32_t output = 0, at_word = 0; };
  struct Buffer {
    std::vector<Copy> copies;                    // none: the buffer is not written
    uint32_t stride_words = 0;
    uint32_t stream = 0;
  };
  std::array<Buffer, kMaxStreamBuffers> buffer;
};

// How far a target is written; shared by all draws that append to it.
struct StreamFill { uint64_t bytes = 0; };

struct StreamTarget {
  std::shared_ptr<Storage> storage;              // null: none
  uint32_t offset_bytes = 0, size_bytes = 0;     // offset: a multiple of 4
  std::shared_ptr<StreamFill> fill;
};
using StreamTargets = std::array<StreamTarget, kMaxStreamBuffers>;

// What of a chunk goes to buffers: of each buffer the words of its copies, vertex by vertex.
struct StreamCapture {
  std::array<std::vector<uint32_t>, kMaxStreamBuffers> words;
  std::array<uint32_t, kVertexStreams> primitives{};
  uint32_t vertices_each = 1;

  // Appends a vertex, of `record` the words of the last program's outputs.
  void add(const StreamLink& link, uint32_t stream, std::span<const uint32_t> record);
};

// Appends to the targets. Gives how many primitives of each stream were written.
std::array<uint32_t, kVertexStreams> write_streams(const StreamLink& link, const StreamCapture& capture,
                                                   const StreamTargets& targets);

}  // namespace tessera::raster
