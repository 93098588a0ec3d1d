// example_api PROGRAM.pt: the examples of docs/cpp.md, in one program. It writes model.onnx and small.onnx into
// the current folder.
//
//   example_api examples/models/digits.pt
#include <cstdio>
#include <span>

#include "cameo/export.h"
#include "cameo/format.h"
#include "cameo/inspect.h"
#include "cameo/model.h"
#include "cameo/session.h"

namespace {

void inspect(const std::string& program) {
  const cameo::inspect::Report report = cameo::inspect::program(program);
  for (const cameo::inspect::EntryPoint& entry : report.entry_points)
    std::printf("%s takes %zu arguments\n", entry.name.c_str(), entry.arguments.size());
  std::printf("%zu modules, %td bytes of weights\n", report.modules.modules.size(),
              report.modules.weights.total_bytes());
  std::fputs(to_text(report, {.width = 80}).c_str(), stdout);
}

void export_program(const std::string& program) {
  cameo::ExportOptions options;
  options.inputs = {{"image", cameo::TensorSpec{cameo::ElementType::f32, {"batch", 1, 28, 28}}}};
  options.output_names = {"scores"};
  const cameo::ExportReport report = cameo::export_onnx(program, "model.onnx", options);
  for (const cameo::ValueInfo& output : report.outputs) std::printf("%s\n", to_string(output).c_str());
  std::fputs(cameo::format(report.warnings).c_str(), stderr);
}

void use_model() {
  const cameo::Model model("model.onnx");
  for (const cameo::Diagnostic& fault : model.check()) std::fputs(cameo::format(fault).c_str(), stderr);
  std::printf("%td nodes\n", model.stats().nodes);
  const cameo::Simplified simplified = model.simplify();
  simplified.model.save("small.onnx");
  for (const cameo::ModelDifference& each : model.diff(simplified.model))
    std::printf("%s %s\n", each.what.c_str(), each.name.c_str());
}

void use_bytes() {
  const std::string bytes = cameo::Model("model.onnx").to_bytes();
  const cameo::Model model(std::as_bytes(std::span(bytes)));
  const cameo::Extracted part = model.extract({.to = {"scores"}});
  std::printf("%zu of %zu nodes\n", part.nodes, part.nodes_before);
}

void run() {
  const cameo::Session session(std::string("small.onnx"));
  const auto image = cameo::Array::of<float>({1, 1, 28, 28}, std::vector<float>(28 * 28, 0.5F));
  const cameo::Datum scores = session.run({{"image", image}}, {"scores"}).front();
  for (const float score : scores.tensor().as<float>()) std::printf("%.3f ", static_cast<double>(score));
  std::puts("");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: example_api PROGRAM.pt\n", stderr);
    return 2;
  }
  try {
    inspect(argv[1]);
    export_program(argv[1]);
    use_model();
    use_bytes();
    run();
  } catch (const cameo::Error& error) {
    std::fputs(cameo::format(error.diagnostics()).c_str(), stderr);
    return 1;
  }
}
