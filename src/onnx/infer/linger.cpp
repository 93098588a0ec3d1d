// Inference for the operators of linger: those of version 3, and of version 1 with the domain thinker. Convolutions,
// products and pooling are in the files of their families.

#include "onnx/infer/linger.h"

#include "onnx/infer/families.h"

namespace cameo::onnx {
namespace {

DType integers(std::int64_t bits) {
  return bits <= 8 ? DType::i8 : bits <= 16 ? DType::i16 : bits <= 32 ? DType::i32 : DType::i64;
}

bool is_integer(DType dtype) {
  return dtype == DType::i8 || dtype == DType::i16 || dtype == DType::i32 || dtype == DType::i64;
}

// Whether the weights are quantised already decides the type, and only the model's own declaration tells.
void quant(Inference& f) { f.set(DType::undefined, f.shape(0)); }
void dequant(Inference& f) { f.set(DType::f32, f.shape(0)); }
void like_operand(Inference& f) { f.set(linger_result(f), f.shape(0)); }

void linear(Inference& f) {
  const auto& x = f.shape(0);
  const auto& w = f.shape(1);
  if (!x || !w || x->empty() || w->size() != 2) return f.set(linger_result(f), std::nullopt);
  Shape shape = *x;
  shape.back() = (*w)[0];
  f.set(linger_result(f), shape);
}

void elementwise(Inference& f) { f.set(linger_result(f), f.broadcast(f.shape(0), f.shape(1))); }

void linger_concat(Inference& f) {
  std::optional<Shape> shape = f.shape(0);
  if (!shape) return f.set(linger_result(f), std::nullopt);
  const std::size_t axis = f.axis(f.integer(f.has_attribute("axis") ? "axis" : "dim", 0), shape->size());
  for (std::size_t i = 1; i < f.inputs(); ++i) {
    const auto& more = f.shape(i);
    if (!more) return f.set(linger_result(f), std::nullopt);
    if (more->size() != shape->size()) f.fail("the inputs have different numbers of axes");
    (*shape)[axis] = (*shape)[axis] + (*more)[axis];
  }
  f.set(linger_result(f), shape);
}

void gate(Inference& f) {
  std::optional<Shape> shape = f.shape(0);
  if (shape) {
    const std::size_t axis = f.axis(f.integer("dim", -1), shape->size());
    (*shape)[axis] = sym::floordiv((*shape)[axis], 2);
  }
  f.set(linger_result(f), shape);
}

void embed(Inference& f) {
  const auto& weight = f.shape(0);
  const auto& indices = f.shape(1);
  const bool quantized = is_integer(f.dtype(0));
  const DType dtype = quantized ? integers(f.integer("w_bits", f.integer("o_bits", 8))) : f.dtype(0);
  if (!weight || !indices || weight->size() != 2) return f.set(dtype, std::nullopt);
  Shape shape = *indices;
  shape.push_back((*weight)[1]);
  f.set(dtype, shape);
}

constexpr InferRow kLinger[] = {
    {"linger::Quant", quant},
    {"linger::Dequant", dequant},
    {"linger::QLinear", linear},
    {"linger::QBatchNorm1d", like_operand},
    {"linger::QBatchNorm2d", like_operand},
    {"linger::QLayerNorm", like_operand},
    {"linger::QGLU", gate},
    {"linger::QAdd", elementwise},
    {"linger::QMul", elementwise},
    {"linger::QCat", linger_concat},
    {"linger::QSigmoid", like_operand},
    {"linger::QTanh", like_operand},
    {"linger::QGelu", like_operand},
    {"linger::QSwish", like_operand},
    {"linger::QSoftmax", like_operand},
    {"linger::Gather", embed},
    {"linger::QEmbedding", embed},
    {"thinker::Quant", quant},
    {"thinker::Dequant", dequant},
    {"thinker::Requant", like_operand},
    {"thinker::LinearInt", linear},
    {"thinker::BatchNorm2dInt", like_operand},
    {"thinker::LayerNormInt", like_operand},
    {"thinker::Gather", embed},
    {"thinker::iqAdd", elementwise},
    {"thinker::iqMul", elementwise},
    {"thinker::iqDiv", elementwise},
    {"thinker::iqCat", linger_concat},
    {"thinker::iqSigmoid", like_operand},
    {"thinker::iqTanh", like_operand},
    {"thinker::iqClamp", like_operand},
    {"thinker::SoftmaxInt", like_operand},
    {"thinker::LogSoftmaxInt", like_operand},
    {"thinker::ShuffleChannel", like_first},
    {"thinker::ScopedEnter", like_first},
    {"thinker::ScopedLeave", like_first},
};

}  // namespace

DType linger_result(const Inference& f) {
  return is_integer(f.dtype(0)) ? integers(f.integer("o_bits", 8)) : f.dtype(0);
}

std::span<const InferRow> linger_inference() { return kLinger; }

}  // namespace cameo::onnx
