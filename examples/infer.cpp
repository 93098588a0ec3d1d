// example_infer MODEL.pt OUT.onnx: the whole way in four steps, from a model that was trained and saved in
// Python (1) to numbers in C++: export it (2), load it into ONNX Runtime (3), run it on an image (4).
//
//   example_infer examples/models/digits.pt digits.onnx
#include <algorithm>
#include <cstdio>

#include "cameo/export.h"
#include "cameo/format.h"
#include "cameo/session.h"

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fputs("usage: example_infer MODEL.pt OUT.onnx\n", stderr);
    return 2;
  }
  try {
    cameo::ExportOptions options;
    options.inputs = {{"image", cameo::TensorSpec{cameo::ElementType::f32, {"batch", 1, 28, 28}}}};
    options.output_names = {"scores"};
    cameo::export_onnx(argv[1], argv[2], options);

    const cameo::Session session{std::string(argv[2])};
    const auto image = cameo::Array::of<float>({1, 1, 28, 28}, std::vector<float>(28 * 28, 0.5F));
    const cameo::Datum result = session.run({{"image", image}}, {"scores"}).front();

    const auto scores = result.tensor().as<float>();
    for (const float score : scores) std::printf("%.6f ", static_cast<double>(score));
    std::printf("\nthis is a %td\n", std::ranges::max_element(scores) - scores.begin());
  } catch (const cameo::Error& error) {
    std::fputs(cameo::format(error.diagnostics()).c_str(), stderr);
    return 1;
  }
}
