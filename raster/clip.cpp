#include "raster/clip.h"

#include <algorithm>

namespace tessera::raster {
namespace {

float mix(float a, float b, double t) { return float(double(a) + t * (double(b) - double(a))); }

struct Clipper {
  const ViewTransform& view;
  ChunkVertices& vertices;
  std::vector<float>& records;
  uint32_t stride;

  float distance(uint32_t plane, uint32_t vertex) const {
    if (plane >= kViewPlanes) return vertices.distance[plane - kViewPlanes][vertex];
    const float position[4] = {vertices.clip[0][vertex], vertices.clip[1][vertex], vertices.clip[2][vertex],
                               vertices.clip[3][vertex]};
    return view.distance(plane, position);
  }

  // The point of edge in -> out on the plane.
  uint32_t cut(uint32_t in, float d_in, uint32_t out, float d_out) {
    const double t = double(d_in) / (double(d_in) - double(d_out));
    const uint32_t made = vertices.count;
    vertices.resize(made + 1);
    for (std::vector<float>& c : vertices.clip) c[made] = mix(c[in], c[out], t);
    for (uint32_t i = 0; i < kMaxClipPlanes; ++i)
      if (std::vector<float>& d = vertices.distance[i]; vertices.distances >> i & 1) d[made] = mix(d[in], d[out], t);
    records.resize(records.size() + stride);
    const float* a = records.data() + size_t{in} * stride;
    const float* b = records.data() + size_t{out} * stride;
    float* to = records.data() + size_t{made} * stride;
    for (uint32_t word = 0; word < stride; ++word) to[word] = mix(a[word], b[word], t);
    const double t_window = in_window(in, out, t);
    for (const uint32_t word : view.linear_words) to[word] = mix(a[word], b[word], t_window);
    return made;
  }

  // The share of the way from `in` to `out` in the window, of a point at t in clip space.
  double in_window(uint32_t in, uint32_t out, double t) const {
    const double w_in = vertices.clip[3][in], w_out = vertices.clip[3][out];
    const double w = w_in + t * (w_out - w_in);
    return w == 0 ? t : t * w_out / w;
  }

  static void add(ClipPolygon& to, uint32_t vertex, bool on_user_plane) {
    to.on_user_plane[to.count] = on_user_plane;
    to.vertex[to.count++] = vertex;
  }

  void clip(const ClipPolygon& from, uint32_t plane, ClipPolygon& to) {
    to.count = 0;
    for (uint32_t i = 0; i < from.count; ++i) {
      const uint32_t a = from.vertex[i], b = from.vertex[i + 1 == from.count ? 0 : i + 1];
      const float d_a = distance(plane, a), d_b = distance(plane, b);
      const bool a_in = d_a >= 0, b_in = d_b >= 0;
      if (a_in) add(to, a, from.on_user_plane[i]);
      // Behind the place where the polygon leaves, its edge runs along the plane.
      if (a_in && !b_in) add(to, cut(a, d_a, b, d_b), plane >= kViewPlanes);
      if (!a_in && b_in) add(to, cut(b, d_b, a, d_a), from.on_user_plane[i]);
    }
  }
};

bool is_plane_active(const ViewTransform& view, uint32_t plane) {
  if (plane >= kViewPlanes) return view.clip_distances >> (plane - kViewPlanes) & 1;
  return view.depth_clip || ((kOutsideNear | kOutsideFar) >> plane & 1) == 0;
}

// Between vertices whose w differ by more than 2^53 a cut may come out anywhere, even at w = 0: its window position means
// nothing then, and what has such a vertex is not drawn. All others lie in the guard band, but for rounding.
bool has_window_position(const ChunkVertices& v, uint32_t i) {
  constexpr int32_t kLimit_fx8 = 1 << 23;                      // 2^15 px, as setup takes
  const WinVertex& win = v.win(i);
  return (v.code[i] & kNotFinite) == 0 && win.x_fx8 >= -kLimit_fx8 && win.x_fx8 <= kLimit_fx8 &&
         win.y_fx8 >= -kLimit_fx8 && win.y_fx8 <= kLimit_fx8;
}

}  // namespace

ClipPolygon clip_triangle(const ViewTransform& view, const uint32_t corners[3], ChunkVertices& vertices,
                          std::vector<float>& records, uint32_t stride, SimdTarget simd) {
  Clipper clipper{view, vertices, records, stride};
  const uint32_t first_made = vertices.count;
  ClipPolygon polygon, other;
  std::copy(corners, corners + 3, polygon.vertex);
  std::fill_n(polygon.on_user_plane, 3, false);
  polygon.count = 3;
  for (uint32_t plane = 0; plane < kClipPlanes && polygon.count >= 3; ++plane) {
    if (!is_plane_active(view, plane)) continue;
    clipper.clip(polygon, plane, other);
    polygon.count = other.count;
    std::copy(other.vertex, other.vertex + other.count, polygon.vertex);
    std::copy(other.on_user_plane, other.on_user_plane + other.count, polygon.on_user_plane);
  }
  project_vertices(view, vertices, first_made, vertices.count - first_made, simd);
  for (uint32_t i = 0; i < polygon.count; ++i) {
    if (!has_window_position(vertices, polygon.vertex[i])) polygon.count = 0;
  }
  return polygon;
}

bool clip_line(const ViewTransform& view, uint32_t ends[2], ChunkVertices& vertices, std::vector<float>& records,
               uint32_t stride, SimdTarget simd) {
  Clipper clipper{view, vertices, records, stride};
  const uint32_t first_made = vertices.count;
  for (uint32_t plane = 0; plane < kClipPlanes; ++plane) {
    if (!is_plane_active(view, plane)) continue;
    const float d[2] = {clipper.distance(plane, ends[0]), clipper.distance(plane, ends[1])};
    const bool in[2] = {d[0] >= 0, d[1] >= 0};
    if (!in[0] && !in[1]) return false;
    if (!in[0]) ends[0] = clipper.cut(ends[1], d[1], ends[0], d[0]);
    if (!in[1]) ends[1] = clipper.cut(ends[0], d[0], ends[1], d[1]);
  }
  project_vertices(view, vertices, first_made, vertices.count - first_made, simd);
  return has_window_position(vertices, ends[0]) && has_window_position(vertices, ends[1]);
}

}  // namespace tessera::raster
