#include "onnx/lower/lower.h"

#include <gmock/gmock.h>

#include "onnx/proto/encode.h"
#include "onnx/proto/read.h"

namespace cameo::onnx {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

DataPtr numbers(std::vector<float> elements) {
  const auto count = std::ssize(elements);
  return Data::of<float>(DType::f32, {count}, std::span<const float>(elements));
}

class LowerTest : public ::testing::Test {
 protected:
  LowerTest() {
    x_ = model_.add_value({.shape = Shape{2, model_.symbols().symbol("n")}}, "x");
    x_->graph = &model_.main();
    model_.main().inputs = {x_};
  }

  Value* constant(std::string name) {
    Value* value = model_.add_value({.shape = Shape{2}}, std::move(name));
    value->data = numbers({1, 2});
    return value;
  }

  // A node of `graph` with one output.
  Node* add(Graph& graph, const char* op, std::vector<Value*> inputs, std::string output) {
    Node node;
    node.op = op;
    node.name = "node of " + output;
    node.inputs = std::move(inputs);
    node.graph = &graph;
    Node* made = model_.add_node(std::move(node));
    Value* value = model_.add_value({.shape = Shape{}}, std::move(output));
    value->producer = made;
    made->outputs = {value};
    graph.nodes.push_back(made);
    return made;
  }

  proto::Model lower(LowerOptions options = {}) { return Lowering(texts_, options).model(model_); }

  Model model_;
  Value* x_;
  proto::Texts texts_;
};

TEST_F(LowerTest, Nodes) {
  Node* node = add(model_.main(), "Clip", {x_, nullptr, constant("high"), nullptr}, "y");
  node->domain = "some.domain";
  model_.main().outputs = {node->outputs[0]};
  const proto::Model messages = lower();
  const proto::Node& made = messages.graph->nodes.at(0);
  EXPECT_EQ(made.op_type, "Clip");
  EXPECT_EQ(made.name, "node of y");
  EXPECT_EQ(made.domain, "some.domain");
  EXPECT_THAT(made.inputs, ElementsAre("x", "", "high"));
  EXPECT_THAT(made.outputs, ElementsAre("y"));
  EXPECT_FALSE(proto::present(made.doc_string));
  EXPECT_THAT(made.metadata, IsEmpty());
}

TEST_F(LowerTest, Attributes) {
  Graph* body = model_.add_graph(&model_.main(), "body");
  body->outputs = {add(*body, "Neg", {x_}, "inner")->outputs[0]};
  Node* node = add(model_.main(), "Any", {}, "y");
  node->attributes = {{"i", std::int64_t{3}},
                      {"f", 0.5F},
                      {"s", std::string("text")},
                      {"t", numbers({1, 2, 3})},
                      {"g", body},
                      {"is", std::vector<std::int64_t>{1, -1}},
                      {"fs", std::vector<float>{}},
                      {"ss", std::vector<std::string>{"a", "b"}},
                      {"gs", std::vector<Graph*>{body}}};
  const proto::Node made = Lowering(texts_).node(*node);
  std::vector<std::int32_t> kinds;
  for (const proto::Attribute& attribute : made.attributes) kinds.push_back(attribute.type.value_or(0));
  EXPECT_THAT(kinds, ElementsAre(2, 1, 3, 4, 5, 7, 6, 8, 10));
  EXPECT_EQ(made.attributes[0].i, 3);
  EXPECT_EQ(made.attributes[1].f, 0.5F);
  EXPECT_EQ(made.attributes[2].s, "text");
  EXPECT_EQ(made.attributes[3].t->elements->byte_size(), 12U);
  EXPECT_EQ(made.attributes[4].g->nodes.at(0).op_type, "Neg");
  EXPECT_THAT(made.attributes[5].ints, ElementsAre(1, -1));
  EXPECT_THAT(made.attributes[7].strings, ElementsAre("a", "b"));
  EXPECT_EQ(made.attributes[8].graphs.at(0).name, "body");
}

TEST_F(LowerTest, ConstantsOfSubgraphsAreInitializersOfTheMainGraph) {
  Value* weight = constant("weight");
  Graph* body = model_.add_graph(&model_.main(), "body");
  body->outputs = {add(*body, "Add", {x_, weight}, "inner")->outputs[0]};
  Node* node = add(model_.main(), "If", {constant("condition")}, "y");
  node->attributes = {{"then_branch", body}};
  model_.main().outputs = {node->outputs[0], weight};
  const proto::Model messages = lower({.initializers_as_inputs = true});
  const proto::Graph& graph = *messages.graph;
  ASSERT_THAT(graph.initializers, SizeIs(2));
  EXPECT_EQ(graph.initializers[0].name, "condition");
  EXPECT_EQ(graph.initializers[1].name, "weight");
  EXPECT_EQ(graph.initializers[1].elements, weight->data);
  EXPECT_THAT(graph.nodes[0].attributes[0].g->initializers, IsEmpty());
  ASSERT_THAT(graph.inputs, SizeIs(3));
  EXPECT_EQ(graph.inputs[2].name, "weight");
}

TEST_F(LowerTest, Types) {
  const auto lowered = [this](Type type) {
    return Lowering(texts_).value_info(*model_.add_value(std::move(type), "v")).type.value();
  };
  using Kind = proto::Type::Kind;
  const proto::Type tensor = lowered(x_->type);
  EXPECT_EQ(tensor.kind, Kind::tensor);
  EXPECT_EQ(tensor.element, proto::kFloat);
  EXPECT_EQ(tensor.shape->dims.at(0).value, 2);
  EXPECT_EQ(tensor.shape->dims.at(1).parameter, "n");
  EXPECT_FALSE(lowered({}).shape);
  EXPECT_TRUE(lowered({.shape = Shape{}}).shape);
  const proto::Type optional = lowered({.kind = Type::Kind::optional_sequence, .dtype = DType::i64});
  EXPECT_EQ(optional.kind, Kind::optional);
  EXPECT_EQ(optional.inner->kind, Kind::sequence);
  EXPECT_EQ(optional.inner->inner->element, proto::kInt64);
  EXPECT_EQ(lowered({.kind = Type::Kind::unknown}).kind, Kind::none);
}

TEST_F(LowerTest, Origins) {
  Node* node = add(model_.main(), "Relu", {x_}, "y");
  node->origin = model_.add_origin({.module_path = "act", .op = "aten::relu", .locate = [] {
                                      return Places{.script = std::nullopt,
                                                    .python = {{.file = "net.py", .line = 7, .function = "f"},
                                                               {.file = "main.py", .line = 1}}};
                                    }});
  const proto::Node made = Lowering(texts_, {.doc_strings = true, .metadata = true}).node(*node);
  EXPECT_EQ(made.doc_string, "aten::relu\nnet.py:7 in f\nmain.py:1");
  std::vector<std::string> entries;
  for (const proto::Entry& entry : made.metadata)
    entries.push_back(std::string(entry.key) + "=" + std::string(entry.value));
  EXPECT_THAT(entries, ElementsAre("operator=aten::relu", "module=act", "python=net.py:7"));
}

TEST_F(LowerTest, AModelThatIsReadAgain) {
  model_.producer_version = "1.2";
  model_.custom_opsets = {{"some.domain", 2}};
  model_.metadata = {{"key", "value"}};
  Node* first = add(model_.main(), "Relu", {x_}, "middle");
  Node* last = add(model_.main(), "Neg", {first->outputs[0]}, "y");
  model_.main().outputs = {last->outputs[0]};
  const std::string bytes = encode(lower({.value_info = true}));
  const proto::Model again = proto::read(std::as_bytes(std::span(bytes)), "again");
  EXPECT_EQ(again.producer_name, "cameo");
  EXPECT_EQ(again.producer_version, "1.2");
  ASSERT_THAT(again.opset_imports, SizeIs(2));
  EXPECT_TRUE(proto::present(again.opset_imports[0].domain));
  EXPECT_EQ(again.opset_imports[0].version, model_.opset);
  EXPECT_EQ(again.metadata.at(0).value, "value");
  ASSERT_THAT(again.graph->value_infos, SizeIs(1));
  EXPECT_EQ(again.graph->value_infos[0].name, "middle");
  EXPECT_EQ(proto::encode(again), bytes);
}

}  // namespace
}  // namespace cameo::onnx
