#include "frontend/scene_resources.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "core/hash.h"
#include "frontend/mesh.h"
#include "frontend/picture.h"
#include "frontend/texture_file.h"

namespace tessera::scene {
namespace {

// The texels of one slice, in its texture's format.
struct Texels {
  uint32_t width = 0, height = 0;
  std::vector<std::byte> bytes;
};

Diag placed(SourceLoc loc, const std::vector<Diag>& diags) { return error_at(loc, diags.front().text); }

Texel texel_of(const Numbers4& numbers, Format format) {
  Texel texel;
  for (size_t i = 0; i < 4; ++i) {
    if (format_info(format).is_pure_integer())
      texel.word[i] = static_cast<uint32_t>(static_cast<int64_t>(std::clamp(numbers[i], -2147483648.0, 4294967295.0)));
    else texel.word[i] = std::bit_cast<uint32_t>(static_cast<float>(numbers[i]));
  }
  return texel;
}

// color(x, y) for each texel, row by row.
template <class Color>
Texels fill(uint32_t width, uint32_t height, Format format, Color color) {
  const size_t texel_bytes = format_info(format).block_bytes;
  Texels texels{width, height, std::vector<std::byte>(texel_bytes * width * height)};
  std::byte* out = texels.bytes.data();
  for (uint32_t y = 0; y < height; ++y)
    for (uint32_t x = 0; x < width; ++x, out += texel_bytes) pack_texel(format, texel_of(color(x, y), format), out);
  return texels;
}

Numbers4 mix(const Numbers4& a, const Numbers4& b, double t) {
  Numbers4 mixed;
  for (size_t i = 0; i < 4; ++i) mixed[i] = a[i] * (1 - t) + b[i] * t;
  return mixed;
}

double along(uint32_t i, uint32_t count) { return count > 1 ? static_cast<double>(i) / (count - 1) : 0.0; }

struct TexelMaker {
  Format format;
  const std::string& directory;
  uint32_t width, height;          // of the level, for texels by hand

  Result<Texels> operator()(const FileSource& s) const {
    Result<Image> image = read_image_file(directory + s.path);
    if (!image) return image.diags();
    return Texels{image->width, image->height, texels_of(*image, format)};
  }
  Result<Texels> operator()(const CheckerSource& s) const {
    return fill(s.width, s.height, format, [&](uint32_t x, uint32_t y) {
      const uint64_t cell_x = uint64_t{x} * s.cells / s.width, cell_y = uint64_t{y} * s.cells / s.height;
      return (cell_x + cell_y) % 2 == 0 ? s.even : s.odd;
    });
  }
  Result<Texels> operator()(const SolidSource& s) const {
    return fill(s.width, s.height, format, [&](uint32_t, uint32_t) { return s.color; });
  }
  Result<Texels> operator()(const GradientSource& s) const {
    return fill(s.width, s.height, format, [&](uint32_t x, uint32_t y) {
      const double u = along(x, s.width);
      return mix(mix(s.corners[0], s.corners[1], u), mix(s.corners[2], s.corners[3], u), along(y, s.height));
    });
  }
  Result<Texels> operator()(const DiscSource& s) const {
    return fill(s.width, s.height, format, [&](uint32_t x, uint32_t y) {
      const double dx = (2 * x + 1.0) / s.width - 1, dy = (2 * y + 1.0) / s.height - 1;
      return dx * dx + dy * dy <= s.radius * s.radius ? s.inside : s.outside;
    });
  }
  Result<Texels> operator()(const TexelsSource& s) const {
    return fill(width, height, format, [&](uint32_t x, uint32_t y) { return s.texels[size_t{y} * width + x]; });
  }
  Result<Texels> operator()(const NoiseSource& s) const {
    return fill(s.width, s.height, format, [&](uint32_t x, uint32_t y) {
      const uint64_t bits = mix_bits(mix_bits(s.seed) ^ (uint64_t{y} << 32 | x));
      const auto channel = [&](int i) { return static_cast<double>(bits >> 8 * i & 255) / 255; };
      return Numbers4{channel(0), channel(1), channel(2), 1};
    });
  }
};

Result<std::vector<Texels>> make_parts(const Texture& t, const std::string& directory) {
  std::vector<Texels> all;
  for (const TexturePart& part : t.parts) {
    const uint32_t width = std::max(t.width >> part.level, 1u), height = std::max(t.height >> part.level, 1u);
    Result<Texels> texels = std::visit(TexelMaker{t.format, directory, width, height}, part.source);
    if (!texels) return placed(part.loc, texels.diags());
    all.push_back(std::move(*texels));
  }
  return all;
}

bool is_cube(ResourceKind kind) { return kind == ResourceKind::Cube || kind == ResourceKind::CubeArray; }

// The size of level 0 is that of the first part there.
Result<ResourceRef> create_for(Device& device, const Texture& t, const std::vector<Texels>& parts) {
  const auto first = std::find_if(t.parts.begin(), t.parts.end(), [](const TexturePart& p) { return p.level == 0; });
  const Texels& base = parts[static_cast<size_t>(first - t.parts.begin())];
  if (is_cube(t.kind) && base.width != base.height)
    return error_at(first->loc,
                    fmt::format("the faces of a cube are square, found {} x {}", base.width, base.height));
  const bool volume = t.kind == ResourceKind::Tex3D;
  ResourceDesc desc{.kind = t.kind, .format = t.format, .width = base.width, .height = base.height,
                    .depth = volume ? t.slices : 1, .layers = volume ? 1 : t.slices, .levels = t.levels};
  if (t.mips) desc.levels = static_cast<uint32_t>(std::bit_width(std::max({desc.width, desc.height, desc.depth})));
  Result<ResourceRef> image = device.create_image(desc);
  if (!image) return placed(t.loc, image.diags());
  return image;
}

Status write_part(Device& device, const ResourceRef& image, const TexturePart& part, const Texels& texels) {
  const LevelLayout& level = image->storage()->level(part.level);
  if (texels.width != level.width || texels.height != level.height)
    return error_at(part.loc, fmt::format("level {} has {} x {} texels, found {} x {}", part.level, level.width,
                                          level.height, texels.width, texels.height));
  for (uint32_t slice = part.slice.value_or(0); slice < part.slice.value_or(level.slices - 1) + 1; ++slice) {
    const Box box{.z = slice, .width = level.width, .height = level.height};
    if (Status s = device.context().write_texels(image, part.level, box, texels.bytes); !s)
      return placed(part.loc, s.diags());
  }
  return Done{};
}

Result<ResourceRef> load_texture(Device& device, SourceLoc loc, const std::string& path) {
  Result<std::vector<uint8_t>> bytes = read_file(path);
  if (!bytes) return placed(loc, bytes.diags());
  const Result<TextureFile> file = decode_texture_file(*bytes);
  if (!file) return error_at(loc, fmt::format("'{}': {}", path, file.diags().front().text));
  Result<ResourceRef> image = create_image(device, *file);
  if (!image) return placed(loc, image.diags());
  return image;
}

struct MeshMaker {
  const std::string& directory;
  Result<Mesh> operator()(const MeshFile& m) const { return read_obj_file(directory + m.path); }
  Result<Mesh> operator()(const MeshGrid& m) const { return make_grid(m.cells_x, m.cells_y); }
  Result<Mesh> operator()(const MeshCube&) const { return make_cube(); }
  Result<Mesh> operator()(const MeshSphere& m) const { return make_sphere(m.slices, m.stacks); }
  Result<Mesh> operator()(const MeshTorus& m) const { return make_torus(m.segments, m.sides, m.tube); }
  Result<Mesh> operator()(const MeshTorusKnot& m) const {
    return make_torus_knot(m.p, m.q, m.segments, m.sides, m.tube);
  }
};

template <class T>
Result<ResourceRef> make_buffer(Device& device, const std::vector<T>& contents) {
  return device.create_buffer(std::as_bytes(std::span(contents)));
}

Status add_mesh(Device& device, const MeshSource& source, const std::string& directory, GeometryBuffers& out) {
  Result<Mesh> mesh = std::visit(MeshMaker{directory}, source.shape);
  if (!mesh) return placed(source.loc, mesh.diags());
  if (source.fit) fit_to_unit_box(*mesh);
  Result<ResourceRef> vertices = make_buffer(device, mesh->vertices), indices = make_buffer(device, mesh->indices);
  if (!vertices || !indices) return error_at(source.loc, "the mesh is too large for a buffer");
  out.vertices = *vertices, out.indices = *indices;
  out.vertex_stride = sizeof(MeshVertex), out.index_bytes = sizeof(uint32_t);
  out.vertex_count = static_cast<uint32_t>(mesh->vertices.size());
  out.index_count = static_cast<uint32_t>(mesh->indices.size());
  out.elements = {{offsetof(MeshVertex, position), 0, 0, Format::R32G32B32_FLOAT},
                  {offsetof(MeshVertex, normal), 0, 0, Format::R32G32B32_FLOAT},
                  {offsetof(MeshVertex, texcoord), 0, 0, Format::R32G32_FLOAT}};
  out.usages = {VertexUsage{d3d9::Usage::Position}, VertexUsage{d3d9::Usage::Normal}, VertexUsage{d3d9::Usage::Texcoord}};
  return Done{};
}

void add_elements(const VertexTable& table, uint32_t buffer, GeometryBuffers& out) {
  for (size_t i = 0; i < table.elements.size(); ++i) {
    out.elements.resize(std::max<size_t>(out.elements.size(), table.attributes[i] + 1));
    out.usages.resize(out.elements.size());
    out.usages[table.attributes[i]] = table.usages[i];
    out.elements[table.attributes[i]] = table.elements[i];
    out.elements[table.attributes[i]].buffer = buffer;
  }
}

Status add_indices(Device& device, const Geometry& geometry, GeometryBuffers& out) {
  std::vector<uint8_t> bytes;
  for (const uint32_t index : geometry.indices)
    for (uint32_t i = 0; i < geometry.index_bytes; ++i) bytes.push_back(static_cast<uint8_t>(index >> 8 * i));
  Result<ResourceRef> indices = make_buffer(device, bytes);
  if (!indices) return placed(geometry.loc, indices.diags());
  out.indices = *indices;
  out.index_bytes = geometry.index_bytes;
  out.index_count = static_cast<uint32_t>(geometry.indices.size());
  return Done{};
}

}  // namespace

Result<TargetImages> make_target(Device& device, const Target& target) {
  TargetImages images;
  const bool volume = target.kind == ResourceKind::Tex3D;
  ResourceDesc desc{.kind = target.kind, .width = target.width, .height = target.height,
                    .depth = volume ? target.layers : 1, .layers = volume ? 1 : target.layers,
                    .samples = target.samples};
  for (uint32_t i = 0; i < target.color_count; ++i) {
    if (target.color[i] == Format::NONE) continue;
    desc.format = target.color[i];
    Result<ResourceRef> image = device.create_image(desc);
    if (!image) return image.diags();
    images.color[i] = *image;
  }
  if (target.depth == Format::NONE) return images;
  desc.format = target.depth;
  Result<ResourceRef> image = device.create_image(desc);
  if (!image) return image.diags();
  images.depth = *image;
  return images;
}

Result<ResourceRef> make_texture(Device& device, const Texture& texture, const std::string& directory) {
  if (texture.file) return load_texture(device, texture.file->first, directory + texture.file->second);
  const Result<std::vector<Texels>> parts = make_parts(texture, directory);
  if (!parts) return parts.diags();
  Result<ResourceRef> image = create_for(device, texture, *parts);
  if (!image) return image.diags();
  for (size_t i = 0; i < parts->size(); ++i)
    if (Status s = write_part(device, *image, texture.parts[i], (*parts)[i]); !s) return s.diags();
  if (!texture.mips) return image;
  if (Status s = device.context().generate_mips(*image); !s) return placed(texture.loc, s.diags());
  return image;
}

Result<GeometryBuffers> make_geometry(Device& device, const Geometry& geometry, const std::string& directory) {
  GeometryBuffers out;
  if (geometry.mesh)
    if (Status s = add_mesh(device, *geometry.mesh, directory, out); !s) return s.diags();
  if (geometry.vertices) {
    Result<ResourceRef> vertices = make_buffer(device, geometry.vertices->bytes);
    if (!vertices) return placed(geometry.loc, vertices.diags());
    out.vertices = *vertices;
    out.vertex_stride = geometry.vertices->stride_bytes;
    out.vertex_count = geometry.vertices->row_count;
    add_elements(*geometry.vertices, 0, out);
  }
  if (geometry.instances) {
    Result<ResourceRef> instances = make_buffer(device, geometry.instances->bytes);
    if (!instances) return placed(geometry.loc, instances.diags());
    out.instances = *instances;
    out.instance_stride = geometry.instances->stride_bytes;
    add_elements(*geometry.instances, 1, out);
  }
  if (geometry.index_bytes != 0)
    if (Status s = add_indices(device, geometry, out); !s) return s.diags();
  return out;
}

Result<GeometryBuffers> make_rect(Device& device, const std::array<float, 4>& rect) {
  const float x0 = rect[0], y0 = rect[1], x1 = x0 + rect[2], y1 = y0 + rect[3];
  const std::vector<float> corners = {x0, y0, 0, 1, x1, y0, 1, 1, x0, y1, 0, 0, x1, y1, 1, 0};
  Result<ResourceRef> vertices = make_buffer(device, corners);
  if (!vertices) return vertices.diags();
  GeometryBuffers out;
  out.vertices = *vertices;
  out.vertex_stride = 4 * sizeof(float);
  out.vertex_count = 4;
  out.elements = {{0, 0, 0, Format::R32G32_FLOAT}, {2 * sizeof(float), 0, 0, Format::R32G32_FLOAT}};
  out.usages = {VertexUsage{d3d9::Usage::Position}, VertexUsage{d3d9::Usage::Texcoord}};
  return out;
}

}  // namespace tessera::scene
