#pragma once
// The tables of folds, one per family of operators.

#include <span>

#include "onnx/fold/fold.h"

namespace cameo::onnx {

std::span<const FoldRow> unary_folds();
std::span<const FoldRow> binary_folds();
std::span<const FoldRow> cast_folds();
std::span<const FoldRow> layout_folds();
std::span<const FoldRow> select_folds();
std::span<const FoldRow> reduce_folds();
std::span<const FoldRow> generate_folds();
std::span<const FoldRow> quantize_folds();

// A Cast of a large constant, computed when it is written; empty if a number might not fit.
Folded cast_later(const Folding& f);
// A QuantizeLinear of a constant of any size, computed when it is written.
Folded quantize_later(const Folding& f);

}  // namespace cameo::onnx
