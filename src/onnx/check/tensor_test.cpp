#include <gmock/gmock.h>

#include <fstream>

#include "base/temporary_folder.h"
#include "onnx/check/testing.h"

namespace cameo::onnx {
namespace {

using ::testing::ElementsAre;
using testing::faults;
using ::testing::IsEmpty;
using testing::tensor;
using testing::valid;

// The valid model with one more initialiser.
proto::Model with(proto::Tensor added) {
  proto::Model model = valid();
  model.graph->initializers.push_back(std::move(added));
  return model;
}

proto::Tensor external(std::vector<std::pair<const char*, const char*>> entries) {
  proto::Tensor made = tensor("e", {4}, 0);
  made.raw_data.reset();
  made.data_location = 1;
  for (const auto& [key, text] : entries) {
    made.external_data.emplace_back();
    made.external_data.back().key = key;
    made.external_data.back().value = text;
  }
  return made;
}

TEST(CheckTensor, Sizes) {
  EXPECT_THAT(faults(with(tensor("t", {2, 3}, 24))), IsEmpty());
  EXPECT_THAT(faults(with(tensor("t", {}, 4))), IsEmpty());
  EXPECT_THAT(faults(with(tensor("t", {0, 3}, 0))), IsEmpty());
  EXPECT_THAT(faults(with(tensor("t", {3}, 2, proto::kInt4))), IsEmpty());
  EXPECT_THAT(faults(with(tensor("t", {5}, 2, proto::kUint2))), IsEmpty());
  EXPECT_THAT(
      faults(with(tensor("t", {2, 3}, 20))),
      ElementsAre(
          "tensor-size: the initialiser 't' has 6 elements of f32, which is 24 bytes in raw_data, and "
          "there are 20"));
  EXPECT_THAT(faults(with(tensor("t", {2}, 0))),
              ElementsAre("tensor-without-data: the initialiser 't' has 2 elements, and no data"));
}

TEST(CheckTensor, ElementsThatAreReadLater) {
  const auto zeros = [](std::vector<std::int64_t> shape) {
    return std::make_shared<Data>(DType::f32, std::move(shape), [](const Sink&) { FAIL() << "read"; });
  };
  proto::Tensor made = tensor("t", {2}, 0);
  made.elements = zeros({2});
  EXPECT_THAT(faults(with(made)), IsEmpty());
  made.elements = zeros({3});
  EXPECT_THAT(
      faults(with(made)),
      ElementsAre("tensor-size: the initialiser 't' has 2 elements of f32, which is 8 bytes in raw_data, "
                  "and there are 12"));
}

TEST(CheckTensor, FieldsOfData) {
  proto::Tensor floats = tensor("t", {2}, 0);
  floats.int64_data.count = 2;
  EXPECT_THAT(faults(with(std::move(floats))),
              ElementsAre("tensor-data: the initialiser 't' is f32, and its data is in int64_data instead of "
                          "float_data"));
  proto::Tensor twice = tensor("t", {2}, 8);
  twice.float_data.count = 2;
  EXPECT_THAT(faults(with(std::move(twice))),
              ElementsAre("tensor-data: the initialiser 't' has data in float_data and in raw_data"));
  proto::Tensor complex = tensor("t", {2}, 0, proto::kComplex64);
  complex.float_data.count = 4;
  EXPECT_THAT(faults(with(std::move(complex))), IsEmpty());
  proto::Tensor few = tensor("t", {2}, 0);
  few.float_data.count = 1;
  EXPECT_THAT(
      faults(with(std::move(few))),
      ElementsAre("tensor-size: the initialiser 't' has 2 elements of f32, which is 2 entries in float_data, "
                  "and there are 1"));
}

TEST(CheckTensor, TypesAndDims) {
  EXPECT_THAT(faults(with(tensor("t", {2}, 8, 99))),
              ElementsAre("tensor-type: the initialiser 't' has no known element type, but type 99"));
  EXPECT_THAT(faults(with(tensor("t", {-2}, 8))),
              ElementsAre("tensor-dims: the dimensions of the initialiser 't' are negative or too large"));
  constexpr std::int64_t kHuge = std::int64_t{1} << 62;
  EXPECT_THAT(faults(with(tensor("t", {kHuge, kHuge}, 8))),
              ElementsAre("tensor-dims: the dimensions of the initialiser 't' are negative or too large"));
}

TEST(CheckTensor, External) {
  EXPECT_THAT(faults(with(external({{"location", "w.bin"}}))), IsEmpty());
  EXPECT_THAT(faults(with(external({}))),
              ElementsAre("external-data: the initialiser 'e' is in another file, whose name is missing"));
  for (const char* outside : {"/etc/passwd", "../w.bin", "a/../../w.bin", ""})
    EXPECT_THAT(faults(with(external({{"location", outside}}))),
                ElementsAre("external-outside: the initialiser 'e' should lie in '" + std::string(outside) +
                            "', which is not in the model's folder | the path of a data file must lead below "
                            "the folder of the model"));
  EXPECT_THAT(
      faults(with(external({{"location", "w.bin"}, {"offset", "-1"}}))),
      ElementsAre(
          "external-data: the offset of the initialiser 'e' in its file is '-1', which is not a number"));
  EXPECT_THAT(faults(with(external({{"location", "w.bin"}, {"length", "15"}}))),
              ElementsAre("tensor-size: the initialiser 'e' takes 16 bytes, and 15 are set aside for it"));
  proto::Tensor both = external({{"location", "w.bin"}});
  both.float_data.count = 4;
  EXPECT_THAT(faults(with(std::move(both))),
              ElementsAre("tensor-data: the initialiser 'e' is in another file, and has data here as well"));
  proto::Tensor strings = external({{"location", "w.bin"}});
  strings.data_type = proto::kString;
  EXPECT_THAT(
      faults(with(std::move(strings))),
      ElementsAre("external-strings: the initialiser 'e' has strings, which cannot lie in another file"));
}

TEST(CheckTensor, ExternalFiles) {
  const TemporaryFolder temporary;
  const std::string folder = temporary.path();
  std::ofstream(folder + "/w.bin") << std::string(20, '\0');
  const CheckOptions options{.folder = folder};
  EXPECT_THAT(faults(with(external({{"location", "w.bin"}, {"offset", "4"}})), options), IsEmpty());
  EXPECT_THAT(faults(with(external({{"location", "w.bin"}, {"offset", "5"}})), options),
              ElementsAre("external-range: the initialiser 'e' should lie at bytes 5 to 21 of " + folder +
                          "/w.bin, which has 20"));
  EXPECT_THAT(faults(with(external({{"location", "v.bin"}})), options),
              ElementsAre("external-file: the initialiser 'e' should lie in " + folder +
                          "/v.bin, which cannot be read: No such file or directory"));
}

constexpr std::int64_t kIndices[] = {1, 3, 2, 9};

proto::Model with_sparse(std::size_t first, std::size_t count, std::vector<std::int64_t> indices_dims) {
  proto::SparseTensor sparse;
  sparse.values = tensor("s", {2}, 8);
  sparse.indices = tensor("i", std::move(indices_dims), 0, proto::kInt64);
  sparse.indices->raw_data = std::as_bytes(std::span(kIndices)).subspan(first * 8, count * 8);
  sparse.dims = {2, 4};
  proto::Model model = valid();
  model.graph->sparse_initializers.push_back(std::move(sparse));
  return model;
}

TEST(CheckTensor, Sparse) {
  EXPECT_THAT(faults(with_sparse(0, 2, {2})), IsEmpty());
  EXPECT_THAT(
      faults(with_sparse(1, 2, {2})),
      ElementsAre("sparse-indices: the indices of the sparse initialiser 's' are not in ascending order"));
  EXPECT_THAT(
      faults(with_sparse(2, 2, {2})),
      ElementsAre("sparse-indices: an index of the sparse initialiser 's' is out of range or missing"));
  EXPECT_THAT(faults(with_sparse(0, 3, {3})),
              ElementsAre("sparse-indices: the sparse initialiser 's' has 2 values, and indices for 3"));
  EXPECT_THAT(
      faults(with_sparse(0, 2, {2, 1})),
      ElementsAre("sparse-indices: the indices of the sparse initialiser 's' must have one column, or one a "
                  "dimension"));
  EXPECT_THAT(
      faults(with_sparse(0, 4, {2, 2})),
      ElementsAre("sparse-indices: an index of the sparse initialiser 's' is out of range or missing"));
}

TEST(CheckTensor, SparseParts) {
  const auto only = [](const char* text) { return ElementsAre(text); };
  proto::Model model = with_sparse(0, 2, {2});
  proto::SparseTensor& sparse = model.graph->sparse_initializers[0];
  sparse.indices->data_type = proto::kUint64;
  EXPECT_THAT(faults(model),
              only("sparse-indices: the indices of the sparse initialiser 's' are u64, and must be i64"));
  sparse.indices.reset();
  EXPECT_THAT(faults(model), only("sparse-indices: the sparse initialiser 's' has no indices"));
  sparse.dims = {2, 0};
  EXPECT_THAT(faults(model),
              only("sparse-dims: the dimensions of the sparse initialiser 's' must be positive"));
  sparse.values->dims = {2, 1};
  EXPECT_THAT(faults(model),
              only("sparse-values: the values of the sparse initialiser 's' must have one dimension"));
  sparse.values.reset();
  EXPECT_THAT(faults(model), ElementsAre("sparse-values: the sparse initialiser '' has no values",
                                         "empty-name: a sparse initialiser has no name"));
}

}  // namespace
}  // namespace cameo::onnx
