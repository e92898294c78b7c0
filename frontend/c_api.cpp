#include "frontend/c_api.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "frontend/scene_runner.h"

// ---- errors ---------------------------------------------------------------------------------------------------

namespace tessera::c_api {
namespace {

thread_local std::string last_error;
thread_local bool has_no_memory = false;   // not even for the reason

}  // namespace

tessera_status fail(tessera_status status, std::string_view reason) noexcept {
  try {
    has_no_memory = false;
    last_error = reason;
  } catch (...) {
    has_no_memory = true;
  }
  return status;
}

tessera_status fail(const std::vector<Diag>& diags, std::string_view file) {
  std::string text;
  for (const Diag& d : diags) {
    if (!text.empty()) text += '\n';
    text += d.loc.line == 0 ? d.text : fmt::format("{}:{}:{}: {}", file, d.loc.line, d.loc.column, d.text);
  }
  return fail(diags.front().id == raster::kOverBudgetId ? TESSERA_FAILED : TESSERA_WRONG_USE, text);
}

Result<ir::Stage> stage_of(const tessera_stage& stage) {
  switch (const int64_t number = number_of(stage)) {
    case TESSERA_VERTEX: return ir::Stage::Vertex;
    case TESSERA_FRAGMENT: return ir::Stage::Fragment;
    default: return error(fmt::format("stage: there is no number {}", number));
  }
}

Result<Format> format_named(const char* name) {
  if (Status s = check_given(name, "format"); !s) return s.diags();
  const std::optional<Format> format = format_from_name(name);
  if (!format) return error(fmt::format("format: there is no '{}'", name));
  return *format;
}

namespace {

DeviceOptions device_options(const tessera_options* options) {
  DeviceOptions made;
  if (!options) return made;
  made.raster.threads = options->threads;
  made.raster.instruction_budget = options->instruction_budget;
  if (options->use_interpreter) made.executor = ExecutorKind::Interpreter;
  made.strict = options->is_strict != 0;
  return made;
}

std::span<const std::byte> bytes_of(const void* data, size_t size_bytes) {
  return {static_cast<const std::byte*>(data), size_bytes};
}

}  // namespace
}  // namespace tessera::c_api

using namespace tessera;
using namespace tessera::c_api;

const char* tessera_error(void) { return has_no_memory ? "out of memory" : last_error.c_str(); }
const char* tessera_version(void) { return TESSERA_VERSION; }

// ---- devices --------------------------------------------------------------------------------------------------

tessera_status tessera_device_create(const tessera_options* options, tessera_device** device) {
  if (!device) return fail(TESSERA_WRONG_USE, "device: null");
  *device = nullptr;
  return guard([&]() -> Status {
    Result<std::unique_ptr<Device>> made = Device::create(device_options(options));
    if (!made) return made.diags();
    *device = new tessera_device{std::move(*made), {}};
    return Done{};
  });
}

void tessera_device_destroy(tessera_device* device) { delete device; }

// ---- pictures -------------------------------------------------------------------------------------------------

tessera_status tessera_picture_read(const char* path, tessera_picture** picture) {
  return create(picture, [&]() -> Result<Image> {
    if (Status s = check_given(path, "path"); !s) return s.diags();
    return read_image_file(path);
  });
}

tessera_status tessera_picture_write(const tessera_picture* picture, const char* png_path) {
  return guard([&]() -> Status {
    if (Status s = check_given(picture, "picture"); !s) return s;
    if (Status s = check_given(png_path, "png_path"); !s) return s;
    return write_png_file(png_path, picture->image);
  });
}

uint32_t tessera_picture_width(const tessera_picture* picture) { return picture ? picture->image.width : 0; }
uint32_t tessera_picture_height(const tessera_picture* picture) { return picture ? picture->image.height : 0; }
const uint8_t* tessera_picture_pixels(const tessera_picture* picture) {
  return picture ? picture->image.rgba_un8.data() : nullptr;
}
void tessera_picture_destroy(tessera_picture* picture) { delete picture; }

tessera_status tessera_scene_render(const tessera_options* options, const char* scene_path, tessera_picture** picture) {
  return create(
      picture,
      [&]() -> Result<Image> {
        if (Status s = check_given(scene_path, "scene_path"); !s) return s.diags();
        std::string source;
        Result<scene::SceneResult> result = scene::run_scene_file(device_options(options), scene_path, source);
        if (!result) return result.diags();
        if (result->failure) return *result->failure;
        return std::move(result->picture);
      },
      scene_path);
}

// ---- images and buffers ---------------------------------------------------------------------------------------

tessera_status tessera_image_create(tessera_device* device, uint32_t width, uint32_t height, const char* format,
                                    int has_mips, tessera_resource** image) {
  return create(image, [&]() -> Result<ResourceRef> {
    if (Status s = check_given(device, "device"); !s) return s.diags();
    const Result<Format> found = format_named(format);
    if (!found) return found.diags();
    const uint32_t levels = has_mips ? static_cast<uint32_t>(std::bit_width(std::max(width, height))) : 1;
    return device->device->create_image({.format = *found, .width = width, .height = height, .levels = levels});
  });
}

tessera_status tessera_image_write(tessera_device* device, tessera_resource* image, const void* texels,
                                   size_t size_bytes) {
  return guard([&]() -> Status {
    if (Status s = check_given(device, "device"); !s) return s;
    if (Status s = check_given(image, "image"); !s) return s;
    if (Status s = check_given(texels, "texels"); !s) return s;
    const ResourceDesc& desc = image->resource->desc();
    if (desc.kind == ResourceKind::Buffer) return error("image: found a buffer");
    return device->context().write_texels(image->resource, 0, {.width = desc.width, .height = desc.height},
                                          bytes_of(texels, size_bytes));
  });
}

tessera_status tessera_generate_mips(tessera_device* device, tessera_resource* image) {
  return guard([&]() -> Status {
    if (Status s = check_given(device, "device"); !s) return s;
    if (Status s = check_given(image, "image"); !s) return s;
    return device->context().generate_mips(image->resource);
  });
}

tessera_status tessera_image_read(tessera_device* device, tessera_resource* image, tessera_picture** picture) {
  return create(picture, [&]() -> Result<Image> {
    if (Status s = check_given(device, "device"); !s) return s.diags();
    if (Status s = check_given(image, "image"); !s) return s.diags();
    return device->context().read_image(image->resource);
  });
}

tessera_status tessera_buffer_create(tessera_device* device, const void* bytes, size_t size_bytes,
                                     tessera_resource** buffer) {
  return create(buffer, [&]() -> Result<ResourceRef> {
    if (Status s = check_given(device, "device"); !s) return s.diags();
    if (Status s = check_given(bytes, "bytes"); !s) return s.diags();
    return device->device->create_buffer(bytes_of(bytes, size_bytes));
  });
}

tessera_status tessera_buffer_write(tessera_device* device, tessera_resource* buffer, size_t offset_bytes,
                                    const void* bytes, size_t size_bytes) {
  return guard([&]() -> Status {
    if (Status s = check_given(device, "device"); !s) return s;
    if (Status s = check_given(buffer, "buffer"); !s) return s;
    if (Status s = check_given(bytes, "bytes"); !s) return s;
    return device->context().write_buffer(buffer->resource, offset_bytes, bytes_of(bytes, size_bytes));
  });
}

void tessera_resource_destroy(tessera_resource* resource) { delete resource; }

// ---- programs -------------------------------------------------------------------------------------------------

tessera_status tessera_shader_create(tessera_device* device, tessera_stage stage, const char* tgsi,
                                     tessera_shader** shader) {
  return create(
      shader,
      [&]() -> Result<ShaderRef> {
        if (Status s = check_given(device, "device"); !s) return s.diags();
        if (Status s = check_given(tgsi, "tgsi"); !s) return s.diags();
        Result<ir::Stage> found = stage_of(stage);
        if (!found) return found.diags();
        return device->device->create_shader(*found, tgsi);
      },
      "shader");
}

void tessera_shader_destroy(tessera_shader* shader) { delete shader; }
