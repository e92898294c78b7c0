#include <catch2/catch.hpp>

#include <random>
#include <set>
#include <utility>
#include <vector>

#include "raster/reuse.h"
#include "tests/support/random.h"

using namespace tessera::raster;

namespace {

// Every corner must lead to its own (instance, id), and no pair may stand twice.
void check_list(const std::vector<uint32_t>& ids, const std::vector<InstanceRun>& runs) {
  std::vector<uint32_t> corners = ids;
  VertexList list;
  ReuseScratch scratch;
  collect_vertices(corners, runs, list, scratch);
  std::set<std::pair<uint32_t, uint32_t>> distinct;
  uint32_t run = 0, wrong = 0;
  for (uint32_t i = 0; i < ids.size(); ++i) {
    while (i >= runs[run].corners_end) ++run;
    distinct.insert({runs[run].instance, ids[i]});
    REQUIRE(corners[i] < list.count);
    wrong += list.id[corners[i]] != ids[i] || list.instance[corners[i]] != runs[run].instance;
  }
  CHECK(wrong == 0);
  CHECK(list.count == distinct.size());
}

}  // namespace

TEST_CASE("a shared vertex is listed once", "[reuse]") {
  std::vector<uint32_t> corners = {4, 5, 6, 6, 5, 7};
  VertexList list;
  ReuseScratch scratch;
  const InstanceRun run{3, 6};
  collect_vertices(corners, {&run, 1}, list, scratch);
  CHECK(list.count == 4);
  CHECK(corners == std::vector<uint32_t>{0, 1, 2, 2, 1, 3});
  CHECK(list.instance[0] == 3);
}

TEST_CASE("dense, sparse and extreme ids are found again", "[reuse]") {
  using tessera::tests::seed;
  std::mt19937 random(seed());
  CAPTURE(seed());
  for (const uint32_t range : {1u, 3u, 100u, 5000u, 1u << 20, ~0u}) {
    for (const uint32_t count : {3u, 300u, 3000u}) {
      std::vector<uint32_t> ids;
      for (uint32_t i = 0; i < count; ++i) ids.push_back(~0u - random() % range);
      CAPTURE(range, count);
      check_list(ids, {{0, count}});
      check_list(ids, {{7, count / 3}, {8, count}});
    }
  }
  check_list({0, ~0u, 5}, {{0, 3}});
}

TEST_CASE("instances do not share vertices", "[reuse]") {
  std::vector<uint32_t> ids;
  std::vector<InstanceRun> runs;
  for (uint32_t instance = 0; instance < 50; ++instance) {
    for (const uint32_t id : {0u, 1u, 2u, 2u, 1u, 3u}) ids.push_back(id);
    runs.push_back({instance, uint32_t(ids.size())});
  }
  check_list(ids, runs);
}
