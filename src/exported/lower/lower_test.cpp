#include <gmock/gmock.h>

#include "exported/lower/formula.h"
#include "exported/lower/modules.h"
#include "exported/lower/names.h"
#include "exported/lower/offset_checks.h"
#include "exported/lower/source.h"
#include "exported/lower/stack_trace.h"
#include "exported/lower/strides.h"
#include "exported/testing.h"

namespace cameo::exported {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

TensorMeta strided(std::vector<std::int64_t> sizes, std::vector<std::int64_t> strides) {
  TensorMeta meta;
  for (const std::int64_t size : sizes) meta.sizes.push_back({size});
  for (const std::int64_t stride : strides) meta.strides.push_back({stride});
  return meta;
}

TEST(Names, AreIdentifiers) {
  EXPECT_EQ(identifier("a.b-c"), "a_b_c");
  EXPECT_EQ(identifier("0"), "_0");
  EXPECT_EQ(identifier("with"), "with_");
  EXPECT_EQ(argument_name("lambda"), "lambda_");
  EXPECT_FALSE(is_identifier("0"));
  EXPECT_EQ(string_literal("a\"b\\\n"), "\"a\\\"b\\\\\\x0a\"");
}

TEST(Variables, HideNoFunctionAndAreUnique) {
  Variables variables;
  EXPECT_EQ(variables.of("max"), "max_");
  EXPECT_EQ(variables.of("x.y"), "x_y");
  EXPECT_EQ(variables.of("x_y"), "x_y_1");
  EXPECT_EQ(variables.of("x.y"), "x_y");
  variables.set("p_weight", "self.weight");
  EXPECT_EQ(variables.of("p_weight"), "self.weight");
}

TEST(ModuleStack, HasPathsAndClasses) {
  const auto frames = parse_module_stack(
      "L__self__,,a.Net;L__self___layers_1,layers.1@2,torch.nn.modules.conv.Conv2d;"
      "h,_empty_nn_module_stack_from_metadata_hook,h");
  ASSERT_EQ(frames.size(), 2u);
  EXPECT_EQ(frames[0].path, "");
  EXPECT_EQ(frames[0].class_name, "a.Net");
  EXPECT_EQ(frames[1].path, "layers.1");
  EXPECT_EQ(frames[1].class_name, "torch.nn.modules.conv.Conv2d");
}

TEST(ModuleStack, OfPyTorch21) {
  const auto frames = parse_module_stack("L__self__:(,a.Net);x:(fc,torch.nn.Linear)");
  ASSERT_EQ(frames.size(), 2u);
  EXPECT_EQ(frames[1].path, "fc");
  EXPECT_EQ(frames[1].class_name, "torch.nn.Linear");
}

TEST(Modules, RejectsATensorThatIsAModule) {
  Modules modules;
  modules.add_module("a.b", "C");
  EXPECT_THROW(modules.add_tensor("a.b", nullptr, TensorRole::parameter), Error);
  modules.add_tensor("a.w", nullptr, TensorRole::parameter);
  EXPECT_THROW(modules.add_tensor("a.w", nullptr, TensorRole::buffer), Error);
  EXPECT_THROW(modules.add_module("a.w.c", "C"), Error);
}

TEST(Modules, LimitsTheDepth) {
  Modules modules;
  std::string path = "a";
  for (int i = 0; i < 1000; ++i) path += ".a";
  EXPECT_THROW(modules.add_module(path, "C"), Error);
}

TEST(StackTrace, HasTheFramesOfTheUserInnermostFirst) {
  const auto frames = parse_stack_trace(
      "  File \"/lib/torch/export/_trace.py\", line 10, in forward\n    tree_out = mod()\n"
      "  File \"model.py\", line 7, in forward\n    return self.net(x)\n"
      "  File \"/lib/torch/nn/modules/module.py\", line 1, in _call_impl\n    return forward_call()\n"
      "  File \"net.py\", line 3, in forward\n    return x + 1\n");
  ASSERT_EQ(frames.size(), 2u);
  EXPECT_EQ(frames[0].file, "net.py");
  EXPECT_EQ(frames[0].line, 3);
  EXPECT_EQ(frames[0].function, "forward");
  EXPECT_EQ(frames[0].text, "return x + 1");
  EXPECT_EQ(frames[1].file, "model.py");
}

TEST(StackTrace, IgnoresWhatIsNotAFrame) {
  EXPECT_TRUE(parse_stack_trace("").empty());
  EXPECT_TRUE(parse_stack_trace("File \"a\nFile \"b.py\", line x\n").empty());
}

TEST(Formula, OfBothForms) {
  EXPECT_EQ(formula("Symbol('s77', integer=True, positive=True)"), "s77");
  EXPECT_EQ(formula("Add(Mul(Integer(3), Symbol('s0', integer=True)), Integer(-1))"), "(3*s0) - 1");
  EXPECT_EQ(formula("2*s0 + 1"), "(2*s0) + 1");
  EXPECT_EQ(formula("(s0//2)"), "s0//2");
  EXPECT_EQ(formula("Max(1, s0)"), "max(1, s0)");
  EXPECT_EQ(formula("s0**2"), "s0*s0");
  EXPECT_THROW(formula("sin(s0)"), Error);
}

TEST(Strides, TellViewsFromCopies) {
  EXPECT_EQ(is_view_possible(strided({2, 3}, {3, 1}), strided({6}, {1})), true);
  EXPECT_EQ(is_view_possible(strided({3, 2}, {1, 3}), strided({6}, {1})), false);
  EXPECT_EQ(is_view_possible(strided({4, 3, 2}, {1, 8, 4}), strided({4, 6}, {1, 4})), true);
  EXPECT_EQ(is_view_possible(strided({1, 3}, {7, 1}), strided({3}, {1})), true);
  EXPECT_EQ(is_view_possible(strided({0, 3}, {1, 9}), strided({0}, {1})), true);
  EXPECT_EQ(has_same_order(strided({2, 3}, {3, 1}), strided({2, 3}, {3, 1})), true);
  EXPECT_EQ(has_same_order(strided({2, 3}, {1, 2}), strided({2, 3}, {3, 1})), false);
  EXPECT_EQ(has_same_order(strided({1, 3}, {9, 1}), strided({1, 3}, {3, 1})), true);
}

// offset = sym_storage_offset(x); check = offset >= 0; assert check
Graph with_offset_check() {
  Graph graph;
  graph.nodes.push_back({.target = "torch.ops.aten.sym_storage_offset.default",
                         .inputs = {{"self", {TensorName{"x"}}}},
                         .outputs = {{SymIntArgument(SymName{"offset"})}}});
  graph.nodes.push_back({.target = "_operator.ge",
                         .inputs = {{"a", {SymIntArgument(SymName{"offset"})}}, {"b", {std::int64_t{0}}}},
                         .outputs = {{SymBoolArgument(SymName{"check"})}}});
  graph.nodes.push_back({.target = "torch.ops.aten._assert_scalar.default",
                         .inputs = {{"self", {SymBoolArgument(SymName{"check"})}}},
                         .outputs = {}});
  graph.nodes.push_back(
      {.target = "torch.ops.aten.relu.default", .inputs = {{"self", {TensorName{"x"}}}}, .outputs = {}});
  return graph;
}

TEST(OffsetChecks, AreFoundIfNothingElseReadsTheOffset) {
  Graph graph = with_offset_check();
  EXPECT_THAT(offset_checks(graph), UnorderedElementsAre(&graph.nodes[0], &graph.nodes[1], &graph.nodes[2]));
  graph.outputs.push_back({SymIntArgument(SymName{"offset"})});
  EXPECT_THAT(offset_checks(graph), IsEmpty());
}

TEST(OffsetChecks, AreNotFoundIfAnOperatorReadsTheOffset) {
  Graph graph = with_offset_check();
  const std::vector<SymIntArgument> sizes{SymName{"offset"}};
  graph.nodes.push_back(
      {.target = "torch.ops.aten.zeros.default", .inputs = {{"size", {sizes}}}, .outputs = {}});
  EXPECT_THAT(offset_checks(graph), IsEmpty());
}

TEST(Strides, AreUnknownBeyond64Bits) {
  const std::int64_t large = std::int64_t{1} << 62;
  EXPECT_EQ(has_same_order(strided({large, large}, {large, 1}), strided({large, large}, {large, 1})),
            std::nullopt);
  EXPECT_EQ(is_view_possible(strided({large, 4}, {4, 1}), strided({4}, {1})), std::nullopt);
}

// x + 1 in one branch, x in the other.
testing::ProgramText branch() {
  testing::ProgramText text;
  const std::string graph =
      R"({"inputs": [{"as_tensor": {"name": "x"}}], "outputs": [{"as_tensor": {"name": "%"}}], "nodes": [], )"
      R"("tensor_values": {}, "sym_int_values": {}, "sym_bool_values": {}})";
  const std::string subgraph = R"({"as_graph": {"name": "NAME", "graph": GRAPH}})";
  const auto filled = [](std::string pattern, std::string_view word, std::string_view by) {
    return pattern.replace(pattern.find(word), word.size(), by);
  };
  const auto named = [&](std::string_view name) {
    return filled(filled(subgraph, "NAME", name), "GRAPH", filled(graph, "%", "x"));
  };
  text.inputs = R"([{"as_tensor": {"name": "x"}}])";
  text.signature = R"({"input_specs": [{"user_input": {"arg": {"as_tensor": {"name": "x"}}}}], )"
                   R"("output_specs": [{"user_output": {"arg": {"as_tensor": {"name": "relu"}}}}]})";
  text.nodes = fmt::format(
      R"([{{"target": "torch.ops.higher_order.cond", "inputs": [{{"name": "", "arg": {{"as_bool": true}}}}, )"
      R"({{"name": "", "arg": {}}}, {{"name": "", "arg": {}}}, )"
      R"({{"name": "", "arg": {{"as_tensors": [{{"name": "x"}}]}}}}], )"
      R"("outputs": [{{"as_tensor": {{"name": "relu"}}}}], "metadata": {{}}}}])",
      named("true_graph_0"), named("true_graph_0"));
  return text;
}

std::string root_code(const testing::ProgramText& text) {
  archive::testing::ZipBuilder zip;
  zip.add("models/model.json", text.text()).add("archive_format", "pt2").add("archive_version", "0\n");
  zip.add("data/weights/model_weights_config.json", R"({"config": {}})");
  zip.add("data/constants/model_constants_config.json", R"({"config": {}})");
  const ExportedSource source{Program(zip.file())};
  return std::string(source.code("code/__torch__/torch/nn/modules/module.py").value_or(""));
}

TEST(ExportedSource, LowersABranchToMethods) {
  EXPECT_THAT(root_code(branch()),
              HasSubstr("    if bool(True):\n"
                        "      relu, = self.true_graph_0(x)\n"
                        "    else:\n"
                        "      relu, = self.true_graph_0_1(x)\n"
                        "    return relu\n"
                        "  def true_graph_0(self: __torch__.torch.nn.modules.module.Module,\n"
                        "    x: Tensor):\n"
                        "    return (x,)\n"));
}

TEST(ExportedSource, RefusesABranchWithoutGraphs) {
  testing::ProgramText text = branch();
  text.nodes = R"([{"target": "torch.ops.higher_order.cond", "inputs": [], "outputs": [], "metadata": {}}])";
  EXPECT_THAT(testing::error_of([&] { root_code(text); }),
              HasSubstr("a node calls torch.ops.higher_order.cond with 0 arguments [bad-exported-program]"));
  text.nodes =
      R"([{"target": "torch.ops.higher_order.map_impl", "inputs": [{"name": "", "arg": {"as_int": 1}}], )"
      R"("outputs": [], "metadata": {}}])";
  EXPECT_THAT(testing::error_of([&] { root_code(text); }),
              HasSubstr("a higher-order operator has no graph where it needs one [bad-exported-program]"));
}

std::string tensor_argument(std::string_view name, std::string_view tensor) {
  return fmt::format(R"({{"name": "{}", "arg": {{"as_tensor": {{"name": "{}"}}}}, "kind": 1}})", name,
                     tensor);
}

std::string node(std::string_view target, std::string_view inputs) {
  return fmt::format(
      R"({{"target": "{}", "inputs": [{}], "outputs": [{{"as_tensor": {{"name": "relu"}}}}], "metadata": {{}}}})",
      target, inputs);
}

TEST(ExportedSource, BindsArgumentsByTheirNames) {
  testing::ProgramText text = branch();
  const std::string keepdim = R"({"name": "keepdim", "arg": {"as_bool": true}, "kind": 1})";
  text.nodes = fmt::format(
      "[{}]", node("torch.ops.aten.argmax.default", tensor_argument("self", "x") + ", " + keepdim));
  EXPECT_THAT(root_code(text), HasSubstr("relu = ops.aten.argmax(x, keepdim=True)\n"));
  const std::string nameless = R"({"name": "", "arg": {"as_bool": true}, "kind": 1})";
  text.nodes = fmt::format("[{}]", node("torch.ops.aten.argmax.default",
                                        tensor_argument("self", "x") + ", " + keepdim + ", " + nameless));
  EXPECT_THAT(
      testing::error_of([&] { root_code(text); }),
      HasSubstr("a node calls torch.ops.aten.argmax.default with a positional argument after one with a name "
                "[bad-exported-program]"));
}

TEST(ExportedSource, BindsAnArgumentCalledFrom) {
  testing::ProgramText text = branch();
  const std::string limits = R"({"name": "from", "arg": {"as_float": -2.0}, "kind": 1}, )"
                             R"({"name": "to", "arg": {"as_float": 3.0}, "kind": 1})";
  text.nodes = fmt::format(
      "[{}]", node("torch.ops.aten.uniform.default", tensor_argument("self", "x") + ", " + limits));
  EXPECT_THAT(root_code(text), HasSubstr("relu = ops.aten.uniform(x, from=-2.0, to=3.0)\n"));
}

TEST(ExportedSource, FollowsTheFileWhereAminmaxIgnoresKeepdim) {
  testing::ProgramText text = branch();
  text.nodes = fmt::format("[{}]", node("torch.ops.aten.aminmax.default",
                                        tensor_argument("self", "x") +
                                            R"(, {"name": "dim", "arg": {"as_int": 0}, "kind": 2})"
                                            R"(, {"name": "keepdim", "arg": {"as_bool": true}, "kind": 2})"));
  EXPECT_THAT(root_code(text), HasSubstr("relu = ops.aten.aminmax(x, dim=0, keepdim=True)\n"));
  text.tensors = fmt::format(R"({{"x": {0}, "relu": {0}}})", testing::meta("[]", "[]"));
  EXPECT_THAT(root_code(text), HasSubstr("relu = ops.aten.aminmax(x, dim=0)\n"));
}

// The code of a graph under autocast: a call of a tensor of bf16 with weights of f32.
std::string autocast_code(std::string_view target) {
  testing::ProgramText text = branch();
  const std::string bf16 = testing::meta(R"([{"as_int": 2}])", R"([{"as_int": 1}])", 13);
  const std::string graph = fmt::format(
      R"({{"inputs": [{{"as_tensor": {{"name": "x"}}}}, {{"as_tensor": {{"name": "w"}}}}], )"
      R"("outputs": [{{"as_tensor": {{"name": "relu"}}}}], "nodes": [{}], )"
      R"("tensor_values": {{"x": {}, "w": {}, "relu": {}}}, "sym_int_values": {{}}, "sym_bool_values": {{}}}})",
      node(target, tensor_argument("input", "x") + ", " + tensor_argument("weight", "w")), bf16,
      testing::meta(), bf16);
  text.nodes = fmt::format(
      "[{}]",
      node(
          "torch.ops.higher_order.wrap_with_autocast",
          fmt::format(
              R"({{"name": "", "arg": {{"as_string": "cpu"}}}}, {{"name": "", "arg": {{"as_none": true}}}}, )"
              R"({{"name": "", "arg": {{"as_bool": true}}}}, {{"name": "", "arg": {{"as_none": true}}}}, )"
              R"({{"name": "", "arg": {{"as_graph": {{"name": "inner", "graph": {}}}}}}}, {}, {})",
              graph, tensor_argument("", "x"), tensor_argument("", "x"))));
  return root_code(text);
}

TEST(ExportedSource, CastsToTheRecordedTypesOfAutocast) {
  EXPECT_THAT(autocast_code("torch.ops.aten.linear.default"),
              HasSubstr("relu = ops.aten.linear(x, weight=ops.aten.to(w, 15))\n"));
  EXPECT_THAT(autocast_code("torch.ops.aten.layer_norm.default"),
              HasSubstr("relu = ops.aten.to(ops.aten.layer_norm(ops.aten.to(x, 6), weight=w), 15)\n"));
}

TEST(ExportedSource, NeedsTheTypeOfAnInput) {
  testing::ProgramText text = branch();
  text.tensors = "{}";
  archive::testing::ZipBuilder zip;
  zip.add("models/model.json", text.text()).add("archive_format", "pt2").add("archive_version", "0\n");
  zip.add("data/weights/model_weights_config.json", R"({"config": {}})");
  EXPECT_EQ(testing::error_of([&] { ExportedSource(Program(zip.file())).declared_inputs(); }),
            "the file has no element type for the input 'x' [bad-exported-program]");
}

}  // namespace
}  // namespace cameo::exported
