// raster/pixel_history.h: what a frame did to one sample of one pixel, as plain data: an event for each clear and each
// primitive that touched it, in API order. raster/pixel_watch.h records them.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "raster/state.h"
#include "raster/store.h"
#include "shader/executor.h"
#include "texture/explain.h"

namespace tessera::raster {

struct PixelPlace {
  int32_t x = 0, y = 0;
  uint32_t layer = 0, sample = 0;
};

// What the sample holds in each attachment: texels as they are stored; depth as its key (raster/depth_stencil.h).
struct PixelState {
  std::array<std::array<std::byte, kMaxTexelBytes>, kMaxColorTargets> color{};
  uint32_t depth_key = 0, depth_rest = 0;        // rest: stencil in the low 8 bits
  bool operator==(const PixelState&) const = default;
};

enum class PixelTestKind : uint8_t {
  Scissor, Stipple, SampleMask, DepthBounds, Stencil, Depth, Kill, ProgramMask, Alpha, AlphaToCoverage
};
std::string_view pixel_test_name(PixelTestKind kind);      // "scissor", "stipple", "sample mask", ...
std::string_view compare_symbol(Compare func);             // "<", "<=", ...; "never", "always"

// One test of a fragment; passed where `value` is what `func` wants it to be of `against`.
struct PixelTest {
  PixelTestKind kind = PixelTestKind::Depth;
  bool is_early = false;                         // before the program ran
  bool passed = true;
  Compare func = Compare::Always;
  // Depth: the fragment's and the stored one. Depth bounds: the stored depth and the lower bound; `upper` is the other.
  // Stencil: reference and stored value, both under the mask. Alpha: alpha and reference; to coverage: alpha times the
  // number of samples and the sample's threshold. Masks: the mask and the sample's bit. Else 0.
  double value = 0, against = 0, upper = 0;
  uint32_t value_bits = 0, against_bits = 0;     // of depth the keys, of alpha the floats
};

using QuadWords = std::array<uint32_t, 4>;       // lane = 2 * (y & 1) + (x & 1)

// One instruction as it ran in the fragment's quad; bits of lanes.
struct ProgramStep {
  uint32_t instr = 0;                            // index into Program::code
  uint8_t exec = 0, live = 0;                    // lanes that ran it; that were no helpers before it
  std::vector<QuadWords> operands;               // by position; absent ones 0
  std::vector<QuadWords> results;
  std::array<texture::SampleExplanation, 4> samples;   // of texture instructions, by lane
};

// The program's run for a fragment.
struct ProgramRun {
  std::shared_ptr<const Executable> executable;
  uint32_t lane = 0;                             // the fragment's, in its quad
  uint8_t exec = 0, live = 0, live_after = 0;    // lanes of the quad
  std::vector<QuadWords> inputs, outputs;        // as Program::inputs and outputs
  std::vector<ProgramStep> steps;                // of the fragment that was asked for
};

struct PixelEvent {
  enum class Kind : uint8_t {
    Clear,
    Fragment,                                    // a primitive that covers the sample
    Scissored,                                   // a draw that has the pixel outside of its scissor or viewport
    Elsewhere                                    // the value changed by what is no draw or clear: a blit, an upload ...
  } kind = Kind::Fragment;
  uint64_t order = 0;                            // events sort by this
  uint32_t place = 0;                            // PixelWatch::set_place() when the command came in
  uint32_t draw_number = 0;                      // since the device began; 0: no draw
  // The attachments; a Format of NONE: none. Elsewhere: of the watched images.
  std::array<Format, kMaxColorTargets> color_format{};
  Format depth_format = Format::NONE;
  PixelState before, after;
  IRect scissor;                                 // Scissored: the pixels that the draw may touch,
  int32_t viewport = -1;                         // or the draw's primitives that choose this one of several viewports

  // Fragment.
  uint32_t primitive = 0;                        // number in its draw (and instance), as PRIMID
  bool is_front = true, is_point = false;
  uint32_t samples = 1, covered_samples = 1;     // of the target; bits of those of this pixel
  uint8_t quad_cover = 0;                        // lanes of the quad that have a covered sample
  float coverage = 1;                            // of smooth primitives: what part of the pixel
  std::vector<PixelTest> tests;                  // in order, the last one of a fragment that was dropped is not passed
  bool is_written = false;                       // all passed: colours went to blending
  std::shared_ptr<const ProgramRun> program;     // null: dropped before, or the draw has none
};

}  // namespace tessera::raster
