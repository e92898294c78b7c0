/* Draws samples/triangle/triangle.scene by calls of the C API. usage: triangle_c FILE.png */
#include <stdio.h>
#include <tessera.h>

static const char vertex_text[] =
    "VERT\n"
    "DCL IN[0]\n"
    "DCL IN[1]\n"
    "DCL OUT[0], POSITION\n"
    "DCL OUT[1], GENERIC[0]\n"
    "0: MOV OUT[0], IN[0]\n"
    "1: MOV OUT[1], IN[1]\n"
    "2: END\n";

static const char fragment_text[] =
    "FRAG\n"
    "DCL IN[0], GENERIC[0], PERSPECTIVE\n"
    "DCL OUT[0], COLOR\n"
    "0: MOV OUT[0], IN[0]\n"
    "1: END\n";

typedef struct vertex {
  float x, y, z;
  uint8_t color[4];
} vertex;

static const vertex vertices[] = {
    {-0.8f, -0.8f, 0.0f, {255, 0, 0, 255}},
    {0.8f, -0.8f, 0.0f, {0, 255, 0, 255}},
    {0.0f, 0.8f, 0.0f, {0, 0, 255, 255}},
};

static const tessera_vertex_element elements[] = {
    {.format = "r32g32b32_float", .offset_bytes = offsetof(vertex, x)},
    {.format = "r8g8b8a8_unorm", .offset_bytes = offsetof(vertex, color)},
};

typedef struct objects {
  tessera_device* device;
  tessera_resource *target, *buffer;
  tessera_shader *vertex, *fragment;
  tessera_picture* picture;
} objects;

/* The first call that fails ends the row of them; tessera_error() then says why. */
static tessera_status draw(objects* o, const char* path) {
  tessera_status s = tessera_device_create(NULL, &o->device);
  if (s == TESSERA_OK) s = tessera_image_create(o->device, 480, 360, "r8g8b8a8_unorm", 0, &o->target);
  if (s == TESSERA_OK) s = tessera_buffer_create(o->device, vertices, sizeof vertices, &o->buffer);
  if (s == TESSERA_OK) s = tessera_shader_create(o->device, TESSERA_VERTEX, vertex_text, &o->vertex);
  if (s == TESSERA_OK) s = tessera_shader_create(o->device, TESSERA_FRAGMENT, fragment_text, &o->fragment);

  if (s == TESSERA_OK) s = tessera_set_color_target(o->device, 0, o->target);
  if (s == TESSERA_OK) s = tessera_set_shader(o->device, o->vertex);
  if (s == TESSERA_OK) s = tessera_set_shader(o->device, o->fragment);
  if (s == TESSERA_OK) s = tessera_set_vertex_elements(o->device, elements, 2);
  if (s == TESSERA_OK) s = tessera_set_vertex_buffer(o->device, 0, o->buffer, sizeof(vertex));

  const tessera_draw_info info = {.primitive = TESSERA_TRIANGLES, .count = 3};
  if (s == TESSERA_OK) s = tessera_clear_color(o->device, 0.06f, 0.07f, 0.09f, 1);
  if (s == TESSERA_OK) s = tessera_draw(o->device, &info);
  if (s == TESSERA_OK) s = tessera_image_read(o->device, o->target, &o->picture);
  if (s == TESSERA_OK) s = tessera_picture_write(o->picture, path);
  return s;
}

int main(int argc, char** argv) {
  if (argc != 2) {
    fputs("usage: triangle_c FILE.png\n", stderr);
    return 2;
  }
  objects o = {0};
  const tessera_status status = draw(&o, argv[1]);
  if (status != TESSERA_OK) fprintf(stderr, "triangle_c: %s\n", tessera_error());
  tessera_picture_destroy(o.picture);
  tessera_shader_destroy(o.fragment);
  tessera_shader_destroy(o.vertex);
  tessera_resource_destroy(o.buffer);
  tessera_resource_destroy(o.target);
  tessera_device_destroy(o.device);
  return (int)status;
}
