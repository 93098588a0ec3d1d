#pragma once
// The revision tables, one per family of operators.

#include "onnx/downgrade/downgrade.h"

namespace cameo::onnx {

std::span<const Revisions> activation_revisions();
std::span<const Revisions> normalization_revisions();
std::span<const Revisions> reduction_revisions();
std::span<const Revisions> layout_revisions();
std::span<const Revisions> resize_revisions();
std::span<const Revisions> edges_revisions();
std::span<const Revisions> scatter_revisions();
std::span<const Revisions> pooling_revisions();
std::span<const Revisions> quantization_revisions();
std::span<const Revisions> products_revisions();
std::span<const Revisions> loss_revisions();
std::span<const Revisions> comparison_revisions();
std::span<const Revisions> counting_revisions();
std::span<const Revisions> arithmetic_revisions();
std::span<const Revisions> bitwise_revisions();
std::span<const Revisions> signal_revisions();
std::span<const Revisions> small_float_revisions();

// Computes in f32 where `t` has numbers of bf16 and ONNX Runtime's CPU provider has no kernel for them. Each result is
// rounded to bf16. Returns false and changes nothing for other nodes.
bool without_bf16(Translation& t);

// The oldest opset that has the operator.
int first_opset(std::string_view op);

}  // namespace cameo::onnx
