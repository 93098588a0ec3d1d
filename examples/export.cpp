// example_export MODEL.pt OUT.onnx INPUT…: exports a model and prints its inputs and outputs.
//
//   example_export examples/models/digits.pt digits.onnx 'image=f32[batch,1,28,28]'
#include <cstdio>

#include "cameo/export.h"
#include "cameo/format.h"

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fputs("usage: example_export MODEL.pt OUT.onnx INPUT…\n", stderr);
    return 2;
  }
  cameo::ExportOptions options;
  try {
    options.inputs = cameo::parse_inputs({argv + 3, argv + argc});
    const cameo::ExportReport report = cameo::export_onnx(argv[1], argv[2], options);
    for (const cameo::ValueInfo& input : report.inputs) std::printf("in   %s\n", to_string(input).c_str());
    for (const cameo::ValueInfo& output : report.outputs) std::printf("out  %s\n", to_string(output).c_str());
    std::fputs(cameo::format(report.warnings).c_str(), stderr);
  } catch (const cameo::Error& error) {
    std::fputs(cameo::format(error.diagnostics()).c_str(), stderr);
    return 1;
  }
}
