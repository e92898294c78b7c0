// shader/tgsi/parse_operand.h: registers, indices, masks and swizzles. Each takes its tokens or complains and gives false.
#pragma once

#include "shader/tgsi/cursor.h"
#include "shader/tgsi/program.h"

namespace tessera::tgsi {

inline constexpr uint32_t kMaxIndex = 0xffff;   // of registers, dimensions and offsets as written

bool parse_index_number(Cursor& c, uint32_t& value);
bool parse_register(Cursor& c, Register& reg);
bool parse_mask(Cursor& c, uint8_t& mask);      // the letters, behind the dot
bool parse_destination(Cursor& c, Destination& dst);
bool parse_source(Cursor& c, Source& src);
bool parse_offset(Cursor& c, Offset& offset);

}  // namespace tessera::tgsi
