#include "frontend/texture_file.h"

#include <fmt/format.h>

#include "frontend/texture_reader.h"

namespace tessera {
namespace {

constexpr std::string_view kDdsSignature = "DDS ", kKtxSignature = "\xabKTX 11\xbb\r\n\x1a\n";

bool begins_with(std::span<const uint8_t> file, std::string_view signature) {
  return file.size() >= signature.size() && std::equal(signature.begin(), signature.end(), file.begin(),
                                                       [](char a, uint8_t b) { return static_cast<uint8_t>(a) == b; });
}

}  // namespace

SliceSize slice_size(const ResourceDesc& desc, uint32_t level) {
  const FormatInfo& format = format_info(desc.format);
  const auto blocks = [level](uint32_t side, uint32_t block) {
    return (std::max(side >> level, 1u) + block - 1) / block;
  };
  return {blocks(desc.height, format.block_height),
          size_t{blocks(desc.width, format.block_width)} * format.block_bytes};
}

Status check_description(const ResourceDesc& desc, std::string_view kind_of_file) {
  const Status status = Resource::check(desc);
  return status ? status : Status(error(fmt::format("the {} file: {}", kind_of_file, status.diags().front().text)));
}

bool is_texture_file(std::span<const uint8_t> file) {
  return begins_with(file, kDdsSignature) || begins_with(file, kKtxSignature);
}

Result<TextureFile> decode_texture_file(std::span<const uint8_t> file) {
  if (begins_with(file, kDdsSignature)) return decode_dds(file.subspan(kDdsSignature.size()));
  if (begins_with(file, kKtxSignature)) return decode_ktx(file.subspan(kKtxSignature.size()));
  return error("expected a DDS or KTX file");
}

Result<ResourceRef> create_image(Device& device, const TextureFile& file) {
  Result<ResourceRef> image = device.create_image(file.desc);
  if (!image) return image;
  for (const TextureFile::Part& part : file.parts) {
    const LevelLayout& level = (*image)->storage()->level(part.level);
    const Box box{.z = part.first_slice, .width = level.width, .height = level.height, .depth = part.slices};
    if (Status s = device.context().write_texels(*image, part.level, box, part.bytes); !s) return s.diags();
  }
  return image;
}

}  // namespace tessera
