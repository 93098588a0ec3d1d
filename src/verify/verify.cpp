#include "cameo/verify.h"

#include <algorithm>

#include "base/temporary_folder.h"
#include "model/file/open.h"
#include "verify/bridge.h"
#include "verify/compare.h"
#include "verify/inputs.h"
#include "verify/layers.h"

namespace cameo {
namespace verify {
namespace {

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
        file_(MappedFile::open(program)),
        program_(bridge_.load(program, options.program.training)),
        model_(exported(program, model)),
        session_(model_),
        inputs_(options.program.inputs, program_->parameters(options.program.method), session_.inputs()) {}

  VerifyReport run() {
    VerifyReport report;
    report.torch_version = bridge_.torch_version;
    report.runtime_version = session_.runtime_version();
    const Trials wanted = trials(inputs_.free_sizes(), inputs_.ranges(), options_);
    std::optional<Error> refusal;
    for (const SizeValues& sizes : wanted.sizes) {
      if (!wanted.exact && static_cast<int>(report.runs.size()) >= options_.runs) break;
      try {
        report.runs.push_back(run(sizes, report));
      } catch (const Error& error) {
        if (wanted.exact) throw;
        refusal = error;
      }
    }
    if (report.runs.empty() && refusal) throw *refusal;
    return report;
  }

 private:
  std::string exported(const std::string& program, const std::string& model) {
    if (!model.empty()) return model;
    folder_.emplace();
    ExportOptions options = options_.program;
    options.metadata = Metadata::full;
    std::string file = folder_->file("model.onnx");
    export_onnx(program, file, options);
    return file;
  }

  VerifiedRun run(const SizeValues& sizes, VerifyReport& report) const {
    VerifiedRun out{.sizes = sizes};
    const std::vector<Session::Feed> feeds = inputs_.make(sizes, options_.seed + report.runs.size());
    const std::vector<Array> expected =
        program_->run(options_.program.method, inputs_.arguments(), inputs_.arrays(feeds), nullptr);
    try {
      out.outputs = compare(expected, session_.outputs(), session_.run(feeds), options_.tolerance);
    } catch (const SessionError& error) {
      out.fault = error.what();
    }
    if (options_.per_layer && !report.departure && out.fault.empty() && !out.agrees())
      report.departure = find_layer(feeds);
    return out;
  }

  std::optional<Departure> find_layer(const std::vector<Session::Feed>& feeds) const {
    const model::Opened opened(model_);
    const std::vector<std::string> names = inner_values(opened.graph());
    const Session all(model_, {.optimization = SessionOptions::Optimization::none, .fetch = names});
    std::vector<Datum> data = all.run(feeds);
    std::vector<Session::Feed> values;
    for (std::size_t i = 0; i < data.size(); ++i)
      values.emplace_back(all.outputs()[i].name, std::move(data[i]));
    std::vector<Operation> operations;
    const std::vector<Array> results =
        program_->run(options_.program.method, inputs_.arguments(), inputs_.arrays(feeds), &operations);
    return find_departure(opened.graph(), origins_of(opened.model, path_, options_.program), values,
                          operations, results, options_.tolerance);
  }

  std::string path_;
  const VerifyOptions& options_;
  const Bridge& bridge_;
  std::shared_ptr<const MappedFile> file_;  // kept open, so that an unreadable file is reported by Cameo
  std::unique_ptr<Program> program_;
  std::optional<TemporaryFolder> folder_;
  std::string model_;
  Session session_;
  Inputs inputs_;
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
