// tests/unit/raster/tile_scene.h: frames made by hand for tests of tiles, and a slow renderer of the same frames that
// walks the formulas of raster/frame.h pixel by pixel.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "core/counters.h"
#include "core/simd_target.h"
#include "raster/frame.h"
#include "raster/setup.h"

namespace tessera::raster::tests {

// What a fragment program gets and gives, one fragment at a time.
struct FragmentIn {
  std::vector<float> words;              // interpolated inputs, in the program's order
  float x, y;                            // window position
  bool front;
  uint32_t coverage = 1;                 // covered samples that the program runs for
  uint32_t sample = 0;                   // that it runs for, and its place in the pixel
  float sample_x = 0.5f, sample_y = 0.5f;
};
struct FragmentOut {
  float color[kMaxColorTargets][4] = {};
  float depth = 0;
  uint32_t stencil = 0;
  uint32_t sample_mask = ~0u;
  bool killed = false;
};

// A fragment program twice: for the tile, and for the slow renderer.
struct TestShader {
  std::shared_ptr<const Executable> program;
  std::function<FragmentOut(const FragmentIn&)> slow;
  uint32_t words = 0;                    // varyings of a vertex
};
enum class ShaderKind {
  Color, Uniform, KillBelowHalf, WritesDepth, WritesStencil, ManyTargets, TwoSources, FaceAndPosition, EndlessLoop,
  WritesSampleMask, ReadsCoverage, ReadsSample
};
TestShader make_shader(ShaderKind kind, SimdTarget simd,
                       ir::Interpolation interpolation = ir::Interpolation::Perspective,
                       ir::Location location = ir::Location::Center);

struct TestVertex {
  double x = 0, y = 0;                   // pixels
  float z = 0.5f, w = 1;
  std::vector<float> words;
};
struct TestTriangle {
  TestVertex v[3];
};

struct TargetDesc {
  int32_t width = 64, height = 64, tile_size = 64;
  std::vector<Format> colors = {Format::R8G8B8A8_UNORM};
  Format depth = Format::NONE;
  uint32_t samples = 1;
};

class TileScene {
 public:
  explicit TileScene(const TargetDesc& desc);

  void clear(const ClearCommand& clear);
  void clear_all(float r, float g, float b, float a, float depth = 1, uint8_t stencil = 0);
  struct State {
    BlendState blend;
    RasterizerState rasterizer;
    DepthStencilAlphaState depth_stencil_alpha;
    float blend_color[4] = {0, 0, 0, 0};
    uint8_t stencil_ref[2] = {0, 0};
    uint32_t sample_mask = ~0u, min_samples = 1;
  };
  void draw(const TestShader& shader, const State& state, const std::vector<TestTriangle>& triangles);
  // Adds triangles that are set up already; their vertex records are made from `words` of each corner.
  void draw_setup(const TestShader& shader, const State& state, const std::vector<SetupTriangle>& triangles,
                  const std::vector<float>& records, uint32_t stride);

  Frame& frame() { return frame_; }
  // Runs all tiles on the targets' present contents.
  Counters run(SimdTarget simd);
  void run_slowly();
  std::vector<std::vector<std::byte>> contents() const;   // colour targets, then depth
  void set_contents(const std::vector<std::vector<std::byte>>& bytes);

 private:
  void bin(const Chunk& chunk, uint32_t index);
  void slow_clear(const ClearCommand& clear);
  void slow_clear_sample(const ClearCommand& clear, uint32_t sample);
  void slow_triangle(const Chunk& chunk, const SetupTriangle& t, const TestShader& shader);
  // A pixel whose samples `covered` (a bit each) the triangle covers.
  struct SlowPixel {
    const Chunk& chunk;
    const SetupTriangle& t;
    int32_t x, y;
    uint32_t covered;
  };
  void slow_pixel(const SlowPixel& p, const TestShader& shader);
  // One run of the program; `sample` -1: for the whole pixel.
  void slow_run(const SlowPixel& p, const TestShader& shader, int32_t sample);
  void slow_sample(const SlowPixel& p, const FragmentOut& out, uint32_t sample);

  Frame frame_;
  std::vector<TestShader> shaders_;      // by chunk
  struct Step { bool is_clear; uint32_t index; };
  std::vector<Step> steps_;
};

// E >= 0 for all three edges, in 128 bits, straight from the definition, at an offset from the pixel's centre.
bool covers_slowly(const SetupTriangle& t, int32_t x, int32_t y, int32_t offset_x_fx8 = 0, int32_t offset_y_fx8 = 0);

}  // namespace tessera::raster::tests
