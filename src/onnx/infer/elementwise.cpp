#include "onnx/infer/families.h"

namespace cameo::onnx {
namespace {

void same_type(Inference& f) { f.set_type(0, f.input(0).type); }

void same_elements(Inference& f) {
  same_type(f);
  f.set_elements(f.elements(0));
}

void predicate(Inference& f) { f.set(DType::boolean, f.shape(0)); }

void negated(Inference& f) {
  same_type(f);
  Elements elements = f.elements(0);
  if (!elements) return;
  for (Dim& element : *elements) element = -element;
  f.set_elements(std::move(elements));
}

void absolute(Inference& f) {
  same_type(f);
  Elements elements = f.elements(0);
  if (!elements) return;
  for (Dim& element : *elements) element = sym::abs(element);
  f.set_elements(std::move(elements));
}

void inverted(Inference& f) {
  predicate(f);
  Elements elements = f.elements(0);
  if (!elements) return;
  for (Dim& element : *elements) element = 1 - element;
  f.set_elements(std::move(elements));
}

// Formulas pass a cast from one integer type to another that can hold every size.
void cast_to(Inference& f, DType to) {
  f.set(to, f.shape(0));
  if (to == DType::i64 || to == DType::i32) f.set_elements(f.elements(0));
}

void cast(Inference& f) { cast_to(f, f.dtype_attribute("to", DType::f32)); }
void cast_like(Inference& f) { cast_to(f, f.dtype(1)); }

void dropout(Inference& f) {
  same_type(f);
  f.set(1, DType::boolean, f.shape(0));
}

constexpr InferRow kElementwise[] = {
    {"Abs", absolute},
    {"Acos", same_type},
    {"Acosh", same_type},
    {"Asin", same_type},
    {"Asinh", same_type},
    {"Atan", same_type},
    {"Atanh", same_type},
    {"BitwiseNot", same_type},
    {"Cast", cast},
    {"CastLike", cast_like},
    {"Ceil", same_type},
    {"Celu", same_type},
    {"Clip", same_type},
    {"Cos", same_type},
    {"Cosh", same_type},
    {"CumProd", same_type},
    {"CumSum", same_type},
    {"Dropout", dropout},
    {"Elu", same_type},
    {"Erf", same_type},
    {"Exp", same_type},
    {"Floor", same_type},
    {"Gelu", same_type},
    {"HardSigmoid", same_type},
    {"HardSwish", same_type},
    {"Hardmax", same_type},
    {"Identity", same_elements},
    {"IsInf", predicate},
    {"IsNaN", predicate},
    {"LeakyRelu", same_type},
    {"Log", same_type},
    {"LogSoftmax", same_type},
    {"LpNormalization", same_type},
    {"Mish", same_type},
    {"Neg", negated},
    {"Not", inverted},
    {"Reciprocal", same_type},
    {"Relu", same_type},
    {"Round", same_type},
    {"Selu", same_type},
    {"Shrink", same_type},
    {"Sigmoid", same_type},
    {"Sign", same_type},
    {"Sin", same_type},
    {"Sinh", same_type},
    {"Softmax", same_type},
    {"Softplus", same_type},
    {"Softsign", same_type},
    {"Sqrt", same_type},
    {"Swish", same_type},
    {"Tan", same_type},
    {"Tanh", same_type},
    {"ThresholdedRelu", same_type},
    {"Trilu", same_type},
};

}  // namespace

std::span<const InferRow> elementwise_inference() { return kElementwise; }

}  // namespace cameo::onnx
