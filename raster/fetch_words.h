// raster/fetch_words.h: attributes that are plain 32-bit words, some vertices at a time.
// In:     the numbers of some vertices, a multiple of kFetchedTogether; kFetchedBytes are read of each, whatever the
//         number of words.
// Out:    word c of lane l in out[c][l].
// Threads: pure function.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/simd_target.h"

namespace tessera::raster {

inline constexpr uint32_t kFetchedBytes = 16, kFetchedTogether = 8;

void fetch_words(const std::byte* first, uint64_t stride_bytes, const uint32_t* numbers, uint32_t count,
                 uint32_t word_count, uint32_t* const out[4], SimdTarget simd);

}  // namespace tessera::raster
