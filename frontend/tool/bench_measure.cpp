#include "frontend/tool/bench_measure.h"

#include <malloc.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>

#include <fmt/format.h>

#include "frontend/tool/bench_limits.h"

namespace tessera::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr uint32_t kMinFrames = 5, kWarmUpFrames = 2;
constexpr double kMinSeconds = 1.5;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// The kernel keeps the highest resident size of a process; writing 5 starts it again from the present one, which what
// earlier rows have freed must not count towards.
void restart_peak_memory() {
  malloc_trim(0);
  if (std::FILE* file = std::fopen("/proc/self/clear_refs", "w")) {
    std::fputs("5", file);
    std::fclose(file);
  }
}

double peak_memory_mib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  double kib = double(usage.ru_maxrss);
  if (std::FILE* file = std::fopen("/proc/self/status", "r")) {
    char line[256];
    while (std::fgets(line, sizeof line, file) != nullptr)
      if (std::strncmp(line, "VmHWM:", 6) == 0) {
        kib = 0;
        for (const char* c = line + 6; *c != '\0'; ++c)
          if (*c >= '0' && *c <= '9') kib = kib * 10 + (*c - '0');
      }
    std::fclose(file);
  }
  return kib / 1024;
}

Status check_work(const ExpectedWork& expected, const Counters& counted) {
  std::vector<Diag> missed;
  const auto check = [&](std::string_view what, uint64_t found, uint64_t least, uint64_t most) {
    if (found < least || found > most)
      missed.push_back(error(least == most ? fmt::format("{} {} counted, expected {}", found, what, least)
                                           : fmt::format("{} {} counted, expected {} to {}", found, what, least, most)));
  };
  check("draws", counted.draws, expected.draws, expected.draws);
  check("primitives", counted.primitives, expected.primitives, expected.primitives);
  check("vertices", counted.vertices, expected.vertices_min, ~0ull);
  check("fragments", counted.fragments, expected.fragments_min, expected.fragments_max);
  if (expected.culled != 0) check("culled primitives", counted.primitives_culled, expected.culled, expected.culled);
  if (!missed.empty()) return missed;
  return Done{};
}

// The counters are sums over `frames` frames.
Counters mean_frame(Counters sums, const Counters& one_frame, uint32_t frames) {
  Counters mean = one_frame;
#define X(stage) mean.stage##_ns = sums.stage##_ns / frames;
  TESSERA_STAGES(X)
#undef X
  return mean;
}

}  // namespace

double percentile(std::vector<float> values, double p) {
  if (values.empty()) return 0;
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(double(values.size() - 1) * p);
  std::nth_element(values.begin(), at, values.end());
  return double{*at};
}

Result<Measurement> measure(const Row& row, DeviceOptions options, const std::string& image_folder) {
  options.raster.drop_hidden = row.drop_hidden;
  options.raster.time_tiles = true;
  restart_peak_memory();
  auto device = Device::create(options);
  if (!device) return device.diags();
  Scene scene(**device, row.width, row.height, row.samples);
  row.prepare(scene);
  raster::Renderer& renderer = scene.context.renderer();

  for (uint32_t frame = 0; frame < kWarmUpFrames; ++frame) {
    renderer.reset_counters();
    if (Status s = scene.run_frame(); !s) return s.diags();
  }
  const Counters one_frame = renderer.counters();
  if (Status s = check_work(row.expected, one_frame); !s) return s.diags();

  renderer.reset_counters();
  std::vector<float> frame_ms;
  const auto start = Clock::now();
  const auto enough = [&] {
    if (row.fixed_frames != 0) return frame_ms.size() >= row.fixed_frames;
    return frame_ms.size() >= kMinFrames && seconds_since(start) >= kMinSeconds;
  };
  while (!enough()) {
    const auto frame_start = Clock::now();
    if (Status s = scene.run_frame(); !s) return s.diags();
    frame_ms.push_back(float(seconds_since(frame_start) * 1e3));
  }

  Measurement m;
  m.row = &row;
  m.threads = (*device)->options().raster.threads;
  m.frames = uint32_t(frame_ms.size());
  m.median_ms = percentile(frame_ms, 0.5);
  m.q1_ms = percentile(frame_ms, 0.25);
  m.q3_ms = percentile(frame_ms, 0.75);
  m.rate = row.work / m.median_ms * 1e3;
  m.peak_mib = peak_memory_mib();
  if (row.moved_bytes != 0) m.of_copy = double(row.moved_bytes) / m.median_ms * 1e3 / measure_limits(renderer.arena()).copy_memory;
  m.per_frame = mean_frame(renderer.counters(), one_frame, m.frames);
  m.tiles_per_s = double(one_frame.tiles) / m.median_ms * 1e3;
  m.tile_us_p50 = percentile(renderer.tile_times_us(), 0.5);
  m.tile_us_p95 = percentile(renderer.tile_times_us(), 0.95);
  if (!image_folder.empty()) {
    const auto picture = scene.picture();
    if (!picture) return picture.diags();
    if (Status s = write_png_file(fmt::format("{}/{}.png", image_folder, row.name), *picture); !s) return s.diags();
  }
  return m;
}

}  // namespace tessera::bench
