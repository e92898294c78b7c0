// frontend/vtest/command_stream.h: runs the commands of submissions on a session.
// A command that cannot be carried out is logged and passed over: a closed connection would kill the client's program.
#pragma once

#include <span>

#include "frontend/vtest/session.h"

namespace tessera::vtest {

class CommandStream {
 public:
  explicit CommandStream(Session& session) : session_(session) {}

  void run(std::span<const uint32_t> words);

 private:
  struct Command {
    const char* name = nullptr;          // null: not known
    const char* fields = nullptr;        // as in decode.h
    uint32_t least_words = 0;
    // Neither: passed over.
    Status (CommandStream::*handler)(Words d) = nullptr;
    Status (CommandStream::*context_handler)(SubContext& sub, Words d) = nullptr;
  };
  Status run_command(const Command& command, Words d);
  static const Command& command(uint32_t number);

  // d[0] is the header, d[1] the first word of the payload.
  Status create_object(SubContext& sub, Words d);
  Status bind_object(SubContext& sub, Words d);
  Status destroy_object(SubContext& sub, Words d);
  Status create_sub_context(Words d);
  Status set_sub_context(Words d);
  Status destroy_sub_context(Words d);

  Status set_viewport(SubContext& sub, Words d);
  Status set_scissor(SubContext& sub, Words d);
  Status set_framebuffer(SubContext& sub, Words d);
  Status set_empty_framebuffer(SubContext& sub, Words d);
  Status set_stencil_reference(SubContext& sub, Words d);
  Status set_blend_color(SubContext& sub, Words d);
  Status set_clip_planes(SubContext& sub, Words d);
  Status set_polygon_stipple(SubContext& sub, Words d);
  Status set_sample_mask(SubContext& sub, Words d);
  Status set_min_samples(SubContext& sub, Words d);

  Status bind_shader(SubContext& sub, Words d);
  Status set_vertex_buffers(SubContext& sub, Words d);
  Status set_index_buffer(SubContext& sub, Words d);
  Status set_constant_buffer(SubContext& sub, Words d);
  Status set_uniform_buffer(SubContext& sub, Words d);
  Status set_sampler_views(SubContext& sub, Words d);
  Status bind_samplers(SubContext& sub, Words d);

  Status clear(SubContext& sub, Words d);
  Status clear_surfaces(SubContext& sub, Words d);
  Status draw(SubContext& sub, Words d);

  Status transfer(Words d);
  Status copy_transfer(Words d);
  Status inline_write(Words d);
  Status copy_region(Words d);
  Status blit(Words d);
  Status clear_texture(Words d);

  Status set_tessellation(SubContext& sub, Words d);
  Status set_shader_buffers(SubContext& sub, Words d);
  Status set_shader_images(SubContext& sub, Words d);
  Status launch_grid(SubContext& sub, Words d);

  Status begin_query(SubContext& sub, Words d);
  Status end_query(SubContext& sub, Words d);
  Status get_query_result(SubContext& sub, Words d);
  Status store_query_result(SubContext& sub, Words d);
  Status set_render_condition(SubContext& sub, Words d);
  Status set_stream_targets(SubContext& sub, Words d);

  Status create_program(SubContext& sub, Words d);
  Result<ImageBinding> read_image(Words d) const;
  Status draw_indirect(const raster::DrawInfo& info, Words d);
  Status draw_streamed(SubContext& sub, const raster::DrawInfo& info, uint32_t target_bytes);
  Session& session_;
};

}  // namespace tessera::vtest
