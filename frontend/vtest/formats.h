// frontend/vtest/formats.h: formats by the protocol's numbers. Source: virgl_hw.h.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "core/format.h"

namespace tessera::vtest {

inline constexpr uint32_t kFormatMaskWords = 16;
using FormatMask = std::array<uint32_t, kFormatMaskWords>;   // bit f % 32 of word f / 32

enum class FormatUse : uint8_t { None, Sample, Draw };

// NONE has number 0; numbers without a format give nothing.
std::optional<Format> format_from_number(uint32_t number);

// What a client may use at all: `Draw`: colour targets; `Sample`: everything, depth and stencil targets included.
FormatMask mask_of(FormatUse use);
FormatMask depth_stencil_mask();
FormatMask depth_mask();                 // those of them that hold a depth

}  // namespace tessera::vtest
