// C++ networks exported, run in ONNX Runtime and compared with libtorch.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "cameo/session.h"
#include "networks.h"

namespace {

namespace bridge = cameo::torch;
using namespace networks;

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

using cameo::Array;
using cameo::Datum;
using cameo::Diagnostic;
using cameo::Error;
using cameo::ExportOptions;
using cameo::ExportReport;
using cameo::is_in_onnx_export;
using cameo::Session;
using cameo::TrainingMode;
using Exported = std::pair<std::string, ExportReport>;

// Of its own, and gone with what is in it.
struct Folder {
  Folder() {
    std::string name = testing::TempDir() + "cameo-XXXXXX";
    path = mkdtemp(name.data());
  }
  ~Folder() { std::filesystem::remove_all(path); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::filesystem::path path;
};

ExportOptions told(std::string dynamic_axes = {}) {
  ExportOptions options;
  options.verbose = true;
  options.dynamic_axes = std::move(dynamic_axes);
  return options;
}

Array array(const at::Tensor& tensor) {
  const at::Tensor dense = tensor.contiguous();
  const auto* bytes = static_cast<const std::byte*>(dense.data_ptr());
  return Array::owning(cameo::ElementType::f32, dense.sizes().vec(), {bytes, bytes + dense.nbytes()});
}

std::vector<at::Tensor> run(const Exported& exported, const std::vector<at::Tensor>& inputs) {
  const Session session(std::as_bytes(std::span(exported.first)));
  std::vector<Session::Feed> feeds;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    feeds.emplace_back(session.inputs()[i].name, array(inputs[i]));
  std::vector<at::Tensor> out;
  for (const Datum& datum : session.run(feeds)) {
    const Array& got = datum.tensor();
    out.push_back(at::empty(got.shape()));
    std::memcpy(out.back().data_ptr(), got.bytes().data(), got.bytes().size());
  }
  return out;
}

void expect_close(const at::Tensor& got, const at::Tensor& expected) {
  ASSERT_EQ(got.sizes(), expected.sizes());
  EXPECT_TRUE(at::allclose(got, expected, 1e-4, 1e-5)) << got << expected;
}

std::string code_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return std::string(name(error.diagnostics().front().code));
  }
  return "";
}

TEST(Bridge, ExportsANetworkOnce) {
  Net net;
  const at::Tensor x = at::randn({2, 3, 8, 8});
  const Exported exported = bridge::export_to_memory(net, {x}, told(R"({"input": {0: "batch"}})"));
  EXPECT_EQ(net->calls, 1);
  EXPECT_TRUE(net->is_training() && net->second->norm->is_training());
  net->eval();
  for (const int batch : {2, 5}) {
    const at::Tensor other = at::randn({batch, 3, 8, 8});
    expect_close(run(exported, {other}).at(0), net(other, c10::nullopt));
  }
}

TEST(Bridge, KeepsNamesOfParametersAndModules) {
  Net net;
  ExportOptions options = told();
  options.disabled_rules = {"fold-batch-norm"};
  const std::string graph = bridge::export_to_memory(net, {at::randn({1, 3, 8, 8})}, options).second.graph;
  for (const char* name :
       {"%first.conv.weight", "%second.norm.running_var", "%head.bias", "%scale",
        "%/first/conv/Conv_output_0", "%/second/norm/BatchNormalization_1_output_0", "%/head/Gemm_output_0"})
    EXPECT_THAT(graph, HasSubstr(name));
}

TEST(Bridge, TakesModesAsAsked) {
  Net net;
  net->dropout->eval();
  ExportOptions options = told();
  const auto graph = [&](TrainingMode mode) {
    options.training = mode;
    return bridge::export_to_memory(net, {at::randn({2, 3, 8, 8})}, options).second.graph;
  };
  EXPECT_THAT(graph(TrainingMode::training), HasSubstr("onnx::Dropout"));
  EXPECT_THAT(graph(TrainingMode::eval), Not(HasSubstr("onnx::Dropout")));
  EXPECT_TRUE(net->is_training());
  EXPECT_FALSE(net->dropout->is_training());
}

TEST(Bridge, ExportsSequentialAndAnyModule) {
  torch::nn::Sequential steps(torch::nn::Conv2d(3, 4, 3), torch::nn::ReLU(), Block(4, 2));
  const at::Tensor x = at::randn({1, 3, 6, 6});
  const Exported exported = bridge::export_to_memory(steps, x, told());
  EXPECT_THAT(exported.second.graph, HasSubstr("%/1/Relu_output_0"));
  steps->eval();
  expect_close(run(exported, {x}).at(0), steps->forward(x));

  const torch::nn::AnyModule any(torch::nn::Linear(3, 4));
  const at::Tensor y = at::randn({2, 3});
  expect_close(run(bridge::export_to_memory(any, {y}), {y}).at(0), torch::nn::AnyModule(any).forward(y));
}

TEST(Bridge, ExportsResultsOfSeveralTensors) {
  torch::nn::LSTM lstm(torch::nn::LSTMOptions(3, 4));
  const at::Tensor x = at::randn({5, 2, 3});
  const std::vector<at::Tensor> got = run(bridge::export_to_memory(lstm, {x}), {x});
  const auto [y, state] = lstm(x);
  ASSERT_EQ(got.size(), 3u);
  expect_close(got[0], y);
  expect_close(got[1], std::get<0>(state));
  expect_close(got[2], std::get<1>(state));
}

TEST(Bridge, ATracedModuleIsExportedTheSame) {
  Net net;
  const at::Tensor x = at::randn({1, 3, 8, 8});
  const torch::jit::Module traced = bridge::trace(net, x);
  EXPECT_EQ(bridge::export_to_memory(traced, x).first, bridge::export_to_memory(net, {x}).first);
}

TEST(Bridge, AJitModuleIsNotRun) {
  torch::jit::Module module("Counted");
  module.register_buffer("calls", at::zeros({1}));
  module.define("def forward(self, x: Tensor, n: int):\n    self.calls += 1\n    return x * n\n");
  ExportOptions options = told();
  options.inputs = cameo::parse_inputs({"x=f32[batch,3]", "n=2"});
  const Exported exported = bridge::export_to_memory(module, {}, options);
  EXPECT_EQ(module.attr("calls").toTensor().item<float>(), 0);
  const at::Tensor x = at::randn({4, 3});
  expect_close(run(exported, {x}).at(0), x * 2);
  expect_close(run(bridge::export_to_memory(module, {x, 3}), {x}).at(0), x * 3);
}

TEST(Bridge, TheFlagIsSetInForwardOnly) {
  Flagged flagged;
  const at::Tensor x = at::randn({8}) * 3;
  const Exported exported = bridge::export_to_memory(flagged, x);
  EXPECT_TRUE(flagged->flag_seen);
  EXPECT_FALSE(is_in_onnx_export());
  const at::Tensor got = run(exported, {x}).at(0);
  EXPECT_TRUE(got.min().item<float>() >= 0 && got.max().item<float>() <= 1);
  expect_close(flagged(x), x);
  EXPECT_FALSE(flagged->flag_seen);
}

TEST(Bridge, AnExceptionComesThroughAndLeavesNothingBehind) {
  Flagged flagged;
  flagged->fails = true;
  EXPECT_THROW(bridge::export_to_memory(flagged, at::ones({1})), std::runtime_error);
  EXPECT_FALSE(is_in_onnx_export());
  EXPECT_TRUE(flagged->is_training());
  flagged->fails = false;
  EXPECT_NO_THROW(bridge::export_to_memory(flagged, at::ones({1})));
  const auto nested = [&](at::Tensor x) {
    bridge::trace(flagged, x);
    return x;
  };
  EXPECT_EQ(code_of([&] { bridge::export_onnx(flagged, nested, at::ones({1}), "never.onnx"); }),
            "nested-export");
  EXPECT_FALSE(is_in_onnx_export());
}

TEST(Bridge, WhatIsRegisteredLateIsExported) {
  Lazy lazy;
  const at::Tensor x = at::randn({2, 3});
  const Exported exported = bridge::export_to_memory(lazy, x, told());
  EXPECT_THAT(exported.second.graph, HasSubstr("%weight"));
  expect_close(run(exported, {x}).at(0), x);
  Lazy restless;
  restless->restless = true;
  EXPECT_EQ(code_of([&] { bridge::export_to_memory(restless, x); }), "state-changed");
}

TEST(Bridge, GradientsAreNotInTheWay) {
  const at::Tensor x = at::randn({2, 3}).requires_grad_();
  expect_close(run(bridge::export_to_memory(Quantized(), {x}), {x.detach()}).at(0),
               x.detach() * at::tensor({1.0F, -2.0F, 3.0F}));
  EXPECT_TRUE(at::GradMode::is_enabled());
}

TEST(Bridge, InputsAreNeeded) {
  Net net;
  EXPECT_EQ(code_of([&] { bridge::export_to_memory(net, {}); }), "inputs-needed");
  const at::Tensor x = at::ones({1, 3, 8, 8});
  EXPECT_EQ(code_of([&] { bridge::export_to_memory(net, {x, x, x}); }), "unfit-forward");
  const at::Tensor quantised = at::quantize_per_tensor(x, 0.1, 0, at::kQInt8);
  torch::nn::ReLU relu;
  EXPECT_EQ(code_of([&] { bridge::export_to_memory(relu, quantised); }), "unfit-input");
  EXPECT_EQ(bridge::export_to_memory(net, x).first, bridge::export_to_memory(net, {x}).first);
}

TEST(Bridge, AFunctionStandsForAnOverloadedForward) {
  Overloaded overloaded;
  const Folder folder;
  const std::string path = folder.path / "overloaded.onnx";
  const ExportReport report = bridge::export_onnx(
      overloaded, [&](at::Tensor x) { return overloaded->forward(x, 3); }, {at::ones({2})}, path);
  EXPECT_THAT(report.operators, ElementsAre(Pair("Mul", 1)));
  EXPECT_EQ(Session(path).inputs().front().name, "input");
}

TEST(Bridge, WhatATraceCannotHoldIsTold) {
  const auto codes = [](const Exported& exported) {
    std::vector<std::string> out;
    for (const Diagnostic& warning : exported.second.warnings) out.emplace_back(name(warning.code));
    return out;
  };
  const Exported reads = bridge::export_to_memory(ReadsContents(), at::ones({2}), told());
  EXPECT_THAT(codes(reads), Contains("contents-read"));
  EXPECT_THAT(reads.second.graph, Not(HasSubstr("onnx::If")));
  EXPECT_THAT(codes(bridge::export_to_memory(BakesSize(), at::ones({4, 2, 3}), told(R"({"input": [0]})"))),
              Contains("baked-size"));
}

}  // namespace
