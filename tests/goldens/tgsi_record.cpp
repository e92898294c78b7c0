#include "tests/goldens/tgsi_record.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

namespace tessera::goldens {
namespace {

const Json& member(const Json& json, const char* name) {
  const auto at = json.find(name);
  if (at == json.end()) throw BadRecord(fmt::format("field '{}' is missing", name));
  return *at;
}

template <class T>
T get(const Json& json, const char* what) {
  try {
    return json.get<T>();
  } catch (const Json::exception&) {
    throw BadRecord(fmt::format("field '{}' has another type than expected", what));
  }
}

uint32_t parse_number(std::string_view text, int base, const char* what) {
  uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc{} || end != text.data() + text.size() || text.empty())
    throw BadRecord(fmt::format("{}: '{}' is no number", what, text));
  return value;
}

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> words;
  for (size_t begin = 0; (begin = text.find_first_not_of(' ', begin)) != std::string::npos;) {
    const size_t end = std::min(text.find(' ', begin), text.size());
    words.push_back(text.substr(begin, end - begin));
    begin = end;
  }
  return words;
}

std::vector<uint32_t> parse_words(const std::string& text, const char* what) {
  std::vector<uint32_t> words;
  for (const std::string& word : split(text)) words.push_back(parse_number(word, 16, what));
  return words;
}

Lanes parse_lanes(const Json& json, const char* what) {
  const std::vector<uint32_t> words = parse_words(get<std::string>(json, what), what);
  if (words.size() != kLanes) throw BadRecord(fmt::format("{}: expected 4 words, found {}", what, words.size()));
  return {words[0], words[1], words[2], words[3]};
}

// Register number -> four strings of four words. An absent field is empty.
std::map<uint32_t, RegisterWords> parse_registers(const Json& record, const char* field) {
  std::map<uint32_t, RegisterWords> registers;
  if (!record.contains(field)) return registers;
  for (const auto& [number, channels] : get<Json::object_t>(record[field], field)) {
    if (!channels.is_array() || channels.size() != 4) throw BadRecord(fmt::format("{}: expected four channels", field));
    RegisterWords& words = registers[parse_number(number, 10, field)];
    for (size_t c = 0; c < 4; ++c) words[c] = parse_lanes(channels[c], field);
  }
  return registers;
}

VertexWords parse_vertex(const Json& json, const char* field) {
  VertexWords vertex;
  for (const auto& [number, words] : get<Json::object_t>(json, field)) {
    const std::vector<uint32_t> four = parse_words(get<std::string>(words, field), field);
    if (four.size() != 4) throw BadRecord(fmt::format("{}: expected 4 words, found {}", field, four.size()));
    std::copy(four.begin(), four.end(), vertex[parse_number(number, 10, field)].begin());
  }
  return vertex;
}

void parse_primitives(const Json& record, TgsiRecord& r) {
  if (record.contains("vertex_inputs"))
    for (const auto& [number, vertex] : get<Json::object_t>(record["vertex_inputs"], "vertex_inputs")) {
      const uint32_t at = parse_number(number, 10, "vertex_inputs");
      if (at >= 32) throw BadRecord(fmt::format("vertex_inputs: vertex {} is too many", at));
      r.vertex_inputs.resize(std::max<size_t>(r.vertex_inputs.size(), at + 1));
      r.vertex_inputs[at] = parse_vertex(vertex, "vertex_inputs");
    }
  if (record.contains("prims"))
    for (const Json& json : record["prims"]) {
      EmittedPrimitive& p = r.primitives.emplace_back();
      p.stream = get<uint32_t>(member(json, "stream"), "stream");
      for (const Json& vertex : member(json, "vertices")) p.vertices.push_back(parse_vertex(vertex, "prims"));
    }
}

void parse_constants(const Json& record, TgsiRecord& r) {
  if (!record.contains("constants")) return;
  for (const auto& [number, vectors] : get<Json::object_t>(record["constants"], "constants")) {
    std::vector<uint32_t>& buffer = r.constants[parse_number(number, 10, "constants")];
    for (const Json& vector : vectors)
      for (const uint32_t word : parse_lanes(vector, "constants")) buffer.push_back(word);
  }
}

// Number -> words.
std::map<uint32_t, std::vector<uint32_t>> parse_memory(const Json& record, const char* field) {
  std::map<uint32_t, std::vector<uint32_t>> memory;
  if (!record.contains(field)) return memory;
  for (const auto& [number, words] : get<Json::object_t>(record[field], field))
    memory[parse_number(number, 10, field)] = parse_words(get<std::string>(words, field), field);
  return memory;
}

ImageDesc parse_image(const Json& json) {
  return {get<uint32_t>(member(json, "w"), "w"), get<uint32_t>(member(json, "h"), "h"), get<uint32_t>(member(json, "d"), "d"),
          parse_words(get<std::string>(member(json, "texels"), "texels"), "texels")};
}

TextureDesc parse_texture(const Json& json) {
  TextureDesc t;
  t.target = get<std::string>(member(json, "target"), "target");
  t.width = get<uint32_t>(member(json, "w"), "w");
  t.height = get<uint32_t>(member(json, "h"), "h");
  t.depth = get<uint32_t>(member(json, "d"), "d");
  t.levels = get<uint32_t>(member(json, "levels"), "levels");
  const std::string type = get<std::string>(member(json, "type"), "type");
  if (type != "FLOAT" && type != "UINT") throw BadRecord("a texture's type is FLOAT or UINT");
  t.is_uint = type == "UINT";
  if (json.contains("shadow")) t.is_shadow = get<int>(json["shadow"], "shadow") != 0;
  if (json.contains("samples")) t.samples = get<uint32_t>(json["samples"], "samples");
  return t;
}

// `exact`, or `ulp:N` and/or `ulp64:N`, joined by a comma.
Tolerance parse_tolerance(const Json& record) {
  Tolerance t;
  const std::string text = get<std::string>(member(record, "tol"), "tol");
  for (size_t begin = 0; begin < text.size() && text != "exact";) {
    const size_t end = std::min(text.find(',', begin), text.size());
    const std::string part = text.substr(begin, end - begin);
    if (part.starts_with("ulp:"))
      t.ulp = parse_number(std::string_view(part).substr(4), 10, "tol");
    else if (part.starts_with("ulp64:"))
      t.ulp64 = parse_number(std::string_view(part).substr(6), 10, "tol");
    else
      throw BadRecord(fmt::format("tol: '{}' is not understood", part));
    begin = end + 1;
  }
  if (record.contains("abs")) t.absolute = get<double>(record["abs"], "abs");
  return t;
}

void parse_classes(const Json& record, TgsiRecord& r) {
  if (!record.contains("cls")) return;
  for (const auto& [name, letters] : get<Json::object_t>(record["cls"], "cls")) {
    if (name.find_first_not_of("0123456789") != std::string::npos) {
      r.word_classes[name] = get<std::string>(letters, "cls");
      continue;
    }
    const std::vector<std::string> groups = split(get<std::string>(letters, "cls"));
    if (groups.size() != 4) throw BadRecord("cls: expected four groups");
    auto& classes = r.classes[parse_number(name, 10, "cls")];
    for (size_t c = 0; c < 4; ++c) {
      if (groups[c].size() != kLanes || groups[c].find_first_not_of("eatdnmu") != std::string::npos)
        throw BadRecord(fmt::format("cls: '{}' is not four of the letters eatdnmu", groups[c]));
      classes[c] = groups[c];
    }
  }
}

void parse_planes(const Json& record, TgsiRecord& r) {
  if (!record.contains("interp")) return;
  const auto words = [](const Json& json, std::array<uint32_t, 4>& out) {
    if (!json.is_array() || json.size() != 4) throw BadRecord("interp: expected four words");
    for (size_t c = 0; c < 4; ++c) out[c] = parse_number(get<std::string>(json[c], "interp"), 16, "interp");
  };
  for (const auto& [number, json] : get<Json::object_t>(record["interp"], "interp")) {
    InputPlane& plane = r.planes[parse_number(number, 10, "interp")];
    plane.perspective = member(json, "mode") == "PERSPECTIVE";
    words(member(json, "a0"), plane.a0);
    words(member(json, "dadx"), plane.dadx);
    words(member(json, "dady"), plane.dady);
  }
  words(member(member(record, "quad"), "w"), r.quad_w);
}

void parse_alternatives(const Json& record, TgsiRecord& r) {
  if (!record.contains("alt")) return;
  for (const auto& [place, words] : get<Json::object_t>(record["alt"], "alt"))
    for (const Json& word : words) r.alternatives[place].insert(parse_number(get<std::string>(word, "alt"), 16, "alt"));
}

}  // namespace

TgsiRecord parse_tgsi_record(const Json& json) {
  if (!json.is_object()) throw BadRecord("expected an object");
  TgsiRecord r;
  r.id = get<std::string>(member(json, "id"), "id");
  r.stage = get<std::string>(member(json, "stage"), "stage");
  r.text = get<std::string>(member(json, "tgsi"), "tgsi");
  r.is_2007 = json.contains("dialect") && json["dialect"] == "2007";
  r.inputs = parse_registers(json, "inputs");
  r.sysvals = parse_registers(json, "sysvals");
  r.outputs = parse_registers(json, "outputs");
  r.framebuffer = parse_registers(json, "framebuffer");
  parse_primitives(json, r);
  parse_constants(json, r);
  if (json.contains("textures"))
    for (const auto& [unit, texture] : get<Json::object_t>(json["textures"], "textures"))
      r.textures[parse_number(unit, 10, "textures")] = parse_texture(texture);
  parse_planes(json, r);
  r.buffers = parse_memory(json, "buffers");
  r.buffers_out = parse_memory(json, "buffers_out");
  r.images_out = parse_memory(json, "images_out");
  if (json.contains("images"))
    for (const auto& [number, image] : get<Json::object_t>(json["images"], "images"))
      r.images[parse_number(number, 10, "images")] = parse_image(image);
  if (json.contains("shared")) r.shared = parse_words(get<std::string>(json["shared"], "shared"), "shared");
  if (json.contains("live")) r.live = get<uint32_t>(json["live"], "live");
  if (json.contains("kill")) r.kill = get<uint32_t>(json["kill"], "kill");
  r.tolerance = parse_tolerance(json);
  parse_classes(json, r);
  parse_alternatives(json, r);
  return r;
}

}  // namespace tessera::goldens
