#include "cameo/input_spec.h"

#include <gtest/gtest.h>

#include "cameo/diagnostic.h"

namespace cameo {
namespace {

std::vector<Dim> shape(std::string_view text) { return std::get<TensorSpec>(parse_input(text).value).shape; }

struct Fault {
  std::string message;
  std::string marked;  // what the caret stands under
  friend bool operator==(const Fault&, const Fault&) = default;
};
void PrintTo(const Fault& fault, std::ostream* out) {
  *out << fault.message << " at '" << fault.marked << "'";
}

Fault fault(const std::vector<std::string>& texts) {
  try {
    parse_inputs(texts);
  } catch (const Error& error) {
    const Diagnostic& d = error.diagnostics().front();
    EXPECT_EQ(d.code, Code::bad_input_spec);
    return {d.message, d.script->text.substr(static_cast<std::size_t>(d.script->column - 1),
                                             static_cast<std::size_t>(d.script->length))};
  }
  return {};
}

TEST(InputSpec, Sizes) {
  EXPECT_EQ(shape("x=f32[batch, 3,?]"), (std::vector<Dim>{"batch", 3, Dim()}));
  EXPECT_EQ(shape("f32[]"), std::vector<Dim>());
}

TEST(InputSpec, NoneIsADynamicSizeWithoutAName) {
  EXPECT_EQ(shape("f32[None,3,None]"), (std::vector<Dim>{Dim(), 3, Dim()}));
}

TEST(InputSpec, NamesOfTypes) {
  const auto type = [](std::string_view text) { return std::get<TensorSpec>(parse_input(text).value).type; };
  for (const char* text : {"f32[]", "float[]", "fp32[]", "FP32[]", "float32[]", "torch.float32[]",
                           "torch.float[]", "np.float32[]"})
    EXPECT_EQ(type(text), ElementType::f32) << text;
  EXPECT_EQ(type("long[]"), ElementType::i64);
  EXPECT_EQ(type("torch.half[]"), ElementType::f16);
  EXPECT_EQ(type("np.float64[]"), ElementType::f64);
  EXPECT_EQ(fault({"int[2]"}), (Fault{"'int' is not a type", "int"}));
  EXPECT_EQ(fault({"np.float[2]"}), (Fault{"'np.float' is not a type", "np.float"}));
}

TEST(InputSpec, QuantisedTensors) {
  const auto spec = std::get<TensorSpec>(parse_input("x=quint8(0.5, 128)[n,3]").value);
  EXPECT_EQ(spec.type, ElementType::f32);
  EXPECT_EQ(spec.shape, (std::vector<Dim>{"n", 3}));
  EXPECT_EQ(spec.quantization->integer, ElementType::u8);
  EXPECT_EQ(spec.quantization->scale, 0.5);
  EXPECT_EQ(spec.quantization->zero_point, 128);
  const auto integer = [](std::string_view text) {
    return std::get<TensorSpec>(parse_input(text).value).quantization->integer;
  };
  EXPECT_EQ(integer("torch.qint8(1,-128)[]"), ElementType::i8);
  EXPECT_EQ(integer("qi32(2.5e-3,0)[]"), ElementType::i32);
  EXPECT_EQ(fault({"quint8(0,1)[2]"}), (Fault{"the scale must be a positive number", "0"}));
  EXPECT_EQ(fault({"quint8(1,256)[2]"}), (Fault{"the zero point must be an integer of u8", "2"}));
  EXPECT_EQ(fault({"qint8(1,0.5)[2]"}), (Fault{"the zero point must be an integer of i8", "0"}));
  EXPECT_EQ(fault({"quint8[2]"}), (Fault{"expected '('", "["}));
}

TEST(InputSpec, Ranges) {
  const std::vector<Dim> expected = {{"a", {.least = 2}},
                                     {"b", {.most = 512}},
                                     {"c", {.least = 2}},
                                     {"d", {.most = 64}},
                                     {"e", {.least = 32, .most = 1024, .step = 32}},
                                     {"f", {.step = 8}},
                                     {"g", {.least = 0}},
                                     {"", {.least = 1, .most = 2}}};
  EXPECT_EQ(shape("x=f32[a>=2, b <= 512, c=2.., d=..64, e=32..1024 step 32, f step 8, g >= 0, ?=1..2]"),
            expected);
}

TEST(InputSpec, Formulas) {
  EXPECT_EQ(shape("f32[2*batch, n+1 , max(1, n), 2*3, (n)]"),
            (std::vector<Dim>{"2*batch", "n+1", "max(1, n)", 6, "n"}));
}

TEST(InputSpec, OneRangeForOneName) {
  EXPECT_EQ(parse_inputs({"x=f32[n>=2, n]", "y=f32[n, 2*n, n>=2]"}).size(), 2U);
  EXPECT_EQ(fault({"x=f32[n>=2]", "y=f32[n<=7]"}), (Fault{"'n' has two ranges: 2.. and 0..7", "<=7"}));
  EXPECT_EQ(fault({"(f32[n=2..8], f32[n=2..8 step 2])"}),
            (Fault{"'n' has two ranges: 2..8 and 2..8 step 2", "=2..8 step 2"}));
}

TEST(InputSpec, Faults) {
  EXPECT_EQ(fault({"f32[n=5..3]"}), (Fault{"the range is empty: 3 is less than 5", "=5..3"}));
  EXPECT_EQ(fault({"f32[n step 0]"}), (Fault{"the step of a range is at least 1", "step 0"}));
  EXPECT_EQ(fault({"f32[n=3]"}), (Fault{"expected a range: 2..8, 2.. or ..8", "]"}));
  EXPECT_EQ(fault({"f32[n>=x]"}), (Fault{"expected a number", "x"}));
  EXPECT_EQ(fault({"f32[n>=-1]"}), (Fault{"expected a number", "-"}));
  EXPECT_EQ(fault({"f32[n<=99999999999999999999]"}),
            (Fault{"this number is too large", "99999999999999999999"}));
  EXPECT_EQ(fault({"f32[2*n>=3]"}),
            (Fault{"a range belongs to a name; a number or a formula has none", "2*n"}));
  EXPECT_EQ(fault({"f32[2 - 3]"}), (Fault{"a size is not negative", "2 - 3"}));
  EXPECT_EQ(fault({"f32[3x]"}), (Fault{"this is neither a size nor a name", "3x"}));
  EXPECT_EQ(fault({"f32[n+]"}), (Fault{"expected a size, a name or a formula", "]"}));
  EXPECT_EQ(fault({"f32[n 3]"}), (Fault{"expected ']'", "3"}));
}

}  // namespace
}  // namespace cameo
