#include "texture/blit.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

namespace tessera::texture {
namespace {

constexpr uint32_t kRowsOfATask = 16;

// What one coordinate of the target reads: first + weight * (second - first).
struct Tap {
  int32_t first = 0, second = 0;
  double weight = 0;
};

int64_t floor_div(int64_t a, int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }   // b > 0

// The taps of the target coordinates in [begin, end) whose places lie in the source; `begin` becomes the first of them.
std::vector<Tap> make_taps(const BlitAxis& source, const BlitAxis& target, int32_t& begin, int32_t end, int32_t size,
                           bool linear) {
  const bool backwards = target.begin > target.end;
  const int64_t t0 = backwards ? target.end : target.begin, length = std::abs(target.end - target.begin);
  const int64_t s0 = backwards ? source.end : source.begin, s1 = backwards ? source.begin : source.end;
  std::vector<Tap> taps;
  for (int32_t x = begin; x < end; ++x) {
    // s and p as multiples of 1 / (2 * length).
    const int64_t unit = 2 * length, s = s0 * unit + (2 * (x - t0) + 1) * (s1 - s0);
    const int64_t texel = floor_div(s, unit);
    if (texel < 0 || texel >= size) {                // s grows or shrinks all the way: these are the ends
      if (!taps.empty()) break;
      begin = x + 1;
      continue;
    }
    if (!linear) {
      taps.push_back({int32_t(texel), int32_t(texel), 0});
      continue;
    }
    const int64_t p = s - length, i = floor_div(p, unit);
    const auto clamped = [&](int64_t texel) { return int32_t(std::clamp<int64_t>(texel, 0, size - 1)); };
    taps.push_back({clamped(i), clamped(i + 1), double(p - i * unit) / double(unit)});
  }
  return taps;
}

double mix(double a, double b, double t) { return t == 0 ? a : a + t * (b - a); }

class Blitter {
 public:
  Blitter(const Storage& from, Storage& to, const BlitJob& job) : from_(from), to_(to), job_(job) {
    const LevelLayout& level = from.level(job.source.level);
    const LevelLayout& to_level = to.level(job.target.level);
    const auto range = [&](int axis, int32_t begin, int32_t end) {
      const BlitAxis& t = job.target.axis[axis];
      return std::pair{std::max(begin, std::min(t.begin, t.end)), std::min(end, std::max(t.begin, t.end))};
    };
    auto [x0, x1] = range(0, std::max(job.clip[0], 0), std::min(job.clip[2], int32_t(to_level.width)));
    auto [y0, y1] = range(1, std::max(job.clip[1], 0), std::min(job.clip[3], int32_t(to_level.height)));
    auto [z0, z1] = range(2, 0, int32_t(to_level.slices));
    const BlitAxis* const s = job.source.axis;
    const BlitAxis* const t = job.target.axis;
    x_ = make_taps(s[0], t[0], x0, x1, int32_t(level.width), job.linear);
    y_ = make_taps(s[1], t[1], y0, y1, int32_t(level.height), job.linear);
    z_ = make_taps(s[2], t[2], z0, z1, int32_t(level.slices), job.linear);
    x0_ = x0, y0_ = y0, z0_ = z0;
    if (!x_.empty()) find_columns();
  }

  size_t rows() const { return x_.empty() ? 0 : y_.size() * z_.size(); }

  // Rows [begin, end) of all slices, one after the other.
  void run(size_t begin, size_t end) const {
    Scratch scratch;
    for (size_t row = begin; row < end; ++row)
      for (uint32_t sample = 0; sample < to_.desc().samples; ++sample)
        write_row(row % y_.size(), row / y_.size(), sample, scratch);
  }

 private:
  struct Scratch {
    std::vector<Texel> source[4], out;
  };

  void find_columns() {
    first_column_ = INT32_MAX;
    int32_t last = 0;
    for (const Tap& tap : x_) {
      first_column_ = std::min({first_column_, tap.first, tap.second});
      last = std::max({last, tap.first, tap.second});
    }
    columns_ = uint32_t(last - first_column_ + 1);
  }

  const std::byte* source_row(int32_t y, int32_t z, uint32_t sample) const {
    return from_.slice(job_.source.level, uint32_t(z), std::min(sample, from_.desc().samples - 1)) +
           size_t(y) * from_.level(job_.source.level).row_bytes;
  }
  std::byte* target_row(size_t y, size_t z, uint32_t sample) const {
    return to_.slice(job_.target.level, uint32_t(z0_) + uint32_t(z), sample) +
           (size_t(y0_) + y) * to_.level(job_.target.level).row_bytes +
           size_t(x0_) * format_info(job_.target.format).block_bytes;
  }

  void write_row(size_t y, size_t z, uint32_t sample, Scratch& scratch) const {
    std::byte* const out = target_row(y, z, sample);
    const FormatInfo& format = format_info(job_.target.format);
    const std::byte* const nearest = source_row(y_[y].first, z_[z].first, sample);
    if (format.is_depth_or_stencil() && !copies_whole_texels()) return write_aspects(nearest, out);
    if (!job_.linear && job_.source.format == job_.target.format) return copy_texels(nearest, out);
    scratch.out.resize(x_.size());
    if (job_.linear) filter(y_[y], z_[z], sample, scratch);
    else pick(nearest, scratch);
    pack_row(job_.target.format, scratch.out.data(), uint32_t(x_.size()), out);
  }

  bool copies_whole_texels() const {
    return job_.source.format == job_.target.format && (job_.depth || !format_has_depth(job_.source.format)) &&
           (job_.stencil || !format_has_stencil(job_.source.format));
  }

  void copy_texels(const std::byte* from, std::byte* out) const {
    const size_t bytes = format_info(job_.target.format).block_bytes;
    for (size_t x = 0; x < x_.size(); ++x) std::memcpy(out + x * bytes, from + size_t(x_[x].first) * bytes, bytes);
  }

  void write_aspects(const std::byte* from, std::byte* out) const {
    const Format source = job_.source.format, target = job_.target.format;
    const size_t source_bytes = format_info(source).block_bytes, target_bytes = format_info(target).block_bytes;
    const bool depth = job_.depth && format_has_depth(source) && format_has_depth(target);
    const bool stencil = job_.stencil && format_has_stencil(source) && format_has_stencil(target);
    for (const Tap& tap : x_) {
      const std::byte* const texel = from + size_t(tap.first) * source_bytes;
      if (depth) pack_depth(target, unpack_depth(source, texel), out);
      if (stencil) pack_stencil(target, unpack_stencil(source, texel), out);
      out += target_bytes;
    }
  }

  // The columns that the row reads.
  void unpack(const std::byte* row, std::vector<Texel>& texels) const {
    texels.resize(columns_);
    unpack_row(job_.source.format, row + size_t(first_column_) * format_info(job_.source.format).block_bytes, columns_,
               texels.data());
  }

  void pick(const std::byte* row, Scratch& scratch) const {
    unpack(row, scratch.source[0]);
    for (size_t x = 0; x < x_.size(); ++x) scratch.out[x] = scratch.source[0][size_t(x_[x].first - first_column_)];
  }

  void filter(const Tap& y, const Tap& z, uint32_t sample, Scratch& scratch) const {
    const bool two_rows = y.weight != 0, two_slices = z.weight != 0;
    for (int i = 0; i < 4; ++i)
      if ((two_rows || !(i & 1)) && (two_slices || !(i & 2)))
        unpack(source_row(i & 1 ? y.second : y.first, i & 2 ? z.second : z.first, sample), scratch.source[i]);
    for (size_t x = 0; x < x_.size(); ++x) {
      const Tap& tap = x_[x];
      for (uint32_t c = 0; c < 4; ++c) {
        const auto along_x = [&](int i) {
          const auto at = [&](int32_t column) {
            return double{std::bit_cast<float>(scratch.source[i][size_t(column - first_column_)].word[c])};
          };
          return mix(at(tap.first), at(tap.second), tap.weight);
        };
        const auto along_y = [&](int i) { return two_rows ? mix(along_x(i), along_x(i + 1), y.weight) : along_x(i); };
        const double value = two_slices ? mix(along_y(0), along_y(2), z.weight) : along_y(0);
        scratch.out[x].word[c] = std::bit_cast<uint32_t>(static_cast<float>(value));
      }
    }
  }

  const Storage& from_;
  Storage& to_;
  const BlitJob& job_;
  std::vector<Tap> x_, y_, z_;
  int32_t x0_ = 0, y0_ = 0, z0_ = 0;               // of the part that is written
  int32_t first_column_ = 0;
  uint32_t columns_ = 0;                           // of the source, that a row reads
};

}  // namespace

void blit(const Storage& from, Storage& to, const BlitJob& job, TaskArena& tasks) {
  const Blitter blitter(from, to, job);
  const size_t rows = blitter.rows();
  tasks.parallel_for(uint32_t((rows + kRowsOfATask - 1) / kRowsOfATask), [&](uint32_t task, uint32_t) {
    const size_t begin = size_t{task} * kRowsOfATask;
    blitter.run(begin, std::min(rows, begin + kRowsOfATask));
  });
}

}  // namespace tessera::texture
