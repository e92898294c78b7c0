// core/counters.h: what ran and how often. Each task counts in its own Counters; they are added at the end of a
// frame, so totals do not depend on threads (times apart).
#pragma once

#include <cstdint>

namespace tessera {

struct Counters {
#define TESSERA_COUNTERS(X)                                                                          \
  X(draws) X(vertices) /* vertex shader invocations */ X(primitives) /* assembled */                 \
  X(patches) X(evaluations) /* of a tessellation evaluation program */                                \
  X(geometry_invocations) X(geometry_primitives) /* emitted, of all streams */                        \
  X(primitives_clipped) /* cut by a plane */ X(primitives_culled) /* face, zero area, outside, NaN */ \
  X(triangles_binned) X(tiles) /* tile runs with work */ X(blocks) /* 64-lane batches shaded */       \
  X(fragments) /* shaded, covered lanes */ X(fragments_killed) /* by the shader */                    \
  X(fragments_failed) /* by depth, stencil, alpha */ X(samples_passed) X(texels) /* texture/texel_count.h */ X(flushes) \
  X(compiles)
#define X(name) uint64_t name = 0;
  TESSERA_COUNTERS(X)
#undef X
  // Nanoseconds of CPU time a stage, summed over threads.
#define TESSERA_STAGES(X) X(vertex) X(setup) X(bin) X(tile) X(load_store)
#define X(name) uint64_t name##_ns = 0;
  TESSERA_STAGES(X)
#undef X

  Counters& operator+=(const Counters& o) {
#define X(name) name += o.name;
    TESSERA_COUNTERS(X)
#undef X
#define X(name) name##_ns += o.name##_ns;
    TESSERA_STAGES(X)
#undef X
    return *this;
  }
};

}  // namespace tessera
