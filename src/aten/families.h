#pragma once
// The family tables, one a source file. registry.cpp lists them.

#include <span>

#include "aten/op.h"

namespace cameo::aten {

std::span<const Op> activation_ops();
std::span<const Op> arithmetic_ops();
std::span<const Op> attention_ops();
std::span<const Op> batch_norm_ops();
std::span<const Op> bessel_ops();
std::span<const Op> blocks_ops();
std::span<const Op> calculus_ops();
std::span<const Op> comparison_ops();
std::span<const Op> complex_parts_ops();
std::span<const Op> conversion_ops();
std::span<const Op> convolution_ops();
std::span<const Op> counting_ops();
std::span<const Op> covariance_ops();
std::span<const Op> creation_ops();
std::span<const Op> ctc_loss_ops();
std::span<const Op> cumulative_ops();
std::span<const Op> determinant_ops();
std::span<const Op> diagonal_ops();
std::span<const Op> distance_ops();
std::span<const Op> dropout_ops();
std::span<const Op> embedding_ops();
std::span<const Op> error_function_ops();
std::span<const Op> extremes_ops();
std::span<const Op> fourier_ops();
std::span<const Op> gamma_ops();
std::span<const Op> indexing_ops();
std::span<const Op> layout_ops();
std::span<const Op> linear_ops();
std::span<const Op> logic_ops();
std::span<const Op> loss_ops();
std::span<const Op> lu_ops();
std::span<const Op> margin_loss_ops();
std::span<const Op> masking_ops();
std::span<const Op> modified_bessel_ops();
std::span<const Op> norm_ops();
std::span<const Op> normalization_ops();
std::span<const Op> number_parts_ops();
std::span<const Op> padding_ops();
std::span<const Op> pairs_ops();
std::span<const Op> polynomials_ops();
std::span<const Op> pooling_ops();
std::span<const Op> qr_ops();
std::span<const Op> quantiles_ops();
std::span<const Op> random_ops();
std::span<const Op> rearrange_ops();
std::span<const Op> recurrent_ops();
std::span<const Op> reduction_ops();
std::span<const Op> resize_ops();
std::span<const Op> scatter_ops();
std::span<const Op> segments_ops();
std::span<const Op> sorting_ops();
std::span<const Op> splitting_ops();
std::span<const Op> strided_ops();
std::span<const Op> systems_ops();
std::span<const Op> unary_ops();
std::span<const Op> unique_ops();
std::span<const Op> unpooling_ops();
std::span<const Op> vectors_ops();
std::span<const Op> windows_ops();

}  // namespace cameo::aten
