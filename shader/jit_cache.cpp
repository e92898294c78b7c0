#include "shader/jit_cache.h"

#include <atomic>
#include <list>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "core/hash.h"

namespace tessera::jit {
namespace {

// All that machine code depends on. Steps find the rest (what texture and memory operations are) in the program itself.
using Content = std::vector<uint32_t>;

Content content_of(const ir::Program& p) {
  Content c;
  c.reserve(p.code.size() * 4 + p.args.size() + p.private_arrays.size() + p.outputs.size() + 8);
  for (const size_t count : {size_t{p.value_count}, p.inputs.size(), p.code.size(), p.args.size(), p.outputs.size()})
    c.push_back(static_cast<uint32_t>(count));
  for (const ir::Instr& i : p.code) {
    c.push_back(static_cast<uint32_t>(i.op) | uint32_t{i.result_count} << 16);
    c.push_back(i.first_arg);
    c.push_back(i.arg_count);
    c.push_back(i.result);
    c.push_back(i.imm);
  }
  c.insert(c.end(), p.args.begin(), p.args.end());
  c.insert(c.end(), p.private_arrays.begin(), p.private_arrays.end());
  for (const ir::Output& o : p.outputs) c.push_back(o.value);
  return c;
}

struct HashContent {
  size_t operator()(const Content& c) const { return hash_bytes(c.data(), c.size() * sizeof(uint32_t)); }
};

class Cache {
 public:
  std::shared_ptr<const Compiled> get(const ir::Program& program) {
    const std::shared_ptr<Entry> entry = find(content_of(program));
    const std::lock_guard lock(entry->mutex);      // whoever comes first compiles; the others wait
    if (!entry->compiled) entry->compiled = compile(program);
    return entry->compiled;
  }

  size_t compilations() const { return compilations_; }

 private:
  struct Entry {
    std::mutex mutex;
    std::shared_ptr<const Compiled> compiled;
  };
  using Recent = std::list<std::pair<Content, std::shared_ptr<Entry>>>;    // the last one asked for first

  std::shared_ptr<Entry> find(Content content) {
    const std::lock_guard lock(mutex_);
    if (const auto found = by_content_.find(content); found != by_content_.end()) {
      recent_.splice(recent_.begin(), recent_, found->second);
      return found->second->second;
    }
    recent_.emplace_front(content, std::make_shared<Entry>());
    by_content_.emplace(std::move(content), recent_.begin());
    return recent_.front().second;
  }

  std::shared_ptr<const Compiled> compile(const ir::Program& program) {
    ++compilations_;
    auto compiled = std::make_shared<Compiled>(program);
    while (!compiled->function.code && !compiled->function.is_empty && drop_oldest())
      compiled->function = write_function(program, compiled->slots);
    return compiled;
  }

  // False: nothing is left to drop. The newest half stays in any case, this program's own entry with it.
  bool drop_oldest() {
    const std::lock_guard lock(mutex_);
    const size_t kept = recent_.size() / 2;
    if (recent_.size() <= 1) return false;
    while (recent_.size() > kept + (kept == 0)) {
      by_content_.erase(recent_.back().first);
      recent_.pop_back();
    }
    return true;
  }

  std::mutex mutex_;
  Recent recent_;
  std::unordered_map<Content, Recent::iterator, HashContent> by_content_;
  std::atomic<size_t> compilations_{0};
};

// Never destroyed: other static objects may still compile at the end.
Cache& cache() {
  static Cache* const cache = new Cache;
  return *cache;
}

}  // namespace

Compiled::Compiled(const ir::Program& program)
    : slots(interp::assign_slots(program)),
      uniforms(program, slots, interp::step_table(SimdTarget::Avx2)),
      function(write_function(program, slots)) {}

std::shared_ptr<const Compiled> compile_once(const ir::Program& program) { return cache().get(program); }
size_t compilations() { return cache().compilations(); }

}  // namespace tessera::jit
