// frontend/texture_file.h: DDS and KTX (1) files: images with format, levels, faces, layers or depth of their own.
// In:     DDS with and without the DX10 header; KTX 1 of little-endian machines.
// Out:    what Device::create_image makes, and the texels or blocks of each level.
// Errors: anything that the headers' own descriptions do not allow, formats without a name here, files that are too
//         short or too long. Sizes are checked against the file before anything is allocated.
// Source: Microsoft's Programming Guide for DDS; Khronos' KTX File Format Specification 1.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/resource.h"
#include "core/result.h"
#include "frontend/device.h"

namespace tessera {

struct TextureFile {
  struct Part {
    uint32_t level = 0, first_slice = 0, slices = 1;
    std::vector<std::byte> bytes;   // rows without padding
  };
  ResourceDesc desc;
  std::vector<Part> parts;
};

bool is_texture_file(std::span<const uint8_t> file);   // by its signature
Result<TextureFile> decode_texture_file(std::span<const uint8_t> file);
// Without their signatures.
Result<TextureFile> decode_dds(std::span<const uint8_t> file);
Result<TextureFile> decode_ktx(std::span<const uint8_t> file);

Result<ResourceRef> create_image(Device& device, const TextureFile& file);

}  // namespace tessera
