#include "shader/tgsi/names.h"

namespace tessera::tgsi {
namespace {

constexpr std::string_view kFiles[] = {
#define REGISTER_FILE(name, text) text,
#include "shader/tgsi/files.def"
#undef REGISTER_FILE
};
constexpr std::string_view kProperties[] = {
#define PROPERTY(name, text, ...) text,
#include "shader/tgsi/properties.def"
#undef PROPERTY
};
constexpr PropertyValues kPropertyValues[] = {
#define PROPERTY(name, text, values, ...) PropertyValues::values,
#include "shader/tgsi/properties.def"
#undef PROPERTY
};
constexpr std::string_view kSemantics[] = {
#define SEMANTIC(name, text) text,
#include "shader/semantics.def"
#undef SEMANTIC
};
constexpr std::string_view kTargets[] = {
    "BUFFER", "1D", "2D", "3D", "CUBE", "RECT", "1D_ARRAY", "2D_ARRAY", "CUBEARRAY",
    "SHADOW1D", "SHADOW2D", "SHADOWRECT", "SHADOWCUBE", "SHADOW1D_ARRAY", "SHADOW2D_ARRAY", "SHADOWCUBEARRAY",
    "2D_MSAA", "2D_ARRAY_MSAA", "UNKNOWN"};
constexpr std::string_view kInterpolations[] = {"CONSTANT", "LINEAR", "PERSPECTIVE", "COLOR"};
constexpr std::string_view kLocations[] = {"CENTER", "CENTROID", "SAMPLE"};
constexpr std::string_view kViewTypes[] = {"UNORM", "SNORM", "SINT", "UINT", "FLOAT"};
constexpr std::string_view kImmediateTypes[] = {"FLT32", "UINT32", "INT32", "FLT64", "INT64", "UINT64"};
constexpr std::string_view kMemoryKinds[] = {"GLOBAL", "SHARED", "PRIVATE", "INPUT"};
constexpr std::string_view kStages[] = {"VERT", "FRAG", "GEOM", "TESS_CTRL", "TESS_EVAL", "COMP"};
constexpr std::string_view kPrimitives[] = {
    "POINTS", "LINES", "LINE_LOOP", "LINE_STRIP", "TRIANGLES", "TRIANGLE_STRIP", "TRIANGLE_FAN", "QUADS", "QUAD_STRIP",
    "POLYGON", "LINES_ADJACENCY", "LINE_STRIP_ADJACENCY", "TRIANGLES_ADJACENCY", "TRIANGLE_STRIP_ADJACENCY"};
constexpr std::string_view kCoordOrigins[] = {"UPPER_LEFT", "LOWER_LEFT"};
constexpr std::string_view kPixelCenters[] = {"HALF_INTEGER", "INTEGER"};
constexpr std::string_view kQualifiers[] = {"COHERENT", "RESTRICT", "VOLATILE", "STREAM_CACHE_POLICY"};

}  // namespace

const Names kFileNames = kFiles, kPropertyNames = kProperties, kSemanticNames = kSemantics, kTargetNames = kTargets,
            kInterpolationNames = kInterpolations, kLocationNames = kLocations, kViewTypeNames = kViewTypes,
            kImmediateTypeNames = kImmediateTypes, kMemoryKindNames = kMemoryKinds, kStageNames = kStages,
            kPrimitiveNames = kPrimitives, kCoordOriginNames = kCoordOrigins, kPixelCenterNames = kPixelCenters,
            kQualifierNames = kQualifiers;

PropertyValues property_values(uint32_t property) { return kPropertyValues[property]; }

Names property_value_names(PropertyValues values) {
  switch (values) {
    case PropertyValues::Number:
    case PropertyValues::Flag: return {};
    case PropertyValues::Primitive: return kPrimitiveNames;
    case PropertyValues::CoordOrigin: return kCoordOriginNames;
    case PropertyValues::PixelCenter: return kPixelCenterNames;
    case PropertyValues::StageName: return kStageNames;
  }
  return {};
}

std::string to_upper(std::string_view word) {
  std::string upper(word);
  for (char& c : upper)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return upper;
}

std::optional<uint32_t> find_name(Names names, std::string_view upper_case_word) {
  for (size_t i = 0; i < names.size(); ++i)
    if (names[i] == upper_case_word) return static_cast<uint32_t>(i);
  return std::nullopt;
}

}  // namespace tessera::tgsi
