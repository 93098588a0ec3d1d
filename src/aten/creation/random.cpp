// Random numbers: drawn by the runtime, so no two runs agree, nor do PyTorch's.
#include <cmath>
#include <numbers>

#include "aten/counted_loop.h"
#include "aten/elementwise.h"
#include "aten/families.h"
#include "aten/reduce.h"
#include "aten/support.h"

namespace cameo::aten {
namespace {

using MaybeDType = std::optional<DType>;

enum class Distribution { uniform, normal };

// f32 or f64, in the shape of x. `first` and `second` are the bounds, or mean and deviation.
Expr drawn_like(Emit& e, Expr x, Distribution kind, double first, double second, DType dtype) {
  const bool uniform = kind == Distribution::uniform;
  const DType inside = dtype == DType::f64 ? DType::f64 : DType::f32;
  onnx::Attributes attributes;
  if (x->dtype() != inside) attributes.push_back({"dtype", std::int64_t{onnx::to_onnx(inside)}});
  if (first != 0) attributes.push_back({uniform ? "low" : "mean", static_cast<float>(first)});
  if (second != 1) attributes.push_back({uniform ? "high" : "scale", static_cast<float>(second)});
  return e.op(uniform ? "RandomUniformLike" : "RandomNormalLike", {x}, std::move(attributes));
}

Expr drawn(Emit& e, const Shape& size, Distribution kind, double first, double second, DType dtype) {
  const bool uniform = kind == Distribution::uniform;
  std::vector<std::int64_t> sizes;
  for (const Dim& dim : size)
    if (dim.as_constant()) sizes.push_back(*dim.as_constant());
  const DType inside = dtype == DType::f64 ? DType::f64 : DType::f32;
  if (sizes.size() != size.size())
    return drawn_like(e, filled(e.scalar(inside, 0.0), size), kind, first, second, dtype);
  onnx::Attributes attributes{{"shape", sizes}};
  if (inside != DType::f32) attributes.push_back({"dtype", std::int64_t{onnx::to_onnx(inside)}});
  if (first != 0) attributes.push_back({uniform ? "low" : "mean", static_cast<float>(first)});
  if (second != 1) attributes.push_back({uniform ? "high" : "scale", static_cast<float>(second)});
  return e.op(uniform ? "RandomUniform" : "RandomNormal", {}, std::move(attributes));
}

template <Distribution kKind>
Expr draw(Emit& e, Shape size, Ignored, MaybeDType dtype, Ignored, Ignored, Ignored) {
  const DType result = dtype.value_or(DType::f32);
  return cast(drawn(e, size, kKind, 0, 1, result), result);
}
template <Distribution kKind>
Expr draw_like(Emit& e, Expr self, Ignored, MaybeDType dtype, Ignored, Ignored, Ignored, Ignored) {
  const DType result = dtype.value_or(self.dtype());
  return cast(drawn_like(e, self, kKind, 0, 1, result), result);
}

// Rounded down; a draw that is rounded up to `high` itself stays below it.
Expr whole(Emit&, Expr draw, std::int64_t high, DType dtype) {
  const Expr limit = draw.number(static_cast<double>(high - 1));
  return cast(minimum(floor(draw), limit), dtype);
}
Expr randint_low(Emit& e, std::int64_t low, std::int64_t high, Shape size, Ignored, MaybeDType dtype, Ignored,
                 Ignored, Ignored) {
  if (low >= high) throw ProgramError("'low' must be less than 'high'");
  const Expr draw =
      drawn(e, size, Distribution::uniform, static_cast<double>(low), static_cast<double>(high), DType::f64);
  return whole(e, draw, high, dtype.value_or(DType::i64));
}
Expr randint(Emit& e, std::int64_t high, Shape size, Ignored, MaybeDType dtype, Ignored, Ignored, Ignored) {
  return randint_low(e, 0, high, std::move(size), {}, dtype, {}, {}, {});
}
Expr randint_like_low(Emit& e, Expr self, std::int64_t low, std::int64_t high, Ignored, MaybeDType dtype,
                      Ignored, Ignored, Ignored, Ignored) {
  if (low >= high) throw ProgramError("'low' must be less than 'high'");
  const Expr draw = drawn_like(e, self, Distribution::uniform, static_cast<double>(low),
                               static_cast<double>(high), DType::f64);
  return whole(e, draw, high, dtype.value_or(self.dtype()));
}
Expr randint_like(Emit& e, Expr self, std::int64_t high, Ignored, MaybeDType dtype, Ignored, Ignored, Ignored,
                  Ignored) {
  return randint_like_low(e, self, 0, high, {}, dtype, {}, {}, {}, {});
}
// The limit is a runtime value.
Expr randint_like_tensor(Emit& e, Expr self, Expr high, Ignored, MaybeDType dtype, Ignored, Ignored, Ignored,
                         Ignored) {
  const Expr limit = reshape(cast(high, DType::f64), {});
  const Expr draw = floor(drawn_like(e, self, Distribution::uniform, 0, 1, DType::f64) * limit);
  return cast(minimum(draw, limit - 1), dtype.value_or(self.dtype()));
}

// mean + std * z.
Expr around(Emit& e, Expr mean, Expr std, Expr shape) {
  const Expr z = drawn_like(e, shape, Distribution::normal, 0, 1, shape->dtype());
  return mean + std * z;
}
Expr normal_tensors(Emit& e, Expr mean, Expr std, Ignored) {
  auto [m, s] = float_operands(e, mean, std);
  return around(e, m, s, m + s);
}
Expr normal_mean(Emit& e, Expr mean, double std, Ignored) { return around(e, mean, mean.number(std), mean); }
Expr normal_std(Emit& e, double mean, Expr std, Ignored) { return around(e, std.number(mean), std, std); }
Expr normal_size(Emit& e, double mean, double std, Shape size, Ignored, MaybeDType dtype, Ignored, Ignored,
                 Ignored) {
  const DType result = dtype.value_or(DType::f32);
  return cast(drawn(e, size, Distribution::normal, mean, std, result), result);
}
Expr normal_in_place(Emit& e, Expr self, double mean, double std, Ignored) {
  return cast(drawn_like(e, self, Distribution::normal, mean, std, self.dtype()), self.dtype());
}
Expr uniform(Emit& e, Expr self, double from, double to, Ignored) {
  return cast(drawn_like(e, self, Distribution::uniform, from, to, self.dtype()), self.dtype());
}

Expr chances(Emit& e, Expr probability, const Expr& shape) {
  const Expr draw = drawn_like(e, shape, Distribution::uniform, 0, 1, probability->dtype());
  return cast(draw < probability, shape.dtype());
}
Expr bernoulli(Emit& e, Expr self, Ignored) { return chances(e, floats(self), self); }
Expr bernoulli_p(Emit& e, Expr self, double p, Ignored) { return chances(e, e.scalar(DType::f32, p), self); }
Expr bernoulli_tensor(Emit& e, Expr self, Expr p, Ignored) { return chances(e, floats(p), self); }

// Arrivals at unit rate are counted until the given time. There are more than these iterations with a
// probability below 1e-30.
Expr poisson(Emit& e, Expr self, Ignored) {
  const Expr time = cast(self, DType::f64), none = filled(time.number(0), self.shape());
  const Expr longest =
      reduce_max(concat({reshape(time, {self.shape().product()}), reshape(time.number(0), {1})}, 0), {0});
  const Dim turns = e.number(cast(longest + sqrt(longest) * 12 + 40, DType::i64));
  const auto turn = [&](Expr, const std::vector<Expr>& carried) -> TurnResults {
    const Expr now = carried[0] - log(drawn_like(e, time, Distribution::uniform, 0, 1, DType::f64));
    return {{now, carried[1] + cast(now < time, DType::f64)}, {}};
  };
  return cast(counted_loop(e, "arrivals", turns, {none, none}, turn).carried[1], self.dtype());
}

// Marsaglia and Tsang's method. Each iteration accepts at least 95 % of its proposals.
Expr standard_gamma(Emit& e, Expr self, Ignored) {
  constexpr std::int64_t kProposals = 24;
  const Expr shape = cast(self, DType::f64), small = shape < 1;
  const Expr d = where(small, shape + 1, shape) - 1.0 / 3, c = reciprocal(sqrt(d * 9));
  const Expr none = filled(shape.number(0), self.shape());
  const auto turn = [&](Expr, const std::vector<Expr>& carried) -> TurnResults {
    const Expr x = drawn_like(e, shape, Distribution::normal, 0, 1, DType::f64), base = c * x + 1;
    const Expr v = where(base > 0, base * base * base, 1);
    const Expr chance = log(drawn_like(e, shape, Distribution::uniform, 0, 1, DType::f64));
    const Expr good = chance < x * x * 0.5 + d - d * v + d * log(v);
    const Expr found = equal(carried[0], 0) && base > 0 && good;
    return {{where(found, d * v, carried[0])}, {}};
  };
  const Expr drawn = counted_loop(e, "proposals", kProposals, {none}, turn).carried[0];
  const Expr boost = power(drawn_like(e, shape, Distribution::uniform, 0, 1, DType::f64), reciprocal(shape));
  return cast(where(small, drawn * boost, drawn), self.dtype());
}

// Weights over waiting times: the k largest are as if drawn one after the other, each without those before.
Expr without_replacement(Emit& e, const Expr& weights, std::int64_t count) {
  const Expr chance = drawn(e, weights.shape(), Distribution::uniform, 0, 1, DType::f64);
  const Expr waiting = -log(chance);
  return ops(e, "TopK", {cast(weights, DType::f64) / waiting, e.ints({count})}, {}, 2)[1];
}

Expr multinomial(Emit& e, Expr self, std::int64_t num_samples, bool replacement, Ignored) {
  if (self.rank() < 1 || self.rank() > 2) throw ProgramError("the input must have one or two dimensions");
  if (!replacement && num_samples != 1) {
    if (e.sym().less(self.dim(-1), num_samples) == sym::Truth::yes)
      throw ProgramError("there are more samples than categories, without replacement");
    return without_replacement(e, self, num_samples);
  }
  const bool flat = self.rank() == 1;
  const Expr rows = flat ? unsqueeze(self, {0}) : self;
  const Expr drawn = e.op("Multinomial", {log(cast(rows, DType::f32))},
                          {{"dtype", std::int64_t{onnx::to_onnx(DType::i64)}}, {"sample_size", num_samples}});
  return flat ? squeeze(drawn, {0}) : drawn;
}

// The order of random numbers.
Expr randperm(Emit& e, Dim n, Ignored, MaybeDType dtype, Ignored, Ignored, Ignored) {
  const Expr keys = drawn(e, {n}, Distribution::uniform, 0, 1, DType::f64);
  return cast(ops(e, "TopK", {keys, e.dims({n})}, {}, 2)[1], dtype.value_or(DType::i64));
}

// A function of uniform numbers above 0 and up to 1.
template <class Function>
Expr transformed(Emit& e, const Expr& self, Function function) {
  const Expr draw = drawn_like(e, self, Distribution::uniform, 0, 1, DType::f64);
  return cast(function(1 - draw), self.dtype());
}
Expr exponential(Emit& e, Expr self, double lambd, Ignored) {
  if (!(lambd > 0)) throw ProgramError("'lambd' must be positive");
  return transformed(e, self, [&](const Expr& u) { return log(u) / -lambd; });
}
Expr geometric(Emit& e, Expr self, double p, Ignored) {
  if (!(p > 0 && p < 1)) throw ProgramError("'p' must lie between 0 and 1");
  return transformed(e, self, [&](const Expr& u) { return maximum(ceil(log(u) / std::log1p(-p)), 1); });
}
Expr cauchy(Emit& e, Expr self, double median, double sigma, Ignored) {
  return transformed(e, self, [&](const Expr& u) {
    const Expr angle = (u - 0.5) * std::numbers::pi;
    return sin(angle) / cos(angle) * sigma + median;
  });
}
Expr log_normal(Emit& e, Expr self, double mean, double std, Ignored) {
  return cast(exp(drawn_like(e, self, Distribution::normal, mean, std, DType::f64)), self.dtype());
}

// The number above the largest one that `random` draws without bounds.
std::int64_t default_limit(DType dtype) {
  switch (dtype) {
    case DType::boolean: return 2;
    case DType::u8: return std::int64_t{1} << 8;
    case DType::i8: return std::int64_t{1} << 7;
    case DType::i16: return std::int64_t{1} << 15;
    case DType::i32: return std::int64_t{1} << 31;
    case DType::f16: return (std::int64_t{1} << 11) + 1;
    case DType::bf16: return (std::int64_t{1} << 8) + 1;
    case DType::f32: return (std::int64_t{1} << 24) + 1;
    default: return (std::int64_t{1} << 53) + 1;
  }
}
Expr random_from(Emit& e, Expr self, std::int64_t from, std::optional<std::int64_t> to, Ignored) {
  return randint_like_low(e, self, from, to.value_or(default_limit(self.dtype())), {}, std::nullopt, {}, {},
                          {}, {});
}
Expr random_to(Emit& e, Expr self, std::int64_t to, Ignored) { return random_from(e, self, 0, to, {}); }
Expr random_any(Emit& e, Expr self, Ignored) { return random_from(e, self, 0, std::nullopt, {}); }

Expr prim_normal(Emit& e, Shape shape, Scalar mean, Scalar std, DType dtype, Ignored, Ignored, Ignored) {
  return cast(
      drawn(e, shape, Distribution::normal, known_number(mean, "mean"), known_number(std, "std"), dtype),
      dtype);
}
Expr prim_uniform(Emit& e, Shape shape, Scalar low, Scalar high, DType dtype, Ignored, Ignored, Ignored) {
  return cast(
      drawn(e, shape, Distribution::uniform, known_number(low, "low"), known_number(high, "high"), dtype),
      dtype);
}

constexpr Distribution kUniform = Distribution::uniform, kNormal = Distribution::normal;

constexpr Declaration kRandom[] = {
    op<draw<kUniform>>(
        "aten::rand(int[] size, *, Generator? generator=None, ScalarType? dtype=None, Layout? "
        "layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
        {.doc = "Uniform on [0, 1).", .aliases = {"aten::rand.generator"}, .sizes = SizeList::result}),
    op<draw_like<kUniform>>(
        "aten::rand_like(Tensor self, *, Generator? generator=None, ScalarType? dtype=None, Layout? "
        "layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> "
        "Tensor",
        {.doc = "Uniform on [0, 1), in the shape of a tensor.", .aliases = {"aten::rand_like.generator"}}),
    op<draw<kNormal>>("aten::randn(int[] size, *, Generator? generator=None, ScalarType? dtype=None, Layout? "
                      "layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
                      {.doc = "Of the standard normal distribution.",
                       .aliases = {"aten::randn.generator"},
                       .sizes = SizeList::result}),
    op<draw_like<kNormal>>(
        "aten::randn_like(Tensor self, *, Generator? generator=None, ScalarType? dtype=None, Layout? "
        "layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> "
        "Tensor",
        {.doc = "Of the standard normal distribution, in the shape of a tensor.",
         .aliases = {"aten::randn_like.generator"}}),
    op<randint>("aten::randint(int high, int[] size, *, Generator? generator=None, ScalarType? dtype=4, "
                "Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
                {.doc = "Integers from 0 up to high.", .aliases = {"aten::randint.generator"}}),
    op<randint_low>(
        "aten::randint.low(int low, int high, int[] size, *, Generator? generator=None, "
        "ScalarType? dtype=4, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> "
        "Tensor",
        {.doc = "Integers from low up to high.", .aliases = {"aten::randint.low_generator"}}),
    op<randint_like>("aten::randint_like(Tensor self, int high, *, Generator? generator=None, ScalarType? "
                     "dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, "
                     "MemoryFormat? memory_format=None) -> Tensor",
                     {.doc = "Integers from 0 up to high, in the shape of a tensor.",
                      .aliases = {"aten::randint_like.generator"}}),
    op<randint_like_low>(
        "aten::randint_like.low_dtype(Tensor self, int low, int high, *, Generator? generator=None, "
        "ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, "
        "MemoryFormat? memory_format=None) -> Tensor",
        {.doc = "Integers from low up to high, in the shape of a tensor.",
         .aliases = {"aten::randint_like.low_generator_dtype"}}),
    op<randint_like_tensor>(
        "aten::randint_like.Tensor(Tensor self, Tensor high, *, Generator? generator=None, ScalarType? "
        "dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? "
        "memory_format=None) -> Tensor",
        {.doc = "Integers from 0 up to high, in the shape of a tensor.",
         .aliases = {"aten::randint_like.Tensor_generator"},
         .sample = "high=i64[]"}),
    op<normal_tensors>(
        "aten::normal.Tensor_Tensor(Tensor mean, Tensor std, *, Generator? generator=None) -> Tensor",
        {.doc = "Of normal distributions."}),
    op<normal_mean>(
        "aten::normal.Tensor_float(Tensor mean, float std=1.0, *, Generator? generator=None) -> Tensor",
        {.doc = "Of normal distributions."}),
    op<normal_std>(
        "aten::normal.float_Tensor(float mean, Tensor std, *, Generator? generator=None) -> Tensor",
        {.doc = "Of normal distributions."}),
    op<normal_size>(
        "aten::normal.float_float(float mean, float std, int[] size, *, Generator? generator=None, "
        "ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
        {.doc = "Of a normal distribution."}),
    op<normal_in_place>("aten::normal_functional(Tensor self, float mean=0.0, float std=1.0, *, Generator? "
                        "generator=None) -> Tensor",
                        {.doc = "Of a normal distribution, in the shape of a tensor."}),
    op<uniform>(
        "aten::uniform(Tensor self, float from=0.0, float to=1.0, *, Generator? generator=None) -> Tensor",
        {.doc = "Uniform, in the shape of a tensor."}),
    op<bernoulli>("aten::bernoulli(Tensor self, *, Generator? generator=None) -> Tensor",
                  {.doc = "1 with the probability given, else 0."}),
    op<bernoulli_p>("aten::bernoulli.p(Tensor self, float p, *, Generator? generator=None) -> Tensor",
                    {.doc = "1 with the probability given, else 0."}),
    op<bernoulli_tensor>(
        "aten::bernoulli.Tensor(Tensor self, Tensor p, *, Generator? generator=None) -> Tensor",
        {.doc = "1 with the probability given, else 0."}),
    op<bernoulli_p>(
        "aten::bernoulli_functional.float(Tensor self, float p=0.5, *, Generator? generator=None) -> Tensor",
        {.doc = "1 with the probability given, else 0; in place."}),
    op<bernoulli_tensor>(
        "aten::bernoulli_functional.Tensor(Tensor self, Tensor p, *, Generator? generator=None) -> Tensor",
        {.doc = "1 with the probability given, else 0; in place."}),
    op<poisson>("aten::poisson(Tensor self, Generator? generator=None) -> Tensor",
                {.doc = "Of Poisson distributions with the rates given."}),
    op<standard_gamma>("aten::_standard_gamma(Tensor self, Generator? generator=None) -> Tensor",
                       {.doc = "Of gamma distributions with the shapes given."}),
    op<multinomial>("aten::multinomial(Tensor self, int num_samples, bool replacement=False, *, Generator? "
                    "generator=None) -> Tensor",
                    {.doc = "Indices drawn with the weights given.",
                     .sample = "self=f32[batch,6], num_samples=3, replacement=True",
                     .result = Result::index}),
    op<randperm>("aten::randperm(int n, *, Generator? generator=None, ScalarType? dtype=4, Layout? "
                 "layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
                 {.doc = "The numbers below n in random order.", .aliases = {"aten::randperm.generator"}}),
    op<exponential>("aten::exponential(Tensor self, float lambd=1.0, *, Generator? generator=None) -> Tensor",
                    {.doc = "Of an exponential distribution, in the shape of a tensor."}),
    op<geometric>(
        "aten::geometric(Tensor self, float p, *, Generator? generator=None) -> Tensor",
        {.doc = "How many trials a first success takes, in the shape of a tensor.", .sample = "p=0.3"}),
    op<cauchy>(
        "aten::cauchy(Tensor self, float median=0.0, float sigma=1.0, *, Generator? generator=None) -> "
        "Tensor",
        {.doc = "Of a Cauchy distribution, in the shape of a tensor."}),
    op<log_normal>("aten::log_normal(Tensor self, float mean=1.0, float std=2.0, *, Generator? "
                   "generator=None) -> Tensor",
                   {.doc = "Whose logarithms are of a normal distribution, in the shape of a tensor."}),
    op<random_from>(
        "aten::random.from(Tensor self, int from, int? to, *, Generator? generator=None) -> "
        "Tensor",
        {.doc = "Integers from a number up to another, in the shape of a tensor.", .sample = "from=2, to=9"}),
    op<random_to>("aten::random.to(Tensor self, int to, *, Generator? generator=None) -> Tensor",
                  {.doc = "Integers from 0 up to a number, in the shape of a tensor.", .sample = "to=9"}),
    op<random_any>("aten::random(Tensor self, *, Generator? generator=None) -> Tensor",
                   {.doc = "Integers from 0 on that the dtype holds exactly, in the shape of a tensor."}),
    op<prim_normal>("prims::normal(SymInt[] shape, *, Scalar mean, Scalar std, ScalarType dtype, Device "
                    "device, bool requires_grad, Generator? generator=None) -> Tensor",
                    {.doc = "Of a normal distribution.", .sample = "shape=[2, 6], mean=0.0, std=1.0"}),
    op<prim_uniform>("prims::uniform(SymInt[] shape, *, Scalar low, Scalar high, ScalarType dtype, Device "
                     "device, SymInt[] stride, Generator? generator=None) -> Tensor",
                     {.doc = "Uniform.", .sample = "shape=[2, 6], low=0.0, high=1.0, stride=[6, 1]"}),
};

}  // namespace

std::span<const Declaration> random_ops() { return kRandom; }

}  // namespace cameo::aten
