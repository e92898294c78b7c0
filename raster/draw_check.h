// raster/draw_check.h: whether a framebuffer, a clear or a draw can be carried out.
// Errors: every rule that is broken, each named by the field.        Threads: pure functions.
#pragma once

#include "core/result.h"
#include "raster/renderer.h"

namespace tessera::raster {

inline constexpr uint32_t kMaxTargetSize_px = 16384;

Status check_framebuffer(const Framebuffer& target);
// Does the target have several samples, and does the surface take its texels?
Status check_resolve(const Framebuffer& target, const ResolveCommand& resolve);
Status check_clear(const Framebuffer& target, const ClearCommand& clear);
// `target` has passed check_framebuffer().
Status check_draw(const Framebuffer& target, const DrawCall& call);

}  // namespace tessera::raster
