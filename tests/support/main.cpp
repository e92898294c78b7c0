// tests/support/main.cpp: the main function of the test programs. Unlike the product they follow the user's locale, in C
// and in C++, so that running them under another one shows that the product's text does not depend on it.
#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>
#include <clocale>
#include <locale>

#include "tests/support/simd_limit.h"

int main(int argc, char** argv) {
  if (!tessera::test::limit_simd()) return 2;
  if (std::setlocale(LC_ALL, "") != nullptr) std::locale::global(std::locale(""));
  return Catch::Session().run(argc, argv);
}
