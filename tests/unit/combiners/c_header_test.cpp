#include <catch2/catch.hpp>

#include "tests/unit/combiners/c_header.h"

TEST_CASE("a C program sets up combiners by the header alone", "[combiners]") { CHECK(set_up_in_c() == 0); }

TEST_CASE("a port uses gl names and the spellings of 1999", "[combiners]") { CHECK(set_up_by_gl_names() == 0); }
