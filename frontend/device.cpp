#include "frontend/device.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "frontend/context_impl.h"
#include "shader/strict.h"
#include "shader/tgsi/compile.h"
#include "shader/unordered.h"

namespace tessera {
namespace {

constexpr uint32_t kMaxThreads = 256;

Status check_options(const DeviceOptions& options) {
  const raster::RendererOptions& r = options.raster;
  if (r.threads > kMaxThreads) return error(fmt::format("threads: at most {}, found {}", kMaxThreads, r.threads));
  if (r.tile_size_px != 64 && r.tile_size_px != 32 && r.tile_size_px != 16)
    return error(fmt::format("tile_size_px: expected 64, 32 or 16, found {}", r.tile_size_px));
  const std::vector<SimdTarget> targets = available_simd_targets();
  if (std::find(targets.begin(), targets.end(), r.simd) == targets.end())
    return error(fmt::format("simd: this machine has no {}", simd_target_name(r.simd)));
  return Done{};
}

ExecutorKind executor_that_runs(const DeviceOptions& options) {
  return options.strict ? ExecutorKind::Interpreter : executor_that_runs(options.executor, options.raster.simd);
}

Result<ir::Program> compile_tgsi(std::string_view text, Dialect dialect) {
  return tgsi::compile(text, dialect == Dialect::Tgsi2007 ? tgsi::Dialect::Tgsi2007 : tgsi::Dialect::Current);
}

std::string_view stage_name(ir::Stage stage) {
  switch (stage) {
    case ir::Stage::Vertex: return "vertex";
    case ir::Stage::Fragment: return "fragment";
    case ir::Stage::Geometry: return "geometry";
    case ir::Stage::TessCtrl: return "tessellation control";
    case ir::Stage::TessEval: return "tessellation evaluation";
    case ir::Stage::Compute: return "compute";
  }
  return "unknown";
}

}  // namespace

Device::Device(const DeviceOptions& options)
    : impl_(new Impl{.options = options,
                     .fixed_function = FixedFunctionCache(executor_that_runs(options), options.raster.simd)}) {
  impl_->options.executor = executor_that_runs(options);
  if (options.strict) impl_->options.raster.threads = 1;
  impl_->renderer = std::make_unique<raster::Renderer>(impl_->options.raster);
  impl_->options.raster.threads = impl_->renderer->arena().threads();
  impl_->context.reset(new Context(*this));
}

Device::~Device() = default;

Result<std::unique_ptr<Device>> Device::create(const DeviceOptions& options) {
  if (Status s = check_options(options); !s) return s.diags();
  return std::unique_ptr<Device>(new Device(options));
}

Context& Device::context() { return *impl_->context; }
const DeviceOptions& Device::options() const { return impl_->options; }

Result<ResourceRef> Device::create_image(const ResourceDesc& desc) {
  if (desc.kind == ResourceKind::Buffer) return error("kind: an image is no buffer");
  return Resource::create(desc);
}

Result<ResourceRef> Device::create_buffer(std::span<const std::byte> contents) {
  if (contents.empty()) return error("contents: a buffer has at least one byte");
  if (contents.size() > UINT32_MAX) return error("contents: a buffer has at most 2^32 - 1 bytes");
  ResourceDesc desc{
      .kind = ResourceKind::Buffer, .format = Format::R8_UINT, .width = static_cast<uint32_t>(contents.size())};
  Result<ResourceRef> buffer = Resource::create(desc);
  if (buffer) std::memcpy((*buffer)->storage_for_write(false).data(), contents.data(), contents.size());
  return buffer;
}

Result<ShaderRef> Device::create_shader(ir::Stage stage, std::string_view tgsi, Dialect dialect) {
  std::string key = fmt::format("{} {} ", static_cast<int>(stage), static_cast<int>(dialect));
  key.append(tgsi);
  if (const auto found = impl_->shaders.find(key); found != impl_->shaders.end()) return found->second;
  Result<ir::Program> program = compile_tgsi(tgsi, dialect);
  if (!program) return program.diags();
  if (program->stage != stage)
    return error_at(
        {1, 1}, fmt::format("expected a {} shader, found a {} shader", stage_name(stage), stage_name(program->stage)));
  Result<ShaderRef> shader = create_shader(std::move(*program));
  if (shader) impl_->shaders.emplace(std::move(key), *shader);
  return shader;
}

Result<ShaderRef> Device::create_shader(ir::Program program) {
  std::vector<Diag> unordered = ir::find_unordered(program);
  auto shared = std::make_shared<const ir::Program>(std::move(program));
  std::shared_ptr<const Executable> executable =
      make_executable(impl_->options.executor, std::move(shared), impl_->options.raster.simd);
  // The invocations of a patch wait for each other: they stay one block.
  const bool is_patch = executable->program().stage == ir::Stage::TessCtrl;
  if (impl_->options.strict && !is_patch) executable = make_strict(std::move(executable));
  return std::make_shared<const Shader>(std::move(executable), std::move(unordered));
}

}  // namespace tessera
