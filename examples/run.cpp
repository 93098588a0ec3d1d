// example_run MODEL.onnx: runs a model in ONNX Runtime on zeros, a dynamic size being 1, and prints the
// results.
#include <algorithm>
#include <cstdio>

#include "cameo/format.h"
#include "cameo/session.h"

namespace {

cameo::Array zeros(const cameo::ValueInfo& input) {
  std::vector<std::int64_t> shape;
  std::size_t count = 1;
  for (const cameo::Dim& dim : input.shape.value()) {
    shape.push_back(dim.size < 0 ? 1 : dim.size);
    count *= static_cast<std::size_t>(shape.back());
  }
  if (input.type == cameo::ElementType::i64) return cameo::Array::of(shape, std::vector<std::int64_t>(count));
  return cameo::Array::of(shape, std::vector<float>(count));
}

void run(const char* path) {
  const cameo::Session session{std::string(path)};
  std::printf("ONNX Runtime %s\n", session.runtime_version().c_str());
  std::vector<cameo::Session::Feed> feeds;
  for (const cameo::ValueInfo& input : session.inputs()) {
    const cameo::Array array = zeros(input);
    std::printf("  %s = zeros of %s\n", input.name.c_str(), to_string(array.type(), array.shape()).c_str());
    feeds.emplace_back(input.name, array);
  }
  const std::vector<cameo::Datum> results = session.run(feeds);
  for (std::size_t i = 0; i < results.size(); ++i) {
    const cameo::Array& array = results[i].tensor();
    std::printf("  %s = %s", session.outputs()[i].name.c_str(),
                to_string(array.type(), array.shape()).c_str());
    const std::vector<double> numbers = array.to_doubles();
    const std::size_t shown = std::min<std::size_t>(numbers.size(), 10);
    for (std::size_t k = 0; k < shown; ++k) std::printf(" %.4g", numbers[k]);
    std::puts(shown < numbers.size() ? " …" : "");
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: example_run MODEL.onnx\n", stderr);
    return 2;
  }
  try {
    run(argv[1]);
  } catch (const cameo::Error& error) {
    std::fputs(cameo::format(error.diagnostics()).c_str(), stderr);
    return 1;
  }
}
