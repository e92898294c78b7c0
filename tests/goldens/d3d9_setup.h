// tests/goldens/d3d9_setup.h: what a Direct3D 9 pixel record binds and sets, made on a device.
#pragma once

#include "frontend/direct3d9.h"
#include "tests/goldens/golden.h"

namespace tessera::goldens {

uint32_t parse_hex(const Json& json);                    // "ff00ff00", or a number
std::vector<uint32_t> parse_words(const Json& json);     // of bytecode

// The result, or BadRecord.
template <class T>
T value_of(Result<T> result) {
  if (!result) throw BadRecord(result.diags().front().text);
  return std::move(*result);
}
inline void require(const Status& status) {
  if (!status) throw BadRecord(status.diags().front().text);
}

// States, constants, textures, vertices and transforms of one draw; all others are as on a new device.
void set_up_draw(Device& device, Direct3d9& d3d, const Json& draw);

}  // namespace tessera::goldens
