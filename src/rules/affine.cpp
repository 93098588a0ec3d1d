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

// The elements of a constant for which constant_real() holds.
std::vector<double> reals(const onnx::Data& data) {
  std::vector<double> result;
  const Bytes bytes = data.bytes();
  const auto append = [&]<class T>(T element) {
    for (std::size_t at = 0; at < bytes.size(); at += sizeof(T)) {
      std::memcpy(&element, bytes.data() + at, sizeof(T));
      result.push_back(static_cast<double>(element));
    }
  };
  data.dtype() == DType::f32 ? append(float{}) : append(double{});
  return result;
}

template <class T>
onnx::DataPtr shifted_as(DType dtype, const onnx::Value* bias, const Affine& affine) {
  std::vector<T> out;
  const std::vector<double> old = bias ? reals(*bias->data) : std::vector<double>(affine.scale.size());
  for (std::size_t c = 0; c < affine.scale.size(); ++c)
    out.push_back(static_cast<T>(old.at(c) * affine.scale[c] + affine.shift[c]));
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
  const auto input = [&norm](std::size_t i) { return reals(*norm.inputs[i]->data); };
  const std::vector<double> gamma = input(1), beta = input(2), mean = input(3), variance = input(4);
  Affine affine;
  for (std::size_t c = 0; c < gamma.size(); ++c) {
    const double scale = gamma[c] / std::sqrt(variance[c] + epsilon);
    affine.scale.push_back(scale);
    affine.shift.push_back(beta[c] - mean[c] * scale);
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
