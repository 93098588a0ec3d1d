#include <algorithm>

#include "onnx/infer/families.h"

namespace cameo::onnx {
namespace {

using Texts = std::vector<std::string>;
using Integers = std::vector<std::int64_t>;

void floats(Inference& f) { f.set(DType::f32, f.shape(0)); }

Dim rows(Inference& f) {
  const auto& x = f.shape(0);
  if (!x) return f.fresh("rows");
  return x->size() > 1 ? x->front() : Dim(1);
}

template <class T>
std::size_t length(const Inference& f, std::string_view name) {
  const T* list = f.node().attribute_if<T>(name);
  return list ? list->size() : 0;
}

void extract(Inference& f) {
  const auto& x = f.shape(0);
  const auto& chosen = f.shape(1);
  if (!x || x->empty() || !chosen || chosen->empty()) return f.set(f.dtype(0), std::nullopt);
  Shape shape = x->size() == 1 ? Shape{1} : Shape(x->begin(), x->end() - 1);
  shape.push_back(chosen->back());
  f.set(f.dtype(0), shape);
}

void map_categories(Inference& f) { f.set(f.dtype(0) == DType::str ? DType::i64 : DType::str, f.shape(0)); }

void encode_labels(Inference& f) {
  DType dtype = DType::undefined;
  if (f.has_attribute("values_strings"))
    dtype = DType::str;
  else if (f.has_attribute("values_int64s"))
    dtype = DType::i64;
  else if (f.has_attribute("values_floats"))
    dtype = DType::f32;
  else if (const auto* values = f.node().attribute_if<DataPtr>("values_tensor"))
    dtype = (*values)->dtype();
  else if (f.has_attribute("classes_strings"))
    dtype = f.dtype(0) == DType::str ? DType::i64 : DType::str;
  f.set(dtype, f.shape(0));
}

void one_hot_categories(Inference& f) {
  std::optional<Shape> shape = f.shape(0);
  const std::size_t count = std::max(length<Integers>(f, "cats_int64s"), length<Texts>(f, "cats_strings"));
  if (shape) shape->emplace_back(static_cast<std::int64_t>(count));
  f.set(DType::f32, shape);
}

void join_features(Inference& f) {
  Dim total = 0;
  for (const std::int64_t part : f.list("inputdimensions")) total = total + part;
  if (f.list("inputdimensions").empty()) total = f.fresh("features");
  f.set(DType::f32, Shape{rows(f), total});
}

void regress(Inference& f, std::string_view targets) {
  f.set(DType::f32, Shape{rows(f), f.integer(targets, 1)});
}

void classify(Inference& f) {
  const std::size_t texts = length<Texts>(f, "classlabels_strings");
  const std::size_t numbers =
      std::max(length<Integers>(f, "classlabels_ints"), length<Integers>(f, "classlabels_int64s"));
  const Dim count = rows(f);
  f.set(0, texts > 0 ? DType::str : DType::i64, Shape{count});
  const auto classes = static_cast<std::int64_t>(std::max(texts, numbers));
  f.set(1, DType::f32, Shape{count, classes > 0 ? Dim(classes) : f.fresh("classes")});
}

constexpr InferRow kLearning[] = {
    {"ai.onnx.ml::ArrayFeatureExtractor", extract},
    {"ai.onnx.ml::Binarizer", like_first},
    {"ai.onnx.ml::CategoryMapper", map_categories},
    {"ai.onnx.ml::FeatureVectorizer", join_features},
    {"ai.onnx.ml::Imputer", like_first},
    {"ai.onnx.ml::LabelEncoder", encode_labels},
    {"ai.onnx.ml::LinearClassifier", classify},
    {"ai.onnx.ml::LinearRegressor", [](Inference& f) { regress(f, "targets"); }},
    {"ai.onnx.ml::Normalizer", floats},
    {"ai.onnx.ml::OneHotEncoder", one_hot_categories},
    {"ai.onnx.ml::SVMRegressor", [](Inference& f) { regress(f, "targets"); }},
    {"ai.onnx.ml::Scaler", floats},
    {"ai.onnx.ml::TreeEnsembleClassifier", classify},
    {"ai.onnx.ml::TreeEnsembleRegressor", [](Inference& f) { regress(f, "n_targets"); }},
};

}  // namespace

std::span<const InferRow> learning_inference() { return kLearning; }

}  // namespace cameo::onnx
