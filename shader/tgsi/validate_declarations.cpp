// shader/tgsi/validate_declarations.cpp: rules of declarations and properties.
#include "shader/tgsi/validation.h"

namespace tessera::tgsi {
namespace {

constexpr uint32_t kMaxRegisters = 4096, kMaxConstants = 65536, kMaxResources = 128, kMaxBuffers = 32;

uint64_t register_key(File file, uint32_t dimension, uint32_t reg) {
  return uint64_t{static_cast<uint8_t>(file)} << 48 | uint64_t{dimension} << 24 | reg;
}

uint64_t semantic_key(File file, const SemanticName& s, uint32_t index) {
  return uint64_t{static_cast<uint8_t>(file)} << 48 | uint64_t{static_cast<uint8_t>(s.name)} << 32 | index;
}

uint32_t register_limit(File file) {
  switch (file) {
    case File::Samp:
    case File::Sview:
    case File::Image:
    case File::Buffer:
    case File::Memory: return kMaxResources;
    case File::Const: return kMaxConstants;
    default: return kMaxRegisters;
  }
}

bool is_patch(const Declaration& d) {
  if (!d.semantic) return false;
  const Semantic s = d.semantic->name;
  return s == Semantic::Patch || s == Semantic::TessOuter || s == Semantic::TessInner;
}

// Inputs and outputs that every vertex of a primitive or patch has.
bool has_vertices(const Declaration& d, Stage stage) {
  if (d.file == File::In) {
    if (stage == Stage::Geometry) return true;
    return (stage == Stage::TessCtrl || stage == Stage::TessEval) && !is_patch(d);
  }
  return d.file == File::Out && stage == Stage::TessCtrl && !is_patch(d);
}

// Buffer number of CONST and HWATOMIC; the vertex of an input is no part of the register's name.
uint32_t name_dimension(const Declaration& d) {
  return d.file == File::Const || d.file == File::HwAtomic ? d.dimension : 0;
}

// Real texts declare some outputs twice, with the same or with other channels.
bool says_the_same(const Declaration& a, const Declaration& b) {
  return a.semantic && b.semantic && a.semantic->name == b.semantic->name && a.semantic->index == b.semantic->index &&
         a.first == b.first && a.last == b.last;
}

std::optional<Stage> stage_of(PropertyName name) {
  const std::string_view text = name_of(kPropertyNames, name);
  if (text.starts_with("FS_")) return Stage::Fragment;
  if (text.starts_with("VS_")) return Stage::Vertex;
  if (text.starts_with("GS_")) return Stage::Geometry;
  if (text.starts_with("TCS_")) return Stage::TessCtrl;
  if (text.starts_with("TES_")) return Stage::TessEval;
  if (text.starts_with("CS_")) return Stage::Compute;
  return std::nullopt;
}

struct Limits { uint32_t low = 0, high = ~0u; };

Limits limits_of(PropertyName name) {
  switch (name) {
    case PropertyName::FsDepthLayout: return {0, 4};
    case PropertyName::TesPrimMode: return {1, 7};
    case PropertyName::TesSpacing: return {0, 2};
    case PropertyName::GsMaxOutputVertices: return {0, 1024};
    case PropertyName::GsInvocations: return {1, 32};
    case PropertyName::TcsVerticesOut: return {1, 32};
    case PropertyName::NumClipdistEnabled:
    case PropertyName::NumCulldistEnabled: return {0, 8};
    case PropertyName::CsFixedBlockWidth:
    case PropertyName::CsFixedBlockHeight:
    case PropertyName::CsFixedBlockDepth: return {0, 1024};
    default: return {};
  }
}

}  // namespace

void Validation::check_declarations() {
  check_order();
  for (const Declaration& d : p.declarations) check_declaration(d);
}

void Validation::check_order() {
  bool code = false;
  for (const Statement& s : p.order) {
    if (s.kind == Statement::Kind::Instruction) {
      code = true;
      continue;
    }
    if (!code) continue;
    const SourceLoc loc = s.kind == Statement::Kind::Property      ? p.properties[s.index].loc
                          : s.kind == Statement::Kind::Declaration ? p.declarations[s.index].loc
                                                                   : p.immediates[s.index].loc;
    fail(Rule::declaration_after_code, loc, "expected an instruction, found a declaration behind the first instruction");
  }
}

void Validation::check_declaration(const Declaration& d) {
  const uint32_t limit = register_limit(d.file);
  if (d.last >= limit) return fail(Rule::too_many_registers, d.loc, "{} has registers 0 to {}, found {}", file_name(d.file), limit - 1, d.last);
  if (const Declaration* before = declared(d.file, name_dimension(d), d.first); before && says_the_same(*before, d)) return;
  check_dimension(d);
  check_semantic(d);
  check_stage_words(d);
  declare(d);
  if (d.array_id && !arrays_.emplace(register_key(d.file, 0, d.array_id), &d).second)
    fail(Rule::duplicate_array, d.loc, "array id {} of {} is taken", d.array_id, file_name(d.file));
}

void Validation::check_dimension(const Declaration& d) {
  const bool buffered = d.file == File::Const || d.file == File::HwAtomic;
  const bool given = d.dimension_kind != Declaration::Dimension::None;
  has_vertices_[static_cast<size_t>(d.file)] |= given;
  if (buffered && d.dimension_kind == Declaration::Dimension::Empty)
    return fail(Rule::dimension_missing, d.loc, "expected the number of a buffer in the first bracket of {}", file_name(d.file));
  if (buffered && d.dimension >= kMaxBuffers)
    return fail(Rule::too_many_registers, d.loc, "{} has buffers 0 to {}, found {}", file_name(d.file), kMaxBuffers - 1, d.dimension);
  if (buffered) return;
  const bool wanted = has_vertices(d, p.stage);
  const bool either = d.semantic && d.semantic->name == Semantic::PrimitiveId;
  if (wanted && !given && !either)
    fail(Rule::dimension_missing, d.loc, "expected a bracket for the vertex before that of the {} register", file_name(d.file));
  if (!wanted && given) fail(Rule::dimension_not_allowed, d.loc, "{} takes one bracket here, found two", file_name(d.file));
}

void Validation::check_semantic(const Declaration& d) {
  const bool needed = d.file == File::Out || d.file == File::Sv || (d.file == File::In && p.stage != Stage::Vertex);
  if (!d.semantic) {
    if (needed) fail(Rule::semantic_missing, d.loc, "expected a semantic for {}[{}]", file_name(d.file), d.first);
    return;
  }
  for (uint32_t r = d.first; r <= d.last; ++r) {
    const uint32_t index = d.semantic->index + (r - d.first);
    uint8_t& taken = semantic_masks_[semantic_key(d.file, *d.semantic, index)];
    if (taken & d.usage_mask) {
      fail(Rule::duplicate_semantic, d.loc, "{} {}[{}] is declared before", file_name(d.file),
           name_of(kSemanticNames, d.semantic->name), index);
      return;
    }
    taken |= d.usage_mask;
  }
}

void Validation::check_stage_words(const Declaration& d) {
  const auto mismatch = [&](std::string_view what) {
    fail(Rule::stage_mismatch, d.loc, "{} is not for {} programs", what, name_of(kStageNames, p.stage));
  };
  if (d.file == File::In && p.stage == Stage::Vertex && d.semantic) mismatch("a semantic of an input");
  if (d.interpolation && (d.file != File::In || p.stage != Stage::Fragment)) mismatch("interpolation");
  if (d.location && (d.file != File::In || p.stage != Stage::Fragment)) mismatch("a sampling location");
  if (d.streams && p.stage != Stage::Geometry) mismatch("STREAM");
  if (d.memory == MemoryKind::Shared && p.stage != Stage::Compute) mismatch("SHARED memory");
  if (p.stage == Stage::Compute && (d.file == File::In || d.file == File::Out)) mismatch(file_name(d.file));
}

void Validation::declare(const Declaration& d) {
  for (uint32_t r = d.first; r <= d.last; ++r) {
    const auto [at, is_new] = declared_.emplace(register_key(d.file, name_dimension(d), r), &d);
    const bool splits_channels = d.semantic && !(at->second->usage_mask & d.usage_mask);
    if (!is_new && !splits_channels)
      return fail(Rule::duplicate_declaration, d.loc, "{}[{}] is declared before", file_name(d.file), r);
    if (is_new) ++declared_count_[static_cast<size_t>(d.file)];
  }
}

const Declaration* Validation::declared(File file, uint32_t dimension, uint32_t reg) const {
  const auto at = declared_.find(register_key(file, dimension, reg));
  return at == declared_.end() ? nullptr : at->second;
}

const Declaration* Validation::array(File file, uint32_t id) const {
  const auto at = arrays_.find(register_key(file, 0, id));
  return at == arrays_.end() ? nullptr : at->second;
}

void Validation::check_properties() {
  for (const Property& property : p.properties) check_property(property);
}

void Validation::check_property(const Property& property) {
  const std::string_view name = name_of(kPropertyNames, property.name);
  const auto stage = stage_of(property.name);
  if (stage && *stage != p.stage)
    fail(Rule::stage_mismatch, property.loc, "{} is for {} programs", name, name_of(kStageNames, *stage));
  const Limits limits = limits_of(property.name);
  if (property.value < limits.low || property.value > limits.high)
    fail(Rule::property_range, property.loc, "{} is from {} to {}, found {}", name, limits.low, limits.high, property.value);
}

}  // namespace tessera::tgsi
