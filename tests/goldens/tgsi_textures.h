// tests/goldens/tgsi_textures.h: the textures of a TGSI record, filled by the formula of its README.
#pragma once

#include <memory>

#include "core/result.h"
#include "tests/goldens/tgsi_record.h"
#include "texture/view.h"

namespace tessera::goldens {

// Nearest filters, clamp to edge. An error names what the texture unit does not take.
Result<std::shared_ptr<const texture::BoundTexture>> make_texture(const TextureDesc& desc, SimdTarget simd);

}  // namespace tessera::goldens
