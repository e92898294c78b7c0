#include "raster/watched_program.h"

#include <algorithm>

#include "shader/trace.h"

namespace tessera::raster {
namespace {

QuadWords quad_at(const uint32_t* lanes, int32_t first) {
  QuadWords words{};
  if (lanes) std::copy_n(lanes + first, 4, words.begin());
  return words;
}

uint8_t quad_bits(uint64_t lanes, int32_t first) { return static_cast<uint8_t>(lanes >> first & 15); }

// Texture operations on their way to texture/, explained for one quad.
struct TextureTap {
  const Services* services = nullptr;
  int32_t first_lane = 0;
  std::array<texture::SampleExplanation, 4>* explanations = nullptr;
};
struct TappedTexture {
  const void* texture = nullptr;
  TextureTap* tap = nullptr;
};

void sample_tapped(const void* tapped, const SampleArgs& args) {
  const auto& [texture, tap] = *static_cast<const TappedTexture*>(tapped);
  if (args.exec >> tap->first_lane & 15)           // before: results may take the place of nothing that is read here
    for (int32_t lane = 0; lane < 4; ++lane)
      (*tap->explanations)[static_cast<size_t>(lane)] = texture::explain_sample(texture, args, tap->first_lane + lane);
  tap->services->sample(texture, args);
}

}  // namespace

WatchedProgram::WatchedProgram(const std::shared_ptr<const Executable>& executable, SimdTarget simd)
    : interpreter_(make_interpreter({executable, &executable->program()}, simd)) {
  program_ = {interpreter_, &interpreter_->program()};
  slot_count_ = interpreter_->slot_count();
  uniform_count_ = interpreter_->uniform_count();
  for (uint32_t i = 0; i < program_->outputs.size(); ++i) output_slots_.push_back(interpreter_->output_slot(i));
  is_empty_ = false;                               // so that every fragment comes by
}

void WatchedProgram::arm(const Wanted& wanted) const {
  wanted_ = wanted;
  armed_ = true;
  run_.reset();
}

std::shared_ptr<const ProgramRun> WatchedProgram::take() const {
  armed_ = false;
  return std::exchange(run_, nullptr);
}

void WatchedProgram::run_uniform(const Bindings& bindings, std::span<uint32_t> words) const {
  interpreter_->run_uniform(bindings, words);
}

void WatchedProgram::load_uniforms(std::span<const uint32_t> words, uint32_t* slots) const {
  interpreter_->load_uniforms(words, slots);
}

BlockResult WatchedProgram::run(uint32_t* slots, const BlockArgs& args) const {
  const int32_t sample = wanted_.running_sample ? *wanted_.running_sample : -1;
  const bool is_wanted =
      armed_ && (args.live >> wanted_.lane & 1) && (sample < 0 || sample == static_cast<int32_t>(wanted_.sample));
  if (!is_wanted) return interpreter_->run(slots, args);

  const int32_t first = wanted_.lane & ~3;
  const auto lanes_of = [&](uint32_t slot) { return slots + size_t{slot} * kBlockLanes; };
  run_ = std::make_shared<ProgramRun>();
  run_->executable = interpreter_;
  run_->lane = static_cast<uint32_t>(wanted_.lane & 3);
  run_->exec = quad_bits(args.exec, first);
  run_->live = quad_bits(args.live, first);
  for (uint32_t i = 0; i < program_->inputs.size(); ++i)
    run_->inputs.push_back(quad_at(lanes_of(input_slot(i)), first));
  const BlockResult result = wanted_.is_traced ? run_and_trace(slots, args) : interpreter_->run(slots, args);
  run_->live_after = quad_bits(result.live, first);
  for (uint32_t i = 0; i < program_->outputs.size(); ++i)
    run_->outputs.push_back(quad_at(lanes_of(output_slot(i)), first));
  return result;
}

BlockResult WatchedProgram::run_and_trace(uint32_t* slots, const BlockArgs& args) const {
  const int32_t first = wanted_.lane & ~3;
  std::array<texture::SampleExplanation, 4> explanations;
  TextureTap tap{&args.bindings->services, first, &explanations};
  std::vector<TappedTexture> tapped;
  for (const void* texture : args.bindings->textures) tapped.push_back({texture, &tap});
  std::vector<const void*> textures;
  for (const TappedTexture& t : tapped) textures.push_back(&t);
  Bindings bindings = *args.bindings;
  bindings.textures = textures;
  bindings.services.sample = sample_tapped;
  BlockArgs traced = args;
  traced.bindings = &bindings;
  return run_traced(*interpreter_, slots, traced, [&](const TraceStep& step) {
    if (!quad_bits(step.exec, first)) return;
    ProgramStep& to = run_->steps.emplace_back();
    to.instr = step.instr;
    to.exec = quad_bits(step.exec, first);
    to.live = quad_bits(step.live, first);
    for (const uint32_t* operand : step.operands) to.operands.push_back(quad_at(operand, first));
    for (const uint32_t* result : step.results) to.results.push_back(quad_at(result, first));
    to.samples = std::exchange(explanations, {});
  });
}

}  // namespace tessera::raster
