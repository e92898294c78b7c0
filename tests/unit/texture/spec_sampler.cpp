#include "spec_sampler.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace tessera::tests {

using namespace texture;

namespace {

// Of a texel along each axis: rounding cannot take it away.
constexpr double kSureWeight = 1.0 / 4096;

bool is_integer_format(Format format) { return format_info(format).is_pure_integer() && !format_has_depth(format); }

double value_of(uint32_t bits) { return static_cast<double>(std::bit_cast<float>(bits)); }

int64_t floor_mod(int64_t a, int64_t n) { return ((a % n) + n) % n; }
int64_t mirror(int64_t a) { return a >= 0 ? a : -(1 + a); }

Rgba mix(const Rgba& a, const Rgba& b, double w) {
  Rgba result;
  for (size_t c = 0; c < 4; ++c) result[c] = a[c] * (1 - w) + b[c] * w;
  return result;
}

// A point on the plane of a face, in units where the cube reaches from -1 to 1; beyond its edges too.
std::array<double, 3> point_on(uint32_t face, double sc, double tc) {
  switch (face) {
    case 0:
      return {1, -tc, -sc};
    case 1:
      return {-1, -tc, sc};
    case 2:
      return {sc, 1, tc};
    case 3:
      return {sc, -1, -tc};
    case 4:
      return {sc, -tc, 1};
    default:
      return {-sc, -tc, -1};
  }
}

// Table 8.19: a direction, or a change of one, along the axes of a face.
struct FaceAxes {
  double sc, tc, ma;
};
FaceAxes along_axes(uint32_t face, const std::array<double, 3>& d) {
  switch (face) {
    case 0:
      return {-d[2], -d[1], d[0]};
    case 1:
      return {d[2], -d[1], -d[0]};
    case 2:
      return {d[0], d[2], d[1]};
    case 3:
      return {d[0], -d[2], -d[1]};
    case 4:
      return {d[0], -d[1], d[2]};
    default:
      return {-d[0], -d[1], -d[2]};
  }
}

}  // namespace

SpecFace face_of(double x, double y, double z) {
  const double ax = std::fabs(x), ay = std::fabs(y), az = std::fabs(z);
  uint32_t face;
  if (ax >= ay && ax >= az)
    face = std::signbit(x) ? 1 : 0;
  else if (ay >= az)
    face = std::signbit(y) ? 3 : 2;
  else
    face = std::signbit(z) ? 5 : 4;
  const FaceAxes d = along_axes(face, {x, y, z});
  return {face, (d.sc / d.ma + 1) / 2, (d.tc / d.ma + 1) / 2};
}

double length_on_face(const std::array<double, 3>& direction, const std::array<double, 3>& change, double size) {
  const uint32_t face = face_of(direction[0], direction[1], direction[2]).face;
  const FaceAxes d = along_axes(face, direction), by = along_axes(face, change);
  const auto derivative = [&](double c, double by_c) { return (by_c * d.ma - c * by.ma) / (2 * d.ma * d.ma); };
  return std::hypot(derivative(d.sc, by.sc), derivative(d.tc, by.tc)) * size;
}

SpecSampler::SpecSampler(const View& view, const Sampler& sampler) : view_(view), sampler_(sampler) {}

bool SpecSampler::is_cube() const { return view_.kind == ResourceKind::Cube || view_.kind == ResourceKind::CubeArray; }

uint32_t SpecSampler::dimensions() const {
  if (view_.kind == ResourceKind::Tex1D || view_.kind == ResourceKind::Tex1DArray) return 1;
  return view_.kind == ResourceKind::Tex3D ? 3 : 2;
}

std::array<int64_t, 3> SpecSampler::size(uint32_t level) const {
  const LevelLayout& l = view_.storage->level(view_.first_level + level);
  return {l.width, dimensions() > 1 ? l.height : 1, dimensions() > 2 ? l.depth : 1};
}

// u of equation 8.6; the old clamps stop the coordinate at the edges first.
double SpecSampler::texel_position(int axis, double coordinate, uint32_t level, bool linear) const {
  if (std::isnan(coordinate)) coordinate = 0;
  const double n = static_cast<double>(size(level)[static_cast<size_t>(axis)]);
  const Wrap wrap = axis == 0 ? sampler_.wrap_s : axis == 1 ? sampler_.wrap_t : sampler_.wrap_r;
  if (wrap == Wrap::Repeat || wrap == Wrap::MirrorRepeat) {
    if (std::isinf(coordinate)) coordinate = 0;
    coordinate = std::fmod(coordinate, 2.0);
  }
  const bool in_texels = sampler_.unnormalized || view_.kind == ResourceKind::Rect;
  double u = in_texels ? coordinate : coordinate * n;
  if (linear && wrap == Wrap::Clamp) u = std::clamp(u, 0.0, n);
  if (linear && wrap == Wrap::MirrorClamp) u = std::clamp(u, -n, n);
  return std::clamp(u, -1e6, 1e6);
}

// Table 8.20. Nothing: the border.
std::optional<int64_t> SpecSampler::wrapped(int axis, int64_t i, uint32_t level, bool linear) const {
  const int64_t n = size(level)[static_cast<size_t>(axis)];
  const Wrap wraps[3] = {sampler_.wrap_s, sampler_.wrap_t, sampler_.wrap_r};
  const auto or_border = [n](int64_t index) { return index >= 0 && index < n ? std::optional(index) : std::nullopt; };
  switch (wraps[axis]) {
    case Wrap::Repeat:
      return floor_mod(i, n);
    case Wrap::MirrorRepeat:
      return n - 1 - mirror(floor_mod(i, 2 * n) - n);
    case Wrap::ClampToEdge:
      return std::clamp<int64_t>(i, 0, n - 1);
    case Wrap::ClampToBorder:
      return or_border(std::clamp<int64_t>(i, -1, n));
    case Wrap::Clamp:
      return linear ? or_border(i) : std::clamp<int64_t>(i, 0, n - 1);
    case Wrap::MirrorClampToEdge:
      return std::clamp<int64_t>(mirror(i), 0, n - 1);
    case Wrap::MirrorClampToBorder:
      return or_border(mirror(i));
    case Wrap::MirrorClamp:
      return linear ? or_border(mirror(i)) : std::clamp<int64_t>(mirror(i), 0, n - 1);
  }
  return std::nullopt;
}

SpecTexel SpecSampler::texel(uint32_t level, const Place& place) const {
  const uint32_t in_level = view_.first_level + level;
  const LevelLayout& layout = view_.storage->level(in_level);
  const uint32_t first = view_.kind == ResourceKind::Tex3D ? 0 : view_.first_layer;
  const std::byte* slice = view_.storage->slice(in_level, first + place.slice + static_cast<uint32_t>(place.k));
  const size_t at = static_cast<size_t>(place.j) * layout.row_bytes +
                    static_cast<size_t>(place.i) * format_info(view_.format).block_bytes;
  const Texel stored = unpack_texel(view_.format, slice + at);
  SpecTexel result;
  for (size_t c = 0; c < 4; ++c) {
    result.bits[c] = stored.word[c];
    result.color[c] = is_integer_format(view_.format) ? stored.word[c] : value_of(stored.word[c]);
  }
  return result;
}

// The border's colour as a texel of the format: limited to its range, missing channels as in texels.
SpecTexel SpecSampler::border() const {
  const FormatInfo& format = format_info(view_.format);
  SpecTexel result;
  for (uint32_t c = 0; c < 4; ++c) {
    const auto field = static_cast<uint32_t>(format.swizzle[c]);
    // Channels that share a field (luminance) take the first one's border.
    const auto first = static_cast<uint32_t>(
        std::find(std::begin(format.swizzle), std::end(format.swizzle), format.swizzle[c]) - format.swizzle);
    uint32_t bits = sampler_.border[first];
    if (field >= 4)
      bits = format.swizzle[c] == Swizzle::Zero ? 0
             : is_integer_format(view_.format)  ? 1
                                                : std::bit_cast<uint32_t>(1.0f);
    else if (format.field[field].kind == FieldKind::Unorm)
      bits = std::bit_cast<uint32_t>(std::clamp(std::bit_cast<float>(bits), 0.0f, 1.0f));
    else if (format.field[field].kind == FieldKind::Snorm)
      bits = std::bit_cast<uint32_t>(std::clamp(std::bit_cast<float>(bits), -1.0f, 1.0f));
    else if (format.field[field].kind == FieldKind::Uint)
      bits = static_cast<uint32_t>(std::min<uint64_t>(bits, (uint64_t{1} << format.field[field].bits) - 1));
    else if (format.field[field].kind == FieldKind::Sint) {
      const int64_t range = int64_t{1} << (format.field[field].bits - 1);
      bits = static_cast<uint32_t>(std::clamp<int64_t>(static_cast<int32_t>(bits), -range, range - 1));
    }
    result.bits[c] = bits;
    result.color[c] = is_integer_format(view_.format) ? bits : value_of(bits);
  }
  return result;
}

SpecTexel SpecSampler::compared(SpecTexel texel, const SpecCoordinates& at) const {
  if (!at.reference || !sampler_.compare) return texel;
  const FormatInfo& format = format_info(view_.format);
  const double depth = texel.color[0];
  double ref = static_cast<double>(*at.reference);
  if (format.field[static_cast<uint32_t>(format.swizzle[0])].kind == FieldKind::Unorm)
    ref = std::isnan(ref) ? 0 : std::clamp(ref, 0.0, 1.0);
  bool passes = false;
  switch (sampler_.compare_func) {
    case Compare::Never:
      passes = false;
      break;
    case Compare::Less:
      passes = ref < depth;
      break;
    case Compare::Equal:
      passes = ref == depth;
      break;
    case Compare::Lequal:
      passes = ref <= depth;
      break;
    case Compare::Greater:
      passes = ref > depth;
      break;
    case Compare::NotEqual:
      passes = ref != depth;
      break;
    case Compare::Gequal:
      passes = ref >= depth;
      break;
    case Compare::Always:
      passes = true;
      break;
  }
  const double result = passes ? 1 : 0;
  texel.color = {result, result, result, 1};
  const uint32_t bits = passes ? 0x3f800000u : 0;
  texel.bits = {bits, bits, bits, 0x3f800000u};
  return texel;
}

// The texel of another face that meets this face's texel over an edge: of all texels of the other faces the one whose
// centre is nearest to where (i, j) would be. None where both indices leave the face.
std::optional<SpecSampler::Place> SpecSampler::over_edge(uint32_t level, const Place& place) const {
  const int64_t n = size(level)[0];
  const bool i_outside = place.i < 0 || place.i >= n, j_outside = place.j < 0 || place.j >= n;
  if (!i_outside && !j_outside) return place;
  if (i_outside && j_outside) return std::nullopt;
  const auto center = [n](int64_t i) { return (2.0 * static_cast<double>(i) + 1) / static_cast<double>(n) - 1; };
  const uint32_t own = place.slice % 6;
  const auto from = point_on(own, center(place.i), center(place.j));
  Place best = place;
  double best_distance = 1e9;
  for (uint32_t face = 0; face < 6; ++face)
    for (int64_t j = 0; j < n && face != own; ++j)
      for (int64_t i = 0; i < n; ++i) {
        const auto to = point_on(face, center(i), center(j));
        const double distance = std::hypot(from[0] - to[0], from[1] - to[1], from[2] - to[2]);
        if (distance < best_distance - 1e-9) {
          best_distance = distance;
          best = {i, j, 0, place.slice - own + face};
        }
      }
  return best;
}

SpecTexel SpecSampler::tap(uint32_t level, const Place& place, bool linear, const SpecCoordinates& at) const {
  const auto i = wrapped(0, place.i, level, linear), j = wrapped(1, place.j, level, linear),
             k = wrapped(2, place.k, level, linear);
  const bool outside = !i || (dimensions() > 1 && !j) || (dimensions() > 2 && !k);
  return compared(
      outside ? border() : texel(level, {*i, dimensions() > 1 ? *j : 0, dimensions() > 2 ? *k : 0, place.slice}), at);
}

// The layer that is meant, and in it the face.
uint32_t SpecSampler::slice_of(const SpecCoordinates& at) const {
  uint32_t layer = 0;
  if (view_.kind == ResourceKind::Tex1DArray || view_.kind == ResourceKind::Tex2DArray ||
      view_.kind == ResourceKind::CubeArray) {
    const double last = (view_.last_layer - view_.first_layer + 1) / (is_cube() ? 6 : 1) - 1;
    layer = static_cast<uint32_t>(
        std::clamp(std::isnan(at.layer) ? 0.0 : std::nearbyint(static_cast<double>(at.layer)), 0.0, last));
  }
  return is_cube() ? 6 * layer + face_of(at.s, at.t, at.r).face : layer;
}

std::vector<SpecSampler::Weighted> SpecSampler::footprint(uint32_t level, bool linear,
                                                          const SpecCoordinates& at) const {
  double coordinate[3] = {at.s, at.t, at.r};
  const uint32_t slice = slice_of(at);
  if (is_cube()) {
    const SpecFace face = face_of(coordinate[0], coordinate[1], coordinate[2]);
    coordinate[0] = face.s;
    coordinate[1] = face.t;
  }
  int64_t first[3] = {0, 0, 0};
  double weight[3] = {0, 0, 0};
  for (int axis = 0; axis < static_cast<int>(dimensions()); ++axis) {
    const double u = texel_position(axis, coordinate[axis], level, linear) - (linear ? 0.5 : 0.0);
    first[axis] = static_cast<int64_t>(std::floor(u)) + at.offset[static_cast<size_t>(axis)];
    weight[axis] = linear ? u - std::floor(u) : 0.0;
  }
  const bool seamless = is_cube() && sampler_.seamless_cube;
  if (!linear) {
    if (seamless)
      for (int axis = 0; axis < 2; ++axis) first[axis] = std::clamp<int64_t>(first[axis], 0, size(level)[0] - 1);
    const Place nearest{first[0], first[1], first[2], slice};
    return {{seamless ? compared(texel(level, nearest), at) : tap(level, nearest, false, at), 1, 1}};
  }
  std::vector<Weighted> taps;
  std::optional<double> corner_weight;
  for (int n = 0; n < 8; ++n) {
    const int x = n & 1, y = n >> 1 & 1, z = n >> 2;
    if ((dimensions() < 3 && z) || (dimensions() < 2 && y)) continue;
    const double along[3] = {x ? weight[0] : 1 - weight[0], y ? weight[1] : 1 - weight[1],
                             z ? weight[2] : 1 - weight[2]};
    const double w = along[0] * along[1] * along[2], least = std::min({along[0], along[1], along[2]});
    const Place unwrapped{first[0] + x, first[1] + y, first[2] + z, slice};
    const std::optional<Place> folded = seamless ? over_edge(level, unwrapped) : std::nullopt;
    if (seamless && !folded) corner_weight = w;
    else taps.push_back({seamless ? compared(texel(level, *folded), at) : tap(level, unwrapped, true, at), w, least});
  }
  if (corner_weight) taps.push_back({mean_of_three(taps), *corner_weight, 0});
  return taps;
}

// The missing corner of a cube.
SpecTexel SpecSampler::mean_of_three(const std::vector<Weighted>& three) {
  SpecTexel corner;
  for (const Weighted& t : three)
    for (size_t c = 0; c < 4; ++c) corner.color[c] += t.texel.color[c] / 3;
  return corner;
}

Rgba SpecSampler::average(const std::vector<Weighted>& taps) {
  Rgba sum{};
  for (const Weighted& t : taps)
    for (size_t c = 0; c < 4; ++c) sum[c] += t.weight * t.texel.color[c];
  return sum;
}

// The average of the three texels that meet at the cube's corner; integers take the one beside it in its row.
SpecTexel SpecSampler::seamless_corner(const Place& missing, const SpecCoordinates& at) const {
  const int64_t n = size(0)[0];
  const auto inward = [n](int64_t i) { return i < 0 ? i + 1 : i >= n ? i - 1 : i; };
  const Place beside{inward(missing.i), missing.j, 0, missing.slice},
      above{missing.i, inward(missing.j), 0, missing.slice};
  const SpecTexel three[3] = {compared(texel(0, *over_edge(0, beside)), at),
                              compared(texel(0, *over_edge(0, above)), at),
                              compared(texel(0, {beside.i, above.j, 0, missing.slice}), at)};
  if (is_integer_format(view_.format)) return three[0];
  SpecTexel average;
  for (size_t c = 0; c < 4; ++c) average.color[c] = (three[0].color[c] + three[1].color[c] + three[2].color[c]) / 3;
  return average;
}

SpecGathered SpecSampler::gathered(const SpecCoordinates& at, int64_t dx, int64_t dy, uint32_t component) const {
  double coordinate[2] = {at.s, at.t};
  if (is_cube()) {
    const SpecFace face = face_of(at.s, at.t, at.r);
    coordinate[0] = face.s;
    coordinate[1] = face.t;
  }
  const auto first = [&](int axis) {
    return static_cast<int64_t>(std::floor(texel_position(axis, coordinate[axis], 0, true) - 0.5));
  };
  const Place place{first(0) + dx, first(1) + dy, 0, slice_of(at)};
  const bool seamless = is_cube() && sampler_.seamless_cube, integer = is_integer_format(view_.format);
  const std::optional<Place> folded = seamless ? over_edge(0, place) : std::nullopt;
  const SpecTexel found = !seamless ? tap(0, place, true, at)
                          : folded  ? compared(texel(0, *folded), at)
                                    : seamless_corner(place, at);
  const Swizzle channel = view_.swizzle[component];
  if (channel >= Swizzle::Zero) {
    const uint32_t one = integer ? 1 : std::bit_cast<uint32_t>(1.0f);
    return {channel == Swizzle::One ? one : 0, channel == Swizzle::One ? 1.0 : 0.0, true};
  }
  const auto c = static_cast<size_t>(channel);
  return {found.bits[c], found.color[c], !seamless || folded || integer};
}

double SpecSampler::limited_lambda(double lambda) const {
  lambda += static_cast<double>(sampler_.lod_bias);
  const double low = static_cast<double>(sampler_.min_lod), high = static_cast<double>(sampler_.max_lod);
  if (!(lambda > low)) lambda = low;
  return lambda < high ? lambda : high;
}

Rgba SpecSampler::sample(const SpecCoordinates& at, double lambda) const {
  std::optional<std::array<uint32_t, 4>> bits;
  return sample(at, lambda, bits);
}

SpecSampler::Levels SpecSampler::levels_of(double lambda) const {
  const double biased = lambda + static_cast<double>(sampler_.lod_bias);
  const bool d3d9 = sampler_.level_rule == LevelRule::Direct3d9;
  lambda = limited_lambda(lambda);
  const bool integer = is_integer_format(view_.format);
  const bool mag_linear = sampler_.mag_filter == Filter::Linear && !integer,
             min_linear = sampler_.min_filter == Filter::Linear && !integer;
  const bool mips = sampler_.mip_filter != MipFilter::None;
  const double switch_over =
      !d3d9 && sampler_.mag_filter == Filter::Linear && sampler_.min_filter == Filter::Nearest && mips ? 0.5 : 0.0;
  const uint32_t last = view_.last_level - view_.first_level;
  const bool magnified = !((d3d9 ? biased : lambda) > switch_over);
  Levels levels{0, 0, magnified ? mag_linear : min_linear};
  // Magnified, OpenGL's lambda is at most 1/2: level 0; Direct3D 9 takes the level of its smallest LOD.
  if (sampler_.mip_filter == MipFilter::Linear && !integer) {
    const double limited = std::clamp<double>(lambda, 0, last);
    levels.first = static_cast<uint32_t>(std::floor(limited));
    levels.between = magnified ? 0 : limited - std::floor(limited);
  } else if (mips) {
    const double limited = std::clamp<double>(lambda, 0, last);
    levels.first = static_cast<uint32_t>(d3d9 ? std::floor(limited + 0.5) : std::ceil(limited + 0.5) - 1);
  }
  return levels;
}

Rgba SpecSampler::swizzled(const Rgba& color) const {
  Rgba result;
  for (size_t c = 0; c < 4; ++c) {
    const auto from = static_cast<size_t>(view_.swizzle[c]);
    result[c] = from < 4 ? color[from] : view_.swizzle[c] == Swizzle::One ? 1 : 0;
  }
  return result;
}

Rgba SpecSampler::sample(const SpecCoordinates& at, double lambda, std::optional<std::array<uint32_t, 4>>& bits) const {
  const Levels levels = levels_of(lambda);
  const std::vector<Weighted> near = footprint(levels.first, levels.linear, at);
  Rgba color = average(near);
  if (levels.between > 0) color = mix(color, average(footprint(levels.first + 1, levels.linear, at)), levels.between);
  bits.reset();
  if (!levels.linear && levels.between == 0) {
    const uint32_t one = is_integer_format(view_.format) ? 1 : std::bit_cast<uint32_t>(1.0f);
    bits.emplace();
    for (size_t c = 0; c < 4; ++c) {
      const auto from = static_cast<size_t>(view_.swizzle[c]);
      (*bits)[c] = from < 4 ? near[0].texel.bits[from] : view_.swizzle[c] == Swizzle::One ? one : 0;
    }
  }
  return swizzled(color);
}

SpecRange SpecSampler::extreme(const SpecCoordinates& at, double lambda) const {
  const Levels levels = levels_of(lambda);
  std::vector<Weighted> taps = footprint(levels.first, levels.linear, at);
  if (levels.between > 0)
    for (const Weighted& t : footprint(levels.first + 1, levels.linear, at)) taps.push_back(t);
  const bool least = sampler_.reduction == Reduction::Min;
  const auto better = [least](double a, double b) { return least ? std::min(a, b) : std::max(a, b); };
  const double none = least ? INFINITY : -INFINITY;
  Rgba sure{none, none, none, none}, possible = sure;
  for (const Weighted& t : taps)
    for (size_t c = 0; c < 4; ++c) {
      if (t.least_weight > kSureWeight) sure[c] = better(sure[c], t.texel.color[c]);
      if (t.weight > 0 || is_cube()) possible[c] = better(possible[c], t.texel.color[c]);
    }
  sure = swizzled(sure), possible = swizzled(possible);
  return least ? SpecRange{possible, sure} : SpecRange{sure, possible};
}

}  // namespace tessera::tests
