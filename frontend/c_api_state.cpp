#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "frontend/c_api.h"
#include "frontend/scene_context.h"
#include "frontend/scene_sections.h"

using namespace tessera;
using namespace tessera::c_api;

namespace {

// Places count from the text's first line.
scene::Section section_of(std::string_view text) {
  scene::Section section{.loc = {0, 1}, .header = {}, .lines = {}};
  while (!text.empty()) {
    const size_t end = text.find('\n');
    section.lines.push_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return section;
}

// A viewport that the state leaves open is the whole target.
Status apply(Context& context, const scene::State& state) {
  scene::use_state(context, state);
  context.unset_viewport();
  for (uint32_t i = 0; i < raster::kMaxViewports; ++i) {
    const scene::View& view = state.views[i];
    if (Status s = context.set_scissor_at(i, view.scissor); !s) return s;
    if (!view.viewport) continue;
    const auto [x, y, width, height] = *view.viewport;
    if (Status s = context.set_viewport_rect_at(i, x, y, width, height, view.depth_near, view.depth_far); !s) return s;
  }
  return Done{};
}

Result<texture::Sampler> sampler_from(const char* lines) {
  if (!lines) return texture::Sampler{};
  std::vector<Diag> diags;
  const scene::SamplerSection parsed = scene::parse_sampler(section_of(lines), false, diags);
  if (!diags.empty()) return diags;
  return parsed.sampler;
}

}  // namespace

tessera_status tessera_set_color_target(tessera_device* device, uint32_t index, tessera_resource* image) {
  return guard([&]() -> Status {
    if (Status s = check_given(device, "device"); !s) return s;
    return device->context().set_color_target(index, {.resource = resource_of(image)});
  });
}

tessera_status tessera_set_depth_target(tessera_device* device, tessera_resource* image) {
  return guard([&]() -> Status {
    if (Status s = check_given(device, "device"); !s) return s;
    return device->context().set_depth_target({.resource = resource_of(image)});
  });
}

tessera_status tessera_set_shader(tessera_device* device, const tessera_shader* shader) {
  return guard([&]() -> Status {
    if (Status s = check_given(device, "device"); !s) return s;
    if (Status s = check_given(shader, "shader"); !s) return s;
    return device->context().set_shader(shader->shader);
  });
}

tessera_status tessera_set_state(tessera_device* device, const char* lines) {
  return guard(
      [&]() -> Status {
        if (Status s = check_given(device, "device"); !s) return s;
        if (Status s = check_given(lines, "lines"); !s) return s;
        scene::State state = device->state;
        std::vector<Diag> diags;
        scene::for_each_line(section_of(lines), diags,
                             [&](scene::Line& line) { scene::parse_state_line(line, state); });
        if (!diags.empty()) return diags;
        if (Status s = apply(device->context(), state); !s) return s;
        device->state = std::move(state);
        return Done{};
      },
      "state");
}

void tessera_reset_state(tessera_device* device) {
  guard([&]() -> Status {
    if (!device) return Done{};
    device->state = {};
    return apply(device->context(), device->state);
  });
}

tessera_status tessera_set_vertex_elements(tessera_device* device, const tessera_vertex_element* elements,
                                           uint32_t count) {
  return guard([&]() -> Status {
    if (Status s = check_given(device, "device"); !s) return s;
    if (count > raster::kMaxVertexElements)
      return error(fmt::format("count: at most {}, found {}", raster::kMaxVertexElements, count));
    if (Status s = count == 0 ? Status(Done{}) : check_given(elements, "elements"); !s) return s;
    std::vector<raster::VertexElement> made;
    for (const tessera_vertex_element& e : std::span(elements, count)) {
      const Result<Format> format = format_named(e.format);
      if (!format) return format.diags();
      made.push_back({.offset_bytes = e.offset_bytes, .buffer = e.buffer, .instance_divisor = e.instance_divisor,
                      .format = *format});
    }
    return device->context().set_vertex_elements(made);
  });
}

tessera_status tessera_set_vertex_buffer(tessera_device* device, uint32_t slot, tessera_resource* buffer,
                                         uint32_t stride_bytes) {
  return guard([&]() -> Status {
    if (Status s = check_given(device, "device"); !s) return s;
    return device->context().set_vertex_buffer(slot, resource_of(buffer), stride_bytes);
  });
}

tessera_status tessera_set_index_buffer(tessera_device* device, tessera_resource* buffer, uint32_t index_bytes) {
  return guard([&]() -> Status {
    if (Status s = check_given(device, "device"); !s) return s;
    return device->context().set_index_buffer(resource_of(buffer), index_bytes);
  });
}

tessera_status tessera_set_constants(tessera_device* device, tessera_stage stage, const float* values, uint32_t count) {
  return guard([&]() -> Status {
    if (Status s = check_given(device, "device"); !s) return s;
    if (Status s = count == 0 ? Status(Done{}) : check_given(values, "values"); !s) return s;
    const Result<ir::Stage> found = stage_of(stage);
    if (!found) return found.diags();
    return device->context().set_constants(*found, 0, std::span(values, count));
  });
}

tessera_status tessera_set_texture(tessera_device* device, tessera_stage stage, uint32_t unit, tessera_resource* image,
                                   const char* sampler) {
  return guard(
      [&]() -> Status {
        if (Status s = check_given(device, "device"); !s) return s;
        const Result<ir::Stage> found = stage_of(stage);
        if (!found) return found.diags();
        const Result<texture::Sampler> made = sampler_from(sampler);
        if (!made) return made.diags();
        if (Status s = device->context().set_texture(*found, unit, {.resource = resource_of(image)}); !s) return s;
        return device->context().set_sampler(*found, unit, *made);
      },
      "sampler");
}

tessera_status tessera_clear_color(tessera_device* device, float red, float green, float blue, float alpha) {
  return guard([&]() -> Status {
    if (Status s = check_given(device, "device"); !s) return s;
    return device->context().clear_color({red, green, blue, alpha});
  });
}

tessera_status tessera_clear_depth(tessera_device* device, float depth) {
  return guard([&]() -> Status {
    if (Status s = check_given(device, "device"); !s) return s;
    return device->context().clear_depth(depth);
  });
}

tessera_status tessera_draw(tessera_device* device, const tessera_draw_info* info) {
  return guard([&]() -> Status {
    if (Status s = check_given(device, "device"); !s) return s;
    if (Status s = check_given(info, "info"); !s) return s;
    const int64_t primitive = number_of(info->primitive);
    if (primitive < TESSERA_POINTS || primitive > TESSERA_TRIANGLE_FAN)
      return error(fmt::format("primitive: there is no number {}", primitive));
    return device->context().draw({.primitive = static_cast<raster::Primitive>(primitive),
                                   .start = info->start,
                                   .count = info->count,
                                   .instance_count = std::max(info->instance_count, 1u),
                                   .indexed = info->is_indexed != 0});
  });
}

tessera_status tessera_flush(tessera_device* device) {
  return guard([&]() -> Status {
    if (Status s = check_given(device, "device"); !s) return s;
    return device->context().flush();
  });
}

// The numbers of tessera_primitive are those of Primitive.
static_assert(static_cast<int>(raster::Primitive::TriangleFan) == TESSERA_TRIANGLE_FAN &&
              static_cast<int>(raster::Primitive::LineLoop) == TESSERA_LINE_LOOP);
