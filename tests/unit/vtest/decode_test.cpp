// Commands as text for people.
#include <catch2/catch.hpp>

#include "client.h"
#include "frontend/vtest/decode.h"

using namespace tessera;
using tests::bits_of;
using tests::command;
using vtest::Words;

namespace {

std::string decoded(std::string_view fields, std::vector<uint32_t> payload) {
  const std::vector<uint32_t> words = command(0, 0, std::move(payload));
  return vtest::decode_fields(fields, Words(words));
}

}  // namespace

TEST_CASE("fields are shown by name, in the form that the description asks for") {
  CHECK(decoded("a b/x c/i d/f", {10, 255, ~0u, bits_of(0.5f)}) == " a=10 b=0xff c=-1 d=0.5");
  CHECK(decoded("depth/d after", {0, 0x3ff00000, 7}) == " depth=1 after=7");
  CHECK(decoded("format/format other/format", {1, 9999}) == " format=B8G8R8A8_UNORM other=9999?");
}

TEST_CASE("bits of a word are taken from the lowest on, and those that are 0 are left out") {
  CHECK(decoded("{a b:3 _:4 c:8/x} d", {0xab03, 5}) == " a=1 b=1 c=0xab d=5");
  CHECK(decoded("{a whole:31}", {~0u}) == " a=1 whole=2147483647");
}

TEST_CASE("groups go on to the end of the command, whole or not") {
  CHECK(decoded("[stride offset]", {1, 2, 3, 4}) == " [ stride=1 offset=2 ] [ stride=3 offset=4 ]");
  CHECK(decoded("start [stride offset]", {9, 1, 2, 3}) == " start=9 [ stride=1 offset=2 ] [ stride=3 ]");
  CHECK(decoded("start [value/f]", {0, bits_of(1), bits_of(-2)}) == " start=0 value: 1 -2");
}

TEST_CASE("a command may be shorter than its description, or longer") {
  CHECK(decoded("a b c", {1}) == " a=1");
  CHECK(decoded("a", {1, 0xbeef}) == " a=1 more beef");
  CHECK(decoded("a ...", {1, 2, 3}) == " a=1");
  CHECK(decoded("", {}) == "");
}

TEST_CASE("CREATE_OBJECT is shown with the fields of its object") {
  const std::vector<uint32_t> surface = command(1, 8, {3, 1, 1, 0, 2u << 16 | 1});
  CHECK(vtest::decode_command("CREATE_OBJECT", "", Words(surface)) ==
        "CREATE_OBJECT SURFACE handle=3 resource=1 format=B8G8R8A8_UNORM level=0 first_layer=1 last_layer=2");
  const std::vector<uint32_t> none = command(1, 99, {3});
  CHECK(vtest::decode_command("CREATE_OBJECT", "", Words(none)) == "CREATE_OBJECT of no type more 3");
}
