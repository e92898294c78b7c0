#include "tests/unit/raster/tile_scene.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <stdexcept>

#include "core/fixed.h"
#include "core/scalar.h"
#include "raster/setup.h"
#include "raster/tile.h"
#include "shader/builder.h"
#include "tests/unit/raster/slow_pixel.h"

namespace tessera::raster::tests {
namespace {

using ir::Op;
using ir::Semantic;

std::shared_ptr<const Executable> interpret(ir::Builder& builder, SimdTarget simd) {
  return make_interpreter(std::make_shared<const ir::Program>(builder.finish()), simd);
}

// Its outputs only have to exist: tests make vertex records themselves.
std::shared_ptr<const Executable> vertex_program(SimdTarget simd) {
  ir::Builder b(ir::Stage::Vertex);
  const ir::Value zero = b.f32(0);
  for (uint32_t c = 0; c < 4; ++c) b.output(Semantic::Position, 0, c, zero);
  for (uint32_t i = 0; i < kMaxColorTargets; ++i)
    for (uint32_t c = 0; c < 4; ++c) b.output(Semantic::Generic, i, c, zero);
  return interpret(b, simd);
}

struct ProgramWriter {
  ir::Builder b{ir::Stage::Fragment};
  ir::Interpolation interpolation;
  ir::Location location;
  ir::Value system(Semantic semantic, uint8_t component) {
    ir::Input in;
    in.semantic = semantic;
    in.component = component;
    in.system_value = true;
    return b.input(in);
  }
  ir::Value varying(uint32_t index, uint32_t component) {
    ir::Input in;
    in.semantic = Semantic::Generic;
    in.index = static_cast<uint16_t>(index);
    in.component = static_cast<uint8_t>(component);
    in.interpolation = interpolation;
    in.location = location;
    return b.input(in);
  }
  void copy_color(uint32_t target) {
    for (uint32_t c = 0; c < 4; ++c) b.output(Semantic::Color, target, c, varying(target, c));
  }
};

FragmentOut colors_from_words(const FragmentIn& in) {
  FragmentOut out;
  for (size_t i = 0; i < in.words.size() && i < 4 * kMaxColorTargets; ++i) out.color[i / 4][i % 4] = in.words[i];
  return out;
}

constexpr float kUniformColor[4] = {0.25f, 0.5f, 0.75f, 0.5f};

}  // namespace

TestShader make_shader(ShaderKind kind, SimdTarget simd, ir::Interpolation interpolation, ir::Location location) {
  ProgramWriter w;
  w.interpolation = interpolation;
  w.location = location;
  TestShader shader;
  shader.slow = colors_from_words;
  shader.words = 4;
  switch (kind) {
    case ShaderKind::Color: w.copy_color(0); break;
    case ShaderKind::Uniform:
      for (uint32_t c = 0; c < 4; ++c) w.b.output(Semantic::Color, 0, c, w.b.f32(kUniformColor[c]));
      shader.words = 0;
      shader.slow = [](const FragmentIn&) {
        FragmentOut out;
        std::memcpy(out.color[0], kUniformColor, sizeof kUniformColor);
        return out;
      };
      break;
    case ShaderKind::KillBelowHalf:
      w.copy_color(0);
      w.b.kill_if(w.b.op(Op::FLt, {w.varying(1, 0), w.b.f32(0.5f)}));
      shader.words = 5;
      shader.slow = [](const FragmentIn& in) {
        FragmentOut out = colors_from_words(in);
        out.killed = in.words[4] < 0.5f;
        return out;
      };
      break;
    case ShaderKind::WritesDepth:
      w.copy_color(0);
      w.b.output(Semantic::Position, 0, 2, w.varying(1, 0));
      w.b.program().writes_depth = true;
      shader.words = 5;
      shader.slow = [](const FragmentIn& in) {
        FragmentOut out = colors_from_words(in);
        out.depth = in.words[4];
        return out;
      };
      break;
    case ShaderKind::WritesStencil:
      w.copy_color(0);
      w.b.output(Semantic::Stencil, 0, 1, w.b.op(Op::FToU, {w.varying(1, 0)}));
      w.b.program().writes_stencil = true;
      shader.words = 5;
      shader.slow = [](const FragmentIn& in) {
        FragmentOut out = colors_from_words(in);
        out.stencil = scalar::to_uint(in.words[4]);
        return out;
      };
      break;
    case ShaderKind::WritesSampleMask:
      w.copy_color(0);
      w.b.output(Semantic::SampleMask, 0, 0, w.b.op(Op::FToU, {w.varying(1, 0)}));
      w.b.program().writes_sample_mask = true;
      shader.words = 5;
      shader.slow = [](const FragmentIn& in) {
        FragmentOut out = colors_from_words(in);
        out.sample_mask = scalar::to_uint(in.words[4]);
        return out;
      };
      break;
    case ShaderKind::ReadsCoverage:
      w.b.output(Semantic::Color, 0, 0, w.b.op(Op::UToF, {w.system(Semantic::SampleMask, 0)}));
      w.b.output(Semantic::Color, 0, 1, w.varying(0, 0));
      shader.words = 1;
      shader.slow = [](const FragmentIn& in) {
        FragmentOut out;
        out.color[0][0] = static_cast<float>(in.coverage);
        out.color[0][1] = in.words[1];
        out.color[0][3] = 1;
        return out;
      };
      break;
    case ShaderKind::ReadsSample:
      w.b.output(Semantic::Color, 0, 0, w.b.op(Op::UToF, {w.system(Semantic::SampleId, 0)}));
      w.b.output(Semantic::Color, 0, 1, w.system(Semantic::SamplePos, 0));
      w.b.output(Semantic::Color, 0, 2, w.system(Semantic::SamplePos, 1));
      w.b.output(Semantic::Color, 0, 3, w.varying(0, 0));
      shader.words = 1;
      shader.slow = [](const FragmentIn& in) {
        FragmentOut out;
        out.color[0][0] = static_cast<float>(in.sample);
        out.color[0][1] = in.sample_x;
        out.color[0][2] = in.sample_y;
        out.color[0][3] = in.words[3];
        return out;
      };
      break;
    case ShaderKind::EndlessLoop: {
      w.copy_color(0);
      w.b.begin_loop();
      w.b.end_loop();
      break;
    }
    case ShaderKind::ManyTargets:
      for (uint32_t i = 0; i < kMaxColorTargets; ++i) w.copy_color(i);
      shader.words = 4 * kMaxColorTargets;
      break;
    case ShaderKind::TwoSources:
      w.copy_color(0);
      w.copy_color(1);
      shader.words = 8;
      break;
    case ShaderKind::FaceAndPosition: {
      ir::Input in;
      in.semantic = Semantic::Position;
      for (uint8_t c = 0; c < 2; ++c) {
        in.component = c;
        w.b.output(Semantic::Color, 0, c, w.b.input(in));
      }
      in.semantic = Semantic::Face;
      in.component = 0;
      w.b.output(Semantic::Color, 0, 2, w.b.input(in));
      w.b.output(Semantic::Color, 0, 3, w.b.f32(1));
      shader.words = 0;
      shader.slow = [](const FragmentIn& f) {
        FragmentOut out;
        out.color[0][0] = f.x;
        out.color[0][1] = f.y;
        out.color[0][2] = f.front ? 1.0f : -1.0f;
        out.color[0][3] = 1;
        return out;
      };
      break;
    }
  }
  shader.program = interpret(w.b, simd);
  return shader;
}

// ---- frames -------------------------------------------------------------------------------------------------------

namespace {

Surface make_surface(Format format, int32_t width, int32_t height, uint32_t samples) {
  ResourceDesc desc;
  desc.samples = samples;
  desc.format = format;
  desc.width = static_cast<uint32_t>(width);
  desc.height = static_cast<uint32_t>(height);
  Surface surface;
  surface.storage = std::make_shared<Storage>(desc);
  surface.format = format;
  return surface;
}

}  // namespace

TileScene::TileScene(const TargetDesc& desc) {
  frame_.target.width = static_cast<uint32_t>(desc.width);
  frame_.target.height = static_cast<uint32_t>(desc.height);
  frame_.target.color_count = static_cast<uint32_t>(desc.colors.size());
  for (size_t i = 0; i < desc.colors.size(); ++i)
    if (desc.colors[i] != Format::NONE)
      frame_.target.color[i] = make_surface(desc.colors[i], desc.width, desc.height, desc.samples);
  if (desc.depth != Format::NONE)
    frame_.target.depth_stencil = make_surface(desc.depth, desc.width, desc.height, desc.samples);
  frame_.target.samples = desc.samples;
  frame_.tile_size_px = tile_size_for(frame_.target, desc.tile_size);
  frame_.tiles_x = (desc.width + frame_.tile_size_px - 1) / frame_.tile_size_px;
  frame_.tiles_y = (desc.height + frame_.tile_size_px - 1) / frame_.tile_size_px;
  frame_.tile_commands.resize(static_cast<size_t>(frame_.tiles_x * frame_.tiles_y));
}

void TileScene::clear(const ClearCommand& clear) {
  const auto index = static_cast<uint32_t>(frame_.clears.size());
  frame_.clears.push_back(clear);
  TileCommand command;
  command.kind = TileCommand::Kind::Clear;
  command.index = index;
  for (auto& list : frame_.tile_commands) list.push_back(command);
  steps_.push_back({true, index});
}

void TileScene::clear_all(float r, float g, float b, float a, float depth, uint8_t stencil) {
  ClearCommand c;
  c.rect = {0, 0, static_cast<int32_t>(frame_.target.width), static_cast<int32_t>(frame_.target.height)};
  const float rgba[4] = {r, g, b, a};
  for (uint32_t i = 0; i < frame_.target.color_count; ++i) {
    c.color_targets |= 1u << i;
    for (int k = 0; k < 4; ++k) c.color[i].word[k] = scalar::bits_of(rgba[k]);
  }
  c.depth = c.stencil = frame_.target.depth_stencil.storage != nullptr;
  c.depth_value = depth;
  c.stencil_value = stencil;
  clear(c);
}

void TileScene::draw(const TestShader& shader, const State& state, const std::vector<TestTriangle>& triangles) {
  std::vector<SetupTriangle> setup;
  std::vector<float> records;
  const auto stride = shader.words ? shader.words : 1u;
  const IRect clip{0, 0, static_cast<int32_t>(frame_.target.width), static_cast<int32_t>(frame_.target.height)};
  const SetupState setup_state =
      make_setup_state(state.rasterizer, Viewport{}, frame_.target.depth_stencil.format, clip,
                       sample_pattern(frame_.target.samples, state.rasterizer.multisample).box);
  for (const TestTriangle& t : triangles) {
    WinVertex v[3];
    for (int i = 0; i < 3; ++i) v[i] = {snap_fx8(t.v[i].x), snap_fx8(t.v[i].y), t.v[i].z, 1.0f / t.v[i].w};
    SetupTriangle s;
    if (!setup_triangle(v, setup_state, s)) continue;
    for (int i = 0; i < 3; ++i) {
      s.vertex[i] = static_cast<uint32_t>(records.size() / stride);
      for (uint32_t k = 0; k < stride; ++k) records.push_back(k < t.v[i].words.size() ? t.v[i].words[k] : 0.0f);
    }
    s.provoking = s.vertex[2];
    s.primitive_id = static_cast<uint32_t>(setup.size());
    setup.push_back(s);
  }
  draw_setup(shader, state, setup, records, stride);
}

void TileScene::draw_setup(const TestShader& shader, const State& state, const std::vector<SetupTriangle>& triangles,
                           const std::vector<float>& records, uint32_t stride) {
  PipelineDesc desc;
  desc.vertex = vertex_program(best_simd_target());
  desc.fragment = shader.program;
  desc.blend = state.blend;
  desc.rasterizer = state.rasterizer;
  desc.depth_stencil_alpha = state.depth_stencil_alpha;
  desc.color_count = frame_.target.color_count;
  for (uint32_t i = 0; i < desc.color_count; ++i) desc.color_formats[i] = frame_.target.color[i].format;
  desc.depth_format = frame_.target.depth_stencil.format;
  desc.samples = frame_.target.samples;
  desc.min_samples = state.min_samples;
  auto pipeline = make_pipeline(std::move(desc));
  if (!pipeline) throw std::runtime_error(pipeline.diags().front().text);

  auto draw = std::make_shared<DrawState>();
  draw->pipeline = *pipeline;
  draw->clip_rect = {0, 0, static_cast<int32_t>(frame_.target.width), static_cast<int32_t>(frame_.target.height)};
  std::memcpy(draw->blend_color, state.blend_color, sizeof draw->blend_color);
  std::memcpy(draw->stencil_ref, state.stencil_ref, sizeof draw->stencil_ref);
  draw->sample_mask = state.sample_mask;
  draw->draw_number = static_cast<uint32_t>(frame_.chunks.size());
  if (shader.program) {
    draw->fragment_uniforms.resize(shader.program->uniform_count());
    shader.program->run_uniform(draw->fragment_bindings, draw->fragment_uniforms);
  }
  auto chunk = std::make_unique<Chunk>();
  chunk->draw = draw;
  chunk->stride = stride;
  chunk->records = records;
  chunk->triangles = triangles;
  const auto index = static_cast<uint32_t>(frame_.chunks.size());
  frame_.chunks.push_back(std::move(chunk));
  shaders_.push_back(shader);
  steps_.push_back({false, index});
  Chunk& added = *frame_.chunks.back();
  for (int32_t ty = 0; ty < frame_.tiles_y; ++ty) {
    for (int32_t tx = 0; tx < frame_.tiles_x; ++tx) {
      TileCommand command;
      command.index = index;
      command.begin = static_cast<uint32_t>(added.binned.size());
      const int32_t size = frame_.tile_size_px, x0 = tx * size, y0 = ty * size;
      for (uint32_t i = 0; i < added.triangles.size(); ++i) {
        const SetupTriangle& t = added.triangles[i];
        if (t.bbox_x0 < x0 + size && t.bbox_x1 > x0 && t.bbox_y0 < y0 + size && t.bbox_y1 > y0)
          added.binned.push_back(i);
      }
      command.end = static_cast<uint32_t>(added.binned.size());
      if (command.end > command.begin)
        frame_.tile_commands[static_cast<size_t>(ty * frame_.tiles_x + tx)].push_back(command);
    }
  }
}

Counters TileScene::run(SimdTarget simd) {
  TileBuffers buffers;
  Counters total;
  for (int32_t ty = 0; ty < frame_.tiles_y; ++ty)
    for (int32_t tx = 0; tx < frame_.tiles_x; ++tx) total += run_tile(frame_, tx, ty, simd, buffers).counters;
  return total;
}

namespace {

template <class Fn>
void for_each_surface(const Framebuffer& target, Fn fn) {
  for (uint32_t i = 0; i < target.color_count; ++i)
    if (target.color[i].storage) fn(*target.color[i].storage);
  if (target.depth_stencil.storage) fn(*target.depth_stencil.storage);
}

}  // namespace

std::vector<std::vector<std::byte>> TileScene::contents() const {
  std::vector<std::vector<std::byte>> all;
  for_each_surface(frame_.target, [&](const Storage& s) { all.emplace_back(s.data(), s.data() + s.size_bytes()); });
  return all;
}

void TileScene::set_contents(const std::vector<std::vector<std::byte>>& bytes) {
  size_t i = 0;
  for_each_surface(frame_.target, [&](Storage& s) { std::memcpy(s.data(), bytes[i++].data(), s.size_bytes()); });
}

// ---- the slow renderer --------------------------------------------------------------------------------------------

__extension__ typedef __int128 Int128;

bool covers_slowly(const SetupTriangle& t, int32_t x, int32_t y, int32_t offset_x_fx8, int32_t offset_y_fx8) {
  const Int128 x_fx8 = Int128{x} * 256 + offset_x_fx8, y_fx8 = Int128{y} * 256 + offset_y_fx8;
  for (const EdgeEq& e : t.edge)   // the steps are whole multiples of 256
    if (Int128{e.c_fx16} + x_fx8 * (e.step_x_fx16 / 256) + y_fx8 * (e.step_y_fx16 / 256) < 0) return false;
  return true;
}

void TileScene::run_slowly() {
  for (const Step& step : steps_) {
    if (step.is_clear) {
      slow_clear(frame_.clears[step.index]);
      continue;
    }
    const Chunk& chunk = *frame_.chunks[step.index];
    for (const SetupTriangle& t : chunk.triangles) slow_triangle(chunk, t, shaders_[step.index]);
  }
}

// One pixel around the bounds too, so that a pixel they miss shows.
void TileScene::slow_triangle(const Chunk& chunk, const SetupTriangle& t, const TestShader& shader) {
  const uint32_t samples = frame_.target.samples;
  const auto width = static_cast<int32_t>(frame_.target.width), height = static_cast<int32_t>(frame_.target.height);
  const bool multisample = chunk.draw->pipeline->desc.rasterizer.multisample;
  const uint32_t enabled = multisample || samples == 1 ? chunk.draw->sample_mask : ~0u;
  for (int32_t y = std::max(0, t.bbox_y0 - 1); y < std::min(height, t.bbox_y1 + 1); ++y)
    for (int32_t x = std::max(0, t.bbox_x0 - 1); x < std::min(width, t.bbox_x1 + 1); ++x) {
      uint32_t covered = 0;
      for (uint32_t s = 0; s < samples; ++s) {
        const Offset offset = sample_offset(multisample ? samples : 1, multisample ? s : 0);
        if (covers_slowly(t, x, y, offset.x_fx8, offset.y_fx8)) covered |= 1u << s;
      }
      if (covered & enabled) slow_pixel({chunk, t, x, y, covered & enabled}, shader);
    }
}

void TileScene::slow_clear(const ClearCommand& clear) {
  for (uint32_t sample = 0; sample < frame_.target.samples; ++sample) slow_clear_sample(clear, sample);
}

void TileScene::slow_clear_sample(const ClearCommand& clear, uint32_t sample) {
  for (int32_t y = clear.rect.y0; y < clear.rect.y1; ++y) {
    for (int32_t x = clear.rect.x0; x < clear.rect.x1; ++x) {
      for (uint32_t i = 0; i < frame_.target.color_count; ++i) {
        if (!(clear.color_targets >> i & 1) || !frame_.target.color[i].storage) continue;
        const Format format = frame_.target.color[i].format;
        std::byte* texel = texel_address(frame_.target.color[i], x, y, sample);
        std::byte fresh[32];
        pack_texel(format, clear.color[i], fresh);
        if (clear.color_mask == 15) std::memcpy(texel, fresh, format_info(format).block_bytes);
        else merge_channels_slowly(format, clear.color_mask, fresh, texel);
      }
      const Surface& z = frame_.target.depth_stencil;
      if (!z.storage) continue;
      const bool all_depth = !format_has_depth(z.format) || clear.depth;
      const bool all_stencil = !format_has_stencil(z.format) || (clear.stencil && clear.stencil_mask == 255);
      if ((clear.depth || clear.stencil) && all_depth && all_stencil)
        std::memset(texel_address(z, x, y, sample), 0, format_info(z.format).block_bytes);
      if (clear.depth && format_has_depth(z.format))
        pack_depth(z.format, clear.depth_value, texel_address(z, x, y, sample));
      if (clear.stencil && format_has_stencil(z.format)) {
        const uint8_t old = unpack_stencil(z.format, texel_address(z, x, y, sample));
        pack_stencil(z.format,
                     static_cast<uint8_t>((old & ~clear.stencil_mask) | (clear.stencil_value & clear.stencil_mask)),
                     texel_address(z, x, y, sample));
      }
    }
  }
}

void TileScene::slow_pixel(const SlowPixel& p, const TestShader& shader) {
  const Pipeline& pipeline = *p.chunk.draw->pipeline;
  bool per_sample = pipeline.desc.min_samples > 1;
  for (const FragmentInput& input : pipeline.fragment_inputs)
    per_sample = per_sample || input.kind == FragmentInput::Kind::SampleId ||
                 input.kind == FragmentInput::Kind::SamplePosX || input.location == ir::Location::Sample;
  if (frame_.target.samples == 1 || !per_sample || !pipeline.desc.rasterizer.multisample) return slow_run(p, shader, -1);
  for (uint32_t s = 0; s < frame_.target.samples; ++s)
    if (p.covered >> s & 1) slow_run(p, shader, static_cast<int32_t>(s));
}

void TileScene::slow_run(const SlowPixel& p, const TestShader& shader, int32_t sample) {
  const DrawState& draw = *p.chunk.draw;
  const uint32_t samples = frame_.target.samples, all = (1u << samples) - 1;
  const bool multisample = samples > 1 && draw.pipeline->desc.rasterizer.multisample;
  const auto place = [&](uint32_t s) { return multisample ? sample_offset(samples, s) : Offset{}; };
  Offset centre, centroid;
  if (sample >= 0) centre = centroid = place(static_cast<uint32_t>(sample));
  else if (p.covered != all) centroid = place(static_cast<uint32_t>(std::countr_zero(p.covered)));

  FragmentIn in;
  in.x = static_cast<float>(p.x) + 0.5f + static_cast<float>(centre.x_fx8) / 256;
  in.y = static_cast<float>(p.y) + 0.5f + static_cast<float>(centre.y_fx8) / 256;
  in.front = p.t.front;
  in.coverage = !multisample ? 1 : sample < 0 ? p.covered : 1u << sample;
  in.sample = sample < 0 ? 0 : static_cast<uint32_t>(sample);
  in.sample_x = 0.5f + static_cast<float>(centre.x_fx8) / 256;
  in.sample_y = 0.5f + static_cast<float>(centre.y_fx8) / 256;
  if (shader.words)
    for (const FragmentInput& input : draw.pipeline->fragment_inputs) {
      const bool at_centroid = samples > 1 && input.location == ir::Location::Centroid;
      const Sample s = sample_of(p.t, p.x, p.y, at_centroid ? centroid : centre);
      in.words.push_back(interpolate_slowly(p.chunk, p.t, s, input));
    }
  FragmentOut out;
  if (shader.program) out = shader.slow(in);
  if (out.killed) return;
  const BlendState& blend = draw.pipeline->desc.blend;
  const bool writes_mask = draw.pipeline->sample_mask_output != ~0u && draw.pipeline->desc.rasterizer.multisample;
  const float alpha = out.color[0][3];
  if (multisample && blend.alpha_to_one)
    for (auto& color : out.color) color[3] = 1;
  const DepthStencilAlphaState& state = draw.pipeline->desc.depth_stencil_alpha;
  if (state.alpha_test &&
      !compare_slowly(state.alpha_func, static_cast<double>(out.color[0][3]), static_cast<double>(state.alpha_ref)))
    return;
  for (uint32_t s = 0; s < samples; ++s) {
    if (sample >= 0 ? s != static_cast<uint32_t>(sample) : !(p.covered >> s & 1)) continue;
    if (writes_mask && !(out.sample_mask >> s & 1)) continue;
    // Dither: a pattern of 2x2 pixels.
    constexpr double kPattern[2][2] = {{0.125, 0.625}, {0.875, 0.375}};
    const double threshold = blend.alpha_to_coverage_dither ? kPattern[p.y & 1][p.x & 1] : 0.5;
    if (multisample && blend.alpha_to_coverage && !(static_cast<double>(alpha) * samples > s + threshold)) continue;
    slow_sample(p, out, s);
  }
}

void TileScene::slow_sample(const SlowPixel& p, const FragmentOut& out, uint32_t sample) {
  const DrawState& draw = *p.chunk.draw;
  const bool multisample = frame_.target.samples > 1 && draw.pipeline->desc.rasterizer.multisample;
  const Offset offset = multisample ? sample_offset(frame_.target.samples, sample) : Offset{};
  const uint32_t* stencil = draw.pipeline->stencil_output != ~0u ? &out.stencil : nullptr;
  const float depth = draw.pipeline->depth_output != ~0u ? out.depth : sample_of(p.t, p.x, p.y, offset).z;
  if (frame_.target.depth_stencil.storage &&
      !test_depth_stencil_slowly(draw, p.t.front, depth, stencil, frame_.target.depth_stencil, p.x, p.y, sample))
    return;
  for (uint32_t i = 0; i < frame_.target.color_count; ++i)
    if (frame_.target.color[i].storage && draw.pipeline->color_output[i][0] != ~0u)
      write_color_slowly(draw, i, out.color[i], out.color[1], texel_address(frame_.target.color[i], p.x, p.y, sample), p.x, p.y);
}

}  // namespace tessera::raster::tests
