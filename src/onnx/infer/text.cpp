#include <algorithm>

#include "onnx/infer/families.h"

namespace cameo::onnx {
namespace {

void string_concat(Inference& f) { f.set(DType::str, f.broadcast(f.shape(0), f.shape(1))); }

void match(Inference& f) { f.set(DType::boolean, f.shape(0)); }

// Words on a list are left out, and one is put in if none is left.
void normalize(Inference& f) {
  std::optional<Shape> shape = f.shape(0);
  if (shape && !shape->empty()) shape->back() = f.fresh("words");
  f.set(DType::str, shape);
}

void string_split(Inference& f) {
  std::optional<Shape> shape = f.shape(0);
  if (shape) shape->push_back(f.fresh("parts"));
  f.set(0, DType::str, shape);
  f.set(1, DType::i64, f.shape(0));
}

// One number for each of the n-grams, the last of which has the largest place.
void count_words(Inference& f) {
  std::optional<Shape> shape = f.shape(0);
  const std::vector<std::int64_t> places = f.list("ngram_indexes");
  const auto largest = std::max_element(places.begin(), places.end());
  const Dim count = largest == places.end() ? f.fresh("ngrams") : Dim(*largest) + 1;
  if (shape && (shape->empty() || shape->size() > 2)) f.fail("the input must have one or two axes");
  if (shape) shape->back() = count;
  f.set(DType::f32, shape);
}

void decode_image(Inference& f) {
  const std::int64_t channels = f.text("pixel_format", "RGB") == "Grayscale" ? 1 : 3;
  f.set(DType::u8, Shape{f.fresh("height"), f.fresh("width"), channels});
}

constexpr InferRow kText[] = {
    {"StringConcat", string_concat}, {"StringNormalizer", normalize},  {"StringSplit", string_split},
    {"RegexFullMatch", match},       {"TfIdfVectorizer", count_words}, {"ImageDecoder", decode_image},
};

}  // namespace

std::span<const InferRow> text_inference() { return kText; }

}  // namespace cameo::onnx
