// shader/emitted.h: the vertices that the lanes of a geometry program emit.
// In:     emit() and end_primitive(), from an executor, for running lanes.
// Out:    each lane's vertices in the order in which it emitted them, with their streams. Lane by lane that is the order
//         of the primitives, so a draw that puts primitives (and their invocations) into lanes in order reads its
//         output in order.
// Range:  a lane's vertices beyond the maximum are dropped.
// Threads: one owner. The memory is kept from block to block.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace tessera {

inline constexpr uint32_t kBlockLanes = 64;
inline constexpr uint32_t kVertexStreams = 4;

class EmittedVertices {
 public:
  struct Vertex {
    std::span<const uint32_t> words;     // a word for each of ir::Program::outputs
    uint32_t stream = 0;
    bool begins_primitive = false;       // the first of its stream, or the first since the stream's primitive ended
  };

  // Forgets everything; `max_vertices` a lane, `words` a vertex.
  void begin(uint32_t max_vertices, uint32_t words);

  // Words: 64 each, one a lane. Lanes that name a stream beyond the last emit nothing.
  void emit(uint64_t lanes, const uint32_t* stream, std::span<const uint32_t* const> words);
  void end_primitive(uint64_t lanes, const uint32_t* stream);

  uint32_t count(uint32_t lane) const { return count_[lane]; }
  Vertex vertex(uint32_t lane, uint32_t number) const;

 private:
  struct Mark { uint8_t stream = 0; bool begins_primitive = false; };
  size_t place(uint32_t lane, uint32_t number) const { return size_t{lane} * max_vertices_ + number; }

  uint32_t max_vertices_ = 0, words_of_vertex_ = 0;
  std::array<uint32_t, kBlockLanes> count_{};
  std::array<uint64_t, kVertexStreams> ended_{};   // lanes whose next vertex begins a primitive
  std::vector<uint32_t> words_;
  std::vector<Mark> marks_;
};

}  // namespace tessera
