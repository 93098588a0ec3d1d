#pragma once
// The tables of inference functions, one per family of operators.

#include <span>

#include "onnx/infer/infer.h"

namespace cameo::onnx {

std::span<const InferRow> elementwise_inference();
std::span<const InferRow> arithmetic_inference();
std::span<const InferRow> layout_inference();
std::span<const InferRow> parts_inference();
std::span<const InferRow> indexing_inference();
std::span<const InferRow> convolution_inference();
std::span<const InferRow> pooling_inference();
std::span<const InferRow> reduction_inference();
std::span<const InferRow> linear_inference();
std::span<const InferRow> normalization_inference();
std::span<const InferRow> recurrent_inference();
std::span<const InferRow> sequence_inference();
std::span<const InferRow> control_inference();
std::span<const InferRow> generator_inference();
std::span<const InferRow> resize_inference();
std::span<const InferRow> quantization_inference();
std::span<const InferRow> signal_inference();
std::span<const InferRow> text_inference();
std::span<const InferRow> linger_inference();    // of the domains linger and thinker
std::span<const InferRow> learning_inference();  // of the domain ai.onnx.ml

}  // namespace cameo::onnx
