#pragma once
// The family tables, one per source file. registry.cpp lists them.

#include <span>

#include "aten/op.h"

namespace cameo::aten {

std::span<const Declaration> activation_ops();
std::span<const Declaration> adaptive_pooling_ops();
std::span<const Declaration> arithmetic_ops();
std::span<const Declaration> attention_ops();
std::span<const Declaration> average_pooling_ops();
std::span<const Declaration> batch_norm_ops();
std::span<const Declaration> bessel_ops();
std::span<const Declaration> blocks_ops();
std::span<const Declaration> calculus_ops();
std::span<const Declaration> comparison_ops();
std::span<const Declaration> complex_parts_ops();
std::span<const Declaration> conversion_ops();
std::span<const Declaration> convolution_ops();
std::span<const Declaration> counting_ops();
std::span<const Declaration> covariance_ops();
std::span<const Declaration> creation_ops();
std::span<const Declaration> ctc_loss_ops();
std::span<const Declaration> cumulative_ops();
std::span<const Declaration> decomposed_parameters_ops();
std::span<const Declaration> decomposed_quantize_ops();
std::span<const Declaration> determinant_ops();
std::span<const Declaration> diagonal_ops();
std::span<const Declaration> distance_ops();
std::span<const Declaration> dropout_ops();
std::span<const Declaration> embedding_ops();
std::span<const Declaration> error_function_ops();
std::span<const Declaration> extremes_ops();
std::span<const Declaration> fake_observer_ops();
std::span<const Declaration> fake_quantize_ops();
std::span<const Declaration> foreach_ops();
std::span<const Declaration> fourier_ops();
std::span<const Declaration> frames_ops();
std::span<const Declaration> gamma_ops();
std::span<const Declaration> grid_sampling_ops();
std::span<const Declaration> indexing_ops();
std::span<const Declaration> layout_ops();
std::span<const Declaration> linear_ops();
std::span<const Declaration> logic_ops();
std::span<const Declaration> loss_ops();
std::span<const Declaration> lu_ops();
std::span<const Declaration> margin_loss_ops();
std::span<const Declaration> masking_ops();
std::span<const Declaration> max_pooling_ops();
std::span<const Declaration> modified_bessel_ops();
std::span<const Declaration> norm_ops();
std::span<const Declaration> normalization_ops();
std::span<const Declaration> number_parts_ops();
std::span<const Declaration> packed_dynamic_ops();
std::span<const Declaration> packed_embedding_ops();
std::span<const Declaration> packed_layers_ops();
std::span<const Declaration> packed_prepacked_ops();
std::span<const Declaration> packed_recurrent_ops();
std::span<const Declaration> packed_mm_ops();
std::span<const Declaration> padding_ops();
std::span<const Declaration> pairs_ops();
std::span<const Declaration> polynomials_ops();
std::span<const Declaration> prim_layout_ops();
std::span<const Declaration> prim_reduction_ops();
std::span<const Declaration> qr_ops();
std::span<const Declaration> eigen_ops();
std::span<const Declaration> quantiles_ops();
std::span<const Declaration> random_ops();
std::span<const Declaration> rearrange_ops();
std::span<const Declaration> recurrent_ops();
std::span<const Declaration> reduction_ops();
std::span<const Declaration> regions_ops();
std::span<const Declaration> resize_ops();
std::span<const Declaration> scatter_ops();
std::span<const Declaration> segments_ops();
std::span<const Declaration> shuffling_ops();
std::span<const Declaration> singular_ops();
std::span<const Declaration> sorting_ops();
std::span<const Declaration> splitting_ops();
std::span<const Declaration> strided_ops();
std::span<const Declaration> systems_ops();
std::span<const Declaration> tensor_arithmetic_ops();
std::span<const Declaration> tensor_functions_ops();
std::span<const Declaration> tensor_quantize_ops();
std::span<const Declaration> torchao_ops();
std::span<const Declaration> unary_ops();
std::span<const Declaration> unique_ops();
std::span<const Declaration> unpooling_ops();
std::span<const Declaration> vectors_ops();
std::span<const Declaration> windows_ops();

std::span<const Declaration> unconverted_ops();

}  // namespace cameo::aten
