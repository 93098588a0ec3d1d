#include "cameo/session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <thread>

#include "base/temporary_folder.h"
#include "runtime/session_fixture.h"
#include "runtime/test_model.h"

namespace cameo::runtime::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class SessionTest : public SessionFixture {};

Graph add(const std::vector<Dim>& dims) {
  return {.inputs = {{"a", tensor_type(ElementType::f32, dims)}, {"b", tensor_type(ElementType::f32, dims)}},
          .outputs = {{"sum", tensor_type(ElementType::f32, dims)}},
          .nodes = {{"Add", {"a", "b"}, {"sum"}}}};
}

TEST_F(SessionTest, DescribesInputsAndOutputs) {
  const Session session = open(add({"batch", 3, nullptr}));
  ASSERT_EQ(session.inputs().size(), 2u);
  EXPECT_EQ(to_string(session.inputs()[0]), "a: f32[batch, 3, ?]");
  EXPECT_EQ(to_string(session.inputs()[1]), "b: f32[batch, 3, ?]");
  ASSERT_EQ(session.outputs().size(), 1u);
  EXPECT_EQ(to_string(session.outputs()[0]), "sum: f32[batch, 3, ?]");
  EXPECT_THAT(session.runtime_version(), HasSubstr("1."));
}

TEST_F(SessionTest, TellsAScalarFromAnUnknownRank) {
  const Session session = open({.inputs = {{"a", tensor_type(ElementType::i64, {})}},
                                .outputs = {{"b", unranked_type(ElementType::i64)}},
                                .nodes = {{"Neg", {"a"}, {"b"}}}});
  ASSERT_TRUE(session.inputs()[0].shape.has_value());
  EXPECT_TRUE(session.inputs()[0].shape->empty());
  EXPECT_THAT(session.run({{"a", Array::scalar<std::int64_t>(7)}})[0].tensor().as<std::int64_t>(),
              ElementsAre(-7));
  const Session unranked = open({.inputs = {{"a", unranked_type(ElementType::f32)}},
                                 .outputs = {{"b", unranked_type(ElementType::f32)}},
                                 .nodes = {{"Neg", {"a"}, {"b"}}}});
  EXPECT_FALSE(unranked.inputs()[0].shape.has_value());
  EXPECT_EQ(to_string(unranked.inputs()[0]), "a: f32[…]");
}

TEST_F(SessionTest, RunsAtSeveralSizesOfADynamicAxis) {
  const Session session = open(add({"batch", 2}));
  for (const std::int64_t batch : {1, 3, 0}) {
    const std::vector<float> ones(static_cast<std::size_t>(batch) * 2, 1.0f);
    const auto input = Array::of<float>({batch, 2}, ones);
    const auto results = session.run({{"a", input}, {"b", input}});
    ASSERT_EQ(results.size(), 1u);
    EXPECT_THAT(results[0].tensor().shape(), ElementsAre(batch, 2));
    EXPECT_THAT(results[0].tensor().as<float>(), ::testing::Each(2.0f));
  }
}

TEST_F(SessionTest, LoadsAFile) {
  const TemporaryFolder folder;
  const std::string path = folder.file("model.onnx");
  std::ofstream(path, std::ios::binary) << model(add({2}));
  const Session session(path);
  const auto results =
      session.run({{"a", Array::of<float>({2}, {1, 2})}, {"b", Array::of<float>({2}, {10, 20})}});
  EXPECT_THAT(results[0].tensor().as<float>(), ElementsAre(11, 22));
}

TEST_F(SessionTest, ReturnsTheOutputsThatAreNamedInThatOrder) {
  const Message type = tensor_type(ElementType::f32, {1});
  const Session session = open(
      {.inputs = {{"x", type}},
       .outputs = {{"negative", type}, {"absolute", type}, {"squared", type}},
       .nodes = {
           {"Neg", {"x"}, {"negative"}}, {"Abs", {"x"}, {"absolute"}}, {"Mul", {"x", "x"}, {"squared"}}}});
  const auto results = session.run({{"x", Array::of<float>({1}, {-3})}}, {"squared", "negative"});
  ASSERT_EQ(results.size(), 2u);
  EXPECT_THAT(results[0].tensor().as<float>(), ElementsAre(9));
  EXPECT_THAT(results[1].tensor().as<float>(), ElementsAre(3));
}

TEST_F(SessionTest, RunsIf) {
  const Message type = tensor_type(ElementType::f32, {"n"});
  const Graph then_branch{.inputs = {}, .outputs = {{"t", type}}, .nodes = {{"Neg", {"x"}, {"t"}}}};
  const Graph else_branch{.inputs = {}, .outputs = {{"e", type}}, .nodes = {{"Exp", {"x"}, {"e"}}}};
  const Session session = open({.inputs = {{"flag", tensor_type(ElementType::boolean, {})}, {"x", type}},
                                .outputs = {{"y", type}},
                                .nodes = {{"If",
                                           {"flag"},
                                           {"y"},
                                           {attribute("then_branch", serialize(then_branch)),
                                            attribute("else_branch", serialize(else_branch))}}}});
  const auto x = Array::of<float>({1}, {0});
  EXPECT_THAT(session.run({{"flag", Array::scalar(true)}, {"x", x}})[0].tensor().as<float>(),
              ElementsAre(-0.0f));
  EXPECT_THAT(session.run({{"flag", Array::scalar(false)}, {"x", x}})[0].tensor().as<float>(),
              ElementsAre(1));
}

TEST_F(SessionTest, RunsLoop) {
  const Message scalar = tensor_type(ElementType::i64, {});
  const Message flag = tensor_type(ElementType::boolean, {});
  const Graph body{.inputs = {{"i", scalar}, {"go", flag}, {"total", scalar}},
                   .outputs = {{"go_on", flag}, {"next", scalar}, {"seen", scalar}},
                   .nodes = {{"Identity", {"go"}, {"go_on"}},
                             {"Add", {"total", "i"}, {"next"}},
                             {"Identity", {"next"}, {"seen"}}}};
  const Session session = open(
      {.inputs = {{"n", scalar}, {"start", scalar}},
       .outputs = {{"sum", scalar}, {"history", tensor_type(ElementType::i64, {"n"})}},
       .nodes = {{"Loop", {"n", "", "start"}, {"sum", "history"}, {attribute("body", serialize(body))}}}});
  const auto results =
      session.run({{"n", Array::scalar<std::int64_t>(4)}, {"start", Array::scalar<std::int64_t>(100)}});
  EXPECT_THAT(results[0].tensor().as<std::int64_t>(), ElementsAre(106));
  EXPECT_THAT(results[1].tensor().as<std::int64_t>(), ElementsAre(100, 101, 103, 106));
}

TEST_F(SessionTest, ResultsOutliveTheSessionAndWhatWasFed) {
  const Message type = tensor_type(ElementType::f32, {2});
  Datum passed_on, constant, computed;
  {
    const Session session = open({.inputs = {{"x", type}},
                                  .outputs = {{"x", type}, {"w", type}, {"y", type}},
                                  .nodes = {{"Add", {"x", "w"}, {"y"}}},
                                  .initializers = {{"w", Array::of<float>({2}, {5, 6})}}});
    const std::vector<float> fed = {1, 2};
    const auto results =
        session.run({{"x", Array::view(ElementType::f32, {2}, std::as_bytes(std::span(fed)))}});
    passed_on = results[0];
    constant = results[1];
    computed = results[2];
    EXPECT_NE(static_cast<const void*>(passed_on.tensor().bytes().data()), fed.data());
  }
  EXPECT_THAT(passed_on.tensor().as<float>(), ElementsAre(1, 2));
  EXPECT_THAT(constant.tensor().as<float>(), ElementsAre(5, 6));
  EXPECT_THAT(computed.tensor().as<float>(), ElementsAre(6, 8));
}

TEST_F(SessionTest, RunsFromSeveralThreadsAtOnce) {
  const Session session = open(add({"n"}), {.threads = 1});
  std::vector<std::jthread> threads;
  std::vector<int> wrong(4);
  for (std::size_t t = 0; t < wrong.size(); ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 50; ++i) {
        const auto number = static_cast<float>(t * 100) + static_cast<float>(i);
        const auto input = Array::of<float>({1000}, std::vector<float>(1000, number));
        const auto results = session.run({{"a", input}, {"b", input}});
        for (const float sum : results[0].tensor().as<float>()) wrong[t] += sum != 2 * number;
      }
    });
  }
  threads.clear();
  EXPECT_THAT(wrong, ::testing::Each(0));
}

TEST_F(SessionTest, TakesOptions) {
  using Optimization = SessionOptions::Optimization;
  for (const Optimization level :
       {Optimization::none, Optimization::basic, Optimization::extended, Optimization::all}) {
    const Session session = open(add({1}), {.threads = 2, .optimization = level});
    const auto one = Array::of<float>({1}, {1});
    EXPECT_THAT(session.run({{"a", one}, {"b", one}})[0].tensor().as<float>(), ElementsAre(2));
  }
}

}  // namespace
}  // namespace cameo::runtime::testing
