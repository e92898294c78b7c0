#include "core/resource.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <new>
#include <optional>

#include <fmt/format.h>

namespace tessera {
namespace {
constexpr uint32_t kMaxSide_texels = 16384, kMaxLayers = 2048, kMaxSamples = 16;
constexpr uint64_t kMaxSize_bytes = uint64_t{1} << 40;
constexpr size_t kAlignment_bytes = 64;

struct KindRule {
  std::string_view name;
  bool has_height, has_depth, has_layers, has_levels, has_samples;
};
constexpr KindRule kRules[] = {   // indexed by ResourceKind
    {"Buffer", false, false, false, false, false},  {"Tex1D", false, false, false, true, false},
    {"Tex2D", true, false, false, true, true},      {"Tex3D", true, true, false, true, false},
    {"Cube", true, false, true, true, false},       {"Rect", true, false, false, false, false},
    {"Tex1DArray", false, false, true, true, false}, {"Tex2DArray", true, false, true, true, true},
    {"CubeArray", true, false, true, true, false}};

bool is_cube(ResourceKind kind) { return kind == ResourceKind::Cube || kind == ResourceKind::CubeArray; }

uint32_t max_levels(const ResourceDesc& d) {
  return static_cast<uint32_t>(std::bit_width(std::max({d.width, d.height, d.depth})));
}

size_t round_up(size_t bytes, size_t unit) { return (bytes + unit - 1) / unit * unit; }

uint32_t blocks(uint32_t texels, uint32_t block) { return (texels + block - 1) / block; }

// Fills the layouts of all levels and gives the bytes in all. Cannot overflow within the limits on sides, layers and
// samples: 2^14 * 2^14 * 2^14 * 2^11 * 2^4 * 2^5 bytes * 2 for the levels is 2^63.
uint64_t lay_out(const ResourceDesc& d, LevelLayout* levels) {
  const FormatInfo& format = format_info(d.format);
  uint64_t end = 0;
  for (uint32_t i = 0; i < d.levels; ++i) {
    LevelLayout& level = levels[i];
    level.width = std::max(d.width >> i, 1u);
    level.height = std::max(d.height >> i, 1u);
    level.depth = std::max(d.depth >> i, 1u);
    level.slices = d.layers * level.depth;
    level.rows = blocks(level.height, format.block_height);
    level.row_bytes = uint64_t{blocks(level.width, format.block_width)} * format.block_bytes;
    level.slice_bytes = level.row_bytes * level.rows;
    level.offset_bytes = round_up(end, kAlignment_bytes);
    end = level.offset_bytes + uint64_t{level.slice_bytes} * level.slices * d.samples;
  }
  return end;
}

struct Limit {
  std::string_view field;
  uint32_t value, min, max;
};

std::optional<Diag> out_of_range(const ResourceDesc& d, const KindRule& rule) {
  const bool buffer = d.kind == ResourceKind::Buffer;
  const Limit limits[] = {{"width", d.width, 1, buffer ? UINT32_MAX : kMaxSide_texels},
                          {"height", d.height, 1, rule.has_height ? kMaxSide_texels : 1},
                          {"depth", d.depth, 1, rule.has_depth ? kMaxSide_texels : 1},
                          {"layers", d.layers, 1, rule.has_layers ? kMaxLayers : 1},
                          {"levels", d.levels, 1, rule.has_levels ? max_levels(d) : 1},
                          {"samples", d.samples, 1, rule.has_samples ? kMaxSamples : 1}};
  for (const auto& [field, value, min, max] : limits)
    if (value < min || value > max)
      return error(fmt::format("{}: {} is {}, expected {} to {}", rule.name, field, value, min, max));
  return std::nullopt;
}

// What fields must have to do with each other.
std::optional<Diag> inconsistent(const ResourceDesc& d, const KindRule& rule) {
  const auto refuse = [&](std::string_view found, std::string_view expected) {
    return error(fmt::format("{}: {}, expected {}", rule.name, found, expected));
  };
  const FormatInfo& format = format_info(d.format);
  if (!std::has_single_bit(d.samples)) return refuse(fmt::format("samples is {}", d.samples), "a power of two");
  if (d.samples > 1 && d.levels > 1)
    return refuse(fmt::format("levels is {} with {} samples", d.levels, d.samples), "1");
  if (format.is_compressed && (!rule.has_height || d.samples > 1))
    return refuse(fmt::format("format {} of blocks{}", format.name, d.samples > 1 ? " with several samples" : ""),
                  "texels that stand alone");
  if (d.kind == ResourceKind::Buffer && format.block_bytes != 1)
    return refuse(fmt::format("format {} has {} bytes", format.name, format.block_bytes), "1");
  if (is_cube(d.kind) && d.width != d.height)
    return refuse(fmt::format("{} x {} texels", d.width, d.height), "square faces");
  if (d.kind == ResourceKind::Cube && d.layers != 6) return refuse(fmt::format("layers is {}", d.layers), "6");
  if (d.kind == ResourceKind::CubeArray && d.layers % 6 != 0)
    return refuse(fmt::format("layers is {}", d.layers), "a multiple of 6");
  LevelLayout levels[kMaxLevels];
  if (const uint64_t size_bytes = lay_out(d, levels); size_bytes > kMaxSize_bytes)
    return refuse(fmt::format("{} bytes", size_bytes), fmt::format("at most {}", kMaxSize_bytes));
  return std::nullopt;
}

std::optional<Diag> broken_rule(const ResourceDesc& d) {
  if (static_cast<size_t>(d.kind) >= std::size(kRules))
    return error(fmt::format("resource kind {} does not exist", static_cast<int>(d.kind)));
  if (static_cast<size_t>(d.format) >= all_formats().size() || d.format == Format::NONE)
    return error("a resource needs a format");
  const KindRule& rule = kRules[static_cast<size_t>(d.kind)];
  auto diag = out_of_range(d, rule);
  return diag ? diag : inconsistent(d, rule);
}

// calloc gets large blocks as untouched zero pages. The block's own address stands just before the aligned one.
std::byte* allocate_zeros(size_t bytes) {
  void* block = std::calloc(bytes + kAlignment_bytes + sizeof(void*), 1);
  if (!block) throw std::bad_alloc();
  const uintptr_t after_header = reinterpret_cast<uintptr_t>(block) + sizeof(void*);
  const size_t skip = round_up(after_header, kAlignment_bytes) - reinterpret_cast<uintptr_t>(block);
  std::byte* aligned = static_cast<std::byte*>(block) + skip;
  std::memcpy(aligned - sizeof(void*), &block, sizeof(void*));
  return aligned;
}
}  // namespace

void Storage::Free::operator()(std::byte* p) const {
  void* block;
  std::memcpy(&block, p - sizeof(void*), sizeof(void*));
  std::free(block);
}

Storage::Storage(const ResourceDesc& desc, size_t absent_bytes) : desc_(desc), absent_bytes_(absent_bytes) {
  TESSERA_CHECK(!broken_rule(desc));
  const size_t whole_bytes = lay_out(desc, levels_);
  TESSERA_CHECK(absent_bytes == whole_bytes || (absent_bytes < whole_bytes && absent_bytes % kAlignment_bytes == 0));
  size_bytes_ = whole_bytes - absent_bytes;
  bytes_.reset(allocate_zeros(size_bytes_ + kReadSlack_bytes));
}

std::byte* Storage::slice(uint32_t level, uint32_t slice, uint32_t sample) {
  return const_cast<std::byte*>(std::as_const(*this).slice(level, slice, sample));
}
const std::byte* Storage::slice(uint32_t level, uint32_t slice, uint32_t sample) const {
  const LevelLayout& l = levels_[level];
  // As numbers: what is absent lies outside of the object that a pointer may walk in.
  const size_t offset = l.offset_bytes + (size_t{slice} * desc_.samples + sample) * l.slice_bytes;
  return reinterpret_cast<const std::byte*>(reinterpret_cast<uintptr_t>(bytes_.get()) + offset - absent_bytes_);
}

Resource::Resource(const ResourceDesc& desc) : storage_(std::make_shared<Storage>(desc)) {}

Status Resource::check(const ResourceDesc& desc) {
  if (auto diag = broken_rule(desc)) return *std::move(diag);
  return Done{};
}

Result<std::shared_ptr<Resource>> Resource::create(const ResourceDesc& desc) {
  if (auto diag = broken_rule(desc)) return *std::move(diag);
  try {
    return std::shared_ptr<Resource>(new Resource(desc));
  } catch (const std::bad_alloc&) {
    return error("not enough memory for the resource");
  }
}

Storage& Resource::storage_for_write(bool keep) {
  if (storage_.use_count() > 1) {   // a count of 1 stays 1: only this resource can give the storage away
    auto renamed = std::make_shared<Storage>(desc());
    if (keep) std::memcpy(renamed->data(), storage_->data(), storage_->size_bytes());
    storage_ = std::move(renamed);
  }
  return *storage_;
}

}  // namespace tessera
