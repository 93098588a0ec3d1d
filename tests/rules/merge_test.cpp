#include "sketch.h"

namespace cameo::rules::testing {
namespace {

TEST(MergePad, IntoAConvolution) {
  Sketch s;
  Value* padded = s.node("Pad", {s.input({1, 2, 4, 4}), s.ints({0, 0, 1, 2, 0, 0, 3, 0})});
  s.output(s.node("Conv", {padded, s.reals({3, 2, 3, 3})}, {{"pads", Ints{1, 0, 0, 1}}}));
  EXPECT_EQ(s.simplified(), (Applied{{"merge-pad", 1}}));
  EXPECT_EQ(s.operators(), Operators{"Conv"});
  EXPECT_EQ(*s.model.main().nodes[0]->attribute_if<Ints>("pads"), (Ints{2, 2, 3, 1}));
}

TEST(MergePad, AsAnAttributeOfOldOpsets) {
  Sketch s(9);
  Value* padded = s.node("Pad", {s.input({1, 2, 4}), s.ints({0, 0, 1, 0, 0, 2})});
  padded->producer->inputs.resize(1);
  padded->producer->attributes = {{"pads", Ints{0, 0, 1, 0, 0, 2}}};
  s.output(s.node("Conv", {padded, s.reals({3, 2, 3})}));
  EXPECT_EQ(s.simplified(), (Applied{{"merge-pad", 1}}));
}

TEST(MergePad, AlongNamedAxes) {
  Sketch s(18);
  Value* padded = s.node("Pad", {s.input({1, 2, 4, 4}), s.ints({1, 2}), nullptr, s.ints({-1})});
  s.output(s.node("Conv", {padded, s.reals({3, 2, 3, 3})}));
  EXPECT_EQ(s.simplified(), (Applied{{"merge-pad", 1}}));
}

TEST(MergePad, IntoAnAverageThatCountsIt) {
  for (std::int64_t counts : {0, 1}) {
    Sketch s;
    Value* padded = s.node("Pad", {s.input({1, 2, 4, 4}), s.ints({0, 0, 1, 1, 0, 0, 1, 1})});
    s.output(s.node("AveragePool", {padded}, {{"kernel_shape", Ints{3, 3}}, {"count_include_pad", counts}}));
    EXPECT_EQ(s.simplified(), (Applied{{"merge-pad", 1}}));
    EXPECT_EQ(s.operators(), Operators{"AveragePool"});
  }
}

TEST(MergePad, NotWhereItWouldChangeTheNumbers) {
  struct Case {
    Ints pads;
    double value;
    const char* mode;
    std::string op;
    Attributes attributes;
  };
  const Attributes window = {{"kernel_shape", Ints{3, 3}}};
  const Attributes own = {{"kernel_shape", Ints{3, 3}}, {"pads", Ints{1, 1, 1, 1}}};
  const Attributes rounded = {{"kernel_shape", Ints{3, 3}}, {"ceil_mode", std::int64_t{1}}};
  const Attributes automatic = {{"auto_pad", std::string("SAME_UPPER")}};
  const Ints around = {0, 0, 1, 1, 0, 0, 1, 1};
  for (const Case& each : {
           Case{around, 1, "constant", "Conv", {}},
           Case{around, 0, "edge", "Conv", {}},
           Case{{0, 0, -1, 0, 0, 0, 0, 0}, 0, "constant", "Conv", {}},
           Case{around, 0, "constant", "Conv", automatic},
           Case{around, 0, "constant", "MaxPool", window},
           Case{around, 0, "constant", "AveragePool", own},
           Case{around, 0, "constant", "AveragePool", rounded},
           Case{{0, 0, 3, 0, 0, 0, 0, 0}, 0, "constant", "AveragePool", window},
       }) {
    Sketch s;
    const std::vector<float> filling{static_cast<float>(each.value)};
    Value* value = s.constant(onnx::Data::of<float>(DType::f32, {}, std::span<const float>(filling)));
    Value* padded =
        s.node("Pad", {s.input({1, 2, 5, 5}), s.ints(each.pads), value}, {{"mode", std::string(each.mode)}});
    std::vector<Value*> inputs{padded};
    if (each.op == "Conv") inputs.push_back(s.reals({3, 2, 3, 3}));
    s.output(s.node(each.op, inputs, each.attributes));
    EXPECT_EQ(s.simplified(), Applied{}) << each.op << " " << each.mode;
  }
}

TEST(MergePad, NotOfChannelsAndNotWhereItIsReadElsewhere) {
  Sketch channels;
  Value* padded =
      channels.node("Pad", {channels.input({1, 2, 4, 4}), channels.ints({0, 1, 0, 0, 0, 0, 0, 0})});
  channels.output(channels.node("Conv", {padded, channels.reals({3, 3, 3, 3})}));
  EXPECT_EQ(channels.simplified(), Applied{});
  Sketch shared;
  padded = shared.node("Pad", {shared.input({1, 2, 4, 4}), shared.ints({0, 0, 1, 1, 0, 0, 1, 1})});
  shared.output(shared.node("Conv", {padded, shared.reals({3, 2, 3, 3})}));
  shared.output(padded, "z");
  EXPECT_EQ(shared.simplified(), Applied{});
}

TEST(MergeTransposes, IntoOne) {
  Sketch s;
  Value* first = s.node("Transpose", {s.input({2, 3, 4})}, {{"perm", Ints{1, 2, 0}}});
  s.output(s.node("Transpose", {first}));
  EXPECT_EQ(s.simplified(), (Applied{{"merge-transposes", 1}}));
  EXPECT_EQ(*s.model.main().nodes.at(0)->attribute_if<Ints>("perm"), (Ints{0, 2, 1}));
}

TEST(MergeTransposes, IntoNone) {
  Sketch s;
  Value* x = s.node("Relu", {s.input({2, 3, 4})});
  Value* there = s.node("Transpose", {x}, {{"perm", Ints{1, 2, 0}}});
  Value* back = s.node("Transpose", {there}, {{"perm", Ints{2, 0, 1}}});
  s.output(s.node("Neg", {back}));
  EXPECT_EQ(s.simplified(), (Applied{{"remove-transpose", 1}, {"merge-transposes", 1}}));
  EXPECT_EQ(s.operators(), (Operators{"Relu", "Neg"}));
}

TEST(MergeTransposes, TheFirstStaysForOthers) {
  Sketch s;
  Value* first = s.node("Transpose", {s.input({2, 3, 4})}, {{"perm", Ints{1, 2, 0}}});
  s.output(s.node("Transpose", {first}, {{"perm", Ints{0, 2, 1}}}));
  s.output(first, "z");
  EXPECT_EQ(s.simplified(), (Applied{{"merge-transposes", 1}}));
  EXPECT_EQ(s.operators(), (Operators{"Transpose", "Transpose"}));
}

TEST(MergeReshapes, TheFirstGoes) {
  for (const char* op : {"Reshape", "Flatten", "Unsqueeze"}) {
    Sketch s;
    std::vector<Value*> inputs{s.input({2, 3, 4})};
    if (op != std::string("Flatten"))
      inputs.push_back(op == std::string("Reshape") ? s.ints({6, 4}) : s.ints({1}));
    Value* first = s.node(op, inputs);
    s.output(s.node("Reshape", {first, s.ints({4, -1})}));
    EXPECT_EQ(s.simplified(), (Applied{{"merge-reshapes", 1}}));
    EXPECT_EQ(s.operators(), Operators{"Reshape"});
  }
}

TEST(MergeReshapes, ASizeTakenOverIsSaid) {
  Sketch s;
  Value* first = s.node("Reshape", {s.input({2, 3, 4}), s.ints({2, 4, 3})});
  s.output(s.node("Reshape", {first, s.ints({0, 0, 3, 1})}));
  EXPECT_EQ(s.simplified(), (Applied{{"merge-reshapes", 1}}));
}

TEST(MergeReshapes, NotWhereASizeTakenOverIsNotKnown) {
  Sketch s;
  Value* x = s.input({2, 3, 4});
  const onnx::Dim n = s.model.symbols().symbol("n"), m = s.model.symbols().symbol("m");
  Value* first = s.node("Reshape", {x, s.ints({4, 2, 3})});
  first->type.shape = onnx::Shape{n, m, 3};
  s.output(s.node("Reshape", {first, s.ints({0, -1})}));
  EXPECT_EQ(s.simplified(), Applied{});
}

TEST(MergeCasts, TheFirstGoesIfItLosesNothing) {
  const std::vector<std::array<DType, 3>> merged = {{DType::f32, DType::f64, DType::f16},
                                                    {DType::i8, DType::i32, DType::u8},
                                                    {DType::i32, DType::f64, DType::f32},
                                                    {DType::f32, DType::f64, DType::boolean}};
  for (const auto& [from, between, to] : merged) {
    Sketch s;
    s.output(s.cast(s.cast(s.cast(s.input({2, 3}, from), between), to), DType::f32));
    simplify(s.model, {.stop_after = 1});
    EXPECT_EQ(s.model.main().nodes.size(), 2u) << name(from) << " " << name(between) << " " << name(to);
  }
  Sketch s;
  s.output(s.cast(s.cast(s.input({2, 3}, DType::i32), DType::f64), DType::f32));
  EXPECT_EQ(s.simplified(), (Applied{{"merge-casts", 1}}));
}

TEST(MergeCasts, ThereAndBackIsNothing) {
  Sketch s;
  Value* x = s.node("Neg", {s.input({2, 3})});
  s.output(s.node("Abs", {s.cast(s.cast(x, DType::f64), DType::f32)}));
  EXPECT_EQ(s.simplified(), (Applied{{"remove-cast", 1}, {"merge-casts", 1}}));
  EXPECT_EQ(s.operators(), (Operators{"Neg", "Abs"}));
}

TEST(MergeCasts, NotIfItLosesSomething) {
  const std::vector<std::array<DType, 3>> kept = {
      {DType::f32, DType::f16, DType::f64}, {DType::f32, DType::i32, DType::f32},
      {DType::i64, DType::f64, DType::f32}, {DType::i32, DType::f32, DType::i32},
      {DType::i8, DType::u8, DType::i32},   {DType::i8, DType::f32, DType::u8},
      {DType::f32, DType::f64, DType::i32}, {DType::f32, DType::boolean, DType::f32}};
  for (const auto& [from, between, to] : kept) {
    Sketch s;
    s.output(s.cast(s.cast(s.input({2, 3}, from), between), to));
    EXPECT_EQ(simplify(s.model), Applied{}) << name(from) << " " << name(between) << " " << name(to);
  }
}

}  // namespace
}  // namespace cameo::rules::testing
