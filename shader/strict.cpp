#include "shader/strict.h"

#include <algorithm>
#include <vector>

namespace tessera {
namespace {

constexpr uint32_t kQuadLanes = 4;

class Strict final : public Executable {
 public:
  explicit Strict(std::shared_ptr<const Executable> inner) : inner_(std::move(inner)) {
    program_ = std::shared_ptr<const ir::Program>(inner_, &inner_->program());
    slot_count_ = inner_->slot_count();
    uniform_count_ = inner_->uniform_count();
    for (uint32_t i = 0; i < program_->outputs.size(); ++i) output_slots_.push_back(inner_->output_slot(i));
    is_empty_ = inner_->is_empty();
  }

  void run_uniform(const Bindings& bindings, std::span<uint32_t> words) const override {
    inner_->run_uniform(bindings, words);
  }
  void load_uniforms(std::span<const uint32_t> words, uint32_t* slots) const override {
    inner_->load_uniforms(words, slots);
  }

  // A run may leave anything in the lanes that it did not run, so each quad's outputs are put aside.
  BlockResult run(uint32_t* slots, const BlockArgs& args) const override {
    std::vector<uint32_t> outputs(output_slots_.size() * kBlockLanes);
    BlockResult result{args.live, false};
    for (uint32_t lane = 0; lane < kBlockLanes && !result.over_budget; lane += kQuadLanes) {
      const uint64_t quad = 15ull << lane;
      if ((args.exec & quad) == 0) continue;
      const BlockResult own = inner_->run(
          slots, {args.bindings, args.exec & quad, args.live & quad, args.budget, args.vertices, args.emitted});
      result.live &= ~quad | own.live;
      result.over_budget = own.over_budget;
      for (size_t k = 0; k < output_slots_.size(); ++k)
        std::copy_n(slot(slots, k) + lane, kQuadLanes,
                    outputs.begin() + static_cast<ptrdiff_t>(k * kBlockLanes + lane));
    }
    for (size_t k = 0; k < output_slots_.size(); ++k)
      std::copy_n(outputs.begin() + static_cast<ptrdiff_t>(k * kBlockLanes), kBlockLanes, slot(slots, k));
    return result;
  }

  BlockResult run_to_barrier(uint32_t* slots, const BlockArgs& args, BlockState& state) const override {
    return inner_->run_to_barrier(slots, args, state);
  }

 private:
  uint32_t* slot(uint32_t* slots, size_t output) const { return slots + size_t{output_slots_[output]} * kBlockLanes; }

  std::shared_ptr<const Executable> inner_;
};

}  // namespace

std::shared_ptr<const Executable> make_strict(std::shared_ptr<const Executable> executable) {
  return std::make_shared<Strict>(std::move(executable));
}

}  // namespace tessera
