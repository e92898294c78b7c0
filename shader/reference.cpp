#include "shader/reference.h"

#include <fmt/format.h>

#include <span>

#include "shader/opcodes.h"

namespace tessera::ir {
namespace {

struct Spelling {
  uint32_t trait;
  std::string_view text;
};
constexpr Spelling kTraits[] = {
    {trait::Pure, "pure"},        {trait::LaneCross, "across lanes"}, {trait::Reads, "reads state"},
    {trait::Effect, "effect"},    {trait::Region, "control flow"},    {trait::Arith, "arithmetic NaN"},
    {trait::Copy, "copies bits"}, {trait::Commutes, "commutes"},      {trait::Slow, "slow"},
};
constexpr Spelling kImmediates[] = {
    {trait::ImmBits, "bits"},   {trait::ImmInput, "input"},     {trait::ImmBuffer, "constant buffer"},
    {trait::ImmArray, "array"}, {trait::ImmTexture, "texture operation"}, {trait::ImmRegion, "region"},
    {trait::ImmMemory, "memory operation"},
};

constexpr std::string_view type_name(Type type) {
  constexpr std::string_view kNames[] = {"", "word", "f32", "i32", "u32", "bool", "f64", "i64"};
  return kNames[static_cast<size_t>(type)];
}

std::string list(std::span<const Spelling> all, uint32_t traits) {
  std::string text;
  for (const Spelling& s : all)
    if ((traits & s.trait) != 0) text += (text.empty() ? "" : ", ") + std::string(s.text);
  return text;
}

std::string operands(const OpInfo& info) {
  if (info.is(trait::Variadic)) return "any number";
  std::string text;
  for (uint32_t k = 0; k < info.operand_count; ++k)
    text += fmt::format("{}{} {}", k > 0 ? ", " : "", "abcd"[k], type_name(info.operands[k]));
  return text;
}

// A bar would end the cell.
std::string cell(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '|' ? std::string("\\|") : std::string(1, c);
  return out;
}

}  // namespace

std::string opcode_reference() {
  std::string page =
      "# Operations of the intermediate representation\n\n"
      "Made by `tessera shader reference ir` from `opcodes.def`; a test compares. Types, traits and the rules of NaN are\n"
      "explained at the head of that file and in `opcodes.h`; a, b, c, d are the operands. ulp: the largest error in units of\n"
      "the last place of the exact result; 0 is correctly rounded.\n\n"
      "| operation | result | operands | immediate | formula | ulp | traits |\n|---|---|---|---|---|---|---|\n";
  for (size_t n = 0; n < kOpCount; ++n) {
    const OpInfo& info = op_info(static_cast<Op>(n));
    page += fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n", info.name, type_name(info.result), operands(info),
                        list(kImmediates, info.traits), cell(info.formula), info.ulp, list(kTraits, info.traits));
  }
  return page;
}

}  // namespace tessera::ir
