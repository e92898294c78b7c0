// frontend/scene_probe.h: compares texels of a target with what a probe expects.
// Without a tolerance the expected colour is converted to the target's format and compared exactly.
#pragma once

#include <span>

#include "frontend/scene.h"
#include "frontend/scene_runner.h"

namespace tessera::scene {

// `texels`: the whole target, row by row.
ProbeOutcome evaluate_probe(const Probe& probe, Format format, std::span<const Texel> texels, uint32_t width);

// Words of a buffer; floats may differ by the tolerance.
ProbeOutcome evaluate_probe(const ProbeBuffer& probe, std::span<const std::byte> bytes);

}  // namespace tessera::scene
