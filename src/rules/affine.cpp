#include "rules/affine.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/index.h"
#include "rules/match.h"

namespace cameo::rules {
namespace {

// Elements from `first` on.
template <class T>
void scale_piece(Bytes from, std::vector<T>& to, std::int64_t first, const std::vector<double>& scale,
                 const Channels& channels) {
  const auto count = std::ssize(to);
  for (std::int64_t at = 0; at < count;) {
    const std::int64_t run = (first + at) / channels.length;
    const std::int64_t end = std::min(count, (run + 1) * channels.length - first);
    const double factor = element_at(scale, run / channels.block * channels.width + run % channels.width);
    for (; at < end; ++at) {
      T element;
      std::memcpy(&element, from.data() + static_cast<std::size_t>(at) * sizeof(T), sizeof(T));
      to[static_cast<std::size_t>(at)] = static_cast<T>(static_cast<double>(element) * factor);
    }
  }
}

template <class T>
onnx::Recipe scaling(const onnx::DataPtr& weight, std::vector<double> scale, const Channels& channels) {
  return [weight, scale = std::move(scale), channels](const onnx::Sink& sink) {
    std::vector<T> piece;
    std::int64_t first = 0;
    weight->copy_to([&](Bytes bytes) {
      piece.resize(bytes.size() / sizeof(T));
      scale_piece(bytes, piece, first, scale, channels);
      first += std::ssize(piece);
      sink(std::as_bytes(std::span(piece)));
    });
  };
}

template <class T>
onnx::DataPtr shifted_as(DType dtype, const onnx::Value* bias, const Affine& affine) {
  std::vector<T> out;
  for (std::size_t c = 0; c < affine.scale.size(); ++c) {
    const double old = bias ? bias->data->real(std::ssize(out)) : 0;
    out.push_back(static_cast<T>(old * affine.scale[c] + affine.shift[c]));
  }
  return onnx::Data::of<T>(dtype, {std::ssize(out)}, std::span<const T>(out));
}

}  // namespace

bool constant_real(const onnx::Value* value) {
  return value && value->constant() && (value->dtype() == DType::f32 || value->dtype() == DType::f64);
}

std::optional<Affine> affine_of(const onnx::Node& norm) {
  if (norm.outputs.size() != 1 || norm.inputs.size() < 5 || integer(norm, "training_mode", 0) != 0 ||
      integer(norm, "spatial", 1) != 1)
    return std::nullopt;
  for (std::size_t i = 1; i < 5; ++i)
    if (!constant_real(norm.inputs[i]) || norm.inputs[i]->data->numel() != norm.inputs[1]->data->numel())
      return std::nullopt;
  const auto* given = norm.attribute_if<float>("epsilon");
  const double epsilon = given ? static_cast<double>(*given) : 1e-5;
  const onnx::Data &gamma = *norm.inputs[1]->data, &beta = *norm.inputs[2]->data,
                   &mean = *norm.inputs[3]->data, &variance = *norm.inputs[4]->data;
  Affine affine;
  for (std::int64_t c = 0; c < gamma.numel(); ++c) {
    const double scale = gamma.real(c) / std::sqrt(variance.real(c) + epsilon);
    affine.scale.push_back(scale);
    affine.shift.push_back(beta.real(c) - mean.real(c) * scale);
  }
  return affine;
}

onnx::DataPtr scaled(const onnx::DataPtr& weight, const Affine& affine, const Channels& channels) {
  return std::make_shared<onnx::Data>(weight->dtype(), weight->shape(),
                                      weight->dtype() == DType::f32
                                          ? scaling<float>(weight, affine.scale, channels)
                                          : scaling<double>(weight, affine.scale, channels));
}

onnx::DataPtr shifted(DType dtype, const onnx::Value* bias, const Affine& affine) {
  return dtype == DType::f32 ? shifted_as<float>(dtype, bias, affine)
                             : shifted_as<double>(dtype, bias, affine);
}

std::string bias_name(const std::string& weight) {
  constexpr std::string_view kWeight = ".weight";
  return weight.ends_with(kWeight) ? weight.substr(0, weight.size() - kWeight.size()) + ".bias"
                                   : std::string();
}

}  // namespace cameo::rules
