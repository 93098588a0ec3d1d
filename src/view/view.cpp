#include "cameo/view.h"

#include <filesystem>
#include <map>
#include <optional>
#include <unordered_map>

#include "archive/kind.h"
#include "base/text.h"
#include "cameo/version.h"
#include "export/in_memory.h"
#include "inspect/modules.h"
#include "onnx/graph/visit.h"
#include "view/document/build.h"
#include "view/document/messages.h"
#include "view/document/overlay_file.h"
#include "view/document/sources.h"
#include "view/page/page.h"
#include "view/svg/svg.h"

namespace cameo {
namespace {

struct Given {
  std::string path;
  archive::Kind kind = archive::Kind::unknown;
  std::int64_t bytes = 0;
  bool is_model() const { return !archive::holds_program(kind); }
};

// At most one program and one model.
struct Files {
  std::optional<Given> program, model;
};

Error too_many(const std::string& path, bool models) {
  return Error(Diagnostic{.code = Code::several_models,
                          .message = models ? "a view shows one model at a time" : "a view shows one program at a time",
                          .file = path,
                          .hint = models ? "compare two models with --against" : "name one program"});
}

Files sort_files(const std::vector<std::string>& paths) {
  Files files;
  for (const std::string& path : paths) {
    const auto file = MappedFile::open(path);
    Given given{.path = path, .kind = archive::kind_of(file), .bytes = static_cast<std::int64_t>(file->bytes().size())};
    std::optional<Given>& place = given.is_model() ? files.model : files.program;
    if (place) throw too_many(path, given.is_model());
    place = std::move(given);
  }
  return files;
}

std::string kind_name(const Given& given) {
  if (given.is_model()) return "onnx";
  return given.kind == archive::Kind::exported_program ? "exported" : "torchscript";
}

std::string file_name(const std::string& path) { return std::filesystem::path(path).filename().string(); }

void add_file(view::Document& document, const Given& given) {
  document.files.push_back({view::shown(file_name(given.path)), kind_name(given), given.bytes});
  document.title += (document.title.empty() ? "" : " and ") + document.files.back().name;
}

std::map<std::string, std::string> classes_of(const script::Program& program) {
  std::map<std::string, std::string> classes;
  for (const inspect::Module& module : inspect::gather_modules(program).modules) classes.emplace(module.path, module.cls.substr(module.cls.rfind('.') + 1));
  return classes;
}

// Origins of nodes by the names of their results, which are unique in an exported model.
class Origins {
 public:
  explicit Origins(const onnx::Graph& graph) { add(graph); }

  const onnx::Origin* operator()(const onnx::proto::Node& node) const {
    for (const std::string_view output : node.outputs)
      if (const auto found = by_result_.find(output); found != by_result_.end() && found->second->op == node.op_type)
        return found->second->origin;
    return nullptr;
  }

 private:
  void add(const onnx::Graph& graph) {
    onnx::each_node(graph, [this](const onnx::Node& node) {
      for (const onnx::Value* output : node.outputs)
        if (output && node.origin) by_result_.emplace(output->name, &node);
    });
  }
  std::unordered_map<std::string_view, const onnx::Node*> by_result_;
};

class Viewing {
 public:
  Viewing(const Files& files, const ViewOptions& options) : files_(files), options_(options) {}

  view::Document run() {
    if (!files_.program) {
      const model::Opened opened(files_.model->path);
      view::Built built = view::build(with_older({.model = &opened}), {.weights = options_.weights});
      view::add_named_lines(built, options_.source);
      return finish(std::move(built), opened);
    }
    ExportOptions options = options_.program;
    if (!try_export(options) && needs_inputs()) {
      options.guess_inputs = true;
      messages_.clear();
      try_export(options);
    }
    if (!messages_.empty() && !done_) {  // once more, with operators that are not supported as they are
      options.operators = OperatorExport::fallthrough;
      const std::vector<Diagnostic> first = messages_;
      if (!try_export(options)) throw Error(first);
    }
    return std::move(document_);
  }

 private:
  // Keeps the errors.
  bool try_export(const ExportOptions& options) {
    try {
      export_with(options);
      done_ = true;
    } catch (const Error& error) {
      messages_ = error.diagnostics();
    }
    return done_;
  }

  bool needs_inputs() const {
    return options_.program.inputs.empty() && messages_.front().code == Code::inputs_needed;
  }

  void export_with(ExportOptions options) {
    options.check = false;
    export_and_use(files_.program->path, options, [this](const Exported& exported) { use(exported); });
  }

  void use(const Exported& exported) {
    const Origins origins(exported.graph.main());
    const model::Opened opened = files_.model ? model::Opened(files_.model->path)
                                              : model::Opened(MappedFile::open(files_.program->path), exported.messages);
    const view::ModelSource source{.model = &opened,
                                   .origin = [&origins](const onnx::proto::Node& node) { return origins(node); },
                                   .classes = classes_of(exported.program)};
    view::Built built = view::build(with_older(source), {.weights = options_.weights});
    view::add_sources(built, exported, kind_name(*files_.program), options_.source);
    messages_.insert(messages_.end(), exported.report.warnings.begin(), exported.report.warnings.end());
    document_ = finish(std::move(built), opened);
  }

  view::ModelSource with_older(view::ModelSource source) {
    if (options_.against.empty()) return source;
    older_.emplace(options_.against);
    source.older = &*older_;
    source.rules = options_.rules;
    return source;
  }

  view::Document finish(view::Built built, const model::Opened& model) {
    for (const auto* given : {&files_.program, &files_.model})
      if (*given) add_file(built.document, **given);
    if (built.document.compare) {
      built.document.compare->newer = built.document.title;
      built.document.compare->older = view::shown(file_name(options_.against));
      built.document.title += " against " + built.document.compare->older;
    }
    view::add_faults(built, model);
    for (const ViewOverlay& numbers : options_.numbers) view::add_overlay(built, numbers);
    for (const std::string& overlay : options_.overlays) view::add_overlay_file(built, overlay);
    built.document.made = "cameo " + std::string(version());
    view::add_messages(built, messages_);
    return std::move(built.document);
  }

  const Files& files_;
  const ViewOptions& options_;
  std::optional<model::Opened> older_;
  std::vector<Diagnostic> messages_;
  view::Document document_;
  bool done_ = false;
};

}  // namespace

std::string render_view(const std::vector<std::string>& paths, ViewFormat format, const ViewOptions& options) {
  const Files files = sort_files(paths);
  const view::Document document = Viewing(files, options).run();
  const view::PictureOptions picture{.depth = options.depth, .only = options.only};
  switch (format) {
    case ViewFormat::html: return view::to_html(document);
    case ViewFormat::svg: return view::to_svg(document, picture);
    case ViewFormat::dot: return view::to_dot(document, picture);
    case ViewFormat::json: break;
  }
  return view::to_json(document);
}

}  // namespace cameo
