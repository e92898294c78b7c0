#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

#include <fmt/format.h>

#include "shader/names.h"
#include "shader/print.h"
#include "shader/verify.h"

namespace tessera::ir {
namespace {

constexpr ValueId kMaxValues = 1u << 24;   // of a text: keeps a stray number from asking for gigabytes

struct Word {
  std::string_view text;
  uint32_t column = 0;
};

// The words of one line, taken one by one. After the first error all further reads give zeros.
class Line {
 public:
  Line(std::string_view text, uint32_t number, std::vector<Diag>& diags) : number_(number), diags_(diags) {
    text = text.substr(0, text.find(';'));
    for (size_t at = 0; at < text.size();) {
      if (text[at] == ' ' || text[at] == '\t' || text[at] == '\r') {
        ++at;
        continue;
      }
      const size_t end = std::min(text.find_first_of(" \t\r", at), text.size());
      words_.push_back({text.substr(at, end - at), static_cast<uint32_t>(at + 1)});
      at = end;
    }
  }

  bool at_end() const { return next_ == words_.size(); }
  std::string_view peek() const { return at_end() ? std::string_view() : words_[next_].text; }
  std::string_view take() { return at_end() ? std::string_view() : words_[next_++].text; }
  bool take_if(std::string_view word) {
    if (peek() != word) return false;
    ++next_;
    return true;
  }

  // An error at the word taken last.
  void fail(std::string text) {
    if (failed_) return;
    failed_ = true;
    const size_t at = next_ > 0 ? next_ - 1 : 0;
    diags_.push_back(
        error_at({number_, words_.empty() ? 1 : words_[std::min(at, words_.size() - 1)].column}, std::move(text)));
  }
  bool failed() const { return failed_; }
  uint32_t line_number() const { return number_; }

  template <class Int>
  Int number(std::string_view what, Int largest = std::numeric_limits<Int>::max()) {
    const std::string_view word = take();
    return number_in(word, word, what, largest);
  }

  template <class Int>
  Int number_in(std::string_view digits, std::string_view word, std::string_view what,
                Int largest = std::numeric_limits<Int>::max()) {
    const bool is_hex = digits.starts_with("0x");
    if (is_hex) digits.remove_prefix(2);
    Int value{};
    const auto [rest, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), value, is_hex ? 16 : 10);
    if (failure == std::errc() && rest == digits.data() + digits.size() && value <= largest) return value;
    fail(fmt::format("{} is expected, found '{}'", what, word));
    return {};
  }

  template <class Enum>
  Enum name(std::string_view what) {
    const std::string_view word = take();
    const std::optional<Enum> value = from_name<Enum>(word);
    if (!value) fail(fmt::format("{} is expected, found '{}'", what, word));
    return value.value_or(Enum{});
  }

  // %7; _ where that is allowed.
  ValueId value(bool may_be_absent) {
    const std::string_view word = take();
    if (may_be_absent && word == "_") return kNoValue;
    if (!word.starts_with('%')) {
      fail(fmt::format("a value such as %7 is expected, found '{}'", word));
      return 0;
    }
    return number_in<ValueId>(word.substr(1), word, "a value such as %7", kMaxValues);
  }

  // GENERIC[3].x
  void register_word(Semantic& semantic, uint16_t& index, uint8_t& component) {
    const std::string_view word = take();
    const size_t open = word.find('['), close = word.find(']');
    const bool shaped =
        open != word.npos && close != word.npos && open < close && close + 3 == word.size() && word[close + 1] == '.';
    const std::optional<Semantic> name = shaped ? from_name<Semantic>(word.substr(0, open)) : std::nullopt;
    const size_t letter = shaped ? std::string_view("xyzw").find(word.back()) : word.npos;
    if (!name || letter == word.npos)
      return fail(fmt::format("a register such as GENERIC[3].x is expected, found '{}'", word));
    semantic = *name;
    index = number_in<uint16_t>(word.substr(open + 1, close - open - 1), word, "a register such as GENERIC[3].x");
    component = static_cast<uint8_t>(letter);
  }

  void expect_end() {
    if (at_end()) return;
    take();
    fail(fmt::format("the line should end here, found '{}'", words_[next_ - 1].text));
  }

 private:
  std::vector<Word> words_;
  size_t next_ = 0;
  uint32_t number_;
  bool failed_ = false;
  std::vector<Diag>& diags_;
};

class Parser {
 public:
  Result<Program> run(std::string_view text) {
    uint32_t number = 0;
    while (!text.empty()) {
      const size_t end = std::min(text.find('\n'), text.size());
      Line line(text.substr(0, end), ++number, diags_);
      if (!line.at_end()) {
        if (in_code_) instruction(line);
        else declaration(line);
        if (!line.failed()) line.expect_end();
      }
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    if (!in_code_) diags_.push_back(error_at({number, 1}, "the line 'code' is expected before the end"));
    if (!diags_.empty()) return std::move(diags_);
    if (Status status = verify(p_); !status) return with_lines(status.diags());
    return std::move(p_);
  }

 private:
  void declaration(Line& line) {
    const std::string_view word = line.take();
    if (word == "code") in_code_ = true;
    else if (word == "stage") p_.stage = line.name<Stage>("a stage");
    else if (word == "flag") flag(line);
    else if (word == "depth_layout") p_.depth_layout = line.number<uint8_t>("a depth layout", 4);
    else if (word == "blend_equations") p_.blend_equations = line.number<uint32_t>("a mask of blend equations", ~0u);
    else if (word == "geometry") geometry(line);
    else if (word == "tessellation") tessellation(line);
    else if (word == "distances") distances(line);
    else if (word == "input") input(line);
    else if (word == "output") output(line);
    else if (word == "array") p_.private_arrays.push_back(line.number<uint32_t>("a number of words", 1u << 20));
    else if (word == "texture_binding") texture_binding(line);
    else if (word == "texture_op") texture_op(line);
    else if (word == "memory_op") memory_op(line);
    else if (word == "block_size") for (uint32_t& size : p_.block_size) size = line.number<uint32_t>("a block size", 1024);
    else line.fail(fmt::format("a declaration or 'code' is expected, found '{}'", word));
  }

  void flag(Line& line) {
    const std::string_view word = line.take();
    const auto it = std::find_if(std::begin(kFlags), std::end(kFlags), [&](const Flag& f) { return f.name == word; });
    if (it == std::end(kFlags)) return line.fail(fmt::format("a flag is expected, found '{}'", word));
    p_.*it->member = true;
  }

  void geometry(Line& line) {
    p_.geometry.input_primitive = line.number<uint8_t>("a primitive", 13);
    p_.geometry.output_primitive = line.number<uint8_t>("a primitive", 13);
    p_.geometry.max_vertices = line.number<uint16_t>("a number of vertices", 1024);
    p_.geometry.invocations = line.number<uint16_t>("a number of invocations", 32);
  }

  void tessellation(Line& line) {
    p_.tessellation.vertices_out = line.number<uint8_t>("a number of vertices", 32);
    p_.tessellation.primitive = line.number<uint8_t>("a primitive", 7);
    p_.tessellation.spacing = line.number<uint8_t>("a spacing", 2);
    p_.tessellation.clockwise = line.number<uint8_t>("0 or 1", 1) != 0;
    p_.tessellation.point_mode = line.number<uint8_t>("0 or 1", 1) != 0;
  }

  void distances(Line& line) {
    p_.clip_distances = line.number<uint8_t>("a number of distances", 8);
    p_.cull_distances = line.number<uint8_t>("a number of distances", 8);
  }

  void input(Line& line) {
    Input i;
    line.register_word(i.semantic, i.index, i.component);
    i.system_value = line.take_if("system");
    i.of_target = !i.system_value && line.take_if("target");
    i.per_vertex = !i.system_value && !i.of_target && line.take_if("vertex");
    if (!i.system_value && !i.of_target && !i.per_vertex) {
      i.interpolation = line.name<Interpolation>("an interpolation");
      i.location = line.name<Location>("a location");
    }
    if (line.take_if("part")) i.part = line.name<InputPart>("a part");
    p_.inputs.push_back(i);
  }

  void output(Line& line) {
    Output o;
    line.register_word(o.semantic, o.index, o.component);
    o.value = line.value(true);
    if (line.take_if("stream")) o.stream = line.number<uint8_t>("a stream", 3);
    p_.outputs.push_back(o);
  }

  void texture_binding(Line& line) {
    TextureBinding b;
    b.view = line.number<uint16_t>("a view");
    b.sampler = line.number<uint16_t>("a sampler");
    p_.texture_bindings.push_back(b);
  }

  void texture_op(Line& line) {
    TextureOp t;
    t.kind = line.name<TextureKind>("a kind of texture operation");
    t.target = line.name<TextureTarget>("a texture target");
    if (!line.take_if("binding")) line.fail("'binding' and its number are expected");
    t.binding = line.number<uint16_t>("a binding");
    if (line.take_if("component")) t.component = line.number<uint8_t>("a component", 3);
    while (line.take_if("offset")) {
      if (t.offset_count == 4) return line.fail("there are at most 4 offsets");
      for (int8_t& texels : t.offset[t.offset_count]) texels = line.number<int8_t>("an offset in texels");
      ++t.offset_count;
    }
    p_.texture_ops.push_back(t);
  }

  void memory_op(Line& line) {
    MemoryOp m;
    m.space = line.name<MemorySpace>("a memory space");
    if (!line.take_if("binding")) line.fail("'binding' and its number are expected");
    m.binding = line.number<uint16_t>("a binding");
    if (line.take_if("target")) m.target = line.name<TextureTarget>("a texture target");
    if (line.take_if("format")) m.format = format(line);
    if (line.take_if("atomic")) m.atomic = line.name<AtomicKind>("an atomic operation");
    if (line.take_if("first_word")) m.first_word = line.number<uint8_t>("a word", 3);
    p_.memory_ops.push_back(m);
  }

  static Format format(Line& line) {
    const std::string_view word = line.take();
    const std::optional<Format> value = format_from_name(word);
    if (!value) line.fail(fmt::format("a format is expected, found '{}'", word));
    return value.value_or(Format::NONE);
  }

  void instruction(Line& line) {
    Instr i;
    results(line, i);
    const std::string_view word = line.take();
    const std::optional<Op> op = op_from_name(word);
    if (!op) return line.fail(fmt::format("an opcode is expected, found '{}'", word));
    i.op = *op;
    if (op_info(i.op).is(trait::ImmMask)) i.imm = line.number<uint32_t>("an immediate number");
    i.first_arg = static_cast<uint32_t>(p_.args.size());
    while (!line.at_end() && !line.failed() && !line.peek().starts_with('@'))
      p_.args.push_back(line.value(may_lack_operands(i.op)));
    const size_t count = p_.args.size() - i.first_arg;
    if (count > std::numeric_limits<uint16_t>::max()) return line.fail("there are at most 65535 operands");
    i.arg_count = static_cast<uint16_t>(count);
    if (!line.at_end()) i.loc = place(line);
    p_.code.push_back(i);
    line_of_.push_back(line.line_number());
  }

  void results(Line& line, Instr& i) {
    while (line.peek().starts_with('%')) {
      const ValueId v = line.value(false);
      if (i.result_count == 0) i.result = v;
      else if (v != i.result + i.result_count) line.fail("the results of an instruction are numbered one after the other");
      if (line.failed() || ++i.result_count == std::numeric_limits<uint16_t>::max()) return;
      p_.value_count = std::max(p_.value_count, v + 1);
    }
    if (i.result_count > 0 && !line.take_if("=")) line.fail("'=' is expected behind the results");
  }

  // @3:7
  static SourceLoc place(Line& line) {
    const std::string_view word = line.take();
    const size_t colon = word.find(':');
    if (colon == word.npos) {
      line.fail(fmt::format("a place such as @3:7 is expected, found '{}'", word));
      return {};
    }
    return {line.number_in<uint32_t>(word.substr(1, colon - 1), word, "a place such as @3:7"),
            line.number_in<uint32_t>(word.substr(colon + 1), word, "a place such as @3:7")};
  }

  // The verifier names instructions by number.
  std::vector<Diag> with_lines(std::vector<Diag> diags) const {
    for (Diag& d : diags)
      d.loc.line = line_of_.empty() ? 1 : line_of_[std::min<size_t>(d.loc.line - 1, line_of_.size() - 1)];
    return diags;
  }

  Program p_;
  std::vector<Diag> diags_;
  std::vector<uint32_t> line_of_;   // by instruction
  bool in_code_ = false;
};

}  // namespace

Result<Program> parse(std::string_view text) { return Parser().run(text); }

}  // namespace tessera::ir
