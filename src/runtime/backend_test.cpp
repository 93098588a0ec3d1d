#include "cameo/backend.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <thread>

#include "base/temporary_folder.h"
#include "onnx/proto/read.h"
#include "runtime/session_fixture.h"
#include "runtime/test_model.h"

namespace cameo::runtime::testing {
namespace {

using ::testing::ElementsAre;

class BackendTest : public SessionFixture {
 protected:
  // y = relu(-(a * w)), z = a * w + b
  void SetUp() override {
    SessionFixture::SetUp();
    const Message type = tensor_type(ElementType::f32, {"n"});
    const std::string bytes = model({.inputs = {{"a", type}, {"b", type}},
                                     .outputs = {{"y", type}, {"z", type}},
                                     .nodes = {{"Mul", {"a", "w"}, {"product"}},
                                               {"Neg", {"product"}, {"negative"}},
                                               {"Relu", {"negative"}, {"y"}},
                                               {"Add", {"product", "b"}, {"z"}}},
                                     .initializers = {{"w", Array::of<float>({1}, {3})}}});
    std::ofstream(path_, std::ios::binary) << bytes;
  }

  static std::optional<Code> refusal(const std::function<void()>& act) {
    try {
      act();
    } catch (const Error& error) {
      return error.diagnostics().front().code;
    }
    return std::nullopt;
  }

  TemporaryFolder folder_;
  std::string path_ = folder_.file("model.onnx");
  Datum a_ = Array::of<float>({2}, {1, -1});
  Datum b_ = Array::of<float>({2}, {10, 20});
};

TEST(Backend, KnowsItsDevices) {
  EXPECT_TRUE(supports_device("CPU"));
  EXPECT_TRUE(supports_device("CPU:0"));
  for (const char* other : {"CUDA", "CUDA:0", "cpu", "", "CPU:x", "CPUs"})
    EXPECT_FALSE(supports_device(other)) << other;
}

TEST_F(BackendTest, RefusesOtherDevices) {
  EXPECT_EQ(refusal([&] { prepare(path_, "CUDA:0"); }), Code::unsupported_device);
}

TEST_F(BackendTest, TakesInputsByPosition) {
  const std::vector<Datum> outputs = prepare(path_, "CPU").run({a_, b_});
  ASSERT_EQ(outputs.size(), 2u);
  EXPECT_THAT(outputs[0].tensor().as<float>(), ElementsAre(0, 3));
  EXPECT_THAT(outputs[1].tensor().as<float>(), ElementsAre(13, 17));
  EXPECT_EQ(refusal([&] { prepare(path_).run(a_.tensor()); }), Code::wrong_number_of_inputs);
}

TEST_F(BackendTest, ShowsEveryValueOfARun) {
  const Workspace values = prepare(path_).run_all({a_, b_});
  EXPECT_THAT(values.names(), ElementsAre("a", "b", "w", "product", "negative", "y", "z"));
  EXPECT_THAT(values.fetch("a").tensor().as<float>(), ElementsAre(1, -1));
  EXPECT_THAT(values.fetch("w").tensor().as<float>(), ElementsAre(3));
  EXPECT_THAT(values.fetch("negative").tensor().as<float>(), ElementsAre(-3, 3));
  EXPECT_THAT(values.fetch("z").tensor().as<float>(), ElementsAre(13, 17));
  EXPECT_TRUE(values.has("product"));
  EXPECT_FALSE(values.has("produkt"));
  EXPECT_EQ(refusal([&] { values.fetch("produkt"); }), Code::no_such_value);
}

TEST_F(BackendTest, ShowsTheGraphThatIsRun) {
  const auto operators = [this](SessionOptions::Optimization level) {
    const std::string bytes = prepare(path_, "CPU", {.optimization = level}).predict_net();
    const onnx::proto::Model run = onnx::proto::read(std::as_bytes(std::span(bytes)), "run.onnx");
    std::vector<std::string> names;
    for (const onnx::proto::Node& node : run.graph->nodes) names.emplace_back(node.op_type);
    return names;
  };
  EXPECT_THAT(operators(SessionOptions::Optimization::none),
              ::testing::UnorderedElementsAre("Mul", "Neg", "Relu", "Add"));
}

TEST_F(BackendTest, RunsFromSeveralThreadsAtOnce) {
  const Prepared prepared = prepare(path_, "CPU", {.threads = 1});
  std::vector<int> right(4);
  std::vector<std::jthread> threads;
  for (int& count : right)
    threads.emplace_back([&] {
      for (int i = 0; i < 20; ++i)
        count += prepared.run_all({a_, b_}).fetch("product").tensor().as<float>()[0] == 3;
    });
  threads.clear();
  EXPECT_THAT(right, ::testing::Each(20));
}

}  // namespace
}  // namespace cameo::runtime::testing
