/* tests/gl/bench.c: an OpenGL program without a window that measures one thing: `bench triangles|upload|readback SECONDS`.
   Each frame ends with pixels read back, so that a driver that puts work off has to do it. Prints frames a second. */
#define EGL_EGLEXT_PROTOTYPES
#define GL_GLEXT_PROTOTYPES
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/gl.h>
#include <GL/glext.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { kSide_px = 1024, kColumns = 1000, kRows = 500 };   /* two triangles a cell: a million */

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec + 1e-9 * now.tv_nsec;
}

static void fail(const char* what) {
  fprintf(stderr, "bench: %s\n", what);
  exit(1);
}

static void open_context(void) {
  EGLDisplay display = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
  if (!display || !eglInitialize(display, NULL, NULL) || !eglBindAPI(EGL_OPENGL_API)) fail("no EGL without a window");
  EGLContext context = eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, NULL);
  if (!context || !eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context)) fail("no context");
}

static GLuint make_texture(const void* texels) {
  GLuint texture;
  glGenTextures(1, &texture);
  glBindTexture(GL_TEXTURE_2D, texture);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, kSide_px, kSide_px, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  return texture;
}

static void open_target(void) {
  GLuint framebuffer;
  glGenFramebuffers(1, &framebuffer);
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, make_texture(NULL), 0);
  if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE) fail("no framebuffer");
  glViewport(0, 0, kSide_px, kSide_px);
}

static void make_triangles(void) {
  static const int corner[6][2] = {{0, 0}, {1, 0}, {0, 1}, {0, 1}, {1, 0}, {1, 1}};
  const size_t count = (size_t)kColumns * kRows * 6;
  float* vertices = malloc(count * 2 * sizeof(float));
  float* at = vertices;
  for (int y = 0; y < kRows; ++y)
    for (int x = 0; x < kColumns; ++x)
      for (int v = 0; v < 6; ++v) {
        *at++ = (x + corner[v][0]) * 2.0f / kColumns - 1;
        *at++ = (y + corner[v][1]) * 2.0f / kRows - 1;
      }
  GLuint buffer;
  glGenBuffers(1, &buffer);
  glBindBuffer(GL_ARRAY_BUFFER, buffer);
  glBufferData(GL_ARRAY_BUFFER, count * 2 * sizeof(float), vertices, GL_STATIC_DRAW);
  free(vertices);
  glVertexPointer(2, GL_FLOAT, 0, NULL);
  glEnableClientState(GL_VERTEX_ARRAY);
}

static unsigned char pixels[kSide_px * kSide_px * 4];

static void draw_triangles(int frame) {
  glClear(GL_COLOR_BUFFER_BIT);
  glColor3f(frame % 2, 1, 0.5f);
  glDrawArrays(GL_TRIANGLES, 0, kColumns * kRows * 6);
  glReadPixels(kSide_px / 2, kSide_px / 2, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
}

static void upload(int frame) {
  pixels[0] = (unsigned char)frame;
  glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, kSide_px, kSide_px, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
  glRectf(-0.01f, -0.01f, 0.01f, 0.01f);
  unsigned char pixel[4];
  glReadPixels(kSide_px / 2, kSide_px / 2, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
}

static void read_back(int frame) {
  glEnable(GL_SCISSOR_TEST);
  glScissor(0, 0, 1, 1);                         /* little is drawn, but something */
  glClearColor(frame % 2, 1, 0.5f, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  glReadPixels(0, 0, kSide_px, kSide_px, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
  if (pixels[0] != (frame % 2 ? 255 : 0) || pixels[1] != 255) fail("wrong pixels");
}

int main(int count, char** arguments) {
  if (count != 3) fail("usage: bench triangles|upload|readback SECONDS");
  const double limit = atof(arguments[2]);
  void (*draw)(int) = !strcmp(arguments[1], "triangles") ? draw_triangles
                      : !strcmp(arguments[1], "upload")  ? upload
                      : !strcmp(arguments[1], "readback") ? read_back : NULL;
  if (!draw) fail("triangles, upload or readback?");
  open_context();
  open_target();
  if (draw == draw_triangles) make_triangles();
  if (draw == upload) {
    make_texture(pixels);
    glEnable(GL_TEXTURE_2D);
  }
  draw(0);
  draw(1);                                       /* both are not measured: programs are compiled */
  int frames = 0;
  const double begin = seconds();
  while (seconds() - begin < limit) draw(frames++);
  printf("%.2f\n", frames / (seconds() - begin));
  return glGetError() != GL_NO_ERROR;
}
