/* tessera.h: the C API: a device that draws into images, and scene files drawn to pictures.
 *
 *     tessera_device* device = NULL;
 *     if (tessera_device_create(NULL, &device) != TESSERA_OK) puts(tessera_error());
 *
 * Errors:  every call that can fail returns a tessera_status, and where that is not TESSERA_OK, tessera_error() says
 *          why; nothing is applied then, and what was to be created is set to NULL. No exception leaves a call.
 * Objects: what a _create function gave goes to the _destroy function of its kind, which takes NULL, too. A destroyed
 *          object lives on as long as the device uses it; so the order of destruction does not matter.
 * Order:   calls take effect in the order they are made; the work runs when its result is read, or in tessera_flush().
 * Threads: a device and its objects belong to one calling thread at a time.
 * Texts:   shaders are TGSI, states and samplers lines of a scene file's [state] and [sampler] (frontend/scene.md).
 */
#ifndef TESSERA_H
#define TESSERA_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum tessera_status {
  TESSERA_OK = 0,
  TESSERA_FAILED = 1,    /* right work that could not be done: out of memory, over the instruction budget */
  TESSERA_WRONG_USE = 2  /* arguments, states, texts or files that are wrong */
} tessera_status;

/* Why the calling thread's last call failed, with line and column where a text is wrong; "" where it did not fail.
 * Valid until the thread's next call. */
const char* tessera_error(void);
const char* tessera_version(void);

/* ---- devices ---- */

typedef struct tessera_device tessera_device;

typedef struct tessera_options { /* zeros: the defaults */
  uint32_t threads;              /* 0: as many as the machine has */
  uint32_t instruction_budget;   /* loop turns that a shader invocation may take; 0: no limit */
  int use_interpreter;           /* in place of machine code; pictures do not depend on it */
  int is_strict;                 /* one thread, one quad at a time: repeatable whatever programs do to memory */
} tessera_options;

/* options: NULL stands for the defaults. */
tessera_status tessera_device_create(const tessera_options* options, tessera_device** device);
void tessera_device_destroy(tessera_device* device);

/* ---- pictures: 8-bit RGBA in memory ---- */

typedef struct tessera_picture tessera_picture;

tessera_status tessera_picture_read(const char* path, tessera_picture** picture); /* a PNG or JPEG file */
tessera_status tessera_picture_write(const tessera_picture* picture, const char* png_path);
uint32_t tessera_picture_width(const tessera_picture* picture);
uint32_t tessera_picture_height(const tessera_picture* picture);
/* Row by row from the top, four bytes a pixel, without padding; valid as long as the picture. */
const uint8_t* tessera_picture_pixels(const tessera_picture* picture);
void tessera_picture_destroy(tessera_picture* picture);

/* What `tessera render` draws. */
tessera_status tessera_scene_render(const tessera_options* options, const char* scene_path, tessera_picture** picture);

/* ---- images and buffers ---- */

typedef struct tessera_resource tessera_resource;

/* A two-dimensional image of zeros; format: such as "r8g8b8a8_unorm", "b8g8r8a8_srgb", "z32_float".
 * has_mips: with all levels down to one texel, which tessera_generate_mips() fills. */
tessera_status tessera_image_create(tessera_device* device, uint32_t width, uint32_t height, const char* format,
                                    int has_mips, tessera_resource** image);
/* The whole of level 0, row by row without padding, in the image's format. */
tessera_status tessera_image_write(tessera_device* device, tessera_resource* image, const void* texels,
                                   size_t size_bytes);
tessera_status tessera_generate_mips(tessera_device* device, tessera_resource* image);
/* Runs what is recorded, and gives level 0: clamped to 0..1, bytes of unorm formats as they are stored. */
tessera_status tessera_image_read(tessera_device* device, tessera_resource* image, tessera_picture** picture);
tessera_status tessera_buffer_create(tessera_device* device, const void* bytes, size_t size_bytes,
                                     tessera_resource** buffer);
tessera_status tessera_buffer_write(tessera_device* device, tessera_resource* buffer, size_t offset_bytes,
                                    const void* bytes, size_t size_bytes);
void tessera_resource_destroy(tessera_resource* resource);

/* ---- programs ---- */

typedef enum tessera_stage {
  TESSERA_VERTEX = 0,
  TESSERA_FRAGMENT = 1
} tessera_stage;

typedef struct tessera_shader tessera_shader;

tessera_status tessera_shader_create(tessera_device* device, tessera_stage stage, const char* tgsi,
                                     tessera_shader** shader);
void tessera_shader_destroy(tessera_shader* shader);

/* ---- what a draw uses: it stays set until it is set again ---- */

/* NULL: none. The viewport is the whole target unless the state says otherwise. */
tessera_status tessera_set_color_target(tessera_device* device, uint32_t index, tessera_resource* image);
tessera_status tessera_set_depth_target(tessera_device* device, tessera_resource* image);
tessera_status tessera_set_shader(tessera_device* device, const tessera_shader* shader);

/* Lines of a scene's [state], which change the state that is set: "depth_test less\nblend src_alpha inv_src_alpha". */
tessera_status tessera_set_state(tessera_device* device, const char* lines);
void tessera_reset_state(tessera_device* device);

typedef struct tessera_vertex_element { /* element i feeds IN[i] */
  const char* format;                   /* such as "r32g32b32_float" */
  uint32_t offset_bytes;
  uint32_t buffer;                      /* slot */
  uint32_t instance_divisor;            /* 0: a value a vertex; n: one for n instances */
} tessera_vertex_element;

tessera_status tessera_set_vertex_elements(tessera_device* device, const tessera_vertex_element* elements,
                                           uint32_t count);
tessera_status tessera_set_vertex_buffer(tessera_device* device, uint32_t slot, tessera_resource* buffer,
                                         uint32_t stride_bytes);
tessera_status tessera_set_index_buffer(tessera_device* device, tessera_resource* buffer, uint32_t index_bytes);
/* The whole of CONST of a stage, four values a register. */
tessera_status tessera_set_constants(tessera_device* device, tessera_stage stage, const float* values, uint32_t count);
/* sampler: lines of a scene's [sampler], such as "wrap clamp_to_edge clamp_to_edge"; NULL: the defaults. */
tessera_status tessera_set_texture(tessera_device* device, tessera_stage stage, uint32_t unit, tessera_resource* image,
                                   const char* sampler);

/* ---- work ---- */

typedef enum tessera_primitive {
  TESSERA_POINTS = 0,
  TESSERA_LINES = 1,
  TESSERA_LINE_LOOP = 2,
  TESSERA_LINE_STRIP = 3,
  TESSERA_TRIANGLES = 4,
  TESSERA_TRIANGLE_STRIP = 5,
  TESSERA_TRIANGLE_FAN = 6
} tessera_primitive;

typedef struct tessera_draw_info {
  tessera_primitive primitive;
  uint32_t start, count;      /* vertices, or indices of an indexed draw */
  uint32_t instance_count;    /* 0: one */
  int is_indexed;
} tessera_draw_info;

tessera_status tessera_clear_color(tessera_device* device, float red, float green, float blue, float alpha);
tessera_status tessera_clear_depth(tessera_device* device, float depth);
tessera_status tessera_draw(tessera_device* device, const tessera_draw_info* info);
tessera_status tessera_flush(tessera_device* device);

#ifdef __cplusplus
}
#endif

#endif
