// shader/tgsi/validate_semantics.cpp: which semantic may stand on which register file of which stage, and how many of
// it there are.
#include "shader/tgsi/validation.h"

namespace tessera::tgsi {
namespace {

constexpr uint8_t V = stage_bit(Stage::Vertex), F = stage_bit(Stage::Fragment), G = stage_bit(Stage::Geometry),
                  Tc = stage_bit(Stage::TessCtrl), Te = stage_bit(Stage::TessEval), C = stage_bit(Stage::Compute);
constexpr uint8_t kReaders = F | G | Tc | Te, kWriters = V | G | Tc | Te, kVertexLast = V | G | Te,
                  kAll = kReaders | V | C;
constexpr uint32_t kColorBuffers = 8;

struct Places {
  Semantic semantic;
  uint8_t in, out, sv;       // stages
  uint32_t count = 1;        // indices from 0
};

constexpr Places kPlaces[] = {      // in the order of semantics.def
    {Semantic::Position, kReaders, kWriters | F, F},
    {Semantic::Color, kReaders, kWriters | F, 0, 2},   // of fragment outputs: kColorBuffers
    {Semantic::BackColor, kReaders, kWriters, 0, 2},
    {Semantic::Fog, kReaders, kWriters, 0},
    {Semantic::PointSize, G | Tc | Te, kWriters, 0},
    {Semantic::Generic, kReaders, kWriters, 0, 256},
    {Semantic::Normal, kReaders, kWriters, 0},
    {Semantic::Face, F, 0, F},
    {Semantic::EdgeFlag, 0, V, 0},
    {Semantic::PrimitiveId, F | G | Tc | Te, G, F | G | Tc | Te},
    {Semantic::InstanceId, 0, 0, V},
    {Semantic::VertexId, 0, 0, V},
    {Semantic::Stencil, 0, F, 0},
    {Semantic::ClipDist, kReaders, kWriters, 0, 2},
    {Semantic::ClipVertex, G | Tc | Te, kWriters, 0},
    {Semantic::GridSize, 0, 0, C},
    {Semantic::BlockId, 0, 0, C},
    {Semantic::BlockSize, 0, 0, C},
    {Semantic::ThreadId, 0, 0, C},
    {Semantic::TexCoord, kReaders, kWriters, 0, 8},
    {Semantic::PointCoord, F, 0, F},
    {Semantic::ViewportIndex, F, kVertexLast, 0},
    {Semantic::Layer, F, kVertexLast, 0},
    {Semantic::SampleId, 0, 0, F},
    {Semantic::SamplePos, 0, 0, F},
    {Semantic::SampleMask, 0, F, F},
    {Semantic::InvocationId, 0, 0, G | Tc},
    {Semantic::VertexIdNoBase, 0, 0, V},
    {Semantic::BaseVertex, 0, 0, V},
    {Semantic::Patch, Te, V | Tc, 0, 32},              // real vertex texts of tessellated programs write them
    {Semantic::TessCoord, 0, 0, Te},
    {Semantic::TessOuter, Te, Tc, Tc | Te},
    {Semantic::TessInner, Te, Tc, Tc | Te},
    {Semantic::VerticesIn, 0, 0, Tc | Te},
    {Semantic::HelperInvocation, 0, 0, F},
    {Semantic::BaseInstance, 0, 0, V},
    {Semantic::DrawId, 0, 0, V},
    {Semantic::WorkDim, 0, 0, C},
    {Semantic::SubgroupSize, 0, 0, kAll},
    {Semantic::SubgroupInvocation, 0, 0, kAll},
    {Semantic::SubgroupEqMask, 0, 0, kAll},
    {Semantic::SubgroupGeMask, 0, 0, kAll},
    {Semantic::SubgroupGtMask, 0, 0, kAll},
    {Semantic::SubgroupLeMask, 0, 0, kAll},
    {Semantic::SubgroupLtMask, 0, 0, kAll},
    {Semantic::CsUserData, 0, 0, C},
    {Semantic::ViewportMask, 0, kVertexLast, 0},
};

constexpr bool is_in_order() {
  for (size_t i = 0; i < std::size(kPlaces); ++i)
    if (kPlaces[i].semantic != static_cast<Semantic>(i)) return false;
  return true;
}
static_assert(is_in_order());

uint64_t semantic_key(File file, const SemanticName& s, uint32_t index) {
  return uint64_t{static_cast<uint8_t>(file)} << 48 | uint64_t{static_cast<uint8_t>(s.name)} << 32 | index;
}

}  // namespace

void Validation::check_semantic(const Declaration& d) {
  if (!d.semantic) {
    const bool needed = d.file == File::Out || d.file == File::Sv || (d.file == File::In && p.stage != Stage::Vertex);
    if (needed) fail(Rule::semantic_missing, d.loc, "expected a semantic for {}[{}]", file_name(d.file), d.first);
    return;
  }
  if (d.file == File::In && p.stage == Stage::Vertex) return;      // stage_mismatch
  const std::string_view name = name_of(kSemanticNames, d.semantic->name);
  const Places& places = kPlaces[static_cast<size_t>(d.semantic->name)];
  const uint8_t stages = d.file == File::In ? places.in : d.file == File::Out ? places.out : places.sv;
  if (!(stages & stage_bit(p.stage)))
    return fail(Rule::semantic_place, d.loc, "{} is no semantic of {} in {} programs", name, file_name(d.file),
                name_of(kStageNames, p.stage));
  const bool is_color_buffer = d.semantic->name == Semantic::Color && d.file == File::Out && p.stage == Stage::Fragment;
  const uint32_t count = is_color_buffer ? kColorBuffers : places.count, last = d.semantic->index + (d.last - d.first);
  if (last >= count)
    return fail(Rule::semantic_index, d.loc, "{} has indices 0 to {}, found {}", name, count - 1, last);
  for (uint32_t index = d.semantic->index; index <= last; ++index) {
    uint8_t& taken = semantic_masks_[semantic_key(d.file, *d.semantic, index)];
    if (taken & d.usage_mask)
      return fail(Rule::duplicate_semantic, d.loc, "{} {}[{}] is declared before", file_name(d.file), name, index);
    taken |= d.usage_mask;
  }
}

}  // namespace tessera::tgsi
