#include "tests/goldens/tgsi_memory.h"

#include <fmt/format.h>

#include "tests/goldens/compare.h"
#include "texture/kind.h"

namespace tessera::goldens {
namespace {

constexpr uint32_t kTexelWords = 4;

ResourceKind kind_of(ir::TextureTarget target) {
  const std::optional<ResourceKind> kind = texture::kind_of_target(target);
  if (!kind) throw BadRecord("images: a target that no image has");
  return *kind;
}

// The layers of a 1D array stand where other images have their height.
ResourceDesc resource_desc(const ImageDesc& image, ResourceKind kind, Format format) {
  ResourceDesc d{.kind = kind, .format = format, .width = image.width, .height = image.height};
  if (kind == ResourceKind::Buffer) d.format = Format::R8_UINT, d.width *= format_info(format).block_bytes;
  if (kind == ResourceKind::Tex1DArray) d.height = 1, d.layers = image.height;
  else (kind == ResourceKind::Tex3D ? d.depth : d.layers) = image.depth;
  return d;
}

// Texel n of the record, in the order of the record: rows, then slices.
std::byte* texel_at(const texture::BoundImage& bound, size_t n) {
  const size_t x = n % bound.width, y = n / bound.width % bound.height, slice = n / bound.width / bound.height;
  return bound.texels + slice * bound.slice_bytes + y * bound.row_bytes + x * bound.texel_bytes;
}

texture::BoundImage make_image(const ImageDesc& image, const tgsi::Declaration& d) {
  const ResourceKind kind = kind_of(*d.target);
  const auto resource = Resource::create(resource_desc(image, kind, *d.format));
  if (!resource) throw BadRecord("images: " + resource.diags()[0].text);
  texture::ImageView view = texture::whole_image((*resource)->storage());
  view.format = *d.format;
  if (kind == ResourceKind::Buffer) view.last_layer = image.width - 1;
  if (const Status ok = texture::check_image_view(view); !ok) throw BadRecord("images: " + ok.diags()[0].text);
  texture::BoundImage bound = texture::bind_image(view);
  if (image.texels.size() != size_t{bound.width} * bound.height * bound.slices * kTexelWords)
    throw BadRecord("images: another number of texels than the size says");
  for (size_t n = 0; n < image.texels.size() / kTexelWords; ++n) {
    Texel texel;
    std::copy_n(image.texels.begin() + static_cast<ptrdiff_t>(n * kTexelWords), kTexelWords, texel.word);
    pack_texel(*d.format, texel, texel_at(bound, n));
  }
  return bound;
}

const tgsi::Declaration* declaration_of(const tgsi::Program& text, uint32_t image) {
  for (const tgsi::Declaration& d : text.declarations)
    if (d.file == tgsi::File::Image && d.first <= image && image <= d.last) return &d;
  return nullptr;
}

}  // namespace

RecordMemory::RecordMemory(const TgsiRecord& record, const tgsi::Program& text)
    : record_(record), buffers_(record.buffers), shared_(record.shared) {
  for (auto& [number, words] : buffers_) {
    if (number >= buffer_views_.size()) buffer_views_.resize(number + 1);
    buffer_views_[number] = {reinterpret_cast<std::byte*>(words.data()), static_cast<uint32_t>(words.size() * 4),
                             false};
  }
  shared_view_ = {reinterpret_cast<std::byte*>(shared_.data()), static_cast<uint32_t>(shared_.size() * 4), false};
  for (const auto& [number, image] : record.images) {
    const tgsi::Declaration* d = declaration_of(text, number);
    if (!d || !d->target || !d->format) throw BadRecord("images: the program does not declare the image with a format");
    images_.emplace(number, make_image(image, *d));
    if (number >= image_views_.size()) image_views_.resize(number + 1);
  }
  for (const auto& [number, image] : images_) image_views_[number] = &image;
}

void RecordMemory::bind(Bindings& bindings) const {
  bindings.memory[static_cast<size_t>(ir::MemorySpace::Buffer)] = buffer_views_;
  bindings.memory[static_cast<size_t>(ir::MemorySpace::Shared)] = {&shared_view_, 1};
  bindings.images = image_views_;
  bindings.services.access_image = texture::access_image_block;
  bindings.services.image_size = texture::query_image_size;
}

std::string RecordMemory::difference() const {
  for (const auto& [number, words] : buffers_) {
    const auto changed = record_.buffers_out.find(number);
    const std::vector<uint32_t>& want =
        changed != record_.buffers_out.end() ? changed->second : record_.buffers.at(number);
    if (want.size() != words.size()) throw BadRecord("buffers_out: another size than before");
    for (size_t n = 0; n < words.size(); ++n)
      if (!word_is_right(record_, fmt::format("buf{}", number), n, want[n], words[n]))
        return fmt::format("BUFFER[{}] word {}: expected {:08x}, found {:08x}", number, n, want[n], words[n]);
  }
  for (const auto& [number, image] : images_)
    if (const std::string text = image_difference(number); !text.empty()) return text;
  return {};
}

// Channels that the format does not hold are not compared.
std::string RecordMemory::image_difference(uint32_t number) const {
  const texture::BoundImage& image = images_.at(number);
  const auto changed = record_.images_out.find(number);
  const std::vector<uint32_t>& want =
      changed != record_.images_out.end() ? changed->second : record_.images.at(number).texels;
  for (size_t n = 0; n < want.size() / kTexelWords; ++n) {
    const Texel texel = unpack_texel(image.view.format, texel_at(image, n));
    for (size_t c = 0; c < image.plain_words; ++c)
      if (const size_t word = n * kTexelWords + c;
          !word_is_right(record_, fmt::format("img{}", number), word, want[word], texel.word[c]))
        return fmt::format("IMAGE[{}] texel {} channel {}: expected {:08x}, found {:08x}", number, n, c, want[word],
                           texel.word[c]);
  }
  return {};
}

}  // namespace tessera::goldens
