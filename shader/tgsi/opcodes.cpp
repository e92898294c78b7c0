#include "shader/tgsi/opcodes.h"

#include <algorithm>
#include <array>

namespace tessera::tgsi {
namespace {

constexpr OpcodeInfo make_info(std::string_view name, OpGroup group, std::string_view signature, OpStages stages,
                               OpKind kind) {
  const size_t equals = signature.find('=');
  const std::string_view srcs = signature.substr(equals + 1);
  const auto required = std::count_if(srcs.begin(), srcs.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
  return {name, group, signature.substr(0, equals), srcs, static_cast<uint8_t>(required), stages, kind};
}

constexpr OpcodeInfo kOpcodes[] = {
#define OP(name, group, signature, stages, kind, lowering) \
  make_info(#name, OpGroup::group, signature, OpStages::stages, OpKind::kind),
#include "shader/tgsi/ops.def"
#undef OP
};
constexpr size_t kCount = std::size(kOpcodes);

constexpr std::string_view kGroupNames[] = {
    "float",   "derivative", "address", "pack", "convert",  "int",      "bit",      "double", "int64",
    "texture", "memory",     "atomic",  "flow", "fragment", "geometry", "subgroup", "misc"};

// The opcodes in the order of their names, for the search.
constexpr std::array<uint8_t, kCount> sorted_by_name() {
  std::array<uint8_t, kCount> order{};
  for (size_t i = 0; i < kCount; ++i) order[i] = static_cast<uint8_t>(i);
  std::sort(order.begin(), order.end(), [](uint8_t a, uint8_t b) { return kOpcodes[a].name < kOpcodes[b].name; });
  return order;
}

}  // namespace

const OpcodeInfo& opcode_info(Opcode opcode) { return kOpcodes[static_cast<size_t>(opcode)]; }

std::span<const OpcodeInfo> all_opcodes() { return kOpcodes; }

std::optional<Opcode> opcode_from_name(std::string_view upper_case_name) {
  static constexpr std::array<uint8_t, kCount> order = sorted_by_name();
  const auto at = std::lower_bound(order.begin(), order.end(), upper_case_name,
                                   [](uint8_t i, std::string_view name) { return kOpcodes[i].name < name; });
  if (at == order.end() || kOpcodes[*at].name != upper_case_name) return std::nullopt;
  return static_cast<Opcode>(*at);
}

std::string_view op_group_name(OpGroup group) { return kGroupNames[static_cast<size_t>(group)]; }

}  // namespace tessera::tgsi
