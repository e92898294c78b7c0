#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <map>

#include "frontend/tool/numbers.h"
#include "frontend/tool/shader_command.h"
#include "texture/kind.h"

namespace tessera::tool {
namespace {

constexpr uint32_t kMaxWords = 1u << 28;       // of a buffer on the command line

using Size3 = std::array<uint32_t, 3>;

// "8", "8,2" or "8,2,1"; `missing` stands for the others.
Result<Size3> read_size(std::string_view text, char separator, uint32_t missing, std::string_view option) {
  Size3 size = {missing, missing, missing};
  const std::vector<std::string_view> parts = split(text, separator);
  for (size_t i = 0; i < parts.size(); ++i) {
    const std::optional<uint32_t> number = read_unsigned(parts[i]);
    if (i > 2 || !number) return error(fmt::format("{} {}: expected up to three numbers", option, text));
    size[i] = *number;
  }
  return size;
}

// "3=REST"
struct Slot { uint32_t number; std::string_view rest; };
Result<Slot> read_slot(std::string_view text, std::string_view option, uint32_t limit) {
  const size_t equals = text.find('=');
  const std::optional<uint32_t> number = equals != text.npos ? read_unsigned(text.substr(0, equals)) : std::nullopt;
  if (!number || *number >= limit)
    return error(fmt::format("{} {}: expected a number below {} and '='", option, text, limit));
  return Slot{*number, text.substr(equals + 1)};
}

Result<std::vector<uint32_t>> read_contents(std::string_view text) {
  constexpr std::string_view kZeros = "zeros:";
  if (!text.starts_with(kZeros)) return read_words(text);
  const std::optional<uint32_t> count = read_unsigned(text.substr(kZeros.size()));
  if (!count || *count == 0 || *count > kMaxWords)
    return error(fmt::format("expected 1 to {} words, found '{}'", kMaxWords, text));
  return std::vector<uint32_t>(*count);
}

// The kind of image that the program accesses there, by its first instruction that names it.
ResourceKind image_kind(const ir::Program& program, uint32_t number) {
  for (const ir::MemoryOp& op : program.memory_ops)
    if (op.space == ir::MemorySpace::Image && op.binding == number)
      return texture::kind_of_target(op.target).value_or(ResourceKind::Tex2D);
  return ResourceKind::Tex2D;
}

class ComputeRun {
 public:
  ComputeRun(Device& device, const ShaderOptions& options)
      : device_(device), context_(device.context()), options_(options) {}

  Status prepare(ir::Program program, const Constants& constants) {
    for (const std::string& text : options_.images)
      if (Status s = add_image(text, program); !s) return s;
    for (const std::string& text : options_.buffers)
      if (Status s = add_buffer(text); !s) return s;
    for (uint32_t i = 0; i < constants.size(); ++i)
      if (Status s = context_.set_constants(ir::Stage::Compute, i, std::span<const uint32_t>(constants[i])); !s)
        return s;
    Result<ShaderRef> shader = device_.create_shader(std::move(program));
    return shader ? context_.set_shader(*shader) : Status(shader.diags());
  }

  Status dispatch() {
    Grid grid;
    Result<Size3> groups = read_size(options_.grid, ',', 1, "--grid");
    if (!groups) return groups.diags();
    grid.groups = *groups;
    if (!options_.block.empty()) {
      Result<Size3> block = read_size(options_.block, ',', 0, "--block");
      if (!block) return block.diags();
      grid.block = *block;
    }
    grid.shared_bytes = options_.shared_bytes;
    if (Status s = set_user_data(grid); !s) return s;
    return context_.dispatch(grid);
  }

  Status print_memory() {
    for (const auto& [number, buffer] : buffers_) {
      Result<std::vector<std::byte>> bytes = context_.read_bytes(buffer);
      if (!bytes) return bytes.diags();
      for (size_t at = 0; at + 4 <= bytes->size(); at += 4) {
        uint32_t word;
        std::memcpy(&word, bytes->data() + at, sizeof word);
        print(fmt::format("BUFFER[{}] {:5}  0x{:08x}  {}  {}\n", number, at, word, std::bit_cast<float>(word),
                          static_cast<int32_t>(word)));
      }
    }
    for (const auto& [number, image] : images_)
      if (Status s = print_image(number, image); !s) return s;
    return Done{};
  }

 private:
  Status set_user_data(Grid& grid) const {
    if (options_.user_data.empty()) return Done{};
    const Result<std::vector<uint32_t>> words = read_words(options_.user_data);
    if (!words) return error(fmt::format("--user-data {}: {}", options_.user_data, words.diags().front().text));
    if (words->size() > grid.user_data.size())
      return error(fmt::format("--user-data {}: at most {} numbers", options_.user_data, grid.user_data.size()));
    std::ranges::copy(*words, grid.user_data.begin());
    return Done{};
  }

  Status add_buffer(std::string_view text) {
    Result<Slot> slot = read_slot(text, "--buffer", kMaxShaderBuffers);
    if (!slot) return slot.diags();
    Result<std::vector<uint32_t>> words = read_contents(slot->rest);
    if (!words) return error(fmt::format("--buffer {}: {}", text, words.diags().front().text));
    Result<ResourceRef> buffer = device_.create_buffer(std::as_bytes(std::span(*words)));
    if (!buffer) return buffer.diags();
    buffers_[slot->number] = *buffer;
    return context_.set_memory(ir::Stage::Compute, ir::MemorySpace::Buffer, slot->number, {*buffer});
  }

  // The third number is the depth or the number of layers.
  Status add_image(std::string_view text, const ir::Program& program) {
    Result<Slot> slot = read_slot(text, "--image", kMaxShaderImages);
    if (!slot) return slot.diags();
    const size_t colon = slot->rest.find(':');
    const std::optional<Format> format =
        colon != text.npos ? format_from_name(slot->rest.substr(colon + 1)) : std::nullopt;
    if (!format) return error(fmt::format("--image {}: expected a format behind ':'", text));
    Result<Size3> size = read_size(slot->rest.substr(0, colon), 'x', 1, "--image");
    if (!size) return size.diags();
    ResourceDesc desc{
        .kind = image_kind(program, slot->number), .format = *format, .width = (*size)[0], .height = (*size)[1]};
    (desc.kind == ResourceKind::Tex3D ? desc.depth : desc.layers) = (*size)[2];
    Result<ResourceRef> image = device_.create_image(desc);
    if (!image) return error(fmt::format("--image {}: {}", text, image.diags().front().text));
    images_[slot->number] = *image;
    return context_.set_image(ir::Stage::Compute, slot->number, {.resource = *image});
  }

  Status print_image(uint32_t number, const ResourceRef& image) {
    const LevelLayout& level = image->storage()->level(0);
    for (uint32_t slice = 0; slice < level.slices; ++slice) {
      Result<std::vector<Texel>> texels = context_.read_texels(image, 0, slice);
      if (!texels) return texels.diags();
      for (size_t n = 0; n < texels->size(); ++n) {
        const uint32_t* w = (*texels)[n].word;
        print(fmt::format("IMAGE[{}] {},{},{}  0x{:08x} 0x{:08x} 0x{:08x} 0x{:08x}\n", number, n % level.width,
                          n / level.width, slice, w[0], w[1], w[2], w[3]));
      }
    }
    return Done{};
  }

  Device& device_;
  Context& context_;
  const ShaderOptions& options_;
  std::map<uint32_t, ResourceRef> buffers_, images_;
};

}  // namespace

int run_compute(const ShaderOptions& options, const CommonOptions& common, ir::Program program,
                const Constants& constants) {
  Result<std::unique_ptr<Device>> device = Device::create(common.device);
  if (!device) return report_wrong_use(device.diags(), "tessera shader run");
  ComputeRun run(**device, options);
  if (Status s = run.prepare(std::move(program), constants); !s)
    return report_wrong_use(s.diags(), "tessera shader run");
  if (Status s = run.dispatch(); !s) {
    const bool is_over_budget = s.diags().front().id == raster::kOverBudgetId;
    report_wrong_use(s.diags(), is_over_budget ? options.file : "tessera shader run");
    return is_over_budget ? kFailed : kWrongUse;
  }
  if (Status s = run.print_memory(); !s) return report_wrong_use(s.diags(), "tessera shader run");
  return kSuccess;
}

}  // namespace tessera::tool
