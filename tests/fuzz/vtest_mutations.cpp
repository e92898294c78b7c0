#include "tests/fuzz/vtest_mutations.h"

#include <algorithm>
#include <cstring>
#include <random>
#include <vector>

namespace tessera::tests {
namespace {

using Words = std::vector<uint32_t>;
using Random = std::minstd_rand;

constexpr uint32_t kCreateRenderer = 8, kSubmit = 6, kTransferPut = 14, kTransferPut_words = 10;

// A request and, of a submission, its commands.
struct Request {
  uint32_t id = 0;
  Words payload;                       // of all but submissions
  std::vector<Words> commands;
};

size_t below(Random& random, size_t count) { return random() % count; }

// Bytes behind the last whole request are dropped.
std::vector<Request> split(const Words& words) {
  std::vector<Request> requests;
  for (size_t at = 0; at + 2 <= words.size();) {
    Request r{.id = words[at + 1], .payload = {}, .commands = {}};
    size_t length = words[at];
    if (r.id == kCreateRenderer) length = (length + 3) / 4;      // counted in bytes; our streams keep to whole words
    if (r.id == kTransferPut) length = kTransferPut_words;
    at += 2;
    length = std::min(length, words.size() - at);
    const Words payload(words.begin() + at, words.begin() + at + length);
    at += length;
    if (r.id != kSubmit) r.payload = payload;
    else
      for (size_t c = 0; c < payload.size();) {
        const size_t end = std::min(payload.size(), c + 1 + (payload[c] >> 16));
        r.commands.emplace_back(payload.begin() + c, payload.begin() + end);
        c = end;
      }
    requests.push_back(std::move(r));
  }
  return requests;
}

Words join(const std::vector<Request>& requests) {
  Words words;
  for (const Request& r : requests) {
    Words payload = r.payload;
    for (const Words& c : r.commands) payload.insert(payload.end(), c.begin(), c.end());
    const auto length = static_cast<uint32_t>(payload.size());
    words.push_back(r.id == kCreateRenderer ? 4 * length : length);
    words.push_back(r.id);
    words.insert(words.end(), payload.begin(), payload.end());
  }
  return words;
}

// Numbers that lie on limits, handles that may exist, formats, floats.
uint32_t telling_word(Random& random, uint32_t old) {
  constexpr uint32_t kWords[] = {0, 1, ~0u, 0x7fffffff, 0x80000000, 0x10000, 0xffff, 0x7f800000, 0x7fc00000, 0xff800000,
                                 0x3f800000, 0x4f000000, 0x00800000, 31, 32, 33, 64, 255, 256, 4096};
  switch (below(random, 6)) {
    case 0: return kWords[below(random, std::size(kWords))];
    case 1: return old + 1;
    case 2: return old - 1;
    case 3: return old ^ 1u << below(random, 32);
    case 4: return static_cast<uint32_t>(below(random, 24));
    default: return static_cast<uint32_t>(below(random, 400));
  }
}

void change_word(Words& words, size_t first, Random& random) {
  if (words.size() <= first) return;
  uint32_t& word = words[first + below(random, words.size() - first)];
  word = telling_word(random, word);
}

void change_commands(std::vector<Words>& commands, Random& random) {
  if (commands.empty()) return;
  const size_t chosen = below(random, commands.size()), other = below(random, commands.size());
  switch (below(random, 8)) {
    case 0: commands.erase(commands.begin() + chosen); return;
    case 1: commands.insert(commands.begin() + other, Words(commands[chosen])); return;
    case 2: std::swap(commands[chosen], commands[other]); return;
    case 3: commands[chosen][0] = (commands[chosen][0] & ~0xffu) | below(random, 53); return;
    case 4: commands[chosen][0] = (commands[chosen][0] & ~0xff00u) | below(random, 13) << 8; return;
    default: change_word(commands[chosen], 1, random);
  }
}

}  // namespace

size_t mutate_stream(std::span<uint8_t> room, size_t size, uint32_t seed) {
  Random random(seed);
  if (size < 9 || below(random, 4) == 0) return 0;
  Words words((size - 1) / 4);
  std::memcpy(words.data(), room.data() + 1, words.size() * 4);
  std::vector<Request> requests = split(words);
  if (requests.empty()) return 0;
  if (below(random, 16) == 0) room[0] ^= 1;
  for (size_t turns = 1 + below(random, 4); turns > 0; --turns) {
    Request& chosen = requests[below(random, requests.size())];
    if (!chosen.commands.empty()) change_commands(chosen.commands, random);
    else if (below(random, 3) != 0) change_word(chosen.payload, 0, random);
    else if (below(random, 2) != 0) requests.push_back(Request(chosen));
  }
  words = join(requests);
  if (words.size() * 4 + 1 > room.size()) return 0;
  std::memcpy(room.data() + 1, words.data(), words.size() * 4);
  return words.size() * 4 + 1;
}

}  // namespace tessera::tests
