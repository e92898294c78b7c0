// shader/tgsi/validate_declarations.cpp: rules of declarations.
#include <algorithm>

#include "shader/tgsi/targets.h"
#include "shader/tgsi/validation.h"

namespace tessera::tgsi {
namespace {

constexpr uint32_t kMaxRegisters = 4096, kMaxVaryings = 256, kMaxConstants = 65536;
constexpr uint32_t kMaxResources = 128, kMaxBuffers = 32;

uint64_t register_key(File file, uint32_t dimension, uint32_t reg) {
  return uint64_t{static_cast<uint8_t>(file)} << 48 | uint64_t{dimension} << 24 | reg;
}

uint32_t register_limit(File file) {
  switch (file) {
    case File::Samp:
    case File::Sview:
    case File::Image:
    case File::Buffer:
    case File::Memory: return kMaxResources;
    case File::In:
    case File::Out:
    case File::Sv: return kMaxVaryings;
    case File::Const: return kMaxConstants;
    case File::ConstBuf: return kMaxBuffers;
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

// Real texts declare some outputs twice, each time for other channels.
bool splits_channels(const Declaration& a, const Declaration& b) {
  return b.semantic && !(a.usage_mask & b.usage_mask);
}

bool may_have_array_id(File file) {
  return file == File::In || file == File::Out || file == File::Temp || file == File::Const || file == File::HwAtomic;
}

}  // namespace

void Validation::check_declarations() {
  check_order();
  for (const Declaration& d : p.declarations) check_declaration(d);
  check_immediate_count();
}

void Validation::check_immediate_count() {
  if (p.immediates.size() > kMaxRegisters)
    fail(Rule::too_many_registers, p.immediates[kMaxRegisters].loc, "there are at most {} immediates", kMaxRegisters);
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
    fail(Rule::declaration_after_code, loc,
         "expected an instruction, found a declaration behind the first instruction");
  }
}

void Validation::check_declaration(const Declaration& d) {
  const uint32_t limit = register_limit(d.file);
  if (d.last >= limit)
    return fail(Rule::too_many_registers, d.loc, "{} has registers 0 to {}, found {}", file_name(d.file), limit - 1,
                d.last);
  if (const Declaration* before = declared(d.file, name_dimension(d), d.first); before && says_the_same(*before, d))
    return;
  check_dimension(d);
  check_semantic(d);
  check_stage_words(d);
  declare(d);
  if (d.array_id) check_array_id(d);
  const bool is_compared = d.file == File::Image && d.target && target_shape(*d.target).is_shadow();
  if (is_compared || d.target == TextureTarget::Unknown)
    fail(Rule::target_not_allowed, d.loc, "{} cannot be {}", file_name(d.file), name_of(kTargetNames, *d.target));
}

void Validation::check_array_id(const Declaration& d) {
  if (!may_have_array_id(d.file))
    return fail(Rule::array_place, d.loc, "{} has no arrays with an id", file_name(d.file));
  if (!arrays_.emplace(register_key(d.file, 0, d.array_id), &d).second)
    fail(Rule::duplicate_array, d.loc, "array id {} of {} is taken", d.array_id, file_name(d.file));
}

void Validation::check_dimension(const Declaration& d) {
  const bool buffered = d.file == File::Const || d.file == File::HwAtomic;
  const bool given = d.dimension_kind != Declaration::Dimension::None;
  has_vertices_[static_cast<size_t>(d.file)] |= given;
  if (buffered && d.dimension_kind == Declaration::Dimension::Empty)
    return fail(Rule::dimension_missing, d.loc, "expected the number of a buffer in the first bracket of {}",
                file_name(d.file));
  if (buffered && d.dimension >= kMaxBuffers)
    return fail(Rule::too_many_registers, d.loc, "{} has buffers 0 to {}, found {}", file_name(d.file), kMaxBuffers - 1,
                d.dimension);
  if (buffered) return;
  const bool wanted = has_vertices(d, p.stage);
  const bool either = d.semantic && d.semantic->name == Semantic::PrimitiveId;
  if (wanted && !given && !either)
    fail(Rule::dimension_missing, d.loc, "expected a bracket for the vertex before that of the {} register",
         file_name(d.file));
  if (!wanted && given)
    return fail(Rule::dimension_not_allowed, d.loc, "{} takes one bracket here, found two", file_name(d.file));
  if (d.dimension_kind == Declaration::Dimension::Number && d.dimension > vertex_count(d.file))
    fail(Rule::vertex_outside, d.loc, "there are {} vertices, found {}", vertex_count(d.file), d.dimension);
}

void Validation::check_stage_words(const Declaration& d) {
  const auto mismatch = [&](std::string_view what) {
    fail(Rule::stage_mismatch, d.loc, "{} is not for {} programs", what, name_of(kStageNames, p.stage));
  };
  if (d.file == File::In && p.stage == Stage::Vertex && d.semantic) mismatch("a semantic of an input");
  if (d.file == File::In && p.stage == Stage::Vertex && d.invariant) mismatch("INVARIANT of an input");
  if (d.interpolation && (d.file != File::In || p.stage != Stage::Fragment)) mismatch("interpolation");
  if (d.location && (d.file != File::In || p.stage != Stage::Fragment)) mismatch("a sampling location");
  if (d.streams && p.stage != Stage::Geometry) mismatch("STREAM");
  if (d.file == File::Memory && p.stage != Stage::Compute) mismatch("MEMORY");
  if (p.stage == Stage::Compute && (d.file == File::In || d.file == File::Out)) mismatch(file_name(d.file));
}

void Validation::declare(const Declaration& d) {
  is_declared_[static_cast<size_t>(d.file)] = true;
  if (const Declaration* before = declared_.add(name_dimension(d), d))
    fail(Rule::duplicate_declaration, d.loc, "{}[{}] is declared before", file_name(d.file),
         std::max(d.first, before->first));
}

const Declaration* DeclaredRegisters::add(uint32_t dimension, const Declaration& d) {
  uint64_t at = register_key(d.file, dimension, d.first);
  const uint64_t end = register_key(d.file, dimension, d.last) + 1;
  while (at < end) {
    const auto next = by_last_.lower_bound(at);
    const bool is_free = next == by_last_.end() || next->second.first >= end;
    const uint64_t free_end = is_free ? end : std::max(at, next->second.first);
    if (free_end > at) by_last_.emplace(free_end - 1, Range{at, &d});
    if (is_free) return nullptr;
    if (!splits_channels(*next->second.declaration, d)) return next->second.declaration;
    at = next->first + 1;
  }
  return nullptr;
}

const Declaration* DeclaredRegisters::find(File file, uint32_t dimension, uint32_t reg) const {
  const uint64_t key = register_key(file, dimension, reg);
  const auto at = by_last_.lower_bound(key);
  return at != by_last_.end() && at->second.first <= key ? at->second.declaration : nullptr;
}

const Declaration* Validation::array(File file, uint32_t id) const {
  const auto at = arrays_.find(register_key(file, 0, id));
  return at == arrays_.end() ? nullptr : at->second;
}

}  // namespace tessera::tgsi
