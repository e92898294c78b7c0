#include "shader/d3d9/opcodes.h"

#include <algorithm>
#include <array>

namespace tessera::d3d9 {
namespace {

constexpr std::string_view destinations_of(std::string_view operands) { return operands.substr(0, operands.find('=')); }
constexpr std::string_view sources_of(std::string_view operands) {
  const size_t equals = operands.find('=');
  return equals == std::string_view::npos ? std::string_view() : operands.substr(equals + 1);
}

constexpr uint8_t none = 0, y = 2, xy = 3, xyz = 7, xyzw = 15;
using namespace trait;
using namespace in;
constexpr OpcodeInfo kOpcodes[] = {
#define OP(name, text, token, control, group, operands, versions, slots, mask, required, traits)           \
  {text, token, control, OpGroup::group, destinations_of(operands), sources_of(operands), versions, slots, \
   mask, required, traits},
#include "shader/d3d9/ops.def"
};
constexpr size_t kCount = std::size(kOpcodes);

struct SlotsInVersions {
  Opcode opcode;
  Versions versions;
  uint32_t slots;
};
constexpr SlotsInVersions kSlots[] = {
#define SLOTS(name, versions, slots) {Opcode::Op_##name, versions, slots},
#include "shader/d3d9/ops.def"
};
constexpr SlotsInVersions kCubeSlots[] = {
#define CUBE_SLOTS(name, slots) {Opcode::Op_##name, all, slots},
#include "shader/d3d9/ops.def"
};

template <size_t N>
const SlotsInVersions* find_slots(const SlotsInVersions (&table)[N], Opcode opcode, Version version) {
  const auto at = std::ranges::find_if(
      table, [=](const SlotsInVersions& row) { return row.opcode == opcode && contains(row.versions, version); });
  return at == std::end(table) ? nullptr : at;
}

// The opcodes in the order of their mnemonics, for the search; forms of one mnemonic stand together.
constexpr std::array<uint8_t, kCount> sorted_by_text() {
  std::array<uint8_t, kCount> order{};
  for (size_t i = 0; i < kCount; ++i) order[i] = static_cast<uint8_t>(i);
  std::sort(order.begin(), order.end(), [](uint8_t a, uint8_t b) { return kOpcodes[a].text < kOpcodes[b].text; });
  return order;
}
constexpr std::array<uint8_t, kCount> kByText = sorted_by_text();

std::span<const uint8_t> forms_of(std::string_view text) {
  const auto first = std::lower_bound(kByText.begin(), kByText.end(), text,
                                      [](uint8_t i, std::string_view t) { return kOpcodes[i].text < t; });
  const auto last =
      std::upper_bound(first, kByText.end(), text, [](std::string_view t, uint8_t i) { return t < kOpcodes[i].text; });
  return {first, last};
}

constexpr uint32_t kTokenEnd = 0x61;     // of all but `phase`

// First opcode with this token, or kCount; forms of one token stand together only by the search that follows.
constexpr std::array<uint8_t, kTokenEnd> first_by_token() {
  std::array<uint8_t, kTokenEnd> first{};
  first.fill(kCount);
  for (size_t i = kCount; i-- > 0;)
    if (kOpcodes[i].token < kTokenEnd) first[kOpcodes[i].token] = static_cast<uint8_t>(i);
  return first;
}

}  // namespace

const OpcodeInfo& opcode_info(Opcode opcode) { return kOpcodes[static_cast<size_t>(opcode)]; }

std::span<const OpcodeInfo> all_opcodes() { return kOpcodes; }

bool is_mnemonic(std::string_view lower_case_text) { return !forms_of(lower_case_text).empty(); }

std::optional<Opcode> opcode_from_text(std::string_view lower_case_text, bool with_comparison, Version version) {
  for (uint8_t i : forms_of(lower_case_text)) {
    const OpcodeInfo& info = kOpcodes[i];
    if (info.has(Compare) == with_comparison && contains(info.versions, version)) return static_cast<Opcode>(i);
  }
  return std::nullopt;
}

std::optional<Opcode> opcode_from_token(uint32_t token, uint32_t control, Version version) {
  static constexpr std::array<uint8_t, kTokenEnd> kFirst = first_by_token();
  for (size_t i = token < kTokenEnd ? kFirst[token] : kCount - 1; i < kCount && kOpcodes[i].token == token; ++i) {
    const OpcodeInfo& info = kOpcodes[i];
    if ((info.has(Compare) || info.control == control) && contains(info.versions, version))
      return static_cast<Opcode>(i);
  }
  return std::nullopt;
}

uint32_t slots_of(Opcode opcode, Version version, bool is_cube) {
  if (is_cube)
    if (const SlotsInVersions* row = find_slots(kCubeSlots, opcode, version)) return row->slots;
  const SlotsInVersions* row = find_slots(kSlots, opcode, version);
  return row ? row->slots : opcode_info(opcode).slots;
}

}  // namespace tessera::d3d9
