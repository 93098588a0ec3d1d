#include "onnx/infer/families.h"

namespace cameo::onnx {
namespace {

std::optional<Shape> shape_attribute(const Inference& f) {
  Shape shape;
  for (std::int64_t dim : f.list("shape")) shape.emplace_back(dim);
  return shape;
}

void random(Inference& f) { f.set(f.dtype_attribute("dtype", DType::f32), shape_attribute(f)); }
void random_like(Inference& f) { f.set(f.dtype_attribute("dtype", f.dtype(0)), f.shape(0)); }

void multinomial(Inference& f) {
  const auto& x = f.shape(0);
  f.set(f.dtype_attribute("dtype", DType::i32),
        Shape{x && !x->empty() ? x->front() : f.fresh("batch"), f.integer("sample_size", 1)});
}

void constant(Inference& f) {
  const auto* data = f.node().attribute_if<DataPtr>("value");
  if (!data) f.fail("its value must be a tensor");
  Shape shape;
  for (std::int64_t dim : (*data)->shape()) shape.emplace_back(dim);
  f.set((*data)->dtype(), shape);
}

void constant_of_shape(Inference& f) {
  const auto* value = f.node().attribute_if<DataPtr>("value");
  const DType dtype = value ? (*value)->dtype() : DType::f32;
  const Elements sizes = f.elements(0);
  if (sizes) {
    for (const Dim& size : *sizes)
      if (known(size).value_or(0) < 0) f.fail("a size is negative");
    f.set(dtype, Shape(*sizes));
    const auto total = product(*sizes);
    const bool integers = is_integral(dtype) || dtype == DType::boolean;
    if (value && integers && (*value)->numel() == 1 && total && *total <= kMaxElements)
      f.set_elements(std::vector<Dim>(as_size(*total), Dim((*value)->integer(0))));
    return;
  }
  f.set(dtype, f.fresh_shape_like(0, "filled"));
}

void range(Inference& f) {
  const auto start = f.formula(0), limit = f.formula(1), delta = f.formula(2);
  const auto step = start && limit && delta ? known(*delta) : std::nullopt;
  if (step && *step != 0) {
    const Dim span = *step > 0 ? *limit - *start : *start - *limit;
    const Dim count = sym::max(Dim(0), sym::ceildiv(span, *step > 0 ? *step : -*step));
    f.set(f.dtype(0), Shape{count});
    const auto length = known(count);
    if (!length || *length > kMaxElements) return;
    std::vector<Dim> elements;
    for (std::int64_t i = 0; i < *length; ++i) elements.push_back(*start + Dim(i) * *step);
    return f.set_elements(std::move(elements));
  }
  const auto first = f.number(0), last = f.number(1), by = f.number(2);
  if (first && last && by && *by != 0) {
    const double count = (*last - *first) / *by;
    if (!(count < 9.0e15)) f.fail("the range does not end");
    auto length = static_cast<std::int64_t>(count);
    if (static_cast<double>(length) < count) ++length;
    return f.set(f.dtype(0), Shape{length < 0 ? 0 : length});
  }
  f.set(f.dtype(0), Shape{f.fresh("range")});
}

void bernoulli(Inference& f) { random_like(f); }

void window(Inference& f) {
  const auto size = f.formula(0);
  f.set(f.dtype_attribute("output_datatype", DType::f32), Shape{size ? *size : f.fresh("window")});
}

constexpr InferRow kGenerator[] = {
    {"Constant", constant},
    {"ConstantOfShape", constant_of_shape},
    {"Range", range},
    {"EyeLike", random_like},
    {"RandomNormal", random},
    {"RandomUniform", random},
    {"RandomNormalLike", random_like},
    {"RandomUniformLike", random_like},
    {"Multinomial", multinomial},
    {"Bernoulli", bernoulli},
    {"BlackmanWindow", window},
    {"HammingWindow", window},
    {"HannWindow", window},
};

}  // namespace

std::span<const InferRow> generator_inference() { return kGenerator; }

}  // namespace cameo::onnx
