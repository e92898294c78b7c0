// frontend/vtest/program_text.h: what a client's program text means, where that is not what TGSI's description says.
// The client lays doubles out in xy of registers of its own before an instruction takes them, whichever channels the
// result goes to. TGSI takes a result in zw, and a converted one in y, from zw.
#pragma once

#include <string>
#include <string_view>

namespace tessera::vtest {

// The text with each such instruction made to take xy: `DADD t.zw, a, b` becomes `DADD t.zw, a.xyxy, b.xyxy`, and a
// conversion to y, z or w alone goes through x. Lines keep their order.
std::string with_doubles_in_xy(std::string_view text);

}  // namespace tessera::vtest
