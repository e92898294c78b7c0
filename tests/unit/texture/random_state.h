// tests/unit/texture/random_state.h: random textures, views of them and samplers, all of which the product accepts.
#pragma once

#include <random>

#include "core/resource.h"
#include "texture/view.h"

namespace tessera::tests {

template <class T, size_t N>
T pick(const T (&from)[N], std::mt19937& random) {
  return from[random() % N];
}
inline uint32_t below(uint32_t n, std::mt19937& random) { return static_cast<uint32_t>(random() % n); }

bool is_cube(ResourceKind kind);

// Any kind but buffers, any format; small, many sizes no powers of two.
ResourceDesc random_desc(std::mt19937& random);
// Some of the levels and layers, perhaps as another kind or another format without floats.
texture::View random_view(const std::shared_ptr<Resource>& resource, std::mt19937& random);
texture::Sampler random_sampler(const texture::View& view, std::mt19937& random);

}  // namespace tessera::tests
