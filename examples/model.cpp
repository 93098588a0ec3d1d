// example_model MODEL.onnx OUT.onnx: reads a model into memory, checks it, and writes a simplified model.
//
//   example_model digits.onnx small.onnx
#include <cstdio>
#include <fstream>
#include <iterator>

#include "cameo/format.h"
#include "cameo/model.h"

namespace {

std::string read(const char* path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

int run(const char* from, const char* to) {
  const std::string bytes = read(from);
  const cameo::Model model(std::as_bytes(std::span(bytes)), from);
  const std::vector<cameo::Diagnostic> faults = model.check();
  std::fputs(cameo::format(faults).c_str(), stderr);
  if (!faults.empty()) return 1;

  for (const cameo::ValueInfo& input : model.io().inputs) std::printf("in   %s\n", to_string(input).c_str());
  const cameo::Simplified simplified = model.simplify();
  for (const cameo::OperatorChange& each : simplified.operators)
    if (each.before != each.after) std::printf("%s: %td -> %td\n", each.op.c_str(), each.before, each.after);
  simplified.model.save(to);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fputs("usage: example_model MODEL.onnx OUT.onnx\n", stderr);
    return 2;
  }
  try {
    return run(argv[1], argv[2]);
  } catch (const cameo::Error& error) {
    std::fputs(cameo::format(error.diagnostics()).c_str(), stderr);
    return 1;
  }
}
