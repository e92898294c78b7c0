// Program texts as clients mean them.
#include <catch2/catch.hpp>

#include "frontend/vtest/program_text.h"

using tessera::vtest::with_doubles_in_xy;

TEST_CASE("a double that is converted to one channel alone comes from xy of the client's register") {
  CHECK(with_doubles_in_xy("  7: D2F OUT[0].y, TEMP[22]\n  8: END\n") ==
        "D2F TEMP[22].x, TEMP[22]\nMOV OUT[0].y, TEMP[22].xxxx\n  8: END\n");
  CHECK(with_doubles_in_xy("D2I TEMP[3].w, TEMP[1]") == "D2I TEMP[1].x, TEMP[1]\nMOV TEMP[3].w, TEMP[1].xxxx\n");
}

TEST_CASE("a double result in zw comes from xy of the client's registers") {
  CHECK(with_doubles_in_xy("  7: DADD TEMP[0].zw, TEMP[18], TEMP[19]\n") ==
        "DADD TEMP[0].zw, TEMP[18].xyxy, TEMP[19].xyxy\n");
  CHECK(with_doubles_in_xy("  7: DLDEXP TEMP[0].zw, TEMP[18], TEMP[2].xxxx\n") ==
        "DLDEXP TEMP[0].zw, TEMP[18].xyxy, TEMP[2].xxxx\n");
}

TEST_CASE("all other lines of a program stay as they are") {
  for (const char* line :
       {"  0: D2F OUT[0].x, TEMP[22]\n", "  1: D2F OUT[0].xy, TEMP[22]\n", "D2F OUT[0].y, CONST[2]\n",
        "D2F OUT[0].y, TEMP[1].zwzw\n", "  2: D2I64 TEMP[1].zw, TEMP[2]\n", "DCL TEMP[0..3]\n", "\n", "VERT\n",
        "  3: DADD TEMP[0].xy, TEMP[18], TEMP[19]\n", "  4: ADD TEMP[0].zw, TEMP[18], TEMP[19]\n", "  5: END\n"})
    CHECK(with_doubles_in_xy(line) == line);
}
