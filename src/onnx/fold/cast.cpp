#include <cmath>
#include <cstring>
#include <limits>

#include "onnx/fold/element.h"
#include "onnx/fold/families.h"

namespace cameo::onnx {
namespace {

// Nothing where the number does not fit: what comes out then differs between machines.
template <class To, class From>
std::optional<To> convert(From x) {
  if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
    const double whole = std::trunc(static_cast<double>(x));
    const double limit = std::ldexp(1.0, std::numeric_limits<To>::digits);
    if (!(whole < limit && whole >= (std::is_signed_v<To> ? -limit : 0.0))) return std::nullopt;
    return static_cast<To>(whole);
  } else if constexpr (std::is_same_v<To, Half> || std::is_same_v<To, BFloat16>) {
    return static_cast<To>(static_cast<float>(x));
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
        const auto wide = static_cast<Wide<From>>(x);
        std::optional<To> converted;
        if (to == DType::boolean)
          converted = static_cast<To>(static_cast<float>(wide != 0));
        else
          converted = convert<To>(wide);
        if (!converted) return;
        elements.push_back(*converted);
      }
      result.push_back(make<To>(to, input.shape(), elements));
    });
  });
  return result;
}

template <class From, class To>
Recipe casting(DataPtr input) {
  return [input = std::move(input)](const Sink& sink) {
    std::vector<To> piece;
    input->copy_to([&](Bytes bytes) {
      piece.resize(bytes.size() / sizeof(From));
      for (std::size_t i = 0; i < piece.size(); ++i) {
        From element;
        std::memcpy(&element, bytes.data() + i * sizeof(From), sizeof(From));
        piece[i] = *convert<To>(static_cast<Wide<From>>(element));
      }
      sink(std::as_bytes(std::span(piece)));
    });
  };
}

constexpr FoldRow kCast[] = {{"Cast", cast}, {"CastLike", cast}};

}  // namespace

Folded cast_later(const Folding& f) {
  const DType from = f.input(0).dtype(), to = f.type().dtype;
  Folded result;
  if (!is_floating(from) || !is_floating(to)) return result;
  with_type(from, [&]<class From>(Tag<From>) {
    with_type(to, [&]<class To>(Tag<To>) {
      if constexpr (!std::is_integral_v<From> && !std::is_integral_v<To>)
        result.push_back(std::make_shared<Data>(to, f.input(0).shape(), casting<From, To>(f.input_ptr(0))));
    });
  });
  return result;
}

std::span<const FoldRow> cast_folds() { return kCast; }

}  // namespace cameo::onnx
