#include "shader/dispatch.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <new>
#include <vector>

#include <fmt/format.h>

namespace tessera {
namespace {

using ir::Semantic;
using Size3 = std::array<uint32_t, 3>;

constexpr uint32_t kBlocksPerTask = 64;    // of work that one task does at least: more than its scheduling costs

uint64_t volume(const Size3& s) { return uint64_t{s[0]} * s[1] * s[2]; }
Size3 position_in(uint64_t index, const Size3& size) {
  return {static_cast<uint32_t>(index % size[0]), static_cast<uint32_t>(index / size[0] % size[1]),
          static_cast<uint32_t>(index / size[0] / size[1])};
}

Size3 group_size(const ir::Program& program, const Grid& grid) {
  Size3 size = program.block_size;
  for (size_t d = 0; d < 3; ++d)
    if (size[d] == 0) size[d] = d > 0 ? std::max(grid.block[d], 1u) : grid.block[d];
  return size;
}

bool uses_shared_memory(const ir::Program& program) {
  return std::ranges::any_of(program.memory_ops,
                             [](const ir::MemoryOp& m) { return m.space == ir::MemorySpace::Shared; });
}

// ---- how a group lies in blocks -------------------------------------------------------------------------------------

// Groups that share nothing and fit several times into a block share blocks: each has `stride` lanes, whole subgroups.
struct Shape {
  Size3 groups, group;                    // of the grid; invocations of a group
  uint32_t size = 1;                      // invocations of a group
  uint32_t blocks = 1;                    // of a group
  uint32_t groups_per_block = 1, stride = kBlockLanes;

  uint64_t group_count() const { return volume(groups); }
  // Lanes of block `block` of a group, or of a block that holds `count` groups.
  uint64_t lanes(uint32_t block, uint32_t count) const {
    const uint32_t last = std::min(size - block * kBlockLanes, kBlockLanes);
    const uint64_t own = last == kBlockLanes ? ~0ull : (1ull << last) - 1;
    uint64_t all = 0;
    for (uint32_t k = 0; k < count; ++k) all |= own << (k * stride % kBlockLanes);
    return all;
  }
};

Shape make_shape(const ir::Program& program, const Grid& grid) {
  Shape s;
  s.groups = grid.groups;
  s.group = group_size(program, grid);
  s.size = static_cast<uint32_t>(volume(s.group));
  s.blocks = (s.size + kBlockLanes - 1) / kBlockLanes;
  const uint32_t padded = (s.size + 3) / 4 * 4;
  if (program.uses_barrier || uses_shared_memory(program) || padded > kBlockLanes / 2) return s;
  s.stride = padded;
  s.groups_per_block = kBlockLanes / padded;
  return s;
}

// ---- the work of one thread -----------------------------------------------------------------------------------------

struct Free { void operator()(uint32_t* words) const { ::operator delete[](words, std::align_val_t{64}); } };
using SlotMemory = std::unique_ptr<uint32_t[], Free>;

class GroupRunner {
 public:
  GroupRunner(const Executable& executable, const Shape& shape, const Grid& grid, const Bindings& bindings,
              const std::vector<uint32_t>& uniforms, uint32_t budget)
      : executable_(executable), program_(executable.program()), shape_(shape), bindings_(bindings), budget_(budget) {
    if (uses_shared_memory(program_)) shared_.resize((grid.shared_bytes + 3) / 4);
    shared_view_ = {reinterpret_cast<std::byte*>(shared_.data()), shared_.empty() ? 0 : grid.shared_bytes, false};
    bindings_.memory[static_cast<size_t>(ir::MemorySpace::Shared)] = {&shared_view_, 1};
    waits_ = program_.uses_barrier && shape.blocks > 1;
    find_thread_ids();
    const size_t words = size_t{executable.slot_count()} * kBlockLanes;
    for (uint32_t b = 0; b < (waits_ ? shape.blocks : 1); ++b) {
      slots_.emplace_back(new (std::align_val_t{64}) uint32_t[words]());
      executable.load_uniforms(uniforms, slots_.back().get());
      set_constant_inputs(grid, slots_.back().get());
      set_thread_ids(b, slots_.back().get());
    }
  }

  // Runs groups [first, first + count), count at most groups_per_block. False: a lane went over its budget.
  bool run(uint64_t first, uint32_t count) {
    std::ranges::fill(shared_, 0u);
    for (const SlotMemory& slots : slots_) set_group_ids(first, count, slots.get());
    return waits_ ? run_with_barriers() : run_blocks(count);
  }

 private:
  bool run_blocks(uint32_t count) {
    for (uint32_t b = 0; b < shape_.blocks; ++b) {
      if (shape_.blocks > 1) set_thread_ids(b, slots_[0].get());
      if (executable_.run(slots_[0].get(), block_args(shape_.lanes(b, count))).over_budget) return false;
    }
    return true;
  }

  // Every block runs to its next barrier before any runs on.
  bool run_with_barriers() {
    states_.assign(shape_.blocks, {});
    for (bool is_any_waiting = true; is_any_waiting;) {
      is_any_waiting = false;
      for (uint32_t b = 0; b < shape_.blocks; ++b) {
        if (states_[b].has_begun && !states_[b].is_waiting) continue;
        if (executable_.run_to_barrier(slots_[b].get(), block_args(shape_.lanes(b, 1)), states_[b]).over_budget)
          return false;
        is_any_waiting = is_any_waiting || states_[b].is_waiting;
      }
    }
    return true;
  }

  BlockArgs block_args(uint64_t lanes) const { return {&bindings_, lanes, lanes, budget_}; }

  // ---- system values ----

  uint32_t* input(uint32_t* slots, size_t number) const {
    return slots + size_t{executable_.input_slot(static_cast<uint32_t>(number))} * kBlockLanes;
  }

  static uint32_t component(const Size3& v, uint32_t c) { return c < 3 ? v[c] : 0; }

  // What is the same for every group; of a lane: its place in its subgroup.
  void set_constant_inputs(const Grid& grid, uint32_t* slots) const {
    for (size_t i = 0; i < program_.inputs.size(); ++i) {
      const ir::Input& in = program_.inputs[i];
      for (uint32_t lane = 0; lane < kBlockLanes; ++lane) input(slots, i)[lane] = constant_input(in, grid, lane);
    }
  }

  uint32_t constant_input(const ir::Input& in, const Grid& grid, uint32_t lane) const {
    const uint32_t own = lane % 4, bit = 1u << own;
    const bool is_x = in.component == 0;
    switch (in.semantic) {
      case Semantic::BlockSize: return component(shape_.group, in.component);
      case Semantic::GridSize: return component(shape_.groups, in.component);
      case Semantic::WorkDim: return is_x ? grid.dimensions : 0;
      case Semantic::CsUserData: return grid.user_data[in.component];
      case Semantic::SubgroupSize: return is_x ? 4 : 0;
      case Semantic::SubgroupInvocation: return is_x ? own : 0;
      case Semantic::SubgroupEqMask: return is_x ? bit : 0;
      case Semantic::SubgroupLtMask: return is_x ? bit - 1 : 0;
      case Semantic::SubgroupLeMask: return is_x ? bit * 2 - 1 : 0;
      case Semantic::SubgroupGtMask: return is_x ? 15 & ~(bit * 2 - 1) : 0;
      case Semantic::SubgroupGeMask: return is_x ? 15 & ~(bit - 1) : 0;
      default: return 0;
    }
  }

  // Of every lane of a group's blocks, component by component: found once, copied for each block that runs.
  void find_thread_ids() {
    thread_ids_.resize(shape_.blocks);
    for (uint32_t block = 0; block < shape_.blocks; ++block)
      for (uint32_t lane = 0; lane < kBlockLanes; ++lane) {
        const Size3 id = position_in(block * kBlockLanes + lane % shape_.stride, shape_.group);
        for (uint32_t c = 0; c < 4; ++c) thread_ids_[block][c][lane] = component(id, c);
      }
  }

  void set_thread_ids(uint32_t block, uint32_t* slots) const {
    for (size_t i = 0; i < program_.inputs.size(); ++i) {
      const ir::Input& in = program_.inputs[i];
      if (in.semantic == Semantic::ThreadId)
        std::memcpy(input(slots, i), thread_ids_[block][in.component].data(), kBlockLanes * sizeof(uint32_t));
    }
  }

  void set_group_ids(uint64_t first, uint32_t count, uint32_t* slots) const {
    for (size_t i = 0; i < program_.inputs.size(); ++i) {
      const ir::Input& in = program_.inputs[i];
      if (in.semantic != Semantic::BlockId) continue;
      for (uint32_t k = 0; k < count; ++k)
        std::fill_n(input(slots, i) + k * shape_.stride, shape_.stride,
                    component(position_in(first + k, shape_.groups), in.component));
    }
  }

  const Executable& executable_;
  const ir::Program& program_;
  const Shape& shape_;
  Bindings bindings_;                      // with this thread's shared memory
  MemoryView shared_view_;
  std::vector<uint32_t> shared_;
  std::vector<std::array<std::array<uint32_t, kBlockLanes>, 4>> thread_ids_;   // by block, component, lane
  std::vector<SlotMemory> slots_;          // of each block of a group where blocks wait for each other; else one
  std::vector<BlockState> states_;
  uint32_t budget_;
  bool waits_ = false;
};

}  // namespace

Status check_grid(const ir::Program& program, const Grid& grid) {
  if (program.stage != ir::Stage::Compute) return error("shader: expected a compute shader");
  std::vector<Diag> diags;
  const auto fail = [&](std::string text) { diags.push_back(error(std::move(text))); };
  for (size_t d = 0; d < 3; ++d) {
    const char axis = "xyz"[d];
    if (grid.groups[d] < 1 || grid.groups[d] > kMaxGridGroups)
      fail(fmt::format("groups.{}: expected 1 to {}, found {}", axis, kMaxGridGroups, grid.groups[d]));
    const uint32_t fixed = program.block_size[d];
    if (fixed != 0 && grid.block[d] != 0 && grid.block[d] != fixed)
      fail(fmt::format("block.{}: the program fixes {}, found {}", axis, fixed, grid.block[d]));
  }
  const Size3 size = group_size(program, grid);
  const Size3 most = {kMaxGroupSize, kMaxGroupSize, kMaxGroupDepth};
  for (size_t d = 0; d < 3; ++d) {
    if (size[d] == 0) fail(fmt::format("block.{}: the program leaves it open, and it is not given", "xyz"[d]));
    if (size[d] > most[d]) fail(fmt::format("block.{}: at most {}, found {}", "xyz"[d], most[d], size[d]));
  }
  if (diags.empty() && volume(size) > kMaxGroupSize)
    fail(fmt::format("block: at most {} invocations, found {}", kMaxGroupSize, volume(size)));
  if (diags.empty() && volume(grid.groups) > UINT32_MAX)
    fail(fmt::format("groups: at most {} in all, found {}", UINT32_MAX, volume(grid.groups)));
  if (grid.dimensions < 1 || grid.dimensions > 3)
    fail(fmt::format("dimensions: expected 1 to 3, found {}", grid.dimensions));
  if (grid.shared_bytes > kMaxSharedBytes)
    fail(fmt::format("shared_bytes: at most {}, found {}", kMaxSharedBytes, grid.shared_bytes));
  if (!diags.empty()) return diags;
  return Done{};
}

uint64_t invocations_of(const ir::Program& program, const Grid& grid) {
  return volume(grid.groups) * volume(group_size(program, grid));
}

Status run_grid(const Executable& executable, const Grid& grid, const Bindings& bindings, uint32_t budget,
                TaskArena& arena) {
  const Shape shape = make_shape(executable.program(), grid);
  const uint64_t groups = shape.group_count();
  std::vector<uint32_t> uniforms(executable.uniform_count());
  executable.run_uniform(bindings, uniforms);

  const uint64_t blocks = (groups + shape.groups_per_block - 1) / shape.groups_per_block * shape.blocks;
  const uint64_t wanted_tasks =
      std::max<uint64_t>(1, std::min<uint64_t>(blocks / kBlocksPerTask, uint64_t{arena.threads()} * 64));
  const uint64_t rounded = (groups + wanted_tasks - 1) / wanted_tasks + shape.groups_per_block - 1;
  const uint64_t per_task = rounded / shape.groups_per_block * shape.groups_per_block;
  std::vector<std::unique_ptr<GroupRunner>> runners(arena.threads());
  std::atomic<bool> over_budget = false;
  arena.parallel_for(static_cast<uint32_t>((groups + per_task - 1) / per_task), [&](uint32_t task, uint32_t worker) {
    std::unique_ptr<GroupRunner>& runner = runners[worker];
    if (!runner) runner = std::make_unique<GroupRunner>(executable, shape, grid, bindings, uniforms, budget);
    const uint64_t end = std::min(groups, (task + uint64_t{1}) * per_task);
    for (uint64_t first = task * per_task; first < end && !over_budget; first += shape.groups_per_block)
      if (!runner->run(first, static_cast<uint32_t>(std::min<uint64_t>(shape.groups_per_block, end - first))))
        over_budget = true;
  });
  if (over_budget) return Diag{{}, "the dispatch took more than the allowed loop turns", "instruction-budget"};
  return Done{};
}

}  // namespace tessera
