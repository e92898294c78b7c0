#include "shader/opcodes.h"

namespace tessera::ir {
namespace {

struct Operands {
  std::array<Type, 4> types{};
  uint8_t count = 0, words = 0;
};

template <class... T>
constexpr Operands operands(T... types) {
  return {{types...}, sizeof...(types), static_cast<uint8_t>((words_of(types) + ... + 0))};
}

constexpr OpInfo info(std::string_view name, Type result, Operands in, uint32_t traits, uint8_t ulp,
                      std::string_view formula) {
  return {name, result, in.types, in.count, in.words, traits, ulp, formula};
}

constexpr std::array<OpInfo, kOpCount> make_table() {
  using enum Type;
  using namespace trait;
  return {{
#define OP(name, result, in, traits, ulp, formula) info(#name, result, operands in, traits, ulp, formula),
#include "shader/opcodes.def"
#undef OP
  }};
}

constexpr std::array<OpInfo, kOpCount> kOpInfo = make_table();

}  // namespace

const OpInfo& op_info(Op op) { return kOpInfo[static_cast<size_t>(op)]; }

std::optional<Op> op_from_name(std::string_view name) {
  for (size_t i = 0; i < kOpCount; ++i)
    if (kOpInfo[i].name == name) return static_cast<Op>(i);
  return std::nullopt;
}

}  // namespace tessera::ir
