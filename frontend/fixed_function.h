// frontend/fixed_function.h: fixed-function fragment state as programs of a draw, made once by content.
#pragma once

#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "combiners/state.h"
#include "core/format.h"
#include "core/result.h"
#include "core/simd_target.h"
#include "shader/executor_choice.h"
#include "texture/sampler.h"

namespace tessera {

struct TextureView;

// What a draw runs on both sides of the rasterizer; `vertex` may be a tessellation evaluation or geometry program.
struct LinkedPrograms {
  std::shared_ptr<const Executable> vertex, fragment;
};

class FixedFunctionCache {
 public:
  FixedFunctionCache(ExecutorKind executor, SimdTarget simd) : executor_(executor), simd_(simd) {}

  // `shaders` with `state` (complete in its units) behind or in place of the fragment shader, which may be null.
  const LinkedPrograms& get(const LinkedPrograms& shaders, const combiners::FragmentState& state);
  size_t size() const { return count_; }

 private:
  struct Entry {
    LinkedPrograms shaders;
    combiners::FragmentState key;
    LinkedPrograms made;
  };
  std::unordered_map<uint64_t, std::vector<std::unique_ptr<Entry>>> by_hash_;
  size_t count_ = 0;
  ExecutorKind executor_;
  SimdTarget simd_;
};

// Seen from what red, green, blue and alpha of a texel come from: the format's fields through the view's swizzle.
combiners::BaseFormat base_format(Format format, std::span<const Swizzle, 4> swizzle, bool compares);
// Fills in shape and base format of an enabled unit from the texture and the sampler that are set there.
Status complete_unit(combiners::TextureUnit& unit, const TextureView& view, const texture::Sampler& sampler);

}  // namespace tessera
