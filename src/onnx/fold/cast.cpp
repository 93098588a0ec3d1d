#include <cmath>
#include <optional>

#include "onnx/fold/element.h"
#include "onnx/fold/families.h"

namespace cameo::onnx {
namespace {

// Nothing where the number does not fit into `to`: the result then differs between machines.
template <class To, class From>
std::optional<To> convert(From x, DType to) {
  if (to == DType::boolean) return static_cast<To>(x != 0);
  if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
    const double whole = std::trunc(static_cast<double>(x));
    const int bits = static_cast<int>(size_of(to)) * 8;
    const double limit = std::ldexp(1.0, std::is_signed_v<To> ? bits - 1 : bits);
    if (!(whole < limit && whole >= (std::is_signed_v<To> ? -limit : 0.0))) return std::nullopt;
    return static_cast<To>(whole);
  } else {
    return static_cast<To>(x);
  }
}

Folded cast(const Folding& f) {
  Folded result;
  const Data& input = f.input(0);
  const DType to = f.type().dtype;
  with_type(input.dtype(), [&]<class From>(Tag<From>) {
    with_type(to, [&]<class To>(Tag<To>) {
      std::vector<To> elements;
      for (From x : read<From>(input)) {
        const std::optional<To> converted = convert<To>(x, to);
        if (!converted) return;
        elements.push_back(*converted);
      }
      result.push_back(make<To>(to, input.shape(), elements));
    });
  });
  return result;
}

template <class From, class To>
Recipe casting(DataPtr input, DType to) {
  return [input = std::move(input), to](const Sink& sink) {
    std::vector<From> numbers;
    std::vector<To> converted;
    std::vector<std::byte> elements;
    input->copy_to([&](Bytes bytes) {
      widen(input->dtype(), bytes, numbers);
      converted.assign(numbers.begin(), numbers.end());
      narrow(to, converted, elements);
      sink(elements);
    });
  };
}

constexpr FoldRow kCast[] = {{"Cast", cast}, {"CastLike", cast}};

}  // namespace

DataPtr cast_elements(const DataPtr& data, DType to) {
  DataPtr result;
  if (!is_floating(data->dtype()) || !is_floating(to)) return result;
  with_type(data->dtype(), [&]<class From>(Tag<From>) {
    with_type(to, [&]<class To>(Tag<To>) {
      if constexpr (!std::is_integral_v<From> && !std::is_integral_v<To>)
        result = std::make_shared<Data>(to, data->shape(), casting<From, To>(data, to));
    });
  });
  return result;
}

Folded cast_later(const Folding& f) {
  DataPtr result = cast_elements(f.input_ptr(0), f.type().dtype);
  return result ? Folded{std::move(result)} : Folded{};
}

std::span<const FoldRow> cast_folds() { return kCast; }

}  // namespace cameo::onnx
