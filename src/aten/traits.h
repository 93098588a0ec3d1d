#pragma once
// Facts about an operator that its schema does not state. Each is a named field of the operator's
// declaration:
//
//   op<mul>("aten::mul.Tensor(Tensor self, Tensor other) -> Tensor",
//           {.doc = "a b.", .aliases = {"aten::multiply.Tensor"}, .literal_as_number = true})
//
// `check` rejects a declaration whose facts contradict its schema; it runs at compile time.

#include <array>
#include <cstdint>
#include <string_view>

#include "aten/schema.h"

namespace cameo::aten {

// The place of a view in the memory of its base. It decides how a write to the view changes the base.
enum class View : std::uint8_t {
  elements,         // some elements of the base, found by applying the operator to their positions
  reshape,          // all elements in the same order
  reshape_or_copy,  // the same, but a copy where the strides of the base do not allow a view
  select,           // one index of dimension `dim`
  slice,            // a range of dimension `dim`, with a step
  part,             // consecutive indices of dimension `dim`
  transpose,        // two dimensions swapped, `dim0` and `dim1`; the operator is its own inverse
  transpose_last,   // the last two dimensions swapped, if there are two; the operator is its own inverse
  reverse_axes,     // the dimensions in reverse order; the operator is its own inverse
  permute,          // dimensions in the order `dims`
  bytes,            // all elements, their bytes taken as numbers of another `dtype`
  contiguous,       // the base itself if its elements are in row-major order, otherwise a copy
  as_real,          // complex numbers as pairs of real ones
  as_complex,       // pairs of real numbers as complex ones
  real_part,        // the real parts of complex numbers
  imaginary_part,   // the imaginary parts of complex numbers
  conjugate,        // the conjugates of complex numbers; the operator is its own inverse
  unchanged,        // the base itself if there is nothing to do, otherwise a new tensor
};

// Whether a view orders the dimensions anew with an operator that is its own inverse.
constexpr bool is_transposition(View view) {
  return view == View::transpose || view == View::transpose_last || view == View::reverse_axes;
}

// The element type of the results, for calls that stay PyTorch operators because they cannot be converted.
enum class Result : std::uint8_t {
  promoted,        // the common type of the tensors; not known if that is an integer type
  same,            // the common type of the tensors
  boolean,         // bool
  index,           // i64
  with_indices,    // the first as in `same`, the others i64
  with_exponents,  // the first as in `same`, the second i32
  complex,         // complex numbers, which ONNX operators do not take
  unknown,         // depends on arguments
};

// How a converter of real tensors converts calls with complex numbers.
enum class OnComplex : std::uint8_t {
  refused,
  by_parts,     // real and imaginary parts are converted alike
  real_result,  // the real parts are converted; the imaginary part of the result is zero
  products,     // the result is linear in each tensor, as a product is
  magnitudes,   // magnitudes stand for the numbers; the result is real
};

// How a converter of numbers converts calls with quantised tensors.
enum class OnQuantized : std::uint8_t {
  refused,
  integers,     // the integers are converted; the results have the parameters of the first quantised tensor
  numbers,      // the numbers are converted; the results are not quantised
  requantized,  // the numbers are converted; the result has the parameters of the first quantised tensor
  unit,         // the same, with parameters for numbers from 0 to 1
  symmetric,    // the same, with parameters for numbers from -1 to 1
  own,          // the converter's parameters are Tensor, and it reads their quantizers
};

// The meaning of the first list of integers among the arguments.
enum class SizeList : std::uint8_t {
  none,
  result,   // the shape of the result
  reshape,  // the shape of the result, which has the elements of the first tensor
  window,   // the size of a window over the last dimensions of the first tensor
};

// The form of the operator in archives of an older version.
enum class OldForm : std::uint8_t {
  same,
  integer_division,  // the quotient of two integers is an integer, rounded towards zero
  float_fill,        // the result is f32 for any fill value
  default_steps,     // the number of steps may be absent: 100
};

struct Older {
  static constexpr int kNewest = 9;  // archives of this version and later have no old forms
  int until = 0;                     // the first archive version without the old form
  OldForm form = OldForm::same;

  bool operator==(const Older&) const = default;
};

// The parameter that selects training or inference.
struct TrainingFlag {
  std::string_view flag;          // "train"; empty: the operator has none
  std::string_view matters_with;  // the flag has no effect where this argument is None or 0
};

struct Traits {
  // One sentence for `cameo ops` and docs/operators.md.
  std::string_view doc;
  // How the converter converts calls with complex numbers, unless the declaration names a second one for them.
  OnComplex complex = OnComplex::refused;
  OnQuantized quantized = OnQuantized::refused;
  // Other names with the same parameters and results, with their overloads: "aten::multiply.Tensor".
  std::array<std::string_view, 4> aliases{};
  // Operators that give a copy where this one gives a view: "aten::view_copy". They have the same parameters.
  std::array<std::string_view, 5> copies{};
  // Arguments of a call that converts, for parameters whose values the schema does not suggest:
  // "input=f32[batch,6], weight=f32[8,6]". `cameo ops` converts this call.
  std::string_view sample;
  View view = View::elements;
  Result result = Result::promoted;
  SizeList sizes = SizeList::none;
  // The rank of the result depends on the sizes of the tensor.
  bool rank_depends_on_sizes = false;
  // PyTorch runs a call with a constant tensor without dimensions as a call with its number.
  bool literal_as_number = false;
  TrainingFlag training{};
  Older older{};
};

// Takes the next argument of a sample call and the comma behind it.
constexpr std::string_view take_argument(std::string_view& rest) {
  int depth = 0;
  std::size_t end = 0;
  for (; end < rest.size(); ++end) {
    if (rest[end] == '[') ++depth;
    if (rest[end] == ']') --depth;
    if (depth == 0 && rest.substr(end).starts_with(", ")) break;
  }
  const std::string_view argument = rest.substr(0, end);
  rest.remove_prefix(end < rest.size() ? end + 2 : end);
  return argument;
}

namespace detail {

constexpr void check_names(const Schema& schema, const Traits& traits) {
  const auto is_name = [](std::string_view name) {
    return name.empty() || (name.find("::") != name.npos && name.find_first_of("( ") == name.npos);
  };
  for (std::string_view alias : traits.aliases)
    if (!is_name(alias)) throw "an alias is a name such as aten::multiply.Tensor";
  for (std::string_view copy : traits.copies) {
    if (!is_name(copy)) throw "a copy is a name such as aten::view_copy";
    if (!copy.empty() && schema.returns[0].alias == 0) throw "only a view has operators that give copies";
  }
}

constexpr void check_sample(const Schema& schema, const Traits& traits) {
  for (std::string_view rest = traits.sample; !rest.empty();) {
    const std::string_view argument = take_argument(rest);
    const std::size_t equals = argument.find('=');
    if (equals == argument.npos || !schema.parameter(argument.substr(0, equals)))
      throw "the sample gives an argument for which the schema has no parameter";
  }
}

constexpr void check_views(const Schema& schema, const Traits& traits) {
  if (traits.view != View::elements && (schema.return_count == 0 || schema.returns[0].alias == 0))
    throw "only an operator whose schema returns an alias, Tensor(a), is a view";
  const bool along_dim = traits.view == View::select || traits.view == View::slice;
  if ((along_dim && !schema.parameter("dim")) ||
      (traits.view == View::permute && !schema.parameter("dims")) ||
      (traits.view == View::bytes && !schema.parameter("dtype")))
    throw "this kind of view needs a parameter 'dim', 'dims' or 'dtype'";
}

constexpr void check_sizes(const Schema& schema, const Traits& traits) {
  bool found = traits.sizes == SizeList::none;
  for (std::size_t i = 0; i < schema.count; ++i)
    found = found || (schema.params[i].list && schema.params[i].type == "int");
  if (!found) throw "the schema has no list of integers that could be sizes";
}

constexpr void check_flags(const Schema& schema, const Traits& traits) {
  const TrainingFlag& training = traits.training;
  if (!training.flag.empty() &&
      (!schema.parameter(training.flag) || !schema.parameter(training.matters_with)))
    throw "the training flag names a parameter that the schema does not have";
  if (traits.older.until > Older::kNewest || (traits.older.until > 0) != (traits.older.form != OldForm::same))
    throw "an old form needs the archive version that ended it";
}

}  // namespace detail

// Throws if the facts contradict the schema.
constexpr void check(const Schema& schema, const Traits& traits) {
  if (traits.doc.empty()) throw "every operator needs a line of documentation";
  detail::check_names(schema, traits);
  detail::check_sample(schema, traits);
  detail::check_views(schema, traits);
  detail::check_sizes(schema, traits);
  detail::check_flags(schema, traits);
}

}  // namespace cameo::aten
