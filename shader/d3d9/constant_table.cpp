#include "shader/d3d9/constant_table.h"

#include <optional>

#include "shader/d3d9/token.h"

namespace tessera::d3d9 {
namespace {

constexpr uint32_t kHeader_bytes = 28, kConstant_bytes = 20, kType_bytes = 16, kMaxName_bytes = 255;
constexpr File kFilesOfSets[] = {File::ConstBool, File::ConstInt, File::Const, File::Sampler};

// Offsets count from the word after the tag. Whoever reads asks has() first.
class Table {
 public:
  explicit Table(std::span<const uint32_t> words) : words_(words) {}

  bool has(uint64_t offset, uint64_t bytes) const { return offset + bytes <= words_.size() * 4; }
  uint8_t byte(uint32_t offset) const { return static_cast<uint8_t>(words_[offset / 4] >> offset % 4 * 8); }
  uint16_t half(uint32_t offset) const { return static_cast<uint16_t>(byte(offset) | byte(offset + 1) << 8); }
  uint32_t word(uint32_t offset) const { return half(offset) | static_cast<uint32_t>(half(offset + 2)) << 16; }

  std::optional<std::string> text(uint32_t offset) const {
    std::string out;
    for (uint64_t at = offset; has(at, 1) && out.size() <= kMaxName_bytes; ++at) {
      const char c = static_cast<char>(byte(static_cast<uint32_t>(at)));
      if (c == '\0') return out;
      out += c;
    }
    return std::nullopt;
  }

 private:
  std::span<const uint32_t> words_;
};

std::optional<NamedConstant> read_constant(const Table& table, uint32_t at) {
  const uint32_t set = table.half(at + 4), type = table.word(at + 12);
  std::optional<std::string> name = table.text(table.word(at));
  if (!name || set >= std::size(kFilesOfSets) || !table.has(type, kType_bytes)) return std::nullopt;
  return NamedConstant{.name = std::move(*name),
                       .file = kFilesOfSets[set],
                       .first = table.half(at + 6),
                       .count = table.half(at + 8),
                       .type_class = table.half(type),
                       .type = table.half(type + 2),
                       .rows = table.half(type + 4),
                       .columns = table.half(type + 6),
                       .elements = table.half(type + 8)};
}

}  // namespace

std::vector<NamedConstant> read_constant_table(std::span<const uint32_t> comment) {
  if (comment.empty() || comment[0] != token::kConstantTable) return {};
  const Table table(comment.subspan(1));
  if (!table.has(0, kHeader_bytes)) return {};
  const uint32_t count = table.word(12), first = table.word(16);
  if (!table.has(first, uint64_t{count} * kConstant_bytes)) return {};
  std::vector<NamedConstant> constants;
  for (uint32_t i = 0; i < count; ++i) {
    std::optional<NamedConstant> constant = read_constant(table, first + i * kConstant_bytes);
    if (!constant) return {};
    constants.push_back(std::move(*constant));
  }
  return constants;
}

}  // namespace tessera::d3d9
