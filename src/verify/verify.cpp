#include "cameo/verify.h"

#include <algorithm>

#include "archive/kind.h"
#include "base/temporary_folder.h"
#include "model/file/open.h"
#include "verify/bridge.h"
#include "verify/compare.h"
#include "verify/exported_inputs.h"
#include "verify/inputs.h"
#include "verify/layers.h"

namespace cameo {
namespace verify {
namespace {

// Throws Error, which names the kind of the file, if it is not a program.
std::shared_ptr<const MappedFile> open_file(const std::string& path) {
  std::shared_ptr<const MappedFile> file = MappedFile::open(path);
  const archive::Kind kind = archive::kind_of(file);
  if (kind != archive::Kind::exported_program && !archive::holds_program(kind))
    throw Error(archive::explain(kind, *file));
  return file;
}

const Bridge& load_all(const VerifyOptions& options) {
  const Bridge& bridge = load_bridge(options.bridge);
  load_operators(options.libraries);
  return bridge;
}

class Verifier {
 public:
  Verifier(const std::string& program, const std::string& model, const VerifyOptions& options)
      : path_(program),
        options_(options),
        bridge_(load_all(options)),
        file_(open_file(program)),
        program_(bridge_.load(program, options.program.training)),
        model_(exported(program, model)),
        session_(model_),
        inputs_(make_inputs()) {}

  VerifyReport run() {
    VerifyReport report;
    report.torch_version = bridge_.torch_version;
    report.runtime_version = session_.runtime_version();
    std::optional<Error> refusal;
    for (const Trial& trial : inputs_->trials(options_)) {
      if (!trial.required && static_cast<int>(report.runs.size()) >= options_.runs) break;
      try {
        report.runs.push_back(run(trial, report));
      } catch (const Error& error) {
        if (trial.required) throw;
        refusal = error;
      }
    }
    if (report.runs.empty() && refusal) throw *refusal;
    return report;
  }

 private:
  std::unique_ptr<Inputs> make_inputs() const {
    const std::vector<std::string> parameters = program_->parameters(options_.program.method);
    if (archive::kind_of(file_) == archive::Kind::exported_program)
      return exported_inputs(file_, options_.program.inputs, session_.inputs());
    return script_inputs(options_.program.inputs, parameters, session_.inputs());
  }

  std::string exported(const std::string& program, const std::string& model) {
    if (!model.empty()) return model;
    folder_.emplace();
    ExportOptions options = options_.program;
    options.metadata = Metadata::full;
    std::string file = folder_->file("model.onnx");
    export_onnx(program, file, options);
    return file;
  }

  VerifiedRun run(const Trial& trial, VerifyReport& report) const {
    VerifiedRun out{.sizes = trial.sizes, .samples = trial.samples};
    const std::vector<Session::Feed> feeds = inputs_->make(trial, options_.seed + report.runs.size());
    const std::vector<Array> expected =
        program_->run(options_.program.method, inputs_->arguments(), inputs_->arrays(feeds), nullptr);
    try {
      out.outputs = compare(expected, session_.outputs(), session_.run(feeds), options_.tolerance);
    } catch (const SessionError& error) {
      out.fault = error.what();
    }
    const bool find = options_.per_layer && !report.departure && out.fault.empty() && !out.agrees();
    const bool all = options_.all_layers && report.runs.empty() && out.fault.empty();
    if (find || all) look_at_layers(feeds, find, all, report);
    return out;
  }

  void look_at_layers(const std::vector<Session::Feed>& feeds, bool find, bool compare_all, VerifyReport& report) const {
    const model::Opened opened(model_);
    const std::vector<std::string> names = inner_values(opened.graph());
    const Session all(model_, {.optimization = SessionOptions::Optimization::none, .fetch = names});
    std::vector<Datum> data = all.run(feeds);
    std::vector<Session::Feed> values;
    for (std::size_t i = 0; i < data.size(); ++i)
      values.emplace_back(all.outputs()[i].name, std::move(data[i]));
    std::vector<Operation> operations;
    const std::vector<Array> results =
        program_->run(options_.program.method, inputs_->arguments(), inputs_->arrays(feeds), &operations);
    const Origins origins = origins_of(opened.model, path_, options_.program);
    if (find) report.departure = find_departure(opened.graph(), origins, values, operations, results, options_.tolerance);
    if (compare_all) report.layers = compare_layers(opened.graph(), origins, values, operations, results);
  }

  std::string path_;
  const VerifyOptions& options_;
  const Bridge& bridge_;
  std::shared_ptr<const MappedFile> file_;  // kept open, so that an unreadable file is reported by Cameo
  std::unique_ptr<Program> program_;
  std::optional<TemporaryFolder> folder_;
  std::string model_;
  Session session_;
  std::unique_ptr<Inputs> inputs_;
};

}  // namespace
}  // namespace verify

bool VerifiedRun::agrees() const {
  return fault.empty() && std::ranges::all_of(outputs, &VerifiedOutput::agrees);
}

bool VerifyReport::agrees() const { return std::ranges::all_of(runs, &VerifiedRun::agrees); }

VerifyReport verify_export(const std::string& program, const std::string& model,
                           const VerifyOptions& options) {
  return verify::Verifier(program, model, options).run();
}

}  // namespace cameo
