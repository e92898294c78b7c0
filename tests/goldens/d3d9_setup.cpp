#include "tests/goldens/d3d9_setup.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "core/format.h"
#include "frontend/direct3d9/formats.h"
#include "shader/d3d9/names.h"

namespace tessera::goldens {
namespace {

using direct3d9::StateInfo;

constexpr uint32_t kFirstVertexSampler = 257;            // D3DVERTEXTEXTURESAMPLER0

uint32_t number(const std::string& key) { return static_cast<uint32_t>(std::stoul(key)); }

float parse_float(const Json& json) {
  return json.is_string()
             ? std::bit_cast<float>(static_cast<uint32_t>(std::stoul(json.get<std::string>().substr(2), nullptr, 16)))
             : json.get<float>();
}

// ---- states --------------------------------------------------------------------------------------------------------

uint32_t parse_state_value(const StateInfo& info, const Json& json) {
  if (info.kind == direct3d9::ValueKind::Float) return std::bit_cast<uint32_t>(parse_float(json));
  return json.is_string() ? value_of(direct3d9::parse_value(info, json.get<std::string>())) : json.get<uint32_t>();
}

template <class Values>
void set_states(std::span<const StateInfo> infos, Values& values, const Json& json) {
  for (const auto& [name, value] : json.items()) {
    const std::optional<size_t> found = direct3d9::find_state(infos, name);
    if (!found) throw BadRecord("unknown state " + name);
    values[*found] = parse_state_value(infos[*found], value);
  }
}

// ---- constants -----------------------------------------------------------------------------------------------------

struct ConstantSet {
  const char* name;
  ir::Stage stage;
  d3d9::File file;
};
constexpr ConstantSet kConstantSets[] = {
    {"vs_f", ir::Stage::Vertex, d3d9::File::Const},   {"vs_i", ir::Stage::Vertex, d3d9::File::ConstInt},
    {"vs_b", ir::Stage::Vertex, d3d9::File::ConstBool}, {"ps_f", ir::Stage::Fragment, d3d9::File::Const},
    {"ps_i", ir::Stage::Fragment, d3d9::File::ConstInt}, {"ps_b", ir::Stage::Fragment, d3d9::File::ConstBool}};

std::vector<uint32_t> constant_words(d3d9::File file, const Json& value) {
  if (file == d3d9::File::ConstBool) return {value.is_boolean() ? uint32_t{value.get<bool>()} : value.get<uint32_t>()};
  std::vector<uint32_t> words;
  for (const Json& x : value)
    words.push_back(file == d3d9::File::Const ? std::bit_cast<uint32_t>(parse_float(x))
                                              : static_cast<uint32_t>(x.get<int64_t>()));
  return words;
}

void set_constants(Direct3d9& d3d, const Json& json) {
  for (const ConstantSet& set : kConstantSets)
    if (json.contains(set.name))
      for (const auto& [reg, value] : json[set.name].items())
        require(d3d.set_constants(set.stage, set.file, number(reg), constant_words(set.file, value)));
}

// ---- textures ------------------------------------------------------------------------------------------------------

using Bytes = std::vector<std::byte>;

// A texel is a number, written with its highest digit first.
void put_texel(Bytes& bytes, size_t at, size_t size, const std::string& digits) {
  for (size_t k = 0; k < size; ++k)
    bytes[at + k] = static_cast<std::byte>(std::stoul(digits.substr(2 * (size - 1 - k), 2), nullptr, 16));
}

Bytes level_bytes(const Json& level, uint32_t width, uint32_t rows, size_t texel_bytes) {
  Bytes bytes(size_t{width} * rows * texel_bytes);
  for (size_t k = 0; k < size_t{width} * rows; ++k)
    put_texel(bytes, k * texel_bytes, texel_bytes,
              level.contains("fill") ? level["fill"].get<std::string>()
                                     : level.at("hex").get<std::string>().substr(k * 2 * texel_bytes, 2 * texel_bytes));
  for (const Json& rect : level.value("rects", Json::array()))
    for (uint32_t y = rect[1]; y < rect[3].get<uint32_t>(); ++y)
      for (uint32_t x = rect[0]; x < rect[2].get<uint32_t>(); ++x)
        put_texel(bytes, (size_t{y} * width + x) * texel_bytes, texel_bytes, rect[4].get<std::string>());
  return bytes;
}

TextureView make_texture(Device& device, const Json& json) {
  const std::string type = json.at("type"), name = json.at("format");
  const std::optional<direct3d9::TextureFormat> format = direct3d9::texture_format(name);
  if (!format) throw BadRecord("unknown texture format " + name);
  ResourceDesc desc;
  desc.kind = type == "cube" ? ResourceKind::Cube : type == "volume" ? ResourceKind::Tex3D : ResourceKind::Tex2D;
  desc.format = format->format;
  desc.width = json.at("width");
  desc.height = json.value("height", desc.width);
  if (type == "cube") desc.layers = 6;
  if (type == "volume") desc.depth = json.at("depth");
  const bool is_cube = type == "cube";
  const Json& levels = json.at("levels");
  desc.levels = static_cast<uint32_t>(is_cube ? levels.at(0).size() : levels.size());
  TextureView view{.resource = value_of(device.create_image(desc)), .swizzle = format->swizzle};
  for (uint32_t face = 0; face < (is_cube ? 6u : 1u); ++face)
    for (uint32_t level = 0; level < desc.levels; ++level) {
      const auto side = [&](uint32_t size) { return std::max(1u, size >> level); };
      const Box box{.z = face,
                    .width = side(desc.width),
                    .height = side(desc.height),
                    .depth = type == "volume" ? side(desc.depth) : 1};
      const Bytes bytes = level_bytes(is_cube ? levels[face][level] : levels[level], box.width, box.height * box.depth,
                                      format_info(format->format).block_bytes);
      require(device.context().write_texels(view.resource, level, box, bytes));
    }
  return view;
}

uint32_t sampler_number(const std::string& key) {
  const uint32_t n = number(key);
  return n >= kFirstVertexSampler ? direct3d9::kPixelSamplers + n - kFirstVertexSampler : n;
}

void set_textures(Device& device, Direct3d9& d3d, const Json& json) {
  for (uint32_t n = 0; n < direct3d9::kSamplers; ++n) require(d3d.set_texture(n, {}));
  for (const auto& [key, texture] : json.items())
    if (!texture.is_null())
      require(d3d.set_texture(sampler_number(key), make_texture(device, texture), texture.value("set_lod", 0u)));
}

// ---- vertices ------------------------------------------------------------------------------------------------------

void append(Bytes& bytes, const void* data, size_t size) {
  bytes.insert(bytes.end(), static_cast<const std::byte*>(data), static_cast<const std::byte*>(data) + size);
}

// Floats, a colour as AARRGGBB, bytes, or halves as their bits.
void append_attribute(Bytes& bytes, const std::string& type, const Json& value) {
  if (type == "d3dcolor") {
    const uint32_t color = parse_hex(value);
    return append(bytes, &color, sizeof color);
  }
  for (const Json& x : value) {
    const float f = type.starts_with("float") && !type.starts_with("float16") ? parse_float(x) : 0;
    const auto half = static_cast<uint16_t>(f == 0 && x.is_number() ? x.get<double>() : 0);
    if (type.starts_with("ubyte")) bytes.push_back(static_cast<std::byte>(x.get<uint32_t>()));
    else if (type.starts_with("float16") || type.find("short") != std::string::npos) append(bytes, &half, sizeof half);
    else append(bytes, &f, sizeof f);
  }
}

void set_vertices(Device& device, Direct3d9& d3d, const Json& draw) {
  std::vector<DeclaredElement> declaration;
  uint32_t stride = 0;
  for (const Json& e : draw.at("decl")) {
    const auto usage = d3d9::usage_from_name(e.at("usage").get<std::string>());
    const auto format = direct3d9::element_format(e.at("type").get<std::string>());
    if (!usage || !format) throw BadRecord("unknown element " + e.dump());
    declaration.push_back({{*usage, e.at("index").get<uint8_t>()}, {.offset_bytes = stride, .format = *format}});
    stride += format_info(*format).block_bytes;
  }
  Bytes bytes;
  for (const Json& vertex : draw.at("vertices")) {
    const size_t end = bytes.size() + stride;
    for (size_t k = 0; k < vertex.size(); ++k) append_attribute(bytes, draw["decl"][k].at("type"), vertex[k]);
    bytes.resize(end);
  }
  d3d.set_declaration(std::move(declaration));
  require(device.context().set_vertex_buffer(0, value_of(device.create_buffer(bytes)), stride));
  if (!draw.contains("indices")) return;
  const auto indices = draw["indices"].get<std::vector<uint32_t>>();
  require(device.context().set_index_buffer(value_of(device.create_buffer(std::as_bytes(std::span(indices)))), 4));
}

void set_transforms(Direct3d9& d3d, const Json& json) {
  d3d.world = d3d.view = d3d.projection = kIdentity3d9;
  d3d.texture_matrix.fill(kIdentity3d9);
  for (const auto& [name, value] : json.items()) {
    const auto matrix = value.get<Matrix3d9>();
    if (name == "world") d3d.world = matrix;
    else if (name == "view") d3d.view = matrix;
    else if (name == "projection") d3d.projection = matrix;
    else d3d.texture_matrix.at(name.back() - '0') = matrix;
  }
}

void set_shaders(Direct3d9& d3d, const Json& draw) {
  for (const auto& [name, stage] : {std::pair("vs", ir::Stage::Vertex), std::pair("ps", ir::Stage::Fragment)}) {
    d3d.unset_shader(stage);
    if (draw.at(name).is_null()) continue;
    const std::vector<uint32_t> words = parse_words(draw[name]);
    const std::string_view content(reinterpret_cast<const char*>(words.data()), words.size() * sizeof(uint32_t));
    require(d3d.set_shader(value_of(Direct3d9::create_shader(stage, content))));
  }
}

}  // namespace

uint32_t parse_hex(const Json& json) {
  return json.is_string() ? static_cast<uint32_t>(std::stoul(json.get<std::string>(), nullptr, 16))
                          : json.get<uint32_t>();
}

std::vector<uint32_t> parse_words(const Json& json) {
  std::vector<uint32_t> words;
  for (const Json& word : json) words.push_back(parse_hex(word));
  return words;
}

void set_up_draw(Device& device, Direct3d9& d3d, const Json& draw) {
  const Json nothing = Json::object();
  const auto part = [&](const char* name) -> const Json& { return draw.contains(name) ? draw[name] : nothing; };
  d3d.states = {};
  d3d.states.render[static_cast<size_t>(direct3d9::RenderState::ZEnable)] = 0;
  set_states(direct3d9::render_states(), d3d.states.render, part("state"));
  for (const auto& [key, states] : part("samplers").items())
    set_states(direct3d9::sampler_states(), d3d.states.samplers.at(sampler_number(key)).values, states);
  for (const auto& [key, states] : part("stage").items())
    set_states(direct3d9::stage_states(), d3d.states.stages.at(number(key)).values, states);
  set_shaders(d3d, draw);
  set_constants(d3d, part("const"));
  set_textures(device, d3d, part("textures"));
  set_transforms(d3d, part("transform"));
  set_vertices(device, d3d, draw);
  d3d.clip_planes = {};
  for (const auto& [key, plane] : part("clipplanes").items())
    d3d.clip_planes.at(number(key)) = plane.get<raster::ClipPlane>();
  d3d.unset_viewport();
  if (draw.contains("viewport")) {
    const auto v = draw["viewport"].get<std::array<float, 6>>();
    d3d.set_viewport(v[0], v[1], v[2], v[3], v[4], v[5]);
  }
  if (draw.contains("scissor")) {
    const auto s = draw["scissor"].get<std::array<int32_t, 4>>();
    device.context().set_scissor({s[0], s[1], s[2], s[3]});
  }
}

}  // namespace tessera::goldens
