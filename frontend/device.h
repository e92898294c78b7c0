// frontend/device.h: the C++ API. A Device owns threads and caches; its Context holds current state and draws.
//
//     auto device = std::move(tessera::Device::create({}).value());
//     Context& c = device->context();
//     ResourceRef target = device->create_image({.width = 640, .height = 480}).value();
//     c.set_color_target(0, {target});
//     c.set_shader(device->create_shader(ir::Stage::Vertex, vs_text).value());
//     c.set_shader(device->create_shader(ir::Stage::Fragment, fs_text).value());
//     c.clear_color({0, 0, 0, 1});   c.draw({.count = 3});
//     Image picture = c.read_image(target).value();
//
// Errors:  every call that can fail returns a Result whose Diag names the field; nothing is applied then.
// Order:   calls take effect in the order they are made. Work is recorded and runs when its result is read, when a
//          draw reads what earlier ones drew, or in flush(); a later write to a resource never changes an earlier draw.
// Threads: a Device and its objects belong to one calling thread at a time.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "combiners/state.h"
#include "core/resource.h"
#include "core/result.h"
#include "frontend/image_io.h"
#include "frontend/pixels.h"
#include "frontend/query.h"
#include "frontend/stream_output.h"
#include "frontend/transfers.h"
#include "raster/renderer.h"
#include "raster/state.h"
#include "shader/dispatch.h"
#include "shader/executor_choice.h"
#include "texture/view.h"

namespace tessera {

struct DeviceOptions {
  raster::RendererOptions raster;
  ExecutorKind executor = ExecutorKind::Jit;   // where it can run; else, and in strict mode, the interpreter
  // One thread; one quad to completion at a time, vertices in index order, tiles in row order: what programs do to
  // memory without order (Shader::unordered) is then the same in every run, too.
  bool strict = false;
  bool d3d9_zero_wins = true;                  // Direct3D 9 shaders: 0 times anything is 0, infinities and NaN, too
};

enum class Dialect : uint8_t { Current, Tgsi2007 };

inline constexpr uint32_t kMaxConstantBuffers = 16;
inline constexpr uint32_t kMaxConstantWords = 65536 * 4;
inline constexpr uint32_t kMaxTextureUnits = 32;
inline constexpr uint32_t kMaxVertexBuffers = 32;
inline constexpr uint32_t kMaxShaderBuffers = 32;      // of each memory space
inline constexpr uint32_t kMaxShaderImages = 32;
inline constexpr uint32_t kMaxArgumentBytes = 4096;    // of a dispatch

// A compiled program of one stage, immutable; the same text gives the same Shader.
class Shader {
 public:
  Shader(std::shared_ptr<const Executable> executable, std::vector<Diag> unordered)
      : executable_(std::move(executable)), unordered_(std::move(unordered)) {}
  ir::Stage stage() const { return executable_->program().stage; }
  const std::shared_ptr<const Executable>& executable() const { return executable_; }
  // Where results may depend on the order of invocations; such programs are outside of the promise of equal bits.
  const std::vector<Diag>& unordered() const { return unordered_; }

 private:
  std::shared_ptr<const Executable> executable_;
  std::vector<Diag> unordered_;
};

using ShaderRef = std::shared_ptr<const Shader>;

class Context;

class Device {
 public:
  static Result<std::unique_ptr<Device>> create(const DeviceOptions& options);
  ~Device();

  Context& context();
  const DeviceOptions& options() const;        // as they hold: 0 threads replaced by the machine's number, ...

  Result<ResourceRef> create_image(const ResourceDesc& desc);
  Result<ResourceRef> create_buffer(std::span<const std::byte> contents);   // at least one byte

  Result<ShaderRef> create_shader(ir::Stage stage, std::string_view tgsi, Dialect dialect = Dialect::Current);
  // From another front end; `program` must verify.
  Result<ShaderRef> create_shader(ir::Program program);

 private:
  friend class Context;
  struct Impl;
  explicit Device(const DeviceOptions& options);
  std::unique_ptr<Impl> impl_;
};

// An attachment: one level, one layer (or face, or depth slice) of an image, or several: each primitive chooses one of
// them by the LAYER output of its provoking vertex (raster::Framebuffer::layers); clears and resolves are of all.
// A null resource detaches.
struct Attachment {
  ResourceRef resource;
  uint32_t level = 0, layer = 0;
  Format format = Format::NONE;                // NONE: the resource's own
  uint32_t layers = 1;
  bool operator==(const Attachment&) const = default;
};

// What a texture unit reads. The empty optional fields stand for everything the resource has.
struct TextureView {
  ResourceRef resource;
  Format format = Format::NONE;                // NONE: the resource's own
  std::optional<ResourceKind> kind;
  uint32_t first_level = 0;
  std::optional<uint32_t> last_level;
  uint32_t first_layer = 0;
  std::optional<uint32_t> last_layer;
  std::array<Swizzle, 4> swizzle = {Swizzle::X, Swizzle::Y, Swizzle::Z, Swizzle::W};
  bool operator==(const TextureView&) const = default;
};

// What BUFFER[i], or another space's memory, is: a range of a buffer. A null resource: loads give 0, stores are dropped.
struct BufferRange {
  ResourceRef resource;
  uint32_t offset_bytes = 0;                   // a multiple of 4
  std::optional<uint32_t> size_bytes;          // else up to the buffer's end
  bool read_only = false;                      // stores are dropped, atomic operations do nothing and give 0
};

// What IMAGE[i] is: one level of an image, or elements of a buffer (layers count elements then).
struct ShaderImage {
  ResourceRef resource;
  Format format = Format::NONE;                // NONE: the resource's own
  std::optional<ResourceKind> kind;
  uint32_t level = 0, first_layer = 0;
  std::optional<uint32_t> last_layer;
  bool read_only = false;
};

// Draws whose numbers lie in a buffer, as OpenGL and Direct3D have them: count, instances, first vertex or index, (of
// indexed draws) base vertex, first instance; each a word.
struct IndirectDraws {
  ResourceRef buffer;
  uint32_t offset_bytes = 0;
  uint32_t stride_bytes = 0;                   // from draw to draw; 0: one behind the other
  uint32_t draw_count = 1;                     // at most so many, where there is a count buffer
  ResourceRef count_buffer;
  uint32_t count_offset_bytes = 0;
};

struct DrawRange {
  uint32_t start = 0, count = 0;
  int32_t base_vertex = 0;
};

class Context {
 public:
  ~Context();

  // ---- targets ----
  Status set_color_target(uint32_t index, const Attachment& attachment);
  Status set_depth_target(const Attachment& attachment);
  // What is drawn into while no target is set: nothing is stored then, but programs run, write memory and are counted.
  Status set_empty_target(uint32_t width, uint32_t height, uint32_t layers = 1, uint32_t samples = 1);

  // Textures that a draw also draws into: refused, or (allowed) read as they were before the draw.
  void allow_feedback(bool is_allowed);

  // ---- programs and state ----
  Status set_shader(const ShaderRef& shader);              // by the shader's stage
  // Of the stages between the vertex shader and the rasterizer.
  Status unset_shader(ir::Stage stage);
  void unset_fragment_shader();                            // only depth and stencil are written then; but:
  // The fixed-function fragment stage, in place of a fragment shader or, with register combiners, behind it. Unit u
  // reads texture u of the fragment stage; shapes and base formats come from the textures (combiners/program.h).
  Status set_fixed_function(const combiners::FragmentState& state);
  void unset_fixed_function();
  void set_blend(const raster::BlendState& state);
  void set_rasterizer(const raster::RasterizerState& state);
  void set_depth_stencil_alpha(const raster::DepthStencilAlphaState& state);
  // Of all sixteen viewports, of which a primitive goes through the one that the VIEWPORT_INDEX output of its provoking
  // vertex names (raster::ViewportArray), or through number 0; or of one.
  void set_viewport(const raster::Viewport& viewport);
  void set_viewport_rect(float x, float y, float width, float height, float near_depth = 0, float far_depth = 1);
  void unset_viewport();                                   // the whole target, which is how a Context starts
  void set_scissor(const raster::IRect& rect);
  Status set_viewport_at(uint32_t index, const raster::Viewport& viewport);
  Status set_viewport_rect_at(uint32_t index, float x, float y, float width, float height, float near_depth = 0,
                           float far_depth = 1);
  Status set_scissor_at(uint32_t index, const raster::IRect& rect);
  void set_blend_color(const std::array<float, 4>& color);
  void set_stencil_reference(uint8_t front, uint8_t back);
  void set_polygon_stipple(const raster::StipplePattern& pattern);   // where RasterizerState::poly_stipple is on
  void set_sample_mask(uint32_t mask);                     // bit s: sample s is written
  void set_min_samples(uint32_t samples);                  // above 1: fragments are shaded once a sample
  // For vertex programs that write no CLIPDIST; RasterizerState::clip_plane_enable says which count.
  void set_clip_planes(const std::array<raster::ClipPlane, raster::kMaxClipPlanes>& planes);

  // Levels of patches without a tessellation control shader.
  void set_tessellation_levels(const std::array<float, 4>& outer, const std::array<float, 2>& inner);

  // ---- stream output ----
  // What the last stage before the rasterizer writes to the targets; no elements: nothing.
  Status set_stream_output(const raster::StreamLayout& layout);
  Result<StreamTargetRef> create_stream_target(const ResourceRef& buffer, uint32_t offset_bytes = 0,
                                               std::optional<uint32_t> size_bytes = {});
  // Target i is buffer i of the layout. Bit i of append_mask: it goes on where it ended, else from its beginning.
  Status set_stream_targets(std::span<const StreamTargetRef> targets, uint32_t append_mask = 0);

  // ---- queries ----
  Result<QueryRef> create_query(QueryKind kind, uint32_t stream = 0);   // stream: of primitives and overflow
  Status begin_query(const QueryRef& query);
  Status end_query(const QueryRef& query);
  Result<uint64_t> query_result(const QueryRef& query);
  Result<PipelineStatistics> query_statistics(const QueryRef& query);
  // Draws, clears and dispatches from now on are left out where the query's result is 0 (inverted: where it is not).
  // The result is waited for, as OpenGL's modes without a wait allow too. A null query: nothing is left out.
  Status set_render_condition(const QueryRef& query, bool is_inverted = false);

  // ---- inputs ----
  Status set_vertex_elements(std::span<const raster::VertexElement> elements);   // element i feeds IN[i]
  Status set_vertex_buffer(uint32_t slot, const ResourceRef& buffer, uint32_t stride_bytes, uint32_t offset_bytes = 0);
  Status set_index_buffer(const ResourceRef& buffer, uint32_t index_bytes, uint32_t offset_bytes = 0);
  Status set_constants(ir::Stage stage, uint32_t buffer, std::span<const uint32_t> words);
  Status set_constants(ir::Stage stage, uint32_t buffer, std::span<const float> values);
  Status set_texture(ir::Stage stage, uint32_t unit, const TextureView& view);   // null resource: reads 0, 0, 0, 1
  Status set_sampler(ir::Stage stage, uint32_t unit, const texture::Sampler& sampler);

  // ---- memory that programs write ----
  // Buffer: BUFFER[slot]; Counter: HWATOMIC[slot]; Global: slot 0, MEMORY of a compute shader.
  Status set_memory(ir::Stage stage, ir::MemorySpace space, uint32_t slot, const BufferRange& range);
  Status set_image(ir::Stage stage, uint32_t slot, const ShaderImage& image);

  // ---- work ----
  // Every colour target, or one, with integers for integer formats (they saturate). The state's tests, scissor and masks
  // do not count: the region says what is cleared.
  Status clear_color(const std::array<float, 4>& color, const ClearRegion& region = {});
  Status clear_color(uint32_t target, const Texel& color, const ClearRegion& region = {});
  Status clear_depth(float depth, const ClearRegion& region = {});
  Status clear_stencil(uint8_t stencil, const ClearRegion& region = {});
  Status clear_depth_stencil(std::optional<float> z, std::optional<uint8_t> stencil, const ClearRegion& region = {});
  Status draw(const raster::DrawInfo& info);
  Status draw_many(const raster::DrawInfo& info, std::span<const DrawRange> ranges);   // DRAWID counts them
  // With the rest of `info`. Nothing outside of the buffers is read; draws before one that fails are drawn.
  Status draw_indirect(const raster::DrawInfo& info, const IndirectDraws& indirect);
  // As many vertices as stream output has written to the target.
  Status draw_stream_output(const raster::DrawInfo& info, const StreamTargetRef& target);
  // Pixel rectangles and bitmaps at the raster position (frontend/pixels.h). The row of a box is in window direction.
  void set_raster_position(const RasterPosition& position);
  const RasterPosition& raster_position() const;
  Status set_pixel_transfer(const PixelTransfer& transfer);
  Status draw_pixels(const PixelRect& pixels);
  Status copy_pixels(const Attachment& from, const Box& box, PixelKind kind);   // z of the box: the attachment's layer
  Status draw_bitmap(const Bitmap& bitmap);
  // One value a pixel from the samples of an image (raster/resolve.h): both of one format, `to` with one sample and at
  // least as large. Cheapest while `from` is a target and in the frame that drew it.
  Status resolve(const Attachment& from, const Attachment& to);
  // Runs the compute shader over a grid, after all recorded work; done when it returns. `arguments`: MEMORY INPUT.
  Status dispatch(const Grid& grid, std::span<const uint32_t> arguments = {});
  // Error: a draw went over its instruction budget; the targets' contents are then meaningless.
  Status flush();

  // ---- contents ----
  Status write_buffer(const ResourceRef& buffer, uint64_t offset_bytes, std::span<const std::byte> bytes);
  // Texels, or blocks, row by row, slice by slice. Padding is skipped, in `bytes` as in `out`; without a pitch there
  // is none.
  Status write_texels(const ResourceRef& image, uint32_t level, const Box& box, std::span<const std::byte> bytes,
                      const Pitch& pitch = {});
  Status read_box(const ResourceRef& image, uint32_t level, const Box& box, std::span<std::byte> out,
                  const Pitch& pitch = {});
  // Between formats of equal texel or block size and images of equally many samples, bit by bit, as if read first:
  // boxes may overlap. The box is in texels of `from`.
  Status copy_texels(const ResourceRef& from, uint32_t from_level, const Box& box,
                     const ResourceRef& to, uint32_t to_level, uint32_t x, uint32_t y, uint32_t z);
  // The bytes of one texel (or block) to all texels of a box, in every sample; a pattern of 1 to 16 bytes to a range.
  Status fill_texels(const ResourceRef& image, uint32_t level, const Box& box, std::span<const std::byte> texel);
  Status fill_buffer(const ResourceRef& buffer, uint64_t offset_bytes, uint64_t size_bytes,
                     std::span<const std::byte> pattern);
  Status copy_buffer(const ResourceRef& from, uint64_t from_offset_bytes, const ResourceRef& to,
                     uint64_t to_offset_bytes, uint64_t size_bytes);                 // the ranges may overlap
  // Any offset and pitch that keep rows apart; padding is not touched.
  Status copy_buffer_to_image(const ResourceRef& buffer, uint64_t offset_bytes, const Pitch& pitch,
                              const ResourceRef& image, uint32_t level, const Box& box);
  Status copy_image_to_buffer(const ResourceRef& image, uint32_t level, const Box& box, const ResourceRef& buffer,
                              uint64_t offset_bytes, const Pitch& pitch);
  Status blit(const Blit& blit);                           // frontend/transfers.h
  Status generate_mips(const ResourceRef& image);          // every level from level 0, box filtered

  // The texels of one level's slice, as the shader would fetch them; of several samples a pixel, one.
  Result<std::vector<Texel>> read_texels(const ResourceRef& image, uint32_t level = 0, uint32_t slice = 0,
                                         uint32_t sample = 0);
  Result<std::vector<std::byte>> read_bytes(const ResourceRef& resource, uint32_t level = 0, uint32_t slice = 0,
                                            uint32_t sample = 0);
  // An image of one sample a pixel with the same contents: `image` itself, or what it resolves to.
  Result<ResourceRef> resolved(const ResourceRef& image, uint32_t slice = 0);
  // As a picture: unorm bytes as they are stored (sRGB stays encoded), other formats clamped to 0..1; resolved.
  Result<Image> read_image(const ResourceRef& image, uint32_t level = 0, uint32_t slice = 0);

  raster::Renderer& renderer();                            // counters, options

 private:
  friend class Device;
  struct Impl;
  explicit Context(Device& device);
  std::unique_ptr<Impl> impl_;
};

}  // namespace tessera
