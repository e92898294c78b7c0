#include "frontend/vtest/decode.h"

#include <fmt/format.h>

#include <vector>

#include "core/format.h"
#include "frontend/vtest/formats.h"

namespace tessera::vtest {
namespace {

// A field's name, bits and kind: "rgb_src:5/x".
struct Field {
  std::string_view name, kind;
  uint32_t bits = 0;                   // 0: not said
};

Field read_field(std::string_view text) {
  Field field;
  const size_t slash = text.find('/');
  if (slash != text.npos) field.kind = text.substr(slash + 1);
  text = text.substr(0, slash);
  const size_t colon = text.find(':');
  field.name = text.substr(0, colon);
  if (colon == text.npos) return field;
  for (const char digit : text.substr(colon + 1)) field.bits = field.bits * 10 + static_cast<uint32_t>(digit - '0');
  return field;
}

std::string value_text(std::string_view kind, uint32_t word) {
  if (kind == "f") return fmt::format("{}", std::bit_cast<float>(word));
  if (kind == "x") return fmt::format("0x{:x}", word);
  if (kind == "i") return fmt::format("{}", static_cast<int32_t>(word));
  if (kind != "format") return fmt::format("{}", word);
  const std::optional<Format> format = format_from_number(word);
  return format ? std::string(format_info(*format).name) : fmt::format("{}?", word);
}

// Up to the blank, or to the bracket that belongs to an opening one.
std::string_view take_item(std::string_view& rest) {
  while (rest.starts_with(' ')) rest.remove_prefix(1);
  const char closing = rest.starts_with('{') ? '}' : rest.starts_with('[') ? ']' : ' ';
  const size_t end = rest.find(closing);
  const std::string_view item = rest.substr(0, end == rest.npos ? end : end + (closing == ' ' ? 0 : 1));
  rest.remove_prefix(item.size());
  return item;
}

std::string_view inside(std::string_view item) { return item.substr(1, item.size() - 2); }

class Decoder {
 public:
  explicit Decoder(Words d) : d_(d) {}

  void decode(std::string_view description) {
    while (!description.empty() && at_ < d_.size()) {
      const std::string_view item = take_item(description);
      if (item == "...") at_ = d_.size();
      else if (item.starts_with('[')) repeat(inside(item));
      else if (item.starts_with('{')) bits(inside(item));
      else if (!item.empty()) word(read_field(item));
    }
  }
  void rest() {
    if (at_ < d_.size()) text_ += " more";
    while (at_ < d_.size()) text_ += fmt::format(" {:x}", d_[at_++]);
  }
  std::string take_text() { return std::move(text_); }

 private:
  void word(const Field& field) {
    const bool is_double = field.kind == "d";
    const std::string value = is_double ? fmt::format("{}", d_.as_double(at_)) : value_text(field.kind, d_[at_]);
    text_ += fmt::format(" {}={}", field.name, value);
    at_ += is_double ? 2 : 1;
  }
  void bits(std::string_view fields) {
    uint32_t first = 0;
    while (!fields.empty()) {
      const Field field = read_field(take_item(fields));
      const uint32_t count = field.bits == 0 ? 1 : field.bits, value = d_.field(at_, first, count);
      if (value != 0 && field.name != "_") text_ += fmt::format(" {}={}", field.name, value_text(field.kind, value));
      first += count;
    }
    ++at_;
  }
  // A group of one plain word is a row of values; larger groups stand in brackets.
  void repeat(std::string_view group) {
    const bool is_row = group.find_first_of(" {") == group.npos;
    if (is_row) text_ += fmt::format(" {}:", read_field(group).name);
    while (at_ < d_.size()) {
      if (is_row) text_ += ' ' + value_text(read_field(group).kind, d_[at_++]);
      else text_ += " [", decode(group), text_ += " ]";
    }
  }

  Words d_;
  size_t at_ = 1;
  std::string text_;
};

struct ObjectFields { std::string_view name, fields; };
ObjectFields object_fields(uint32_t type) {
  switch (type) {
#define OBJECT(number, name, fields) \
  case number: return {#name, fields};
#include "frontend/vtest/object_fields.def"
#undef OBJECT
    default: return {"of no type", ""};
  }
}

}  // namespace

std::string decode_fields(std::string_view description, Words d) {
  Decoder decoder(d);
  decoder.decode(description);
  decoder.rest();
  return decoder.take_text();
}

std::string decode_command(std::string_view name, std::string_view description, Words d) {
  if (name != "CREATE_OBJECT") return std::string(name) + decode_fields(description, d);
  const ObjectFields object = object_fields(d.field(0, 8, 8));
  return fmt::format("{} {}{}", name, object.name, decode_fields(object.fields, d));
}

}  // namespace tessera::vtest
