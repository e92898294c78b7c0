// shader/tgsi/validate_properties.cpp: rules of properties: stages, ranges, and those that a stage cannot do without.
#include "shader/tgsi/validation.h"

namespace tessera::tgsi {
namespace {

constexpr uint32_t kMaxBlockThreads = 1024, kMaxDistances = 8;

struct PropertyRule {
  uint8_t stages;
  uint32_t least, most;
};

namespace stages {
constexpr uint8_t Vertex = stage_bit(Stage::Vertex), Fragment = stage_bit(Stage::Fragment),
                  Geometry = stage_bit(Stage::Geometry), TessCtrl = stage_bit(Stage::TessCtrl),
                  TessEval = stage_bit(Stage::TessEval), Compute = stage_bit(Stage::Compute),
                  BeforeRaster = Vertex | Geometry | TessEval, Any = BeforeRaster | Fragment | TessCtrl | Compute;
}  // namespace stages

constexpr PropertyRule kRules[] = {
#define PROPERTY(name, text, values, where, least, most) {stages::where, least, most},
#include "shader/tgsi/properties.def"
#undef PROPERTY
};

enum : uint32_t {
  Points = 0,
  Lines = 1,
  LineStrip = 3,
  Triangles = 4,
  TriangleStrip = 5,
  Quads = 7,
  LinesAdjacency = 10,
  TrianglesAdjacency = 12
};
template <class... Primitives>
constexpr uint32_t set(Primitives... p) { return ((1u << p) | ...); }

// The primitives that a property may name; all bits for properties of another kind.
uint32_t primitives_of(PropertyName name) {
  if (name == PropertyName::GsInputPrimitive) return set(Points, Lines, Triangles, LinesAdjacency, TrianglesAdjacency);
  if (name == PropertyName::GsOutputPrimitive) return set(Points, LineStrip, TriangleStrip);
  if (name == PropertyName::TesPrimMode) return set(Lines, Triangles, Quads);
  return ~0u;
}

}  // namespace

uint32_t vertices_of_primitive(uint32_t primitive) {
  switch (primitive) {
    case Points: return 1;
    case Lines: return 2;
    case Triangles: return 3;
    case LinesAdjacency: return 4;
    case TrianglesAdjacency: return 6;
    default: return kMaxPatchVertices;
  }
}

void Validation::check_properties() {
  for (const Property& property : p.properties) check_property(property);
  check_needed_properties();
  check_sums_of_properties();
}

void Validation::check_property(const Property& property) {
  const std::string_view name = name_of(kPropertyNames, property.name);
  const PropertyRule& rule = kRules[static_cast<size_t>(property.name)];
  if (!(rule.stages & stage_bit(p.stage)))
    fail(Rule::stage_mismatch, property.loc, "{} is not for {} programs", name, name_of(kStageNames, p.stage));
  if (properties_.at(property.name) != &property)
    fail(Rule::duplicate_property, property.loc, "{} is given before", name);
  if (property.value < rule.least || property.value > rule.most)
    return fail(Rule::property_range, property.loc, "{} is from {} to {}, found {}", name, rule.least, rule.most,
                property.value);
  if (const uint32_t allowed = primitives_of(property.name); allowed != ~0u && !(allowed >> property.value & 1))
    fail(Rule::property_primitive, property.loc, "{} does not take {}", name, kPrimitiveNames[property.value]);
}

void Validation::check_needed_properties() {
  static constexpr struct { Stage stage; PropertyName name; } kNeeded[] = {
      {Stage::Geometry, PropertyName::GsInputPrimitive}, {Stage::Geometry, PropertyName::GsOutputPrimitive},
      {Stage::Geometry, PropertyName::GsMaxOutputVertices}, {Stage::TessCtrl, PropertyName::TcsVerticesOut},
      {Stage::TessEval, PropertyName::TesPrimMode}};
  for (const auto& needed : kNeeded)
    if (needed.stage == p.stage && !given(needed.name))
      fail(Rule::property_missing, {1, 1}, "a {} program needs PROPERTY {}", name_of(kStageNames, p.stage),
           name_of(kPropertyNames, needed.name));
  for (const PropertyName name : {PropertyName::CsFixedBlockHeight, PropertyName::CsFixedBlockDepth})
    if (const Property* size = given(name); size && !given(PropertyName::CsFixedBlockWidth))
      fail(Rule::property_missing, size->loc, "{} needs PROPERTY CS_FIXED_BLOCK_WIDTH", name_of(kPropertyNames, name));
}

// The first one given; null: none.
const Property* Validation::given(PropertyName name) const {
  const auto at = properties_.find(name);
  return at == properties_.end() ? nullptr : at->second;
}

void Validation::check_sums_of_properties() {
  uint64_t threads = 1;
  const Property* last = nullptr;
  for (const PropertyName name :
       {PropertyName::CsFixedBlockWidth, PropertyName::CsFixedBlockHeight, PropertyName::CsFixedBlockDepth})
    if (const Property* size = given(name)) threads *= std::max(1u, size->value), last = size;
  if (threads > kMaxBlockThreads)
    fail(Rule::block_too_large, last->loc, "a block has at most {} threads, found {}", kMaxBlockThreads, threads);
  const Property *clip = given(PropertyName::NumClipdistEnabled), *cull = given(PropertyName::NumCulldistEnabled);
  if (clip && cull && clip->value + cull->value > kMaxDistances)
    fail(Rule::too_many_distances, cull->loc, "there are {} clip and cull distances together, found {}", kMaxDistances,
         clip->value + cull->value);
}

// Vertices that a register of every vertex is indexed by.
uint32_t Validation::vertex_count(File file) const {
  if (p.stage == Stage::Geometry && file == File::In)
    if (const Property* primitive = given(PropertyName::GsInputPrimitive))
      return vertices_of_primitive(primitive->value);
  if (p.stage == Stage::TessCtrl && file == File::Out)
    if (const Property* count = given(PropertyName::TcsVerticesOut)) return count->value;
  return kMaxPatchVertices;
}

}  // namespace tessera::tgsi
