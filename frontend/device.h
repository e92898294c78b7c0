// frontend/device.h: the C++ API. A Device owns threads and caches; a Context holds current state and draws.
//
//     auto device = tessera::Device::create({}).value();
//     Context& c = device->context();
//     auto target = device->create_image({.width = 640, .height = 480}).value();
//     c.set_color_target(0, target);   c.set_shaders(vs, fs);   c.clear_color(0, {0, 0, 0, 1});
//     c.draw({.count = 3});            Image picture = c.read_pixels(target).value();
//
// Errors: every call that can fail returns a Result whose Diag names the field; nothing is applied then.
// Threads: a Device and its objects belong to one calling thread at a time.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/resource.h"
#include "core/result.h"
#include "raster/renderer.h"
#include "raster/state.h"
#include "texture/view.h"

namespace tessera {

enum class ExecutorKind : uint8_t { Interpreter };

struct DeviceOptions {
  raster::RendererOptions raster;
  ExecutorKind executor = ExecutorKind::Interpreter;
};

enum class Dialect : uint8_t { Current, Tgsi2007 };

class Shader;                              // a compiled program of one stage, immutable
using ShaderRef = std::shared_ptr<const Shader>;
using ResourceRef = std::shared_ptr<Resource>;

}  // namespace tessera
