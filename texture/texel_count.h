// texture/texel_count.h: how many results texture instructions gave on this thread, a lane each: what was sampled, fetched
// or gathered, however many texels that took. Helper lanes, and those that fill up a quad, count too. It only grows;
// callers count by differences.
#pragma once

#include <cstdint>

namespace tessera::texture {

uint64_t texels_read();

}  // namespace tessera::texture
