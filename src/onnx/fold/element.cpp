#include "onnx/fold/element.h"

#include <cstring>

#include "base/half.h"

namespace cameo::onnx {
namespace {

// Calls f(Tag<Element>{}) with the C++ type of elements that are computed as T.
template <class T, class F>
void with_element(DType dtype, F&& f) {
  if constexpr (std::is_same_v<T, double>) {
    return f(Tag<double>{});
  } else if constexpr (std::is_same_v<T, float>) {
    if (dtype == DType::f16) return f(Tag<Half>{});
    if (dtype == DType::bf16) return f(Tag<BFloat16>{});
    return f(Tag<float>{});
  } else {
    constexpr bool kSigned = std::is_signed_v<T>;
    switch (size_of(dtype)) {
      case 1: return f(Tag<std::conditional_t<kSigned, std::int8_t, std::uint8_t>>{});
      case 2: return f(Tag<std::conditional_t<kSigned, std::int16_t, std::uint16_t>>{});
      case 4: return f(Tag<std::conditional_t<kSigned, std::int32_t, std::uint32_t>>{});
      default: return f(Tag<T>{});
    }
  }
}

// Adds the elements to the numbers.
template <class T>
void append(DType dtype, Bytes elements, std::vector<T>& numbers) {
  const std::size_t before = numbers.size();
  with_element<T>(dtype, [&]<class Element>(Tag<Element>) {
    const std::size_t count = elements.size() / sizeof(Element);
    numbers.resize(before + count);
    T* to = numbers.data() + before;
    if constexpr (std::is_same_v<Element, T>) {
      if (count != 0) std::memcpy(to, elements.data(), count * sizeof(T));
    } else {
      for (std::size_t i = 0; i < count; ++i) {
        Element element;
        std::memcpy(&element, elements.data() + i * sizeof(Element), sizeof(Element));
        to[i] = static_cast<T>(element);
      }
    }
  });
  if (dtype == DType::boolean)
    for (std::size_t i = before; i < numbers.size(); ++i) numbers[i] = numbers[i] != 0 ? T{1} : T{0};
}

}  // namespace

template <class T>
void widen(DType dtype, Bytes elements, std::vector<T>& numbers) {
  numbers.clear();
  append(dtype, elements, numbers);
}

template <class T>
void narrow(DType dtype, const std::vector<T>& numbers, std::vector<std::byte>& elements) {
  with_element<T>(dtype, [&]<class Element>(Tag<Element>) {
    const std::size_t count = numbers.size();
    elements.resize(count * sizeof(Element));
    if constexpr (std::is_same_v<Element, T>) {
      if (count != 0) std::memcpy(elements.data(), numbers.data(), count * sizeof(T));
    } else {
      std::byte* to = elements.data();
      for (std::size_t i = 0; i < count; ++i) {
        const auto element = static_cast<Element>(numbers[i]);
        std::memcpy(to + i * sizeof(Element), &element, sizeof(Element));
      }
    }
  });
}

template <class T>
std::vector<T> read(const Data& data) {
  std::vector<T> numbers;
  numbers.reserve(as_size(data.numel()));
  data.copy_to([&](Bytes bytes) { append(data.dtype(), bytes, numbers); });
  return numbers;
}

template <class T>
DataPtr make(DType dtype, std::vector<std::int64_t> shape, const std::vector<T>& numbers) {
  std::vector<std::byte> elements;
  narrow(dtype, numbers, elements);
  return std::make_shared<Data>(dtype, std::move(shape), std::move(elements));
}

template void widen(DType, Bytes, std::vector<std::int64_t>&);
template void widen(DType, Bytes, std::vector<std::uint64_t>&);
template void widen(DType, Bytes, std::vector<float>&);
template void widen(DType, Bytes, std::vector<double>&);
template void narrow(DType, const std::vector<std::int64_t>&, std::vector<std::byte>&);
template void narrow(DType, const std::vector<std::uint64_t>&, std::vector<std::byte>&);
template void narrow(DType, const std::vector<float>&, std::vector<std::byte>&);
template void narrow(DType, const std::vector<double>&, std::vector<std::byte>&);
template std::vector<std::int64_t> read(const Data&);
template std::vector<std::uint64_t> read(const Data&);
template std::vector<float> read(const Data&);
template std::vector<double> read(const Data&);
template DataPtr make(DType, std::vector<std::int64_t>, const std::vector<std::int64_t>&);
template DataPtr make(DType, std::vector<std::int64_t>, const std::vector<std::uint64_t>&);
template DataPtr make(DType, std::vector<std::int64_t>, const std::vector<float>&);
template DataPtr make(DType, std::vector<std::int64_t>, const std::vector<double>&);

std::vector<std::int64_t> read_integers(const Data& data) {
  if (data.dtype() == DType::i64) return read<std::int64_t>(data);
  std::vector<std::int64_t> result(as_size(data.numel()));
  std::int64_t index = 0;
  for (std::int64_t& element : result) element = data.integer(index++);
  return result;
}

}  // namespace cameo::onnx
