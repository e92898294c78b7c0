// shader/d3d9/parse_operand.h: one operand of a text. Each gives false where a token is wrong, with one diagnosis.
#pragma once

#include "shader/d3d9/cursor.h"
#include "shader/d3d9/program.h"

namespace tessera::d3d9 {

bool parse_destination(Cursor& cursor, Version version, Destination& dst);
bool parse_source(Cursor& cursor, Version version, Source& src);

}  // namespace tessera::d3d9
