#include "onnx/emit/emit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "onnx/downgrade/downgrade.h"
#include "onnx/graph/finish.h"

namespace cameo::onnx {
namespace {

using ::testing::ElementsAre;

class EmitTest : public ::testing::Test {
 protected:
  EmitTest() : e(model, downgrade(), {}) {}

  Value* input(Shape shape, DType dtype = DType::f32) {
    return e.graph_input(&model.main(), {.dtype = dtype, .shape = std::move(shape)});
  }
  Dim symbol(std::string_view name) { return e.sym().symbol(name); }
  std::string type(const Value* value) { return to_string(value->type); }
  std::vector<std::string> ops() {
    std::vector<std::string> names;
    for (const Node* node : model.main().nodes) names.push_back(node->op);
    return names;
  }
  std::vector<std::int64_t> integers(const Value* value) {
    std::vector<std::int64_t> result;
    for (std::int64_t i = 0; i < value->data->numel(); ++i) result.push_back(value->data->integer(i));
    return result;
  }
  // The second input of the last node.
  std::vector<std::int64_t> target() { return integers(model.main().nodes.back()->inputs[1]); }

  Model model;
  Emit e;
};

TEST_F(EmitTest, InfersAndReusesEqualNodes) {
  Value* x = input({symbol("batch"), 3});
  Value* y = e.op("Relu", {x});
  EXPECT_EQ(type(y), "f32[batch, 3]");
  EXPECT_EQ(e.op("Relu", {x}), y);
  EXPECT_NE(e.op("LeakyRelu", {x}, {{"alpha", 0.1f}}), e.op("LeakyRelu", {x}, {{"alpha", 0.2f}}));
  EXPECT_EQ(model.main().nodes.size(), 3u);
}

TEST_F(EmitTest, DoesNotReuseRandomNodes) {
  Attributes shape{{"shape", std::vector<std::int64_t>{2}}};
  EXPECT_NE(e.op("RandomNormal", {}, shape), e.op("RandomNormal", {}, shape));
}

TEST_F(EmitTest, ReusesWhatIsVisibleOnly) {
  Value* x = input({4});
  Value* outer = e.op("Relu", {x});
  Graph* branch = e.new_graph("then");
  Value* inner = nullptr;
  {
    Emit::Scope scope(e, branch);
    EXPECT_EQ(e.op("Relu", {x}), outer);
    inner = e.op("Exp", {x});
    EXPECT_EQ(inner->producer->graph, branch);
  }
  EXPECT_FALSE(e.visible(inner));
  EXPECT_NE(e.op("Exp", {x}), inner);
}

TEST_F(EmitTest, SizesMeltInsteadOfBecomingNodes) {
  const Dim batch = symbol("batch"), h = symbol("h");
  Value* x = input({batch, 3, h});
  Value* size = e.op("Gather", {e.op("Shape", {x}), e.scalar(DType::i64, std::int64_t{2})},
                     {{"axis", std::int64_t{0}}});
  Value* doubled = e.op("Mul", {size, e.scalar(DType::i64, std::int64_t{2})});
  Value* list =
      e.op("Concat", {e.op("Unsqueeze", {doubled, e.ints({0})}), e.ints({5})}, {{"axis", std::int64_t{0}}});
  EXPECT_TRUE(model.main().nodes.empty());
  ASSERT_TRUE(list->symbolic());
  EXPECT_EQ((*list->elements)[0], h * 2);
  EXPECT_EQ((*list->elements)[1], Dim(5));
  Value* rank = e.op("Size", {e.shape_of(x)});
  EXPECT_THAT(integers(rank), ElementsAre(3));
}

TEST_F(EmitTest, StaticShapesAreConstants) {
  Value* shape = e.shape_of(input({2, 3, 4}));
  EXPECT_THAT(integers(shape), ElementsAre(2, 3, 4));
  EXPECT_TRUE(model.main().nodes.empty());
}

TEST_F(EmitTest, ReshapeKeepsEqualSizesByZero) {
  const Dim batch = symbol("batch"), h = symbol("h");
  Value* y = e.reshape(input({batch, 4, h}), {batch, 2, 2, h});
  EXPECT_EQ(type(y), "f32[batch, 2, 2, h]");
  EXPECT_THAT(target(), ElementsAre(0, 2, 2, -1));
  EXPECT_THAT(ops(), ElementsAre("Reshape"));
}

TEST_F(EmitTest, ReshapeComputesOnlyWhatCannotBeSaid) {
  const Dim a = symbol("a"), b = symbol("b"), c = symbol("c");
  Value* y = e.reshape(input({a, b, c}), {c, b, a});
  EXPECT_EQ(type(y), "f32[c, b, a]");
  EXPECT_THAT(ops(), ElementsAre("Shape", "Concat", "Reshape"));
}

TEST_F(EmitTest, ReshapeDoesNotInferASizeBesideAnEmptyOne) {
  const Dim n = e.fresh_dim("n"), h = symbol("h");
  e.reshape(input({n, h, 2}), {n, h * 2});
  EXPECT_THAT(ops(), ElementsAre("Shape", "Mul", "Concat", "Reshape"));
}

TEST_F(EmitTest, ReshapeToTheSameShapeIsNothing) {
  const Dim batch = symbol("batch");
  Value* x = input({batch, 6});
  EXPECT_EQ(e.reshape(x, {batch, 6}), x);
  Value* y = e.reshape(x, {batch, 2, 3});
  EXPECT_EQ(e.reshape(y, {batch, 6}), x);
  e.reshape(y, {batch, 3, 2});
  EXPECT_EQ(model.main().nodes.back()->inputs[0], x);
}

TEST_F(EmitTest, ExpandKeepsSizesByOne) {
  const Dim batch = symbol("batch");
  Value* x = input({batch, 1, 3});
  EXPECT_EQ(e.expand(x, {batch, 1, 3}), x);
  Value* y = e.expand(x, {batch, 5, 3});
  EXPECT_EQ(type(y), "f32[batch, 5, 3]");
  EXPECT_THAT(target(), ElementsAre(1, 5, 1));
}

TEST_F(EmitTest, LayoutThatDoesNothingIsTheOperand) {
  Value* x = input({2, symbol("w")});
  EXPECT_EQ(e.transpose(x, {0, 1}), x);
  EXPECT_EQ(e.transpose(e.transpose(x, {1, 0}), {1, 0}), x);
  EXPECT_EQ(e.squeeze(e.unsqueeze(x, {1}), {1}), x);
  EXPECT_EQ(e.cast(x, DType::f32), x);
  EXPECT_EQ(e.slice(x, 1, 0, (*x->type.shape)[1]), x);
  EXPECT_EQ(e.slice(x, 0, 0, 7), x);
  EXPECT_EQ(e.concat({x}, 0), x);
}

TEST_F(EmitTest, SliceLengthsAreFormulas) {
  const Dim w = symbol("w");
  Value* x = input({w});
  EXPECT_EQ(type(e.slice(x, 0, 1, w)), "f32[w - 1]");
  EXPECT_EQ(type(e.slice(x, 0, 0, w, 2)), to_string(Type{.shape = Shape{sym::ceildiv(w, 2)}}));
  EXPECT_EQ(type(e.slice(input({10}), 0, -3, 100)), "f32[3]");
}

TEST_F(EmitTest, BroadcastIsSound) {
  const Dim a = symbol("a"), b = symbol("b");
  EXPECT_EQ(type(e.op("Add", {input({a, 1}), input({3})})), "f32[a, 3]");
  EXPECT_EQ(type(e.op("Add", {input({a}), input({4})})), "f32[4]");
  EXPECT_EQ(*e.op("Add", {input({a}), input({b})})->type.shape, Shape{sym::max(a, b)});
  EXPECT_THROW(e.op("Add", {input({2}), input({3})}), Error);
}

TEST_F(EmitTest, FoldsKnownNumbers) {
  Value* sum = e.op("Add", {e.scalar(DType::f32, 0.1), e.scalar(DType::f32, 0.2)});
  ASSERT_TRUE(sum->constant());
  EXPECT_EQ(sum->data->real(0), static_cast<double>(0.1f + 0.2f));
  Value* wrapped =
      e.op("Add", {e.scalar(DType::u8, std::int64_t{250}), e.scalar(DType::u8, std::int64_t{10})});
  EXPECT_EQ(wrapped->data->integer(0), 4);
}

TEST_F(EmitTest, FoldsOnlyIfAskedTo) {
  Model other;
  Emit plain(other, downgrade(), {.opset = 17, .fold = false});
  Value* sum = plain.op("Add", {plain.scalar(DType::f32, 1.0), plain.scalar(DType::f32, 2.0)});
  EXPECT_FALSE(sum->constant());
}

TEST_F(EmitTest, NumbersOfTensorsAreSymbols) {
  Value* count = e.op("ReduceSum", {input({3}, DType::i64)}, {{"keepdims", std::int64_t{0}}});
  const Dim n = e.number(count);
  EXPECT_EQ(e.number(count), n);
  Value* y = e.op("Expand", {e.scalar(DType::f32, 1.0), e.dims({n + 1})});
  EXPECT_EQ(*y->type.shape, Shape{n + 1});
  EXPECT_THAT(ops(), ElementsAre("ReduceSum", "Reshape", "Add", "Expand"));
}

TEST_F(EmitTest, LayoutOfWeightsTouchesNoBytes) {
  auto storage = std::make_shared<archive::Storage>();
  auto weight = std::make_shared<archive::Tensor>();
  weight->shape = {4, 6};
  weight->strides = {6, 1};
  weight->storage = storage;
  Value* w = e.constant(std::make_shared<Data>(archive::TensorPtr(weight)), "fc.weight");
  Value* turned = e.transpose(w, {1, 0});
  ASSERT_TRUE(turned->constant());
  EXPECT_EQ(turned->name, "fc.weight");
  EXPECT_THAT(turned->data->tensor()->strides, ElementsAre(1, 6));
  Value* part = e.slice(turned, 0, 2, 5);
  EXPECT_EQ(part->data->tensor()->offset, 2);
  EXPECT_THAT(part->data->shape(), ElementsAre(3, 4));
  EXPECT_THAT(e.reshape(w, {2, 2, 3, 2})->data->tensor()->strides, ElementsAre(12, 6, 2, 1));
  EXPECT_THAT(e.expand(e.unsqueeze(w, {0}), {5, 4, 6})->data->tensor()->strides, ElementsAre(0, 6, 1));
  EXPECT_EQ(e.transpose(turned, {1, 0}), w);
  EXPECT_FALSE(e.expand(e.unsqueeze(w, {0}), {100'000, 4, 6})->constant());
}

TEST_F(EmitTest, NamesAndPrunes) {
  const Origin* origin = model.add_origin({.module_path = "layer1.0", .op = "aten::relu", .locate = {}});
  e.set_origin(origin);
  Value* x = input({2});
  x->name = "x";
  e.op("Exp", {x});
  Value* y = e.op("Relu", {e.op("Neg", {x})});
  Value* z = e.op("Relu", {y});
  e.graph_output(&model.main(), z, "z");
  finish(model);
  verify(model);
  EXPECT_THAT(ops(), ElementsAre("Neg", "Relu", "Relu"));
  EXPECT_EQ(model.main().nodes[1]->name, "/layer1/0/Relu");
  EXPECT_EQ(model.main().nodes[2]->name, "/layer1/0/Relu_1");
  EXPECT_EQ(y->name, "/layer1/0/Relu_output_0");
  EXPECT_EQ(z->name, "z");
}

TEST_F(EmitTest, OutputsThatAreNotMadeHereGetTheirOwnNode) {
  Value* x = input({2});
  Value* twice = e.op("Relu", {x});
  EXPECT_NE(e.graph_output(&model.main(), x), x);
  EXPECT_EQ(e.graph_output(&model.main(), twice), twice);
  EXPECT_NE(e.graph_output(&model.main(), twice), twice);
}

TEST_F(EmitTest, SaysWhichOpsetIsNeeded) {
  try {
    e.op("CumProd", {input({2}), e.scalar(DType::i64, std::int64_t{0})});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.diagnostics()[0].code, Code::needs_opset);
    EXPECT_STREQ(error.what(),
                 "CumProd needs opset 26 or newer, because no older operator does what it does");
  }
}

TEST_F(EmitTest, RegionsWereNotShiftedOnce) {
  Model other;
  Emit old(other, downgrade(), {.opset = 15});
  const auto given = [&](Shape shape, DType dtype) {
    return old.graph_input(&other.main(), {.dtype = dtype, .shape = std::move(shape)});
  };
  const std::vector<Value*> inputs{given({1, 1, 4, 4}, DType::f32), given({1, 4}, DType::f32),
                                   given({1}, DType::i64)};
  old.op("RoiAlign", inputs, {{"coordinate_transformation_mode", std::string("output_half_pixel")}});
  EXPECT_TRUE(other.main().nodes.back()->attributes.empty());
  EXPECT_THROW(old.op("RoiAlign", inputs), Error);
}

TEST_F(EmitTest, OlderWordsForNewerForms) {
  Value* x = input({2, 3});
  e.op("ReduceMean", {x, e.ints({1})}, {{"keepdims", std::int64_t{0}}});
  const Node* node = model.main().nodes.back();
  EXPECT_EQ(node->inputs.size(), 1u);
  EXPECT_THAT(*node->attribute_if<std::vector<std::int64_t>>("axes"), ElementsAre(1));
  e.op("Gelu", {x});
  EXPECT_THAT(ops(), ElementsAre("ReduceMean", "Div", "Erf", "Add", "Mul", "Mul"));
}

TEST_F(EmitTest, SizesOfASubgraphAreUnknownOutside) {
  Value* x = input({4});
  Graph* yes = e.new_graph("then");
  {
    Emit::Scope scope(e, yes);
    e.graph_output(yes, e.op("NonZero", {x}));
  }
  Graph* no = e.new_graph("else");
  {
    Emit::Scope scope(e, no);
    e.graph_output(no, e.op("NonZero", {e.op("Neg", {x})}));
  }
  Value* result = e.op("If", {e.graph_input(&model.main(), {.dtype = DType::boolean, .shape = Shape{}})},
                       {{"then_branch", yes}, {"else_branch", no}});
  ASSERT_TRUE(result->has_rank());
  EXPECT_EQ((*result->type.shape)[0], Dim(1));
  EXPECT_TRUE(e.visible((*result->type.shape)[1]));
  EXPECT_NE((*result->type.shape)[1], (*yes->outputs[0]->type.shape)[1]);
}

}  // namespace
}  // namespace cameo::onnx
