#include "raster/reuse.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace tessera::raster {
namespace {

constexpr uint64_t kDenseSlack = 1024;

struct IdRange {
  uint32_t min = ~0u, max = 0;
  uint64_t size() const { return uint64_t{max} - min + 1; }
};

IdRange id_range(std::span<const uint32_t> ids) {
  IdRange range;
  for (const uint32_t id : ids) {
    range.min = std::min(range.min, id);
    range.max = std::max(range.max, id);
  }
  return range;
}

void reserve(VertexList& list, size_t count) {
  if (list.id.size() < count) {
    list.id.resize(count);
    list.instance.resize(count);
  }
}

uint32_t count_used(const std::vector<uint8_t>& used) { return std::accumulate(used.begin(), used.end(), uint32_t{0}); }

// Marks the ids that occur, numbers them in order, then looks every corner up: no branch depends on the data.
void collect_dense(std::span<uint32_t> corners, std::span<const InstanceRun> runs, IdRange range, VertexList& list,
                   ReuseScratch& scratch) {
  const uint32_t size = uint32_t(range.size());
  reserve(list, size_t{size} * runs.size() + 1);   // one more: numbering writes before it knows whether to keep
  if (scratch.number.size() < size) scratch.number.resize(size);
  uint32_t begin = 0;
  for (const InstanceRun& run : runs) {
    scratch.used.assign(size, 0);
    for (uint32_t i = begin; i < run.corners_end; ++i) scratch.used[corners[i] - range.min] = 1;
    uint32_t count = list.count;
    if (count_used(scratch.used) == size) {        // as in most meshes: nothing to number
      for (uint32_t i = 0; i < size; ++i) list.id[count + i] = range.min + i;
      const uint32_t offset = count - range.min;
      for (uint32_t i = begin; i < run.corners_end; ++i) corners[i] += offset;
      count += size;
    } else {
      for (uint32_t i = 0; i < size; ++i) {
        scratch.number[i] = count;
        list.id[count] = range.min + i;
        count += scratch.used[i];
      }
      for (uint32_t i = begin; i < run.corners_end; ++i) corners[i] = scratch.number[corners[i] - range.min];
    }
    std::fill(list.instance.begin() + list.count, list.instance.begin() + count, run.instance);
    list.count = count;
    begin = run.corners_end;
  }
}

// Ids far apart: a hash table with linear probing, at most half full, emptied for each instance.
void collect_sparse(std::span<uint32_t> corners, std::span<const InstanceRun> runs, VertexList& list,
                    ReuseScratch& scratch) {
  constexpr uint64_t kEmpty = ~0ull;
  reserve(list, corners.size());
  uint32_t begin = 0;
  for (const InstanceRun& run : runs) {
    const uint32_t bits = std::bit_width(std::max<uint32_t>(1, run.corners_end - begin)) + 1;
    const uint32_t mask = (1u << bits) - 1;
    scratch.key.assign(size_t{mask} + 1, kEmpty);
    for (uint32_t i = begin; i < run.corners_end; ++i) {
      const uint64_t id = corners[i];
      uint32_t at = uint32_t(id * 0x9e3779b97f4a7c15ull >> 40) & mask;
      while (scratch.key[at] != kEmpty && uint32_t(scratch.key[at]) != id) at = (at + 1) & mask;
      if (scratch.key[at] == kEmpty) {
        scratch.key[at] = uint64_t{list.count} << 32 | id;
        list.id[list.count] = uint32_t(id);
        list.instance[list.count++] = run.instance;
      }
      corners[i] = uint32_t(scratch.key[at] >> 32);
    }
    begin = run.corners_end;
  }
}

}  // namespace

void collect_vertices(std::span<uint32_t> corners, std::span<const InstanceRun> runs, VertexList& list,
                      ReuseScratch& scratch) {
  list.count = 0;
  if (corners.empty()) return;
  const IdRange range = id_range(corners);
  if (range.size() * runs.size() <= corners.size() * 4 + kDenseSlack)
    collect_dense(corners, runs, range, list, scratch);
  else
    collect_sparse(corners, runs, list, scratch);
}

}  // namespace tessera::raster
