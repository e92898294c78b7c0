// frontend/vtest/decode.h: a command in words people read: fields by name, from the descriptions in commands.def and
// object_fields.def. A description is a row of fields with a blank between:
//
//     name          a word, in decimal            name/f float   /d double, two words   /x hexadecimal   /i signed
//     {a b:3 _:2}   one word's bits, the lowest first; `:3` takes three, `_` has no name; fields that are 0 are left out
//     [a b]         these fields again and again, up to the end of the command
//     ...           the rest is not shown
//
// `/format` shows a format's name. A command may end before its description does; words behind it are shown as `more`.
#pragma once

#include <string>
#include <string_view>

#include "frontend/vtest/words.h"

namespace tessera::vtest {

// Of `d` from word 1 on.
std::string decode_fields(std::string_view description, Words d);

// A whole command on one line; CREATE_OBJECT with the fields of its object.
std::string decode_command(std::string_view name, std::string_view description, Words d);

}  // namespace tessera::vtest
