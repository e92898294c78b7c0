#include "raster/patches.h"

#include <bit>

namespace tessera::raster {
namespace {

using ir::Semantic;

constexpr float kStep = 1.0f / kTessOne_fx24;

uint32_t level_word(const TessLevels& levels, const ir::Input& in) {
  if (in.semantic == Semantic::TessOuter) return std::bit_cast<uint32_t>(levels.outer[in.component & 3]);
  return in.component < 2 ? std::bit_cast<uint32_t>(levels.inner[in.component]) : 0;
}

void set_control_inputs(const PatchDraw& draw, uint32_t id, uint32_t vertices, uint32_t* slots) {
  const PreparedStage& stage = *draw.control;
  const ir::Program& program = stage.program->program();
  for (uint32_t i = 0; i < program.inputs.size(); ++i) {
    const ir::Input& in = program.inputs[i];
    if (in.per_vertex) continue;
    const bool is_first = in.component == 0;
    const bool is_level = in.semantic == Semantic::TessOuter || in.semantic == Semantic::TessInner;
    uint32_t word = is_level ? level_word(draw.levels, in) : 0;
    if (in.semantic == Semantic::PrimitiveId && is_first) word = id;
    if (in.semantic == Semantic::VerticesIn && is_first) word = vertices;
    uint32_t* lanes = stage.input_lanes(slots, i);
    for (uint32_t lane = 0; lane < kBlockLanes; ++lane)
      lanes[lane] = in.semantic == Semantic::InvocationId && is_first ? lane : word;
  }
}

}  // namespace

// A patch is a work group of one block; its outputs are the memory that the invocations share (tgsi/lower_patch.cpp).
bool PatchStage::run_control(const PatchDraw& draw, const VertexRecords& vertices, const StagePrimitives& patches,
                             std::span<const uint32_t> ids) {
  const PreparedStage& stage = *draw.control;
  const ir::Program& program = stage.program->program();
  control_vertices_ = program.tessellation.vertices_out;
  const auto words = static_cast<uint32_t>(program.outputs.size());
  controlled_.begin(words);
  patch_memory_.resize(size_t{control_vertices_ + 1} * words);
  const MemoryView memory{reinterpret_cast<std::byte*>(patch_memory_.data()),
                          static_cast<uint32_t>(patch_memory_.size() * sizeof(uint32_t)), false};
  Bindings bindings = stage.bindings;
  bindings.memory[static_cast<size_t>(ir::MemorySpace::Shared)] = {&memory, 1};
  uint32_t* slots = stage.load(slot_file_);
  const uint32_t in_vertices = patches.vertices_each;
  lane_record_.resize(size_t{kBlockLanes} * in_vertices);
  PrimitiveVertices view{vertices.words.data(), vertices.stride, lane_record_.data(), in_vertices,
                         draw.link->control_words};
  BlockArgs args;
  args.bindings = &bindings;
  args.exec = args.live = first_lanes(control_vertices_);
  args.budget = stage.budget;
  args.vertices = &view;
  for (uint32_t patch = 0; patch < patches.count(); ++patch) {
    for (uint32_t lane = 0; lane < kBlockLanes; ++lane)
      std::copy_n(patches.vertex.data() + size_t{patch} * in_vertices, in_vertices,
                  lane_record_.data() + size_t{lane} * in_vertices);
    set_control_inputs(draw, ids[patch], in_vertices, slots);
    std::ranges::fill(patch_memory_, 0u);
    if (stage.program->run(slots, args).over_budget) return false;
    std::ranges::copy(patch_memory_, controlled_.append(control_vertices_ + 1));
  }
  return true;
}

TessLevels PatchStage::levels_of(const PatchDraw& draw, uint32_t patch) const {
  if (control_vertices_ == 0) return draw.levels;
  const uint32_t* words = controlled_.at(patch * (control_vertices_ + 1) + control_vertices_);
  const auto level = [&](uint32_t word) { return word == ~0u ? 0.0f : std::bit_cast<float>(words[word]); };
  TessLevels levels;
  for (size_t i = 0; i < levels.outer.size(); ++i) levels.outer[i] = level(draw.link->outer_words[i]);
  for (size_t i = 0; i < levels.inner.size(); ++i) levels.inner[i] = level(draw.link->inner_words[i]);
  return levels;
}

// Neighbours often have the same levels.
const Tessellation& PatchStage::tessellation_of(const PatchDraw& draw, const TessLevels& levels) {
  if (!has_tessellation_ || !(levels == tessellated_))
    tessellate(draw.evaluation->program->program().tessellation, levels, tessellation_);
  has_tessellation_ = true;
  tessellated_ = levels;
  return tessellation_;
}

void PatchStage::place_point(const PatchDraw& draw, const StagePrimitives& patches, uint32_t patch, uint32_t id,
                             const TessLevels& levels, const DomainPoint& point, uint32_t* slots) {
  const PreparedStage& stage = *draw.evaluation;
  const ir::Program& program = stage.program->program();
  const uint32_t lane = lanes_++;
  const bool is_triangle = program.tessellation.primitive == static_cast<uint8_t>(TessDomain::Triangles);
  const uint32_t w_fx24 = is_triangle ? kTessOne_fx24 - point.u_fx24 - point.v_fx24 : 0;
  const float coordinate[4] = {static_cast<float>(point.u_fx24) * kStep, static_cast<float>(point.v_fx24) * kStep,
                               static_cast<float>(w_fx24) * kStep, 0};
  const uint32_t* patch_record =
      control_vertices_ == 0 ? nullptr : controlled_.at(patch * (control_vertices_ + 1) + control_vertices_);
  for (uint32_t i = 0; i < program.inputs.size(); ++i) {
    const ir::Input& in = program.inputs[i];
    if (in.per_vertex) continue;
    uint32_t& word = stage.input_lanes(slots, i)[lane];
    word = 0;
    switch (in.semantic) {
      case Semantic::TessCoord: word = std::bit_cast<uint32_t>(coordinate[in.component & 3]); break;
      case Semantic::PrimitiveId: word = in.component == 0 ? id : 0; break;
      case Semantic::VerticesIn: word = in.component == 0 ? lane_vertices_ : 0; break;
      case Semantic::TessOuter:
      case Semantic::TessInner: word = level_word(levels, in); break;
      default:
        if (const uint32_t from = draw.link->patch_words[i]; from != ~0u && patch_record) word = patch_record[from];
    }
  }
  uint32_t* record = lane_record_.data() + size_t{lane} * lane_vertices_;
  for (uint32_t v = 0; v < lane_vertices_; ++v)
    record[v] = control_vertices_ == 0 ? patches.vertex[size_t{patch} * lane_vertices_ + v]
                                       : patch * (control_vertices_ + 1) + v;
}

// Runs the points that wait, and appends them.
bool PatchStage::evaluate(const PatchDraw& draw, uint32_t* slots, VertexRecords& out) {
  if (lanes_ == 0) return true;
  const PreparedStage& stage = *draw.evaluation;
  BlockArgs args;
  args.bindings = &stage.bindings;
  args.exec = args.live = first_lanes(lanes_);
  args.budget = stage.budget;
  PrimitiveVertices view{nullptr, 0, lane_record_.data(), lane_vertices_, draw.link->evaluation_words};
  view.words = evaluated_from_->words.data();
  view.stride = evaluated_from_->stride;
  args.vertices = &view;
  if (!stage.program->is_empty() && stage.program->run(slots, args).over_budget) return false;
  store_outputs(*stage.program, slots, lanes_, out);
  lanes_ = 0;
  return true;
}

bool PatchStage::run(const PatchDraw& draw, const VertexRecords& vertices, const StagePrimitives& patches,
                     std::span<const uint32_t> ids, VertexRecords& out, StagePrimitives& made) {
  control_vertices_ = 0;
  has_tessellation_ = false;
  if (draw.control->program != nullptr && !run_control(draw, vertices, patches, ids)) return false;
  evaluated_from_ = control_vertices_ == 0 ? &vertices : &controlled_;
  lane_vertices_ = control_vertices_ == 0 ? patches.vertices_each : control_vertices_;
  lane_record_.resize(size_t{kBlockLanes} * lane_vertices_);
  const Executable& program = *draw.evaluation->program;
  uint32_t* slots = draw.evaluation->load(slot_file_);
  out.begin(static_cast<uint32_t>(program.program().outputs.size()));
  lanes_ = 0;
  uint32_t first = 0;                            // record of the patch's first point
  points_before_.assign(1, 0);
  made.begin(3);
  for (uint32_t patch = 0; patch < patches.count(); ++patch) {
    const TessLevels levels = levels_of(draw, patch);
    const Tessellation& t = tessellation_of(draw, levels);
    made.vertices_each = t.vertices_each;
    for (const DomainPoint& point : t.points) {
      place_point(draw, patches, patch, ids[patch], levels, point, slots);
      if (lanes_ == kBlockLanes && !evaluate(draw, slots, out)) return false;
    }
    for (const uint32_t index : t.indices) made.vertex.push_back(first + index);
    made.source.insert(made.source.end(), t.indices.size() / t.vertices_each, patches.source[patch]);
    first += static_cast<uint32_t>(t.points.size());
    points_before_.push_back(first);
  }
  return evaluate(draw, slots, out);
}

}  // namespace tessera::raster
