// example_cpp_module [OUT.onnx]: a C++ network, exported, run in ONNX Runtime and compared with libtorch.
#include <torch/torch.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "cameo/format.h"
#include "cameo/session.h"
#include "cameo/torch.h"

namespace {

struct DigitsImpl : torch::nn::Module {
  DigitsImpl() {
    conv = register_module("conv", torch::nn::Conv2d(torch::nn::Conv2dOptions(1, 8, 3).padding(1)));
    norm = register_module("norm", torch::nn::BatchNorm2d(8));
    head = register_module("head", torch::nn::Linear(8 * 14 * 14, 10));
  }

  torch::Tensor forward(torch::Tensor image) {
    torch::Tensor x = torch::max_pool2d(torch::relu(norm(conv(image))), 2);
    x = head(x.flatten(1));
    // Parts that only the exported model has.
    return cameo::is_in_onnx_export() ? torch::softmax(x, 1) : x;
  }

  torch::nn::Conv2d conv{nullptr};
  torch::nn::BatchNorm2d norm{nullptr};
  torch::nn::Linear head{nullptr};
};
TORCH_MODULE(Digits);

// The largest difference between the exported model and the network.
double compare(const std::string& path, Digits& network, const torch::Tensor& image) {
  const cameo::Session session(path);
  const std::span bytes(static_cast<const std::byte*>(image.data_ptr()), image.nbytes());
  const auto input = cameo::Array::view(cameo::ElementType::f32, image.sizes().vec(), bytes);
  const cameo::Array got = session.run({{"image", input}}).front().tensor();
  network->eval();
  const torch::Tensor expected = torch::softmax(network(image), 1).contiguous();
  double worst = 0;
  for (std::size_t i = 0; i < got.count(); ++i)
    worst = std::max<double>(worst, std::abs(got.as<float>()[i] - expected.data_ptr<float>()[i]));
  return worst;
}

int run(const std::string& path) {
  torch::manual_seed(0);
  const torch::NoGradGuard no_gradients;
  Digits network;
  cameo::ExportOptions options;
  options.input_names = {"image"};
  options.dynamic_axes = R"({"image": {0: "batch"}})";
  const cameo::ExportReport report =
      cameo::torch::export_onnx(network, {torch::randn({1, 1, 28, 28})}, path, options);
  for (const cameo::ValueInfo& input : report.inputs) std::printf("in   %s\n", to_string(input).c_str());
  for (const cameo::ValueInfo& output : report.outputs) std::printf("out  %s\n", to_string(output).c_str());
  const double error = compare(path, network, torch::randn({5, 1, 28, 28}));
  std::printf("largest difference from libtorch at batch 5: %.2g\n", error);
  return error < 1e-5 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc > 1 ? argv[1] : "digits.onnx");
  } catch (const cameo::Error& error) {
    std::fputs(cameo::format(error.diagnostics()).c_str(), stderr);
    return 1;
  }
}
