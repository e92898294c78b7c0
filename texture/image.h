// texture/image.h: what shaders load from, store to and update: one level of a resource's storage, or elements of a
// buffer, seen through a format.
// In:      an ImageView that check_image_view() accepted.
// Out:     texels as pack_texel() and unpack_texel() convert them. Loads outside of the view give 0 in all channels,
//          stores and updates there are dropped. Atomic operations work on 32-bit formats of one field.
// Threads: a BoundImage never changes; programs on several threads access its texels in any order.
#pragma once

#include <cstdint>
#include <memory>

#include "core/resource.h"
#include "shader/executor.h"

namespace tessera::texture {

struct ImageView {
  std::shared_ptr<Storage> storage;
  Format format = Format::R8G8B8A8_UNORM;
  ResourceKind kind = ResourceKind::Tex2D;      // target reinterpretation, as in View
  uint32_t level = 0;
  uint32_t first_layer = 0, last_layer = 0;   // faces and depth slices count as layers; buffers: first and last element
  bool is_read_only = false;                    // stores are dropped, atomic operations do nothing and give 0
};

// Level `level` of the whole of `storage`.
ImageView whole_image(const std::shared_ptr<Storage>& storage, uint32_t level = 0);
// Empty when shaders can access the view; else the reasons (level, layers, format, kind).
Status check_image_view(const ImageView& view);
// Can atomic operations update texels of this format?
bool format_has_atomics(Format format);

struct BoundImage {
  ImageView view;                               // keeps the texels alive
  std::byte* texels = nullptr;                  // first texel of the view
  uint32_t width = 1, height = 1, slices = 1, samples = 1;
  size_t row_bytes = 0, slice_bytes = 0, sample_bytes = 0;
  uint32_t texel_bytes = 4;
  uint32_t plain_words = 0;   // this many 32-bit fields, seen as they are stored; 0: conversion is needed
  bool has_atomics = false;
};
BoundImage bind_image(const ImageView& view);   // check_image_view() holds

// Services::access_image and Services::image_size.
void access_image_block(const void* bound_image, const ImageArgs& args);
void query_image_size(const void* bound_image, uint32_t size[4]);

}  // namespace tessera::texture
