#include "aten/custom/conversion.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "aten/custom/ops.h"
#include "onnx/downgrade/downgrade.h"

namespace cameo::aten {
namespace {

using ::testing::ElementsAre;

class ConversionTest : public ::testing::Test {
 protected:
  Arg input(Shape shape, DType dtype = DType::f32) {
    return Arg{Tensor(e.graph_input(&model.main(), {.dtype = dtype, .shape = std::move(shape)}))};
  }

  // The results of the converter for a call with these arguments.
  Returns convert(const std::string& schema, std::vector<Arg> args, Converter converter, int opset = 17) {
    registry.add(schema, std::move(converter));
    ops.emplace(&registry, opset,
                [this](std::string message, const std::string&) { warnings.push_back(message); });
    const std::string name = schema.substr(0, schema.find('('));
    const std::optional<Bound> bound = aten::bind(e, ops->find(name), Call{std::move(args), {}});
    return invoke(*bound->op, e, bound->args);
  }
  std::string refusal(std::vector<Arg> args, Converter converter) {
    try {
      convert("my::op(Tensor x) -> Tensor", std::move(args), std::move(converter));
    } catch (const Unsupported& unsupported) {
      return unsupported.what();
    }
    return "none";
  }
  static std::string type(const Returns& results) {
    return to_string(results.at(0).get_if<Tensor>()->value->type);
  }

  onnx::Model model;
  Emit e{model, onnx::downgrade(), {}};
  cameo::Registry registry;
  std::optional<CustomOps> ops;
  std::vector<std::string> warnings;
};

TEST_F(ConversionTest, GivesBoundAndDefaultedArguments) {
  const Dim n = e.sym().symbol("n");
  convert(
      "my::op(Tensor x, int a, float b=1, int[] c=[1, 2], str d='t', bool f=True, Tensor? g=None) -> Tensor",
      {input({n, 2}), Arg{Scalar{n}}}, [](Conversion& c) {
        EXPECT_EQ(c.name(), "my::op");
        EXPECT_EQ(c.opset(), 17);
        EXPECT_EQ(c["x"].tensor().dtype(), ElementType::f32);
        EXPECT_EQ(c["x"].tensor().rank(), 2);
        EXPECT_EQ(c["x"].tensor().shape()->front().text(), "n");
        EXPECT_FALSE(c["x"].tensor().contents());
        EXPECT_EQ(c["a"].size().text(), "n");
        EXPECT_THROW(c["a"].integer(), ConversionError);
        EXPECT_EQ(c["b"].real(), 1.0);
        EXPECT_TRUE(std::holds_alternative<double>(c["b"].value));
        EXPECT_THAT(c["c"].integers(), ElementsAre(1, 2));
        EXPECT_EQ(c["d"].text(), "t");
        EXPECT_TRUE(c["f"].boolean());
        EXPECT_TRUE(c["g"].is_none());
        EXPECT_EQ(c.arguments().size(), 7U);
        return c["x"].tensor();
      });
}

TEST(Argument, TakesElementTypesByTheNumbersOfPyTorch) {
  for (std::int64_t number = 0; number <= torch_number(DType::bf16); ++number) {
    const DTypeInfo& row = info(*dtype_from_number(number));
    const cameo::Argument argument{.name = "dtype", .value = Size(number)};
    EXPECT_EQ(argument.dtype(), is_quantized(row.dtype) ? ElementType::undefined : row.onnx) << row.name;
  }
}

TEST_F(ConversionTest, ComputesWithSizes) {
  const Dim n = e.sym().symbol("n");
  const Returns results = convert("my::op(Tensor x) -> Tensor", {input({n, 7})}, [](Conversion& c) {
    const Sizes x = c["x"].tensor().shape().value();
    EXPECT_EQ((x[0] + x[0] - 1).text(), "2*n - 1");
    EXPECT_EQ((x[1] / 2 * 3).number(), 9);
    EXPECT_EQ((Size(-7) / 2).number(), -4);
    EXPECT_EQ((x[0] * Size::unknown()).text(), "?");
    EXPECT_THROW(x[0] / 0, ConversionError);
    EXPECT_THROW(x[1] / 0, ConversionError);
    const cameo::Tensor y = c.op("d::F", {c["x"].tensor()});
    c.set_type(y, ElementType::i64, Sizes{x[0] / 2, Size::unknown(), 4});
    return y;
  });
  EXPECT_EQ(type(results), "i64[floor(n/2), size, 4]");
  EXPECT_TRUE(warnings.empty());
}

TEST_F(ConversionTest, WarnsOfTypesThatAreNotTold) {
  const Returns results = convert("my::op(Tensor x) -> Tensor", {input({2}, DType::f64)},
                                  [](Conversion& c) { return c.op("d::F", {c["x"].tensor()}); });
  EXPECT_EQ(type(results), "f64[...]");
  EXPECT_THAT(
      warnings,
      ElementsAre("my::op: the type of the result of d::F is not stated; f64 of any shape is assumed"));
}

TEST_F(ConversionTest, TakesTypesFromCameosOwnConversion) {
  const Dim n = e.sym().symbol("n");
  const auto foreign = [](Conversion& c) { return c.op("d::F", {c["self"].tensor()}); };
  const Returns results = convert("aten::argmax(Tensor self, int? dim=None, bool keepdim=False) -> Tensor",
                                  {input({n, 4}), Arg{Scalar{Dim(1)}}, Arg{Scalar{true}}}, foreign);
  EXPECT_EQ(type(results), "i64[n, 1]");
  EXPECT_EQ(type(convert("aten::nonzero(Tensor self) -> Tensor", {input({n, 4})}, foreign)), "i64[size, 2]");
  EXPECT_TRUE(warnings.empty());
  EXPECT_EQ(model.main().nodes.size(), 2U);  // those of the converter
}

TEST_F(ConversionTest, TakesOlderForms) {
  auto shape = [&](const Converter& converter) {
    registry = {};
    return type(convert("my::op(Tensor x) -> Tensor", {input({4, 6})}, converter));
  };
  EXPECT_EQ(shape([](Conversion& c) {
              return c.op("Unsqueeze", {c["x"].tensor()}, {{"axes", std::vector<std::int64_t>{0}}});
            }),
            "f32[1, 4, 6]");
  EXPECT_EQ(shape([](Conversion& c) {
              return c.op("Pad", {c["x"].tensor()},
                          {{"pads", std::vector<std::int64_t>{0, 1, 0, 1}}, {"value", 2}});
            }),
            "f32[4, 8]");
  EXPECT_EQ(shape([](Conversion& c) {
              return c.ops("TopK", {c["x"].tensor()}, {{"k", 3}}, 2).front();
            }),
            "f32[4, 3]");
  EXPECT_EQ(shape([](Conversion& c) {
              return c.op("Clip", {c["x"].tensor()}, {{"min", 0.0}, {"max", 6.0}});
            }),
            "f32[4, 6]");
  EXPECT_EQ(
      shape([](Conversion& c) {
        return c.op("Upsample", {c["x"].tensor(), c.constant<float>({2}, {2, 3})}, {{"mode", "nearest"}});
      }),
      "f32[8, 18]");
  EXPECT_EQ(shape([](Conversion& c) {
              return c.op("Add", {c["x"].tensor(), c.op("onnx::Constant", {}, {{"value_float", 2.0}})});
            }),
            "f32[4, 6]");
}

TEST_F(ConversionTest, RefusesWhatDependsOnTheOpset) {
  onnx::Model old;
  Emit older(old, onnx::downgrade(), {.opset = 11});
  const Schema schema = parse_schema("my::op(Tensor x) -> Tensor");
  const std::vector<Arg> args{
      Arg{Tensor(older.graph_input(&old.main(), {.dtype = DType::f32, .shape = Shape{2, 3, 4}}))}};
  const Warn warn = [](std::string, std::string) {};
  GraphConversion conversion(older, schema, args, warn);
  const cameo::Tensor x = conversion["x"].tensor();
  EXPECT_NO_THROW(conversion.op("Softmax", {x}, {{"axis", 2}}));
  EXPECT_NO_THROW(conversion.op("Softmax", {x}, {{"axis", -1}}));
  EXPECT_THROW(conversion.op("Softmax", {x}, {{"axis", 1}}), ConversionError);
  EXPECT_THROW(conversion.op("Softmax", {x}), ConversionError);
}

TEST_F(ConversionTest, RefusesTensorsOfAnotherCall) {
  cameo::Tensor kept;
  EXPECT_EQ(refusal({input({2})}, [&](Conversion& c) { return kept = c.op("Relu", {c["x"].tensor()}); }),
            "none");
  registry = {};
  EXPECT_EQ(refusal({input({3})}, [&](Conversion& c) { return c.op("Relu", {kept}); }),
            "a tensor of another call was used");
}

TEST_F(ConversionTest, PrefersTheLaterRangeThenTheLaterConverter) {
  std::string called;
  auto says = [&](const char* name) {
    return [&called, name](Conversion& c) {
      called = name;
      return c["x"].tensor();
    };
  };
  const std::string schema = "my::op(Tensor x) -> Tensor";
  registry.add(schema, says("from 13"), {.first = 13});
  registry.add(schema, says("first"));
  registry.add(schema, says("second"));
  for (const auto& [opset, expected] : {std::pair(17, "from 13"), std::pair(11, "second")}) {
    CustomOps custom(&registry, opset, {});
    const std::optional<Bound> bound = aten::bind(e, custom.find("my::op"), Call{{input({2})}, {}});
    invoke(*bound->op, e, bound->args);
    EXPECT_EQ(called, expected);
  }
}

TEST_F(ConversionTest, OverriddenViewsStayViews) {
  registry.add("aten::select(Tensor self, int dim, int index) -> Tensor",
               [](Conversion& c) { return c["self"].tensor(); });
  const CustomOps custom(&registry, 17, {});
  EXPECT_EQ(custom.find("aten::select").front()->schema.returns[0].alias, 'a');
}

}  // namespace
}  // namespace cameo::aten
