#include "tests/support/random_program.h"

#include <span>
#include <vector>

#include "shader/builder.h"

namespace tessera::tests {
namespace {

using namespace tessera::ir;

class Generator {
 public:
  Generator(std::mt19937& random, const RandomProgramOptions& options)
      : random_(random), o_(options), b_(Stage::Fragment), left_(options.instructions) {}

  Program run() {
    for (uint32_t k = 0; k < o_.inputs; ++k) values_.push_back(b_.input({.index = static_cast<uint16_t>(k)}));
    array_ = b_.private_array(5);
    if (o_.variables_in_memory) memory_ = b_.private_array(1000);
    for (uint32_t k = 0; k < o_.variables; ++k) vars_.push_back(new_var(any_value()));
    while (left_ > 0) statement(0);
    for (uint32_t k = 0; k < o_.outputs; ++k) b_.output(Semantic::Generic, k, 0, read(vars_[k % vars_.size()]));
    return b_.finish();
  }

 private:
  uint32_t below(uint32_t count) { return static_cast<uint32_t>(random_() % count); }
  bool chance(uint32_t percent) { return below(100) < percent; }

  uint32_t new_var(Value initial) {
    const uint32_t number = var_count_++;
    if (!o_.variables_in_memory) all_vars_.push_back(b_.var(initial));
    else write(number, initial);
    return number;
  }
  Value read(uint32_t v) { return o_.variables_in_memory ? b_.array_load(memory_, b_.u32(v)) : b_.read(all_vars_[v]); }
  void write(uint32_t v, Value value) {
    if (o_.variables_in_memory) b_.array_store(memory_, b_.u32(v), value);
    else b_.write(all_vars_[v], value);
  }

  Value any_value() {
    switch (below(8)) {
      case 0: return b_.u32(random_word(random_));
      case 1: return b_.constant(below(2), below(o_.constants + 1));
      case 2:
      case 3:
      case 4:
        return vars_.empty() ? values_[below(static_cast<uint32_t>(values_.size()))]
                             : read(vars_[below(static_cast<uint32_t>(vars_.size()))]);
      default: return values_[below(static_cast<uint32_t>(values_.size()))];
    }
  }

  Op any_op() {
    while (true) {
      const Op op = static_cast<Op>(below(kOpCount));
      const OpInfo& info = op_info(op);
      const uint32_t wanted = o_.across_lanes ? trait::Pure | trait::LaneCross | trait::Reads : trait::Pure;
      const bool is_repeatable = op != Op::Clock;
      if (info.is(wanted) && !info.is(trait::ImmMask) && is_repeatable) return op;
    }
  }

  Value operation() {
    const Op op = any_op();
    std::vector<Value> args;
    for (uint32_t k = 0; k < op_info(op).arg_words; ++k) args.push_back(any_value());
    Value results[2];
    b_.op_multi(op, args, 0, std::span(results).first(words_of(op_info(op).result)));
    return results[below(words_of(op_info(op).result))];
  }

  // What has an immediate.
  Value special_operation() {
    if (chance(40)) return b_.constant_at(below(2), b_.op(Op::And, {any_value(), b_.u32(below(2) * 15)}));
    TextureOp t;
    t.kind = static_cast<TextureKind>(below(static_cast<uint32_t>(TextureKind::QuerySamples) + 1));
    t.binding = static_cast<uint16_t>(b_.texture_binding(below(3), 0));
    Value args[tex_arg::Count], results[4];
    for (Value& arg : args)
      if (chance(50)) arg = any_value();
    b_.texture(t, args, results);
    return results[below(4)];
  }

  // A condition that differs between lanes, mostly.
  Value condition() {
    const Value a = any_value(), b = any_value();
    return b_.op(chance(50) ? Op::FLt : Op::ULt, {a, b});
  }

  // Values made inside a region are out of scope behind it.
  void body(uint32_t depth) {
    const size_t scope = values_.size();
    for (uint32_t k = 1 + below(4); k > 0; --k) statement(depth);
    values_.resize(scope);
  }

  void statement(uint32_t depth) {
    if (left_ > 0) --left_;
    const uint32_t what = below(100);
    if (depth < 4 && left_ > 4) {
      if (what < 10) return statement_if(depth);
      if (what < 15) return statement_block(depth);
      if (what < 22) return statement_loop(depth);
    }
    if (what < 30 && !regions_.empty()) return statement_jump();
    if (what < 34) return b_.array_store(array_, b_.op(Op::And, {any_value(), b_.u32(7)}), any_value());
    if (what < 36 && o_.kill) return b_.kill_if(condition());
    if (o_.memory && what >= 80) return statement_memory();
    const bool is_special = o_.across_lanes && what >= 40 && what < 50;
    const Value v = is_special ? special_operation()
                    : what < 40 ? b_.array_load(array_, b_.op(Op::And, {any_value(), b_.u32(7)})) : operation();
    values_.push_back(v);
    if (chance(50)) write(vars_[below(static_cast<uint32_t>(vars_.size()))], v);
  }

  // Offsets that meet often, and some beyond the end of a buffer of 15 words.
  void statement_memory() {
    if (chance(4)) return b_.barrier();
    if (chance(4)) return b_.op_multi(Op::MemFence, {}, 0, {});
    MemoryOp m;
    m.space = chance(75) ? MemorySpace::Buffer : MemorySpace::Shared;
    m.binding = static_cast<uint16_t>(m.space == MemorySpace::Buffer ? below(2) : 0);
    Value args[mem_arg::Count], results[4];
    args[mem_arg::X] = b_.op(Op::And, {any_value(), b_.u32(63)});
    if (chance(30)) args[mem_arg::Index] = b_.op(Op::And, {any_value(), b_.u32(3)});
    const uint32_t what = below(10);
    uint32_t count = 1;
    if (what < 4) {
      m.first_word = static_cast<uint8_t>(below(4));
      count = 1 + below(4 - m.first_word);
      b_.memory(Op::MemLoad, m, args, std::span(results).first(count));
    } else if (what < 5) {
      b_.memory(Op::MemSize, m, args, std::span(results).first(1));
    } else if (what < 7) {
      m.atomic = static_cast<AtomicKind>(below(static_cast<uint32_t>(AtomicKind::DecWrap) + 1));
      args[mem_arg::Value] = any_value();
      if (m.atomic == AtomicKind::CompareExchange) args[mem_arg::Value + 1] = any_value();
      b_.memory(Op::MemAtomic, m, args, std::span(results).first(1));
    } else {
      for (uint32_t k = 0; k < 4; ++k)
        if (chance(60)) args[mem_arg::Value + k] = any_value();
      return b_.memory(Op::MemStore, m, args, {});
    }
    values_.push_back(results[below(count)]);
  }

  void statement_if(uint32_t depth) {
    b_.begin_if(condition());
    body(depth + 1);
    if (chance(60)) {
      b_.begin_else();
      body(depth + 1);
    }
    b_.end_if();
  }

  void statement_block(uint32_t depth) {
    regions_.push_back({b_.begin_block(), false});
    body(depth + 1);
    b_.end_block();
    regions_.pop_back();
  }

  // A counter that each turn raises before anything else ends the loop.
  void statement_loop(uint32_t depth) {
    const uint32_t counter = new_var(b_.u32(0));
    const Value limit = b_.op(Op::And, {any_value(), b_.u32(3)});
    regions_.push_back({b_.begin_loop(), true});
    write(counter, b_.op(Op::IAdd, {read(counter), b_.u32(1)}));
    b_.begin_if(b_.op(Op::ULt, {limit, read(counter)}));
    b_.exit(regions_.back().region);
    b_.end_if();
    body(depth + 1);
    b_.end_loop();
    regions_.pop_back();
  }

  // Leaves or repeats any region around, on a condition or always; in the latter case what follows is never reached.
  void statement_jump() {
    const Target target = regions_[below(static_cast<uint32_t>(regions_.size()))];
    const bool always = chance(20);
    if (!always) b_.begin_if(condition());
    if (target.is_loop && chance(40)) b_.again(target.region);
    else b_.exit(target.region);
    if (!always) b_.end_if();
  }

  struct Target {
    Region region;
    bool is_loop;
  };

  std::mt19937& random_;
  RandomProgramOptions o_;
  Builder b_;
  uint32_t left_;
  uint32_t array_ = 0;
  std::vector<Value> values_;
  std::vector<Var> all_vars_;                  // by number; not those in memory
  std::vector<uint32_t> vars_;                 // numbers of those that any statement may use
  uint32_t var_count_ = 0, memory_ = 0;
  std::vector<Target> regions_;
};

}  // namespace

Program random_program(std::mt19937& random, const RandomProgramOptions& options) {
  return Generator(random, options).run();
}

void mix_texture_operands(const void*, const SampleArgs& args) {
  const uint32_t* operands[] = {args.coord[0], args.coord[1], args.coord[2],  args.coord[3],  args.ref,
                                args.lod,      args.ddx[0],   args.ddx[1],    args.ddx[2],    args.ddy[0],
                                args.ddy[1],   args.ddy[2],   args.offset[0], args.offset[1], args.offset[2]};
  const bool has_integers = args.op->kind == TextureKind::Fetch || args.op->kind == TextureKind::QuerySize;
  for (uint32_t quad = 0; quad < kBlockLanes; quad += 4) {
    if ((args.exec >> quad & 15) == 0) continue;
    uint32_t sum = static_cast<uint32_t>(args.op->kind);
    for (size_t k = 0; k < std::size(operands); ++k)
      for (uint32_t lane = 0; lane < 4; ++lane) {
        const uint32_t word = operands[k] ? operands[k][quad + lane] : lane;
        const bool is_nan = !has_integers && k < tex_arg::Offset && (word & 0x7fffffffu) > 0x7f800000u;
        sum = sum * 0x01000193u + (is_nan ? 0x7fc00000u : word);     // of a float only that it is NaN is asked
      }
    for (uint32_t k = 0; k < 4; ++k)
      for (uint32_t lane = 0; lane < 4; ++lane) args.out[k][quad + lane] = (sum ^ (sum >> 15)) * (4 * k + lane + 1);
  }
}

uint32_t random_word(std::mt19937& random) {
  constexpr uint32_t kWords[] = {0,           1,           2,           3,           ~0u,
                                 0x80000000u, 0x3f800000u, 0xbf800000u, 0x40000000u, 0x7f800000u,
                                 0xff800000u, 0x7fc00000u, 0xffc12345u, 0x7f812345u, 0x00000007u};
  const uint32_t kind = static_cast<uint32_t>(random() % 4), bits = static_cast<uint32_t>(random());
  if (kind == 0) return kWords[bits % std::size(kWords)];
  if (kind == 1) return bits % 8;
  return kind == 2 ? 0x3e000000u + (bits & 0x83ffffffu) : bits;
}

}  // namespace tessera::tests
