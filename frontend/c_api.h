// frontend/c_api.h: what stands behind the handles of tessera.h, and the guard that each of its calls runs in.
#pragma once

#include <cstring>
#include <exception>
#include <new>
#include <string>
#include <type_traits>
#include <utility>

#include "frontend/device.h"
#include "frontend/scene.h"
#include "frontend/tessera.h"

struct tessera_device {
  std::unique_ptr<tessera::Device> device;
  tessera::scene::State state;
  tessera::Context& context() { return device->context(); }
};
struct tessera_picture { tessera::Image image; };
struct tessera_resource { tessera::ResourceRef resource; };
struct tessera_shader { tessera::ShaderRef shader; };

namespace tessera::c_api {

// What tessera_error() gives; never throws.
tessera_status fail(tessera_status status, std::string_view reason) noexcept;
tessera_status fail(const std::vector<Diag>& diags, std::string_view file);

// Runs `work`, which gives a Status; nothing that it throws gets out. `file` stands before places in a text.
template <class Work>
tessera_status guard(Work work, const char* file = "text") noexcept {
  try {
    fail(TESSERA_OK, "");
    const Status status = work();
    return status ? TESSERA_OK : fail(status.diags(), file);
  } catch (const std::bad_alloc&) {
    return fail(TESSERA_FAILED, "out of memory");
  } catch (const std::exception& e) {
    return fail(TESSERA_FAILED, e.what());
  }
}

// Puts what `make` gives (a Result) into a new handle.
template <class Handle, class Make>
tessera_status create(Handle** out, Make make, const char* file = "text") noexcept {
  if (!out) return fail(TESSERA_WRONG_USE, "the pointer that receives the object is null");
  *out = nullptr;
  return guard(
      [&]() -> Status {
        auto made = make();
        if (!made) return made.diags();
        *out = new Handle{std::move(*made)};
        return Done{};
      },
      file);
}

// The number in an enum that comes from a C program, where it may be any: in C++ reading one that no name reaches is
// undefined, so its bytes are read.
template <class Enum>
int64_t number_of(const Enum& value) {
  std::underlying_type_t<Enum> number;
  static_assert(sizeof(number) == sizeof(value));
  std::memcpy(&number, &value, sizeof(number));
  return static_cast<int64_t>(number);
}

// Names the null argument.
inline Status check_given(const void* argument, std::string_view name) {
  return argument ? Status(Done{}) : error(std::string(name) + ": null");
}

Result<ir::Stage> stage_of(const tessera_stage& stage);
Result<Format> format_named(const char* name);
inline ResourceRef resource_of(const tessera_resource* handle) { return handle ? handle->resource : nullptr; }

}  // namespace tessera::c_api
