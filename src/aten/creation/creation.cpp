// Tensors from nothing: of one number, ranges, grids, triangles, windows.
#include <fmt/core.h>

#include <cmath>
#include <numbers>

#include "aten/elementwise.h"
#include "aten/families.h"

namespace cameo::aten {
namespace {

using MaybeDType = std::optional<DType>;

void check_sizes(Emit& e, const Shape& size) {
  for (const Dim& dim : size)
    if (e.sym().less(dim, 0) == sym::Truth::yes)
      throw ProgramError(fmt::format("the size {} is negative", to_string(dim)));
}

Expr of_number(Emit& e, const Scalar& number, DType dtype, const Shape& size) {
  check_sizes(e, size);
  return filled(as(e, number, dtype), size);
}

Scalar integer(std::int64_t number) { return Scalar{Dim(number)}; }

template <int kNumber>
Expr all(Emit& e, Shape size, MaybeDType dtype, Ignored, Ignored, Ignored) {
  return of_number(e, integer(kNumber), dtype.value_or(DType::f32), size);
}
Expr full(Emit& e, Shape size, Scalar fill_value, MaybeDType dtype, Ignored, Ignored, Ignored) {
  return of_number(e, fill_value, dtype.value_or(dtype_of(fill_value)), size);
}
Expr empty(Emit& e, Shape size, MaybeDType dtype, Ignored, Ignored, Ignored, Ignored) {
  return of_number(e, integer(0), dtype.value_or(DType::f32), size);
}
template <int kNumber>
Expr prim_all(Emit& e, Shape shape, DType dtype, Ignored, Ignored) {
  return of_number(e, integer(kNumber), dtype, shape);
}
Expr prim_empty_strided(Emit& e, Shape shape, Ignored, DType dtype, Ignored, Ignored) {
  return of_number(e, integer(0), dtype, shape);
}
Expr prim_full(Emit& e, Shape shape, Scalar fill_value, DType dtype, Ignored, Ignored) {
  return of_number(e, fill_value, dtype, shape);
}
Expr prim_full_like(Emit& e, Expr a, Scalar fill_value, DType dtype, Ignored, Ignored) {
  return filled_like(as(e, fill_value, dtype), a);
}
Expr prim_scalar_tensor(Emit& e, Scalar s, MaybeDType dtype, Ignored) {
  return as(e, s, dtype.value_or(dtype_of(s)));
}
Expr iota(Emit& e, Dim length, Dim start, Dim step, DType dtype, Ignored, Ignored) {
  Expr numbers = indices(e, length);
  if (step.as_constant() != 1) numbers = numbers * step;
  if (start.as_constant() != 0) numbers = numbers + start;
  return cast(numbers, dtype);
}
// A value that orders assertions and effects; nothing reads its number.
Expr token(Emit& e) { return e.scalar(DType::f32, 0.0); }
Expr dep_token(Emit& e, Ignored, Ignored, Ignored, Ignored, Ignored) { return token(e); }

Expr empty_strided(Emit& e, Shape size, Ignored, MaybeDType dtype, Ignored, Ignored, Ignored) {
  return of_number(e, integer(0), dtype.value_or(DType::f32), size);
}
template <int kNumber>
Expr all_like(Emit& e, Expr self, MaybeDType dtype, Ignored, Ignored, Ignored, Ignored) {
  return filled_like(Expr(e.scalar(dtype.value_or(self.dtype()), std::int64_t{kNumber})), self);
}
Expr full_like(Emit& e, Expr self, Scalar fill_value, MaybeDType dtype, Ignored, Ignored, Ignored, Ignored) {
  return filled_like(as(e, fill_value, dtype.value_or(self.dtype())), self);
}
template <int kNumber>
Expr new_all(Emit& e, Expr self, Shape size, MaybeDType dtype, Ignored, Ignored, Ignored) {
  return of_number(e, integer(kNumber), dtype.value_or(self.dtype()), size);
}
Expr new_full(Emit& e, Expr self, Shape size, Scalar fill_value, MaybeDType dtype, Ignored, Ignored,
              Ignored) {
  return of_number(e, fill_value, dtype.value_or(self.dtype()), size);
}
Expr new_empty_strided(Emit& e, Expr self, Shape size, Ignored, MaybeDType dtype, Ignored, Ignored, Ignored) {
  return of_number(e, integer(0), dtype.value_or(self.dtype()), size);
}
Expr scalar_tensor(Emit& e, Scalar s, MaybeDType dtype, Ignored, Ignored, Ignored) {
  return as(e, s, dtype.value_or(DType::f32));
}

Expr zero(Emit&, Expr self) { return filled_like(self.number(0), self); }
Expr fill_scalar(Emit&, Expr self, Scalar value) { return filled_like(scalar_like(self, value), self); }
Expr fill_tensor(Emit&, Expr self, Expr value) {
  return filled_like(reshape(cast(value, self.dtype()), {}), self);
}

Expr f64(Emit& e, const Scalar& number) { return as(e, number, DType::f64); }

// 0, 1, … as numbers of f64.
Expr counting(Emit& e, const Dim& count) { return cast(indices(e, count), DType::f64); }

// Towards zero, where the results are integers: PyTorch converts the numbers before it computes with them.
Scalar as_element(const Scalar& number, DType dtype) {
  if (!is_integral(dtype) || !number.is_float() || !number.known()) return number;
  return integer(static_cast<std::int64_t>(*number.known()));
}

// Floats are counted and computed in f64, as PyTorch does it.
Expr range_of(Emit& e, Scalar start, Scalar end, Scalar step, MaybeDType dtype) {
  const auto whole_numbers = [&] { return !start.is_float() && !end.is_float() && !step.is_float(); };
  const DType result = dtype.value_or(whole_numbers() ? DType::i64 : DType::f32);
  if (result == DType::i64)
    for (Scalar* number : {&start, &end, &step}) *number = as_element(*number, result);
  const bool whole = result == DType::i64 || whole_numbers();
  if (step.known() == 0.0) throw ProgramError("'step' must not be 0");
  if (start.known() && end.known() && step.known()) {
    const double count = std::ceil((*end.known() - *start.known()) / *step.known());
    if (count < 0) throw ProgramError("the sign of 'step' does not lead from 'start' to 'end'");
    if (!whole) {
      const Expr steps = counting(e, static_cast<std::int64_t>(count)) * f64(e, as_element(step, result));
      return cast(steps + f64(e, as_element(start, result)), result);
    }
  }
  const DType inside = whole ? DType::i64 : DType::f64;
  return cast(e.op("Range", {as(e, start, inside), as(e, end, inside), as(e, step, inside)}), result);
}

Expr arange(Emit& e, Scalar end, MaybeDType dtype, Ignored, Ignored, Ignored) {
  return range_of(e, integer(0), end, integer(1), dtype);
}
Expr arange_from(Emit& e, Scalar start, Scalar end, MaybeDType dtype, Ignored, Ignored, Ignored) {
  return range_of(e, start, end, integer(1), dtype);
}
Expr arange_step(Emit& e, Scalar start, Scalar end, Scalar step, MaybeDType dtype, Ignored, Ignored,
                 Ignored) {
  return range_of(e, start, end, step, dtype);
}

// The bound of a range as f64.
Expr bound(Emit& e, const Operand& number, DType result) {
  if (const Scalar* known = std::get_if<Scalar>(&number)) return f64(e, as_element(*known, result));
  const Expr given(e, std::get<Tensor>(number));
  if (given.rank() != 0) throw ProgramError("the bounds must be tensors without dimensions");
  return cast(is_integral(result) ? cast(given, DType::i64) : given, DType::f64);
}

// In f64.
Expr evenly_spaced(Emit& e, const Expr& start, const Expr& end, const Dim& steps) {
  if (e.sym().less(steps, 0) == sym::Truth::yes)
    throw ProgramError("the number of steps must not be negative");
  const Expr span = end - start;
  const Expr gaps = e.cast(e.dim(sym::max(steps - 1, 1)), DType::f64);
  const Expr moved = counting(e, steps) * span / gaps;
  return moved + start;
}
template <class Start, class End>
Expr linspace(Emit& e, Start start, End end, Dim steps, MaybeDType dtype, Ignored, Ignored, Ignored) {
  const DType result = dtype.value_or(DType::f32);
  return cast(evenly_spaced(e, bound(e, start, result), bound(e, end, result), steps), result);
}
template <class Start, class End>
Expr logspace(Emit& e, Start start, End end, Dim steps, double base, MaybeDType dtype, Ignored, Ignored,
              Ignored) {
  const DType result = dtype.value_or(DType::f32);
  const Expr exponents = evenly_spaced(e, bound(e, start, result), bound(e, end, result), steps);
  return cast(power(base, exponents), result);
}

// The end belongs to the range.
Expr closed_range(Emit& e, Scalar start, Scalar end, Scalar step, MaybeDType dtype, Ignored, Ignored,
                  Ignored) {
  const DType result = dtype.value_or(DType::f32);
  const double first = known_number(start, "start"), last = known_number(end, "end"),
               by = known_number(step, "step");
  if (by == 0) throw ProgramError("'step' must not be 0");
  if ((last - first) / by < 0) throw ProgramError("the sign of 'step' does not lead from 'start' to 'end'");
  const auto count = static_cast<std::int64_t>((last - first) / by) + 1;
  const Expr steps = counting(e, count) * f64(e, as_element(step, result));
  return cast(steps + f64(e, as_element(start, result)), result);
}
Expr closed_range_by_one(Emit& e, Scalar start, Scalar end, MaybeDType dtype, Ignored, Ignored, Ignored) {
  return closed_range(e, start, end, integer(1), dtype, {}, {}, {});
}

// The frequencies of a Fourier transform: 0, 1, … and, behind the middle, the negative ones.
Expr fftfreq(Emit& e, Dim n, double d, MaybeDType dtype, Ignored, Ignored, Ignored) {
  const Expr index = indices(e, n);
  const Expr signed_index = where(index < sym::floordiv(n + 1, 2), index, index - n);
  const Expr length = e.cast(e.dim(n), DType::f64);
  return cast(cast(signed_index, DType::f64) / (length * d), dtype.value_or(DType::f32));
}
Expr rfftfreq(Emit& e, Dim n, double d, MaybeDType dtype, Ignored, Ignored, Ignored) {
  const Expr length = e.cast(e.dim(n), DType::f64);
  return cast(counting(e, sym::floordiv(n, 2) + 1) / (length * d), dtype.value_or(DType::f32));
}

Expr eye_of(Emit& e, const Dim& rows, const Dim& columns, MaybeDType dtype) {
  const DType result = dtype.value_or(DType::f32);
  const bool direct = result == DType::f32 || result == DType::f64 || result == DType::i64;
  const Expr zeros = of_number(e, integer(0), direct ? result : DType::i64, {rows, columns});
  return cast(e.op("EyeLike", {zeros}), result);
}
Expr eye(Emit& e, Dim n, MaybeDType dtype, Ignored, Ignored, Ignored) { return eye_of(e, n, n, dtype); }
Expr eye_m(Emit& e, Dim n, Dim m, MaybeDType dtype, Ignored, Ignored, Ignored) {
  return eye_of(e, n, m, dtype);
}

template <bool kUpper>
Expr triangle(Emit& e, Expr self, Dim diagonal) {
  if (self.rank() < 2) throw ProgramError("the input must have at least two dimensions");
  std::vector<onnx::Value*> inputs{self};
  if (diagonal.as_constant() != 0) inputs.push_back(e.dim(diagonal));
  onnx::Attributes attributes;
  if (!kUpper) attributes.push_back({"upper", std::int64_t{0}});
  return compute(e, "Trilu", std::move(inputs), std::move(attributes));
}

// Of a triangle of ones: row and column of each.
template <bool kUpper>
Expr triangle_indices(Emit& e, Dim row, Dim col, Dim offset, MaybeDType dtype, Ignored, Ignored, Ignored) {
  const Expr ones = of_number(e, integer(1), DType::i64, {row, col});
  return cast(e.op("NonZero", {triangle<kUpper>(e, ones, offset)}), dtype.value_or(DType::i64));
}

std::vector<Expr> grid(std::vector<Expr> tensors, bool swap_first_two) {
  if (tensors.empty()) throw ProgramError("the list of tensors is empty");
  const bool swap = swap_first_two && tensors.size() > 1;
  if (swap) std::swap(tensors[0], tensors[1]);
  Shape shape;
  for (const Expr& tensor : tensors) {
    if (tensor.rank() > 1) throw ProgramError("each tensor must have at most one dimension");
    shape.push_back(tensor.rank() == 0 ? Dim(1) : tensor.dim(0));
  }
  std::vector<Expr> grids;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    Shape along(tensors.size(), Dim(1));
    along[i] = shape[i];
    grids.push_back(expand(reshape(tensors[i], along), shape));
  }
  if (swap) std::swap(grids[0], grids[1]);
  return grids;
}
std::vector<Expr> meshgrid(Emit&, std::vector<Expr> tensors) { return grid(std::move(tensors), false); }
std::vector<Expr> meshgrid_indexing(Emit&, std::vector<Expr> tensors, std::string indexing) {
  if (indexing != "ij" && indexing != "xy") throw ProgramError("'indexing' must be 'ij' or 'xy'");
  return grid(std::move(tensors), indexing == "xy");
}

Expr one_hot(Emit& e, Expr self, Dim num_classes) {
  if (self.dtype() != DType::i64) throw ProgramError("the indices must have the dtype int64");
  Expr depth = e.dim(num_classes);
  if (num_classes.as_constant() == -1) {
    const Expr largest =
        self.rank() == 0 ? self : Expr(e.op("ReduceMax", {self}, {{"keepdims", std::int64_t{0}}}));
    depth = largest + 1;
  }
  const Expr rows = self.rank() == 0 ? reshape(self, {1}) : self;
  const Expr hot = e.op("OneHot", {rows, depth, e.ints({0, 1})});
  return self.rank() == 0 ? squeeze(hot, {0}) : hot;
}

// a - b cos(t) + c cos(2t), once round the circle.
Expr window(Emit& e, const Dim& length, bool periodic, double a, double b, double c, MaybeDType dtype) {
  const DType result = dtype.value_or(DType::f32);
  const Expr turns = e.cast(e.dim(periodic ? length : sym::max(length - 1, 1)), DType::f64);
  const Expr angle = counting(e, length) / turns;
  auto wave = [&](double times, double height) {
    const Expr t = angle * (2 * std::numbers::pi * times);
    return cos(t) * height;
  };
  if (length.as_constant() == 1) return of_number(e, integer(1), result, {1});
  Expr values = a - wave(1, b);
  if (c != 0) values = values + wave(2, c);
  return cast(values, result);
}
Expr hann(Emit& e, Dim length, bool periodic, MaybeDType dtype, Ignored, Ignored, Ignored) {
  return window(e, length, periodic, 0.5, 0.5, 0, dtype);
}
Expr hamming(Emit& e, Dim length, bool periodic, double alpha, double beta, MaybeDType dtype, Ignored,
             Ignored, Ignored) {
  return window(e, length, periodic, alpha, beta, 0, dtype);
}
Expr blackman(Emit& e, Dim length, bool periodic, MaybeDType dtype, Ignored, Ignored, Ignored) {
  return window(e, length, periodic, 0.42, 0.5, 0.08, dtype);
}

Expr bartlett(Emit& e, Dim length, bool periodic, MaybeDType dtype, Ignored, Ignored, Ignored) {
  const DType result = dtype.value_or(DType::f32);
  if (length.as_constant() == 1) return of_number(e, integer(1), result, {1});
  const Expr turns = e.cast(e.dim(periodic ? length : sym::max(length - 1, 1)), DType::f64);
  const Expr place = counting(e, length) * 2 / turns;
  return cast(1 - abs(place - 1), result);
}

// I0(beta sqrt(1 - t²)) / I0(beta) for t from -1 to 1.
Expr kaiser(Emit& e, std::int64_t length, bool periodic, double beta, MaybeDType dtype, Ignored, Ignored,
            Ignored) {
  if (length < 0) throw ProgramError("the length must not be negative");
  std::vector<double> values(as_size(length), 1);
  const double half = static_cast<double>(periodic ? length : length - 1) / 2;
  for (std::size_t i = 0; i < values.size() && length > 1; ++i) {
    const double t = (static_cast<double>(i) - half) / half;
    values[i] = std::cyl_bessel_i(0, beta * std::sqrt(1 - t * t)) / std::cyl_bessel_i(0, beta);
  }
  return cast(e.constant(onnx::Data::of<double>(DType::f64, {length}, values)), dtype.value_or(DType::f32));
}

Expr dim_arange(Emit& e, Expr like, std::int64_t dim) { return indices(e, like.dim(dim)); }

constexpr Declaration kCreation[] = {
    op<all<0>>("aten::zeros(int[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, "
               "bool? pin_memory=None) -> Tensor",
               {.doc = "Zeros.", .complex = OnComplex::by_parts, .sizes = SizeList::result}),
    op<all_like<0>>("aten::zeros_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? "
                    "device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor",
                    {.doc = "Zeros in the shape of a tensor.", .complex = OnComplex::by_parts}),
    op<new_all<0>>(
        "aten::new_zeros(Tensor self, int[] size, *, ScalarType? dtype=None, Layout? layout=None, "
        "Device? device=None, bool? pin_memory=None) -> Tensor",
        {.doc = "Zeros of a tensor's dtype.", .complex = OnComplex::by_parts, .sizes = SizeList::result}),
    op<all<1>>("aten::ones(int[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, "
               "bool? pin_memory=None) -> Tensor",
               {.doc = "Ones.", .complex = OnComplex::real_result, .sizes = SizeList::result}),
    op<all_like<1>>("aten::ones_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? "
                    "device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor",
                    {.doc = "Ones in the shape of a tensor.", .complex = OnComplex::real_result}),
    op<new_all<1>>("aten::new_ones(Tensor self, int[] size, *, ScalarType? dtype=None, Layout? layout=None, "
                   "Device? device=None, bool? pin_memory=None) -> Tensor",
                   {.doc = "Ones of a tensor's dtype.", .complex = OnComplex::real_result}),
    op<full>("aten::full(int[] size, Scalar fill_value, *, ScalarType? dtype=None, Layout? layout=None, "
             "Device? device=None, bool? pin_memory=None) -> Tensor",
             {.doc = "One number everywhere.",
              .complex = OnComplex::by_parts,
              .sizes = SizeList::result,
              .older = {.until = 5, .form = OldForm::float_fill}}),
    op<full_like>(
        "aten::full_like(Tensor self, Scalar fill_value, *, ScalarType? dtype=None, Layout? layout=None, "
        "Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor",
        {.doc = "One number everywhere, in the shape of a tensor.", .complex = OnComplex::by_parts}),
    op<new_full>("aten::new_full(Tensor self, int[] size, Scalar fill_value, *, ScalarType? dtype=None, "
                 "Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
                 {.doc = "One number everywhere, of a tensor's dtype.",
                  .complex = OnComplex::by_parts,
                  .sizes = SizeList::result}),
    op<empty>(
        "aten::empty.memory_format(int[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? "
        "device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor",
        {.doc = "Not initialised: zeros here.", .complex = OnComplex::by_parts, .sizes = SizeList::result}),
    op<all_like<0>>("aten::empty_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? "
                    "device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor",
                    {.doc = "Not initialised: zeros here.", .complex = OnComplex::by_parts}),
    op<new_all<0>>("aten::new_empty(Tensor self, int[] size, *, ScalarType? dtype=None, Layout? layout=None, "
                   "Device? device=None, bool? pin_memory=None) -> Tensor",
                   {.doc = "Not initialised: zeros here.", .complex = OnComplex::by_parts}),
    op<empty_strided>("aten::empty_strided(int[] size, int[] stride, *, ScalarType? dtype=None, Layout? "
                      "layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
                      {.doc = "Not initialised: zeros here.",
                       .complex = OnComplex::by_parts,
                       .sample = "size=[2, 6], stride=[6, 1]"}),
    op<empty_strided>("aten::empty_permuted(int[] size, int[] physical_layout, *, ScalarType? dtype=None, "
                      "Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
                      {.doc = "Not initialised: zeros here.",
                       .complex = OnComplex::by_parts,
                       .sample = "size=[2, 6], physical_layout=[1, 0]",
                       .sizes = SizeList::result}),
    op<prim_all<0>>(
        "prims::empty(SymInt[] shape, *, ScalarType dtype, Device device, bool requires_grad) -> "
        "Tensor",
        {.doc = "Not initialised: zeros here.", .complex = OnComplex::by_parts, .sample = "shape=[2, 6]"}),
    op<prim_empty_strided>("prims::empty_strided(SymInt[] shape, SymInt[] strides, *, ScalarType dtype, "
                           "Device device, bool requires_grad) -> Tensor",
                           {.doc = "Not initialised: zeros here.",
                            .complex = OnComplex::by_parts,
                            .sample = "shape=[2, 6], strides=[6, 1]"}),
    op<prim_empty_strided>(
        "prims::empty_permuted(SymInt[] shape, int[] physical_layout, *, ScalarType dtype, Device device, "
        "bool requires_grad) -> Tensor",
        {.doc = "Not initialised: zeros here.",
         .complex = OnComplex::by_parts,
         .sample = "shape=[2, 6], physical_layout=[1, 0]"}),
    op<prim_full>(
        "prims::full(SymInt[] shape, Scalar fill_value, *, ScalarType dtype, Device device, bool "
        "requires_grad) -> Tensor",
        {.doc = "One number everywhere.", .complex = OnComplex::by_parts, .sample = "shape=[2, 6]"}),
    op<prim_full_like>(
        "prims::full_like(Tensor a, Scalar fill_value, *, ScalarType dtype, Device device, "
        "bool requires_grad) -> Tensor",
        {.doc = "One number everywhere, in the shape of a tensor.", .complex = OnComplex::by_parts}),
    op<prim_scalar_tensor>(
        "prims::scalar_tensor(Scalar s, *, ScalarType? dtype=None, Device? device=None) -> Tensor",
        {.doc = "A number as a tensor without dimensions.", .complex = OnComplex::by_parts}),
    op<iota>("prims::iota(SymInt length, *, SymInt start, SymInt step, ScalarType dtype, Device device, bool "
             "requires_grad) -> Tensor",
             {.doc = "So many numbers from start by steps.", .sample = "length=i64[], start=2, step=3"}),
    op<token>("prims::_make_token() -> Tensor", {.doc = "A value that orders effects."}),
    op<dep_token>("aten::_make_dep_token(*, ScalarType? dtype=None, Layout? layout=None, Device? "
                  "device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor",
                  {.doc = "A value that orders assertions."}),
    op<new_empty_strided>(
        "aten::new_empty_strided(Tensor self, int[] size, int[] stride, *, ScalarType? dtype=None, Layout? "
        "layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
        {.doc = "Not initialised: zeros here.",
         .complex = OnComplex::by_parts,
         .sample = "size=[2, 6], stride=[6, 1]"}),
    op<scalar_tensor>("aten::scalar_tensor(Scalar s, *, ScalarType? dtype=None, Layout? layout=None, Device? "
                      "device=None, bool? pin_memory=None) -> Tensor",
                      {.doc = "A number as a tensor without dimensions.", .complex = OnComplex::by_parts}),
    op<zero>("aten::zero(Tensor self) -> Tensor",
             {.doc = "Zeros in place of all elements.", .complex = OnComplex::by_parts}),
    op<fill_scalar>("aten::fill.Scalar(Tensor self, Scalar value) -> Tensor",
                    {.doc = "A number in place of all elements.",
                     .complex = OnComplex::by_parts,
                     .aliases = {"prims::fill"}}),
    op<fill_tensor>("aten::fill.Tensor(Tensor self, Tensor value) -> Tensor",
                    {.doc = "A number in place of all elements.",
                     .complex = OnComplex::by_parts,
                     .sample = "value=f32[]"}),
    op<dim_arange>("aten::_dim_arange(Tensor like, int dim) -> Tensor",
                   {.doc = "The indices of a dimension.", .sample = "dim=1", .result = Result::index}),
    op<arange>("aten::arange(Scalar end, *, ScalarType? dtype=None, Layout? layout=None, Device? "
               "device=None, bool? pin_memory=None) -> Tensor",
               {.doc = "The numbers from 0 up to the end."}),
    op<arange_from>("aten::arange.start(Scalar start, Scalar end, *, ScalarType? dtype=None, Layout? "
                    "layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
                    {.doc = "The numbers from start up to the end.", .sample = "start=2"}),
    op<arange_step>("aten::arange.start_step(Scalar start, Scalar end, Scalar step=1, *, ScalarType? "
                    "dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
                    {.doc = "The numbers from start by steps up to the end.", .sample = "start=2"}),
    op<closed_range>("aten::range.step(Scalar start, Scalar end, Scalar step=1, *, ScalarType? dtype=None, "
                     "Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
                     {.doc = "The numbers from start by steps to the end, which is included.",
                      .sample = "start=2, end=8"}),
    op<closed_range_by_one>(
        "aten::range(Scalar start, Scalar end, *, ScalarType? dtype=None, Layout? "
        "layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
        {.doc = "The numbers from start to the end, which is included.", .sample = "start=2, end=8"}),
    op<fftfreq>("aten::fft_fftfreq(int n, float d=1.0, *, ScalarType? dtype=None, Layout? layout=None, "
                "Device? device=None, bool? pin_memory=None) -> Tensor",
                {.doc = "The frequencies of a Fourier transform."}),
    op<rfftfreq>("aten::fft_rfftfreq(int n, float d=1.0, *, ScalarType? dtype=None, Layout? layout=None, "
                 "Device? device=None, bool? pin_memory=None) -> Tensor",
                 {.doc = "The frequencies of a Fourier transform of real numbers."}),
    op<linspace<Scalar, Scalar>>(
        "aten::linspace(Scalar start, Scalar end, int steps=100, *, ScalarType? dtype=None, Layout? "
        "layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
        {.doc = "Numbers evenly spaced from start to end.",
         .sample = "start=0, end=1, steps=5",
         .older = {.until = 8, .form = OldForm::default_steps}}),
    op<linspace<Tensor, Tensor>>(
        "aten::linspace.Tensor_Tensor(Tensor start, Tensor end, int steps, *, ScalarType? dtype=None, "
        "Layout? "
        "layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
        {.doc = "Numbers evenly spaced from start to end.", .sample = "start=f32[], end=f32[], steps=5"}),
    op<linspace<Tensor, Scalar>>(
        "aten::linspace.Tensor_Scalar(Tensor start, Scalar end, int steps, *, ScalarType? dtype=None, "
        "Layout? "
        "layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
        {.doc = "Numbers evenly spaced from start to end.", .sample = "start=f32[], end=1, steps=5"}),
    op<linspace<Scalar, Tensor>>(
        "aten::linspace.Scalar_Tensor(Scalar start, Tensor end, int steps, *, ScalarType? dtype=None, "
        "Layout? "
        "layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
        {.doc = "Numbers evenly spaced from start to end.", .sample = "start=0, end=f32[], steps=5"}),
    op<logspace<Tensor, Tensor>>(
        "aten::logspace.Tensor_Tensor(Tensor start, Tensor end, int steps, float base=10.0, *, ScalarType? "
        "dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
        {.doc = "Powers of a base whose exponents are evenly spaced.",
         .sample = "start=f32[], end=f32[], steps=5"}),
    op<logspace<Tensor, Scalar>>(
        "aten::logspace.Tensor_Scalar(Tensor start, Scalar end, int steps, float base=10.0, *, ScalarType? "
        "dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
        {.doc = "Powers of a base whose exponents are evenly spaced.",
         .sample = "start=f32[], end=1, steps=5"}),
    op<logspace<Scalar, Tensor>>(
        "aten::logspace.Scalar_Tensor(Scalar start, Tensor end, int steps, float base=10.0, *, ScalarType? "
        "dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
        {.doc = "Powers of a base whose exponents are evenly spaced.",
         .sample = "start=0, end=f32[], steps=5"}),
    op<logspace<Scalar, Scalar>>(
        "aten::logspace(Scalar start, Scalar end, int steps=100, float base=10.0, *, ScalarType? "
        "dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
        {.doc = "Powers of a base whose exponents are evenly spaced.",
         .sample = "start=0, end=1, steps=5",
         .older = {.until = 9, .form = OldForm::default_steps}}),
    op<eye>("aten::eye(int n, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? "
            "pin_memory=None) -> Tensor",
            {.doc = "Ones on the diagonal.", .complex = OnComplex::real_result}),
    op<eye_m>("aten::eye.m(int n, int m, *, ScalarType? dtype=None, Layout? layout=None, Device? "
              "device=None, bool? pin_memory=None) -> Tensor",
              {.doc = "Ones on the diagonal.", .complex = OnComplex::real_result, .sample = "m=4"}),
    op<triangle<false>>("aten::tril(Tensor self, int diagonal=0) -> Tensor",
                        {.doc = "Zeros above a diagonal.", .complex = OnComplex::by_parts}),
    op<triangle<true>>("aten::triu(Tensor self, int diagonal=0) -> Tensor",
                       {.doc = "Zeros below a diagonal.", .complex = OnComplex::by_parts}),
    op<triangle_indices<false>>("aten::tril_indices(int row, int col, int offset=0, *, ScalarType? dtype=4, "
                                "Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
                                {.doc = "Rows and columns of a lower triangle.", .sample = "row=3, col=4"}),
    op<triangle_indices<true>>("aten::triu_indices(int row, int col, int offset=0, *, ScalarType? dtype=4, "
                               "Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
                               {.doc = "Rows and columns of an upper triangle.", .sample = "row=3, col=4"}),
    op<meshgrid>("aten::meshgrid(Tensor[] tensors) -> Tensor[]",
                 {.doc = "Each tensor repeated along the dimensions of the others.",
                  .complex = OnComplex::by_parts,
                  .sample = "tensors=[f32[height], f32[width]]"}),
    op<meshgrid_indexing>("aten::meshgrid.indexing(Tensor[] tensors, *, str indexing) -> Tensor[]",
                          {.doc = "Each tensor repeated along the dimensions of the others.",
                           .complex = OnComplex::by_parts,
                           .sample = "tensors=[f32[height], f32[width]]"}),
    op<one_hot>("aten::one_hot(Tensor self, int num_classes=-1) -> Tensor",
                {.doc = "1 at the place that an index names, 0 elsewhere.",
                 .sample = "self=i64[batch], num_classes=10"}),
    op<bartlett>("aten::bartlett_window(int window_length, bool periodic=True, *, ScalarType? dtype=None, "
                 "Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
                 {.doc = "The Bartlett window, a triangle.", .aliases = {"aten::bartlett_window.periodic"}}),
    op<kaiser>("aten::kaiser_window(int window_length, bool periodic=True, float beta=12.0, *, ScalarType? "
               "dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
               {.doc = "The Kaiser window.",
                .aliases = {"aten::kaiser_window.periodic", "aten::kaiser_window.beta"},
                .sample = "window_length=10"}),
    op<hann>("aten::hann_window(int window_length, bool periodic=True, *, ScalarType? dtype=None, Layout? "
             "layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
             {.doc = "The Hann window.", .aliases = {"aten::hann_window.periodic"}}),
    op<hamming>(
        "aten::hamming_window(int window_length, bool periodic=True, float alpha=0.54, float beta=0.46, *, "
        "ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
        {.doc = "The Hamming window.",
         .aliases = {"aten::hamming_window.periodic", "aten::hamming_window.periodic_alpha",
                     "aten::hamming_window.periodic_alpha_beta"}}),
    op<blackman>("aten::blackman_window(int window_length, bool periodic=True, *, ScalarType? dtype=None, "
                 "Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
                 {.doc = "The Blackman window.", .aliases = {"aten::blackman_window.periodic"}}),
};

}  // namespace

std::span<const Declaration> creation_ops() { return kCreation; }

}  // namespace cameo::aten
