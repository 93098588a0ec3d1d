#include <cmath>

#include "onnx/fold/element.h"
#include "onnx/fold/families.h"
#include "onnx/fold/index.h"

namespace cameo::onnx {
namespace {

// For each element of the result, the positions in the operand that are reduced to it.
struct Groups {
  Ints starts;  // one an element of the result
  Ints steps;   // positions relative to a start
};

std::optional<Groups> groups(const Folding& f) {
  const Ints& shape = f.input(0).shape();
  Ints axes;
  if (f.has(1)) axes = f.integers(1);
  if (axes.empty() && f.integer_attribute("noop_with_empty_axes", 0) != 0) return std::nullopt;
  std::vector<bool> reduced(shape.size(), axes.empty());
  for (std::int64_t axis : axes) reduced.at(axis_index(axis, shape.size())) = true;
  const Ints strides = contiguous_strides(shape);
  Ints kept_shape, kept_strides, gone_shape, gone_strides;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    (reduced[i] ? gone_shape : kept_shape).push_back(shape[i]);
    (reduced[i] ? gone_strides : kept_strides).push_back(strides[i]);
  }
  return Groups{positions(kept_shape, kept_strides), positions(gone_shape, gone_strides)};
}

// start: the first total; step(total, x); finish(total, count). Small floats are summed in float.
template <class Start, class Step, class Finish>
Folded reduce(const Folding& f, Start start, Step step, Finish finish, bool empty_allowed = true) {
  Folded result;
  const auto shape = f.shape();
  const auto parts = groups(f);
  if (!shape || !parts || (parts->steps.empty() && !empty_allowed)) return result;
  with_type(f.input(0).dtype(), [&]<class T>(Tag<T>) {
    using Number = Modular<T>;
    const std::vector<T> elements = read<T>(f.input(0));
    std::vector<T> reduced;
    for (std::int64_t at : parts->starts) {
      Number total = start(Number{});
      bool first = true;
      for (std::int64_t offset : parts->steps) {
        const T x = elements[static_cast<std::size_t>(at + offset)];
        total = step(total, x, first);
        first = false;
      }
      reduced.push_back(finish(static_cast<T>(total), std::ssize(parts->steps)));
    }
    result.push_back(make<T>(f.input(0).dtype(), *shape, reduced));
  });
  return result;
}

constexpr auto kZero = []<class N>(N) { return N{0}; };
constexpr auto kOne = []<class N>(N) { return N{1}; };
constexpr auto kAsIs = [](auto total, std::int64_t) { return total; };

template <bool kGreatest, bool kLastWins>
Folded arg(const Folding& f) {
  Folded result;
  const auto out = f.shape();
  const Ints& shape = f.input(0).shape();
  if (!out || shape.empty()) return result;
  if ((f.integer_attribute("select_last_index", 0) != 0) != kLastWins) return result;
  const auto axis = axis_index(f.integer_attribute("axis", 0), shape.size());
  const Ints strides = contiguous_strides(shape);
  Ints kept = shape;
  kept[axis] = 1;
  if (shape[axis] == 0) return result;
  with_type(f.input(0).dtype(), [&]<class T>(Tag<T>) {
    const std::vector<T> elements = read<T>(f.input(0));
    Ints best;
    for (std::int64_t at : positions(kept, strides)) {
      auto element = [&](std::int64_t i) {
        return elements[static_cast<std::size_t>(at + i * strides[axis])];
      };
      std::int64_t chosen = 0;
      for (std::int64_t i = 1; i < shape[axis]; ++i) {
        const bool better = kGreatest ? element(i) > element(chosen) : element(i) < element(chosen);
        if (better || (kLastWins && element(i) == element(chosen))) chosen = i;
      }
      best.push_back(chosen);
    }
    result.push_back(make<std::int64_t>(DType::i64, *out, best));
  });
  return result;
}

Folded arg_max(const Folding& f) {
  return f.integer_attribute("select_last_index", 0) != 0 ? arg<true, true>(f) : arg<true, false>(f);
}
Folded arg_min(const Folding& f) {
  return f.integer_attribute("select_last_index", 0) != 0 ? arg<false, true>(f) : arg<false, false>(f);
}

Folded cum_sum(const Folding& f) {
  Folded result;
  const Ints& shape = f.input(0).shape();
  if (shape.empty() || f.integer_attribute("exclusive", 0) != 0) return result;
  const auto axis = axis_index(f.integers(1).at(0), shape.size());
  if (axis >= shape.size()) return result;
  const bool reverse = f.integer_attribute("reverse", 0) != 0;
  const Ints strides = contiguous_strides(shape);
  Ints starts = shape;
  starts[axis] = shape[axis] > 0 ? 1 : 0;
  with_type(f.input(0).dtype(), [&]<class T>(Tag<T>) {
    using Number = Modular<T>;
    std::vector<T> elements = read<T>(f.input(0));
    for (std::int64_t at : positions(starts, strides)) {
      Number total{0};
      for (std::int64_t i = 0; i < shape[axis]; ++i) {
        const std::int64_t step = reverse ? shape[axis] - 1 - i : i;
        T& element = elements[static_cast<std::size_t>(at + step * strides[axis])];
        total += static_cast<Number>(element);
        element = static_cast<T>(total);
      }
    }
    result.push_back(make<T>(f.input(0).dtype(), shape, elements));
  });
  return result;
}

template <bool kGreatest>
constexpr auto kBest = []<class N>(N total, auto x, bool first) {
  using X = decltype(x);
  const auto so_far = static_cast<X>(total);
  if constexpr (std::is_floating_point_v<X>)
    if (!first && std::isnan(so_far)) return total;
  bool better = kGreatest ? x > so_far : x < so_far;
  if constexpr (std::is_floating_point_v<X>) better = better || std::isnan(x);
  return first || better ? static_cast<N>(x) : total;
};

constexpr auto kSum = []<class N>(N total, auto x, bool) { return total + static_cast<N>(x); };

constexpr FoldRow kReduce[] = {
    {"ReduceSum", [](const Folding& f) { return reduce(f, kZero, kSum, kAsIs); }},
    {"ReduceProd",
     [](const Folding& f) {
       return reduce(
           f, kOne, []<class N>(N total, auto x, bool) { return total * static_cast<N>(x); }, kAsIs);
     }},
    {"ReduceMean",
     [](const Folding& f) {
       if (!is_floating(f.input(0).dtype())) return Folded{};
       return reduce(
           f, kZero, kSum, []<class N>(N total, std::int64_t n) { return total / static_cast<N>(n); }, false);
     }},
    {"ReduceMax", [](const Folding& f) { return reduce(f, kZero, kBest<true>, kAsIs, false); }},
    {"ReduceMin", [](const Folding& f) { return reduce(f, kZero, kBest<false>, kAsIs, false); }},
    {"ReduceSumSquare",
     [](const Folding& f) {
       return reduce(
           f, kZero,
           []<class N>(N total, auto x, bool) { return total + static_cast<N>(x) * static_cast<N>(x); },
           kAsIs);
     }},
    {"ReduceL2",
     [](const Folding& f) {
       if (!is_floating(f.input(0).dtype())) return Folded{};
       return reduce(
           f, kZero,
           []<class N>(N total, auto x, bool) { return total + static_cast<N>(x) * static_cast<N>(x); },
           [](auto total, std::int64_t) { return static_cast<decltype(total)>(std::sqrt(total)); });
     }},
    {"ArgMax", arg_max},
    {"ArgMin", arg_min},
    {"CumSum", cum_sum},
};

}  // namespace

std::span<const FoldRow> reduce_folds() { return kReduce; }

}  // namespace cameo::onnx
