// example_export MODEL.pt OUT.onnx INPUT…: exports a model and prints what goes in and what comes out.
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
  options.inputs.assign(argv + 3, argv + argc);
  try {
    const cameo::ExportReport report = cameo::export_onnx(argv[1], argv[2], options);
    for (const auto& [name, type] : report.inputs) std::printf("in   %s: %s\n", name.c_str(), type.c_str());
    for (const auto& [name, type] : report.outputs) std::printf("out  %s: %s\n", name.c_str(), type.c_str());
    std::fputs(cameo::format(report.warnings).c_str(), stderr);
  } catch (const cameo::Error& error) {
    std::fputs(cameo::format(error.diagnostics()).c_str(), stderr);
    return 1;
  }
}
