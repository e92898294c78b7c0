#include "frontend/scene_runner.h"

#include <fmt/format.h>

#include <algorithm>

#include "frontend/scene_context.h"
#include "frontend/scene_d3d9.h"
#include "frontend/scene_parser.h"
#include "frontend/scene_probe.h"

namespace tessera::scene {
namespace {

constexpr ir::Stage kStages[] = {ir::Stage::Vertex,   ir::Stage::TessCtrl, ir::Stage::TessEval,
                                 ir::Stage::Geometry, ir::Stage::Fragment, ir::Stage::Compute};

// Calls the hooks around the compilation of one shader.
class CompileHooks {
 public:
  explicit CompileHooks(const SceneHooks& hooks) : hooks_(hooks) {
    if (hooks_.before_compile) hooks_.before_compile();
  }
  ~CompileHooks() {
    if (hooks_.after_compile) hooks_.after_compile();
  }

 private:
  const SceneHooks& hooks_;
};

class Runner {
 public:
  Runner(Device& device, const Scene& scene, const std::string& directory, const SceneHooks& hooks)
      : device_(device), context_(device.context()), scene_(scene), directory_(directory), hooks_(hooks) {
    if (scene.is_d3d9) d3d9_.emplace(device, scene);
  }

  Result<SceneResult> run() {
    if (Status s = prepare(); !s) return s.diags();
    if (hooks_.prepared)
      if (Status s = hooks_.prepared(targets_); !s) return s.diags();
    for (const Command& command : scene_.commands) {
      if (hooks_.before_command) hooks_.before_command(static_cast<size_t>(&command - scene_.commands.data()));
      Status s = std::visit([&](const auto& action) { return perform(command.loc, action); }, command.action);
      if (!s) return failed(command.loc, s.diags());
    }
    if (Status s = finish(); !s) return failed({}, s.diags());
    return std::move(result_);
  }

 private:
  // ---- before the first command ----

  Status prepare() {
    std::vector<Diag> diags;   // everything that is wrong with the sections, not only the first
    const auto keep = [&](const auto& result, SourceLoc loc) {
      if (result) return true;
      for (const Diag& d : result.diags()) diags.push_back(d.loc.line == 0 ? error_at(loc, d.text) : d);
      return false;
    };
    for (const auto& [name, target] : scene_.targets)
      if (auto images = make_target(device_, target); keep(images, {1, 1})) targets_[name] = *images;
    for (const auto& [number, texture] : scene_.textures)
      if (!texture.target)
        if (auto image = make_texture(device_, texture, directory_); keep(image, texture.loc))
          textures_[number] = *image;
    for (const auto& [name, geometry] : scene_.geometries)
      if (auto buffers = make_geometry(device_, geometry, directory_); keep(buffers, geometry.loc))
        geometries_[name] = *buffers;
    for (const ir::Stage stage : kStages) compile(texts_of(stage), stage, shaders_[stage], diags);
    for (const auto& [number, buffer] : scene_.buffers)
      if (auto made = device_.create_buffer(std::as_bytes(std::span(buffer.words))); keep(made, buffer.loc))
        buffers_[number] = *made;
    if (!diags.empty()) return diags;
    for (const auto& [number, texture] : scene_.textures)
      if (number < kMaxTextureUnits)
        if (Status s = perform(texture.loc, UseTexture{number, number, number}); !s)
          return placed(texture.loc, s.diags());
    if (Status s = bind_memory(); !s) return s;
    return use_defaults();
  }

  // Every stage sees the same buffers and images.
  Status bind_memory() {
    for (const ir::Stage stage : kStages) {
      for (const auto& [number, buffer] : buffers_)
        if (Status s = context_.set_memory(stage, ir::MemorySpace::Buffer, number, {.resource = buffer}); !s) return s;
      for (const auto& [number, image] : scene_.images) {
        const ShaderImage view{.resource = texture_resource(*image.texture), .format = image.format, .level = image.level};
        if (Status s = context_.set_image(stage, number, view); !s) return placed(image.loc, s.diags());
      }
    }
    return Done{};
  }

  void compile(const std::map<std::string, ShaderText>& texts, ir::Stage stage,
               std::map<std::string, ShaderRef>& shaders, std::vector<Diag>& diags) {
    for (const auto& [name, text] : texts) {
      const CompileHooks around(hooks_);
      if (d3d9_) {
        if (Status s = d3d9_->compile(stage, name, text); !s) diags.insert(diags.end(), s.diags().begin(), s.diags().end());
        continue;
      }
      Result<ShaderRef> shader = device_.create_shader(stage, text.text, text.dialect);
      if (shader) {
        shaders[name] = *shader;
        for (Diag d : (*shader)->unordered()) {
          d.loc.line += text.loc.line;
          result_.unordered.push_back(std::move(d));
        }
      } else
        for (Diag d : shader.diags()) {
          d.loc = d.loc.line == 0 ? text.loc : SourceLoc{d.loc.line + text.loc.line, d.loc.column};
          diags.push_back(std::move(d));
        }
    }
  }

  // The sections without a name are in use at the start.
  Status use_defaults() {
    for (const ir::Stage stage : kStages)
      if (texts_of(stage).contains(""))
        if (Status s = perform({}, UseShader{stage, ""}); !s) return s;
    if (scene_.fixed_functions.contains(""))
      if (Status s = perform({}, UseFixedFunction{""}); !s) return s;
    if (const auto found = scene_.constants.find(""); found != scene_.constants.end())
      if (Status s = perform({}, SetConstants{found->second}); !s) return s;
    if (Status s = perform({}, SetState{scene_.states.at("")}); !s) return s;
    return perform({}, UseTarget{""});
  }

  // ---- commands ----

  Status perform(SourceLoc, const UseShader& use) {
    if (d3d9_) return d3d9_->use_shader(use.stage, use.name);
    return context_.set_shader(shaders_[use.stage].at(use.name));
  }

  Status perform(SourceLoc, const UseStreamOutput& use) {
    std::vector<StreamTargetRef> targets;
    if (use.name) {
      for (uint32_t i = 0; i < raster::kMaxStreamBuffers; ++i) {
        Result<StreamTargetRef> target = stream_target(*use.name, i);
        if (!target) return target.diags();
        targets.push_back(std::move(*target));
      }
    }
    const raster::StreamLayout layout = use.name ? scene_.stream_outputs.at(*use.name).layout : raster::StreamLayout{};
    if (Status s = context_.set_stream_output(layout); !s) return s;
    return context_.set_stream_targets(targets, use.append ? ~0u : 0);
  }

  // The same object whenever it is named, so that it can be appended to. Null: there is none.
  Result<StreamTargetRef> stream_target(const std::string& name, uint32_t number) {
    const std::optional<StreamOutput::Target>& target = scene_.stream_outputs.at(name).targets[number];
    StreamTargetRef& made = stream_targets_[{name, number}];
    if (!target || made) return made;
    Result<StreamTargetRef> fresh =
        context_.create_stream_target(buffers_.at(target->buffer), target->offset_bytes, target->size_bytes);
    if (fresh) made = *fresh;
    return fresh;
  }

  Status perform(SourceLoc, const QueryBegin& begin) {
    Result<QueryRef> query = context_.create_query(begin.kind, begin.stream);
    if (!query) return query.diags();
    queries_[begin.name] = *query;
    return context_.begin_query(*query);
  }

  Status perform(SourceLoc, const QueryEnd& end) { return context_.end_query(queries_.at(end.name)); }

  Status perform(SourceLoc loc, const ExpectQuery& expect) {
    uint64_t found = 0;
    if (expect.field) {
      const Result<PipelineStatistics> statistics = context_.query_statistics(queries_.at(expect.name));
      if (!statistics) return statistics.diags();
      found = (*statistics).*expect.field;
    } else {
      const Result<uint64_t> result = context_.query_result(queries_.at(expect.name));
      if (!result) return result.diags();
      found = *result;
    }
    const std::string what = expect.field_name.empty() ? expect.name : expect.name + " " + expect.field_name;
    ProbeOutcome outcome{.loc = loc, .passed = found >= expect.least && found <= expect.most,
                         .text = fmt::format("expect query {} {} to {}", what, expect.least, expect.most)};
    if (!outcome.passed) outcome.text += fmt::format("; found {}", found);
    result_.probes.push_back(std::move(outcome));
    return Done{};
  }

  Status perform(SourceLoc, const RenderCondition& condition) {
    return context_.set_render_condition(condition.query ? queries_.at(*condition.query) : nullptr,
                                         condition.is_inverted);
  }

  Status perform(SourceLoc, const UnsetShader& unset) {
    if (!d3d9_ && unset.stage != ir::Stage::Fragment) return context_.unset_shader(unset.stage);
    if (d3d9_) d3d9_->unset_shader(unset.stage);
    else context_.unset_fragment_shader();
    return Done{};
  }

  Status perform(SourceLoc, const UseFixedFunction& use) {
    if (use.name) return context_.set_fixed_function(scene_.fixed_functions.at(*use.name).state);
    context_.unset_fixed_function();
    return Done{};
  }

  Status perform(SourceLoc, const UseGeometry& use) {
    geometry_ = use.name;
    return Done{};
  }

  Status perform(SourceLoc, const UseTarget& use) {
    target_ = use.name;
    target_layer_ = use.layer.value_or(0);
    const Target& target = scene_.targets.at(use.name);
    const TargetImages& images = targets_.at(use.name);
    if (d3d9_)
      if (Status s = d3d9_->use_target(images); !s) return s;
    const auto attached = [&](const ResourceRef& image) {
      return Attachment{.resource = image, .layer = target_layer_, .layers = use.layer ? 1 : target.layers};
    };
    for (uint32_t i = 0; i < raster::kMaxColorTargets; ++i)
      if (Status s = context_.set_color_target(i, attached(images.color[i])); !s) return s;
    if (Status s = context_.set_depth_target(attached(images.depth)); !s) return s;
    if (!target.empty) return apply_views();
    const Status s = context_.set_empty_target(target.width, target.height, target.layers, target.samples);
    return s ? apply_views() : s;
  }

  Status perform(SourceLoc, const UseTexture& use) {
    const Texture& texture = scene_.textures.at(use.section);
    TextureView view{.resource = texture_resource(use.section), .swizzle = texture.swizzle};
    if (d3d9_) return d3d9_->use_texture(use, view);
    const auto sampler = scene_.samplers.find(use.sampler);
    for (const ir::Stage stage : kStages) {
      if (Status s = context_.set_texture(stage, use.unit, view); !s) return s;
      const texture::Sampler chosen = sampler == scene_.samplers.end() ? texture::Sampler{} : sampler->second.sampler;
      if (Status s = context_.set_sampler(stage, use.unit, chosen); !s) return s;
    }
    return Done{};
  }

  Status perform(SourceLoc, const SetState& set) {
    const State& state = set.state;
    state_ = state;
    if (d3d9_) {
      d3d9_->use_state(state, scene_.targets.at(target_));
      return Done{};
    }
    use_state(context_, state);
    return apply_views();
  }

  Status apply_views() {
    const Target& target = scene_.targets.at(target_);
    if (d3d9_) {
      d3d9_->use_state(state_, target);
      return Done{};
    }
    return use_views(context_, state_, target.width, target.height);
  }

  Status perform(SourceLoc loc, const SetConstants& set) {
    if (d3d9_) {
      const Status s = d3d9_->set_constants(set);
      return s ? s : Status(placed(loc, s.diags()));
    }
    for (const ConstantBlock& block : set.blocks) {
      std::vector<uint32_t>& words = constants_[{block.stage, block.buffer}];
      words.resize(std::max(words.size(), block.first_word + block.words.size()));
      std::copy(block.words.begin(), block.words.end(), words.begin() + block.first_word);
      if (Status s = context_.set_constants(block.stage, block.buffer, std::span<const uint32_t>(words)); !s) return s;
    }
    return Done{};
  }

  Status perform(SourceLoc, const ClearColor& clear) {
    const Target& target = scene_.targets.at(target_);
    for (uint32_t i = 0; i < target.color_count; ++i) {
      if (target.color[i] == Format::NONE || i != clear.target.value_or(i)) continue;
      Texel texel;
      for (size_t c = 0; c < 4; ++c)
        texel.word[c] =
            format_info(target.color[i]).is_pure_integer()
                ? static_cast<uint32_t>(static_cast<int64_t>(std::clamp(clear.color[c], -2147483648.0, 4294967295.0)))
                : std::bit_cast<uint32_t>(static_cast<float>(clear.color[c]));
      if (Status s = context_.clear_color(i, texel, clear.region); !s) return s;
    }
    return Done{};
  }

  Status perform(SourceLoc, const ClearDepth& clear) { return context_.clear_depth(clear.depth, clear.region); }
  Status perform(SourceLoc, const ClearStencil& clear) { return context_.clear_stencil(clear.stencil, clear.region); }
  Status perform(SourceLoc, const Resolve& resolve) {
    const TargetImages &from = targets_.at(resolve.from), &to = targets_.at(resolve.to);
    const uint32_t layers = std::min(scene_.targets.at(resolve.from).layers, scene_.targets.at(resolve.to).layers);
    const auto all = [&](const ResourceRef& image) { return Attachment{.resource = image, .layers = layers}; };
    for (uint32_t i = 0; i < raster::kMaxColorTargets; ++i)
      if (from.color[i] && to.color[i])
        if (Status s = context_.resolve(all(from.color[i]), all(to.color[i])); !s) return s;
    return from.depth && to.depth ? context_.resolve(all(from.depth), all(to.depth)) : Status(Done{});
  }
  Status perform(SourceLoc, const Transfer& transfer) {
    const auto image = [&](const ImageName& name) -> const ResourceRef& {
      if (name.texture) return texture_resource(*name.texture);
      const TargetImages& images = targets_.at(name.target);
      return name.depth ? images.depth : images.color[name.color];
    };
    return perform_transfer(context_, {image, scene_.bitmaps}, transfer);
  }
  Status perform(SourceLoc, const GenerateMips& generate) {
    return context_.generate_mips(texture_resource(generate.section));
  }

  Status perform(SourceLoc, const Draw& draw) {
    if (draw.source == Draw::Source::Streamed) return draw_streamed(draw);
    raster::DrawInfo info = draw.info;
    GeometryBuffers rect;
    const GeometryBuffers* geometry = &no_geometry_;
    if (draw.source == Draw::Source::Rect) {
      Result<GeometryBuffers> made = make_rect(device_, draw.rect);
      if (!made) return made.diags();
      rect = std::move(*made);
      geometry = &rect;
    } else if (const auto found = geometries_.find(geometry_); found != geometries_.end()) {
      geometry = &found->second;
    }
    info.indexed |= draw.source == Draw::Source::Mesh;
    if (draw.all) info.count = info.indexed ? geometry->index_count : geometry->vertex_count;
    if (Status s = bind(*geometry, info.indexed); !s) return s;
    if (draw.source != Draw::Source::Indirect) return d3d9_ ? d3d9_->draw(*geometry, info) : context_.draw(info);
    IndirectDraws indirect = draw.indirect;
    indirect.buffer = buffers_.at(draw.buffer);
    if (draw.count_buffer) indirect.count_buffer = buffers_.at(*draw.count_buffer);
    return context_.draw_indirect(info, indirect);
  }

  // Element i of the target's vertices feeds IN[i].
  Status draw_streamed(const Draw& draw) {
    static constexpr Format kFloats[] = {Format::R32_FLOAT, Format::R32G32_FLOAT, Format::R32G32B32_FLOAT,
                                         Format::R32G32B32A32_FLOAT};
    const StreamOutput& stream = scene_.stream_outputs.at(draw.stream_output);
    Result<StreamTargetRef> target = stream_target(draw.stream_output, draw.stream_target);
    if (!target) return target.diags();
    std::vector<raster::VertexElement> elements;
    for (const raster::StreamElement& e : stream.layout.elements)
      if (e.buffer == draw.stream_target)
        elements.push_back({.offset_bytes = e.offset_bytes, .format = kFloats[e.component_count - 1]});
    if (Status s = context_.set_vertex_elements(elements); !s) return s;
    const uint32_t offset_bytes = stream.targets[draw.stream_target]->offset_bytes;
    if (Status s = context_.set_vertex_buffer(0, (*target)->buffer(), stream.layout.stride_bytes[draw.stream_target],
                                              offset_bytes); !s)
      return s;
    return context_.draw_stream_output(draw.info, *target);
  }

  Status bind(const GeometryBuffers& geometry, bool indexed) {
    if (!d3d9_)
      if (Status s = context_.set_vertex_elements(geometry.elements); !s) return s;
    if (Status s = context_.set_vertex_buffer(0, geometry.vertices, geometry.vertex_stride); !s) return s;
    if (Status s = context_.set_vertex_buffer(1, geometry.instances, geometry.instance_stride); !s) return s;
    return indexed ? context_.set_index_buffer(geometry.indices, geometry.index_bytes) : Status(Done{});
  }

  Status perform(SourceLoc, const Dispatch& dispatch) { return context_.dispatch(dispatch.grid); }

  Status perform(SourceLoc loc, const ProbeBuffer& probe) {
    Result<std::vector<std::byte>> bytes = context_.read_bytes(buffers_.at(probe.buffer));
    if (!bytes) return bytes.diags();
    ProbeOutcome outcome = evaluate_probe(probe, *bytes);
    outcome.loc = loc;
    result_.probes.push_back(std::move(outcome));
    return Done{};
  }

  Status perform(SourceLoc loc, const Probe& probe) {
    const TargetImages& images = targets_.at(target_);
    const ResourceRef& image = probe.depth ? images.depth : images.color[0];
    Result<ResourceRef> resolved = context_.resolved(image, target_layer_);
    if (!resolved) return resolved.diags();
    Result<std::vector<Texel>> texels = context_.read_texels(*resolved, 0, *resolved == image ? target_layer_ : 0);
    if (!texels) return texels.diags();
    ProbeOutcome outcome = evaluate_probe(probe, image->desc().format, *texels, image->desc().width);
    outcome.loc = loc;
    result_.probes.push_back(std::move(outcome));
    return Done{};
  }

  Status perform(SourceLoc loc, const ExpectImage& expect) {
    Result<Image> actual = context_.read_image(targets_.at(target_).color[0], 0, target_layer_);
    if (!actual) return actual.diags();
    result_.images.push_back({loc, directory_ + expect.path, expect.tolerance_un8, expect.count, std::move(*actual)});
    return Done{};
  }

  // ---- helpers ----

  const std::map<std::string, ShaderText>& texts_of(ir::Stage stage) const {
    switch (stage) {
      case ir::Stage::Vertex: return scene_.vertex_shaders;
      case ir::Stage::Fragment: return scene_.fragment_shaders;
      case ir::Stage::Geometry: return scene_.geometry_shaders;
      case ir::Stage::TessCtrl: return scene_.control_shaders;
      case ir::Stage::TessEval: return scene_.evaluation_shaders;
      case ir::Stage::Compute: break;
    }
    return scene_.compute_shaders;
  }

  const ResourceRef& texture_resource(uint32_t section) {
    const Texture& texture = scene_.textures.at(section);
    if (!texture.target) return textures_.at(section);
    const TargetImages& images = targets_.at(texture.target->target);
    return texture.target->depth ? images.depth : images.color[texture.target->color];
  }

  // What fails while it runs is the scene's failure, not a mistake in its text.
  Result<SceneResult> failed(SourceLoc loc, const std::vector<Diag>& diags) {
    if (diags.front().id != raster::kOverBudgetId) return placed(loc, diags);
    result_.failure = diags.front();
    return std::move(result_);
  }

  Status finish() {
    if (Status s = context_.flush(); !s) return s;
    result_.counters = context_.renderer().counters();
    const TargetImages& main = targets_.at("");
    const ResourceRef& image = main.color[0] ? main.color[0] : main.depth;
    if (!image) return error("[target] has no colour 0 to show");
    Result<Image> picture = context_.read_image(image);
    if (!picture) return picture.diags();
    result_.picture = std::move(*picture);
    return Done{};
  }

  static std::vector<Diag> placed(SourceLoc loc, std::vector<Diag> diags) {
    for (Diag& d : diags)
      if (d.loc.line == 0) d.loc = loc;
    return diags;
  }

  Device& device_;
  Context& context_;
  std::optional<D3d9Scene> d3d9_;
  const Scene& scene_;
  const std::string& directory_;
  const SceneHooks& hooks_;
  std::map<std::string, TargetImages> targets_;
  std::map<uint32_t, ResourceRef> textures_;
  std::map<std::string, GeometryBuffers> geometries_;
  std::map<uint32_t, ResourceRef> buffers_;
  std::map<ir::Stage, std::map<std::string, ShaderRef>> shaders_;
  std::map<std::pair<std::string, uint32_t>, StreamTargetRef> stream_targets_;
  std::map<std::string, QueryRef> queries_;
  std::map<std::pair<ir::Stage, uint32_t>, std::vector<uint32_t>> constants_;
  std::string target_, geometry_;
  uint32_t target_layer_ = 0;                      // that probes look at
  State state_;
  const GeometryBuffers no_geometry_;
  SceneResult result_;
};

}  // namespace

Result<SceneResult> run_scene(Device& device, const Scene& scene, const std::string& directory,
                              const SceneHooks& hooks) {
  return Runner(device, scene, directory, hooks).run();
}

std::string directory_of(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? std::string() : path.substr(0, slash + 1);
}

Result<SceneResult> run_scene_file(const DeviceOptions& options, const std::string& path, std::string& source) {
  Result<std::vector<uint8_t>> file = read_file(path);
  if (!file) return file.diags();
  source.assign(file->begin(), file->end());
  Result<Scene> scene = parse_scene(source);
  if (!scene) return scene.diags();
  Result<std::unique_ptr<Device>> device = Device::create(options);
  if (!device) return device.diags();
  return run_scene(**device, *scene, directory_of(path));
}

}  // namespace tessera::scene
