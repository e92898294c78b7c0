#include "frontend/vtest/formats.h"

namespace tessera::vtest {
namespace {

struct Entry {
  uint32_t number;
  Format format;
  FormatUse use;
};
constexpr Entry kEntries[] = {
#define VIRGL_FORMAT(number, format, use, level) {number, Format::format, FormatUse::use},
#include "frontend/vtest/formats.def"
#undef VIRGL_FORMAT
};
constexpr uint32_t kNumbers = kFormatMaskWords * 32;

constexpr std::array<Format, kNumbers> by_number() {
  std::array<Format, kNumbers> table{};
  for (const Entry& e : kEntries) table[e.number] = e.format;
  return table;
}
constexpr std::array<Format, kNumbers> kByNumber = by_number();

template <class Wanted>
FormatMask mask_where(Wanted wanted) {
  FormatMask mask{};
  for (const Entry& e : kEntries)
    if (wanted(e)) mask[e.number / 32] |= 1u << e.number % 32;
  return mask;
}

}  // namespace

std::optional<Format> format_from_number(uint32_t number) {
  if (number == 0) return Format::NONE;
  if (number >= kNumbers || kByNumber[number] == Format::NONE) return std::nullopt;
  return kByNumber[number];
}

FormatMask mask_of(FormatUse use) {
  return mask_where([use](const Entry& e) { return e.use >= use && e.use != FormatUse::None; });
}

FormatMask depth_stencil_mask() {
  return mask_where([](const Entry& e) {
    return e.use != FormatUse::None && format_info(e.format).is_depth_or_stencil();
  });
}

FormatMask depth_mask() {
  return mask_where([](const Entry& e) { return e.use != FormatUse::None && format_has_depth(e.format); });
}

}  // namespace tessera::vtest
