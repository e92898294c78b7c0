#include "shader/builder.h"

#include <algorithm>
#include <bit>
#include <unordered_map>
#include <vector>

// How variables become SSA. The builder walks the program once, forwards:
// - Each scope logs the value that a variable had before the scope's first write to it (Scope::before). The variables
//   logged by an If, Block or Loop are the results of its end.
// - A jump leaves with the values of the moment (Edge::values). A variable that is not among them was not yet written:
//   it has the value from before the target, or the one at the head of the turn of a loop in between.
// - A loop's head value of a variable is made when something first asks for it. It is trivial, and replaced by the
//   value from before the loop, when every turn hands on the value it got.
// - Instructions behind a jump are built like all others and cut off at the end of the scope.

namespace tessera::ir {
namespace {

using VarId = uint32_t;
using Values = std::unordered_map<VarId, ValueId>;

struct Variable {
  ValueId value = kNoValue;
  uint32_t loops = 0;   // `value` is right in the outermost `loops` of the open loops; those inside need a head value
  size_t home = 0;      // index of the scope that it lives in; gone when that closes
};

enum class Kind : uint8_t { Program, If, Block, Loop };

// A jump to the end of a scope, or to a loop's next turn.
struct Edge {
  uint32_t instr = 0;
  Op op = Op::Exit;
  Values values;
};

struct HeadValue {
  VarId var;
  ValueId value, initial;
};

struct Scope {
  Kind kind = Kind::Program;
  uint32_t id = 0;                    // by which values know where they are visible; never reused
  uint32_t region = ~0u;              // Block, Loop: number in the IR
  uint32_t begin = 0;                 // instruction that opens it
  bool entered = true;                // that instruction is reachable
  bool reachable = true;              // the place of the next instruction is
  size_t cut_code = 0;                // not reachable: what is built from here on goes away
  Values before;                      // variables written inside: their values outside
  bool in_second_half = false;        // If: behind Else
  uint32_t else_instr = 0;
  bool first_half_reachable = false;  // the end of the first half is, with these values
  Values first_half;
  std::vector<Edge> edges;            // Block, Loop: jumps to it
  std::vector<HeadValue> heads;       // Loop
  std::unordered_map<VarId, size_t> head_of;
};

ValueId value_in(const Values& values, VarId v, const Values& otherwise) {
  const auto it = values.find(v);
  return it != values.end() ? it->second : otherwise.at(v);
}

}  // namespace

struct Builder::State {
  Program p;
  SourceLoc loc{0, 0};
  std::vector<Variable> vars;
  std::vector<Scope> scopes{1};
  std::vector<size_t> loops;                                       // those of the scopes that are loops
  std::vector<ValueId> replaced;                                   // by value: what to use instead, or itself
  std::vector<uint32_t> scope_of;                                  // by value: Scope::id
  std::vector<bool> scope_open{true};                              // by Scope::id
  // By instruction: the results of a Loop, which are not consecutive before numbered().
  std::unordered_map<uint32_t, std::vector<ValueId>> loop_results;
  uint32_t region_count = 0;
  size_t carried_values = 0;                                       // by all jumps

  Scope& top() { return scopes.back(); }
  uint32_t depth() const { return static_cast<uint32_t>(loops.size()); }

  // ---- values and instructions ----

  ValueId new_value(uint32_t scope) {
    replaced.push_back(p.value_count);
    scope_of.push_back(scope);
    return p.value_count++;
  }

  ValueId resolve(ValueId v) {
    while (replaced[v] != v) v = replaced[v] = replaced[replaced[v]];
    return v;
  }

  void check_visible(ValueId v) const { TESSERA_CHECK(v < p.value_count && scope_open[scope_of[v]]); }

  uint32_t emit(Op op, std::span<const ValueId> args = {}, uint32_t imm = 0, uint32_t results = 0) {
    Instr i;
    i.op = op;
    i.imm = imm;
    i.loc = loc;
    p.code.push_back(i);
    const uint32_t at = static_cast<uint32_t>(p.code.size() - 1);
    set_args(at, args);
    set_results(at, results);
    return at;
  }

  void set_args(uint32_t instr, std::span<const ValueId> args) {
    TESSERA_CHECK(args.size() <= UINT16_MAX);
    p.code[instr].first_arg = static_cast<uint32_t>(p.args.size());
    p.code[instr].arg_count = static_cast<uint16_t>(args.size());
    p.args.insert(p.args.end(), args.begin(), args.end());
  }

  void set_results(uint32_t instr, uint32_t count) {
    TESSERA_CHECK(count <= UINT16_MAX);
    p.code[instr].result_count = static_cast<uint16_t>(count);
    p.code[instr].result = count > 0 ? p.value_count : kNoValue;
    for (uint32_t k = 0; k < count; ++k) new_value(top().id);
  }

  // ---- variables ----

  // The value of `v` at the head of each turn of a loop.
  ValueId head_value(Scope& loop, VarId v, ValueId initial) {
    const auto [it, is_new] = loop.head_of.try_emplace(v, loop.heads.size());
    if (is_new) loop.heads.push_back({v, new_value(loop.id), initial});
    return loop.heads[it->second].value;
  }

  // The value of `v` as code inside the outermost `loop_depth` loops sees it.
  ValueId read(VarId v, uint32_t loop_depth) {
    Variable& var = vars[v];
    while (var.loops < loop_depth) {
      var.value = head_value(scopes[loops[var.loops]], v, var.value);
      ++var.loops;
    }
    return var.value;
  }

  void write(VarId v, ValueId value) {
    log(v);
    set(v, value);
  }

  void set(VarId v, ValueId value) { vars[v] = {value, depth(), std::min(vars[v].home, scopes.size() - 1)}; }

  // Logs the value before the innermost scope of a variable that is about to be written for the first time there.
  void log(VarId v) {
    Scope& s = top();
    if (vars[v].home >= scopes.size() - 1 || s.before.contains(v)) return;
    const auto head = s.head_of.find(v);
    const ValueId before = head != s.head_of.end()   ? s.heads[head->second].initial
                           : s.kind == Kind::Loop    ? read(v, depth() - 1)
                                                     : read(v, depth());
    s.before.emplace(v, before);
  }

  // ---- scopes ----

  void open(Kind kind, Op op, std::span<const ValueId> args = {}) {
    Scope s;
    s.kind = kind;
    if (kind != Kind::If) s.region = region_count++;
    s.entered = s.reachable = top().reachable;
    s.begin = emit(op, args, kind == Kind::If ? 0 : s.region);
    s.cut_code = p.code.size();
    s.id = static_cast<uint32_t>(scope_open.size());
    scope_open.push_back(true);
    scopes.push_back(std::move(s));
    if (kind == Kind::Loop) loops.push_back(scopes.size() - 1);
  }

  void cut_unreachable() {
    if (!top().reachable) p.code.resize(top().cut_code);
  }

  void set_unreachable() {
    if (top().kind == Kind::Program) return;   // behind an endless loop: never runs, but outputs need values
    top().reachable = false;
    top().cut_code = p.code.size();
  }

  // Leaves the innermost scope: variables have their values from before it; its writes are writes of the scope around.
  Scope close() {
    Scope s = std::move(top());
    scope_open[s.id] = false;
    scopes.pop_back();
    if (s.kind == Kind::Loop) loops.pop_back();
    for (const HeadValue& h : s.heads) set(h.var, h.initial);
    for (const VarId v : written(s)) {
      set(v, s.before.at(v));
      log(v);
    }
    return s;
  }

  // The variables that a scope wrote, in a fixed order: the same calls give the same program.
  static std::vector<VarId> written(const Scope& s) {
    std::vector<VarId> vars;
    for (const auto& [v, value] : s.before) vars.push_back(v);
    std::sort(vars.begin(), vars.end());
    return vars;
  }

  std::vector<ValueId> current(const std::vector<VarId>& which) const {
    std::vector<ValueId> values;
    for (VarId v : which) values.push_back(vars[v].value);
    return values;
  }

  // The results of the end of a region are the new values of the variables it wrote.
  void join(uint32_t end_instr, const std::vector<VarId>& which) {
    const ValueId first = p.value_count;
    set_results(end_instr, static_cast<uint32_t>(which.size()));
    for (size_t k = 0; k < which.size(); ++k) write(which[k], first + static_cast<ValueId>(k));
  }

  size_t scope_index(Region region) const {
    size_t k = scopes.size() - 1;
    while (k > 0 && scopes[k].region != region.id) --k;
    TESSERA_CHECK(k > 0);
    return k;
  }

  void jump(Op op, Region region) {
    const size_t target = scope_index(region);
    TESSERA_CHECK(op == Op::Exit || scopes[target].kind == Kind::Loop);
    if (!top().reachable) return;
    Edge edge;
    edge.op = op;
    for (size_t k = target; k < scopes.size(); ++k)
      for (const VarId v : written(scopes[k])) edge.values.emplace(v, read(v, depth()));
    carried_values += edge.values.size();
    edge.instr = emit(op, {}, region.id);
    scopes[target].edges.push_back(std::move(edge));
    set_unreachable();
  }

  // ---- the ends of loops ----

  // Jumps out of the loop that left before the loop's first write to a variable carry its value at the head.
  void complete_edges(Scope& loop, const std::vector<VarId>& which) {
    for (size_t k = 0; k + 1 < scopes.size(); ++k)
      for (size_t e = scopes[k].edges.size(); e-- > 0 && scopes[k].edges[e].instr > loop.begin;)
        complete_edge(scopes[k].edges[e], loop, which);
    for (Edge& e : loop.edges) complete_edge(e, loop, which);
  }

  void complete_edge(Edge& edge, Scope& loop, const std::vector<VarId>& which) {
    for (const VarId v : which)
      if (!edge.values.contains(v)) edge.values.emplace(v, head_value(loop, v, loop.before.at(v)));
  }

  static ValueId next_value(const Values& values, const HeadValue& head) {
    const auto it = values.find(head.var);
    return it != values.end() ? it->second : head.value;
  }

  bool is_trivial(const HeadValue& head, const std::vector<const Values*>& turns) {
    for (const Values* values : turns) {
      const ValueId next = resolve(next_value(*values, head));
      if (next != head.value && next != resolve(head.initial)) return false;
    }
    return true;
  }

  // Gives Loop, Again and EndLoop their operands: the head values that are not trivial, and what each turn makes of them.
  void finish_heads(Scope& loop, uint32_t end_instr, const Values* fall_through) {
    std::vector<const Values*> turns;
    if (fall_through) turns.push_back(fall_through);
    for (const Edge& e : loop.edges)
      if (e.op == Op::Again) turns.push_back(&e.values);
    std::vector<HeadValue> kept;
    for (const HeadValue& h : loop.heads) {
      if (is_trivial(h, turns)) replaced[h.value] = h.initial;
      else kept.push_back(h);
    }
    std::vector<ValueId> results, args;
    for (const HeadValue& h : kept) results.push_back(h.value), args.push_back(h.initial);
    set_args(loop.begin, args);
    if (loop.entered) loop_results.emplace(loop.begin, std::move(results));   // else its code will be cut off
    const auto set_next = [&](uint32_t instr, const Values& values) {
      args.clear();
      for (const HeadValue& h : kept) args.push_back(next_value(values, h));
      set_args(instr, args);
    };
    if (fall_through) set_next(end_instr, *fall_through);
    for (const Edge& e : loop.edges)
      if (e.op == Op::Again) set_next(e.instr, e.values);
  }

  // ---- the finished program ----

  // Numbers values in the order of their definitions, so that those of one instruction follow each other.
  Program numbered() {
    Program out = std::move(p);
    std::vector<ValueId> number(replaced.size(), kNoValue), args;
    out.value_count = 0;
    for (uint32_t at = 0; at < out.code.size(); ++at) {
      Instr& i = out.code[at];
      const ValueId first = out.value_count;
      if (const auto loop = loop_results.find(at); i.op == Op::Loop && loop != loop_results.end()) {
        i.result_count = static_cast<uint16_t>(loop->second.size());
        for (const ValueId v : loop->second) number[v] = out.value_count++;
      } else {
        for (uint32_t k = 0; k < i.result_count; ++k) number[i.result + k] = out.value_count++;
      }
      i.result = i.result_count > 0 ? first : kNoValue;
    }
    for (Instr& i : out.code) {
      const size_t first = args.size();
      for (uint32_t k = 0; k < i.arg_count; ++k) {
        const ValueId v = out.args[i.first_arg + k];
        args.push_back(v == kNoValue ? v : number[resolve(v)]);
      }
      i.first_arg = static_cast<uint32_t>(first);
    }
    out.args = std::move(args);
    for (Output& o : out.outputs)
      if (o.value != kNoValue) o.value = number[resolve(o.value)];
    return out;
  }
};

Builder::Builder(Stage stage) : s_(std::make_unique<State>()) { s_->p.stage = stage; }
Builder::~Builder() = default;

void Builder::at(SourceLoc loc) { s_->loc = loc; }
Program& Builder::program() { return s_->p; }
size_t Builder::size() const { return s_->p.args.size() + s_->carried_values; }
bool Builder::reachable() const { return s_->scopes.back().reachable; }

// ---- values ----------------------------------------------------------------------------------------------------------

void Builder::op_multi(Op op, std::span<const Value> args, uint32_t imm, std::span<Value> results) {
  const OpInfo& info = op_info(op);
  TESSERA_CHECK(!info.is(trait::Region | trait::Variadic));
  TESSERA_CHECK(args.size() == info.arg_words && results.size() == words_of(info.result));
  std::array<ValueId, 8> ids{};
  for (size_t k = 0; k < args.size(); ++k) s_->check_visible(ids[k] = args[k].id);
  const uint32_t at = s_->emit(op, std::span(ids).first(args.size()), imm, static_cast<uint32_t>(results.size()));
  for (size_t k = 0; k < results.size(); ++k) results[k].id = s_->p.code[at].result + static_cast<ValueId>(k);
}

Value Builder::op(Op op, std::initializer_list<Value> args) {
  Value result;
  op_multi(op, args, 0, {&result, 1});
  return result;
}

Value Builder::u32(uint32_t bits) {
  Value result;
  op_multi(Op::Const, {}, bits, {&result, 1});
  return result;
}

Value Builder::f32(float value) { return u32(std::bit_cast<uint32_t>(value)); }

static uint32_t input_index(std::vector<Input>& all, const Input& input) {
  const auto it = std::find(all.begin(), all.end(), input);
  const uint32_t index = static_cast<uint32_t>(it - all.begin());
  if (it == all.end()) all.push_back(input);
  return index;
}

Value Builder::input(const Input& input) {
  Value result;
  op_multi(Op::Input, {}, input_index(s_->p.inputs, input), {&result, 1});
  return result;
}

Value Builder::vertex_input(Input input, Value vertex) {
  input.per_vertex = true;
  Value result;
  op_multi(Op::VertexInput, {&vertex, 1}, input_index(s_->p.inputs, input), {&result, 1});
  return result;
}

Value Builder::constant(uint32_t buffer, uint32_t word) { return constant_at(buffer, u32(word)); }

Value Builder::constant_at(uint32_t buffer, Value word) {
  Value result;
  op_multi(Op::LoadConst, {&word, 1}, buffer, {&result, 1});
  return result;
}

uint32_t Builder::texture_binding(uint32_t view, uint32_t sampler) {
  const TextureBinding binding{static_cast<uint16_t>(view), static_cast<uint16_t>(sampler)};
  std::vector<TextureBinding>& all = s_->p.texture_bindings;
  const auto it = std::find(all.begin(), all.end(), binding);
  const uint32_t index = static_cast<uint32_t>(it - all.begin());
  if (it == all.end()) all.push_back(binding);
  return index;
}

void Builder::texture(const TextureOp& t, std::span<const Value, tex_arg::Count> args, Value results[4]) {
  TESSERA_CHECK(t.binding < s_->p.texture_bindings.size());
  std::array<ValueId, tex_arg::Count> ids;
  for (size_t k = 0; k < ids.size(); ++k)
    if ((ids[k] = args[k].id) != kNoValue) s_->check_visible(ids[k]);
  // The same operation twice is mostly one entry: looking at the last few keeps building linear.
  constexpr size_t kSearched = 32;
  std::vector<TextureOp>& all = s_->p.texture_ops;
  const auto it =
      std::find(all.begin() + static_cast<ptrdiff_t>(all.size() - std::min(all.size(), kSearched)), all.end(), t);
  const uint32_t index = static_cast<uint32_t>(it - all.begin());
  if (it == all.end()) all.push_back(t);
  const uint32_t at = s_->emit(Op::Texture, ids, index, 4);
  for (uint32_t k = 0; k < 4; ++k) results[k].id = s_->p.code[at].result + k;
}

void Builder::memory(Op op, const MemoryOp& m, std::span<const Value, mem_arg::Count> args, std::span<Value> results) {
  TESSERA_CHECK(op_info(op).is(trait::ImmMemory));
  std::array<ValueId, mem_arg::Count> ids;
  for (size_t k = 0; k < ids.size(); ++k)
    if ((ids[k] = args[k].id) != kNoValue) s_->check_visible(ids[k]);
  std::vector<MemoryOp>& all = s_->p.memory_ops;
  const auto it = std::find(all.begin(), all.end(), m);
  const uint32_t index = static_cast<uint32_t>(it - all.begin());
  if (it == all.end()) all.push_back(m);
  const uint32_t at = s_->emit(op, ids, index, static_cast<uint32_t>(results.size()));
  for (size_t k = 0; k < results.size(); ++k) results[k].id = s_->p.code[at].result + static_cast<uint32_t>(k);
  s_->p.writes_memory |= op_info(op).is(trait::Effect);
}

void Builder::barrier() {
  op_multi(Op::Barrier, {}, 0, {});
  s_->p.uses_barrier = true;
}

// ---- variables and arrays --------------------------------------------------------------------------------------------

Var Builder::var(Value initial) {
  s_->check_visible(initial.id);
  s_->vars.push_back({initial.id, s_->depth(), s_->scopes.size() - 1});
  return {static_cast<uint32_t>(s_->vars.size() - 1)};
}

Value Builder::read(Var v) {
  TESSERA_CHECK(v.id < s_->vars.size());
  return {s_->read(v.id, s_->depth())};
}

void Builder::write(Var v, Value value) {
  TESSERA_CHECK(v.id < s_->vars.size());
  s_->check_visible(value.id);
  s_->write(v.id, value.id);
}

uint32_t Builder::private_array(uint32_t words) {
  s_->p.private_arrays.push_back(words);
  return static_cast<uint32_t>(s_->p.private_arrays.size() - 1);
}

Value Builder::array_load(uint32_t array, Value index) {
  TESSERA_CHECK(array < s_->p.private_arrays.size());
  Value result;
  op_multi(Op::ArrayLoad, {&index, 1}, array, {&result, 1});
  return result;
}

void Builder::array_store(uint32_t array, Value index, Value value) {
  TESSERA_CHECK(array < s_->p.private_arrays.size());
  const Value args[] = {index, value};
  op_multi(Op::ArrayStore, args, array, {});
}

// ---- control flow ----------------------------------------------------------------------------------------------------

void Builder::begin_if(Value condition) {
  s_->check_visible(condition.id);
  s_->open(Kind::If, Op::If, {&condition.id, 1});
}

void Builder::begin_else() {
  State& b = *s_;
  Scope& s = b.top();
  TESSERA_CHECK(s.kind == Kind::If && !s.in_second_half);
  b.cut_unreachable();
  s.in_second_half = true;
  s.first_half_reachable = s.reachable;
  s.else_instr = b.emit(Op::Else);
  for (const auto& [v, before] : s.before) {
    s.first_half.emplace(v, b.vars[v].value);
    b.set(v, before);
  }
  b.scope_open[s.id] = false;
  s.id = static_cast<uint32_t>(b.scope_open.size());
  b.scope_open.push_back(true);
  s.reachable = s.entered;
  s.cut_code = b.p.code.size();
}

void Builder::end_if() {
  State& b = *s_;
  if (!b.top().in_second_half) begin_else();
  b.cut_unreachable();
  const bool second_half_reachable = b.top().reachable;
  const std::vector<VarId> which = State::written(b.top());
  const std::vector<ValueId> second_half = b.current(which);
  const Scope s = b.close();
  TESSERA_CHECK(s.kind == Kind::If);
  std::vector<ValueId> first_half;
  for (const VarId v : which) first_half.push_back(value_in(s.first_half, v, s.before));
  if (s.first_half_reachable) b.set_args(s.else_instr, first_half);
  const uint32_t end = b.emit(Op::EndIf);
  if (second_half_reachable) b.set_args(end, second_half);
  if (s.first_half_reachable || second_half_reachable) b.join(end, which);
  else if (s.entered) b.set_unreachable();
}

Region Builder::begin_block() {
  s_->open(Kind::Block, Op::Block);
  return {s_->top().region};
}

void Builder::end_block() {
  State& b = *s_;
  b.cut_unreachable();
  const bool falls_through = b.top().reachable;
  const std::vector<VarId> which = State::written(b.top());
  const std::vector<ValueId> last = b.current(which);
  const Scope s = b.close();
  TESSERA_CHECK(s.kind == Kind::Block);
  for (const Edge& e : s.edges) {
    std::vector<ValueId> values;
    for (const VarId v : which) values.push_back(value_in(e.values, v, s.before));
    b.set_args(e.instr, values);
  }
  const uint32_t end = b.emit(Op::EndBlock, {}, s.region);
  if (falls_through) b.set_args(end, last);
  if (falls_through || !s.edges.empty()) b.join(end, which);
  else if (s.entered) b.set_unreachable();
}

Region Builder::begin_loop() {
  s_->open(Kind::Loop, Op::Loop);
  return {s_->top().region};
}

void Builder::end_loop() {
  State& b = *s_;
  TESSERA_CHECK(b.top().kind == Kind::Loop);
  b.cut_unreachable();
  const bool falls_through = b.top().reachable;
  const std::vector<VarId> which = State::written(b.top());
  b.complete_edges(b.top(), which);
  Values last;
  for (const VarId v : which) last.emplace(v, b.vars[v].value);
  Scope s = b.close();
  const uint32_t end = b.emit(Op::EndLoop, {}, s.region);
  b.finish_heads(s, end, falls_through ? &last : nullptr);
  bool has_exit = false;
  for (const Edge& e : s.edges) {
    if (e.op != Op::Exit) continue;
    has_exit = true;
    std::vector<ValueId> values;
    for (const VarId v : which) values.push_back(e.values.at(v));
    b.set_args(e.instr, values);
  }
  if (has_exit) b.join(end, which);
  else if (s.entered) b.set_unreachable();
}

void Builder::exit(Region target) { s_->jump(Op::Exit, target); }
void Builder::again(Region target) { s_->jump(Op::Again, target); }

// ---- effects and results ---------------------------------------------------------------------------------------------

void Builder::kill_if(Value condition) {
  op_multi(Op::KillIf, {&condition, 1}, 0, {});
  s_->p.uses_kill = true;
}

void Builder::output(Semantic semantic, uint32_t index, uint32_t component, Value value) {
  TESSERA_CHECK(s_->scopes.size() == 1);
  s_->check_visible(value.id);
  s_->p.outputs.push_back({semantic, static_cast<uint16_t>(index), static_cast<uint8_t>(component), value.id});
}

void Builder::emitted_output(Semantic semantic, uint32_t index, uint32_t component, uint32_t stream) {
  s_->p.outputs.push_back({semantic, static_cast<uint16_t>(index), static_cast<uint8_t>(component), kNoValue,
                           static_cast<uint8_t>(stream)});
}

void Builder::emit(Value stream, std::span<const Value> words) {
  TESSERA_CHECK(words.size() == s_->p.outputs.size());
  std::vector<ValueId> args{stream.id};
  for (const Value& word : words) args.push_back(word.id);
  for (const ValueId v : args) s_->check_visible(v);
  s_->emit(Op::Emit, args);
}

Program Builder::finish() {
  TESSERA_CHECK(s_->scopes.size() == 1);
  return s_->numbered();
}

}  // namespace tessera::ir
