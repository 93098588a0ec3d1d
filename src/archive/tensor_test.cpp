#include "archive/tensor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <numeric>

#include "archive/byte_reader.h"
#include "archive/pickle.h"
#include "archive/testing.h"
#include "cameo/diagnostic.h"

namespace cameo::archive {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
namespace op = testing::op;

// Reads pickled tensors over one storage of `bytes`.
class TensorTest : public ::testing::Test {
 protected:
  TensorPtr read(std::string body) {
    body_ = op::pickle(body);
    PickleSource source{.name = "data.pkl", .storage = {}};
    source.storage = [&](DType dtype, std::string_view key, std::string_view location, std::int64_t numel) {
      auto storage = std::make_shared<Storage>();
      storage->dtype = dtype;
      storage->key = key;
      storage->location = location;
      storage->numel = numel;
      storage->has_data = location != "meta";
      if (storage->has_data) storage->bytes = as_bytes(data);
      storage->big_endian = big_endian;
      return storage;
    };
    pickle_ = std::make_unique<Pickle>(as_bytes(body_), source);
    const TensorPtr* tensor = pickle_->root()->get_if<TensorPtr>();
    return tensor == nullptr ? nullptr : *tensor;
  }
  std::string error(const std::string& body) {
    try {
      read(body);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }
  template <class T>
  void fill(std::vector<T> values) {
    data.assign(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
  }

  std::string data;
  bool big_endian = false;

 private:
  std::string body_;
  std::unique_ptr<Pickle> pickle_;
};

template <class T>
std::vector<T> values_of(const Tensor& tensor) {
  const std::vector<std::byte> bytes = tensor.to_vector();
  std::vector<T> values(bytes.size() / sizeof(T));
  if (!bytes.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

std::string call(std::string_view function, const std::vector<std::string>& args) {
  return op::global("torch._utils", function) + op::tuple(args) + "R";
}

TEST_F(TensorTest, ContiguousIsPlain) {
  fill<float>({0, 1, 2, 3, 4, 5, 6});
  const TensorPtr tensor = read(op::tensor(op::storage("FloatStorage", "0", 7), 1, {2, 3}, {3, 1}));
  EXPECT_EQ(tensor->numel(), 6);
  EXPECT_EQ(tensor->byte_size(), 24);
  ASSERT_TRUE(tensor->plain());
  EXPECT_EQ(tensor->plain_bytes().data(), tensor->storage->bytes.data() + 4);
  EXPECT_THAT(values_of<float>(*tensor), ElementsAre(1, 2, 3, 4, 5, 6));
}

TEST_F(TensorTest, GathersStrides) {
  fill<std::int16_t>({0, 1, 2, 3, 4, 5});
  const std::string storage = op::storage("ShortStorage", "0", 6);
  const TensorPtr transposed = read(op::tensor(storage, 0, {3, 2}, {1, 3}));
  EXPECT_FALSE(transposed->plain());
  EXPECT_THAT(values_of<std::int16_t>(*transposed), ElementsAre(0, 3, 1, 4, 2, 5));
  EXPECT_THAT(values_of<std::int16_t>(*read(op::tensor(storage, 4, {2, 2}, {0, 1}))),
              ElementsAre(4, 5, 4, 5));
  EXPECT_THAT(values_of<std::int16_t>(*read(op::tensor(storage, 5, {}, {}))), ElementsAre(5));
  EXPECT_THAT(values_of<std::int16_t>(*read(op::tensor(storage, 99, {0, 4}, {4, 1}))), ElementsAre());
  EXPECT_TRUE(read(op::tensor(storage, 0, {1, 6, 1}, {77, 1, 99}))->plain());
}

TEST_F(TensorTest, GathersInBoundedPieces) {
  std::vector<std::int32_t> values(100000);
  std::iota(values.begin(), values.end(), 0);
  fill(values);
  const TensorPtr columns =
      read(op::tensor(op::storage("IntStorage", "0", 100000), 0, {1000, 100}, {1, 1000}));
  std::size_t largest = 0, total = 0;
  columns->copy_to([&](Bytes piece) { largest = std::max(largest, piece.size()), total += piece.size(); });
  EXPECT_LE(largest, std::size_t{1} << 20);
  EXPECT_EQ(total, 400000u);
  const std::vector<std::int32_t> gathered = values_of<std::int32_t>(*columns);
  for (int row = 0; row < 1000; ++row) {
    for (int column = 0; column < 100; ++column) ASSERT_EQ(gathered[row * 100 + column], row + column * 1000);
  }
}

TEST_F(TensorTest, SwapsBigEndian) {
  big_endian = true;
  data = std::string("\x01\x02\x03\x04\x05\x06\x07\x08", 8);
  EXPECT_THAT(values_of<std::uint32_t>(*read(op::tensor(op::storage("IntStorage", "0", 2), 0, {2}, {1}))),
              ElementsAre(0x01020304, 0x05060708));
  EXPECT_THAT(
      values_of<std::uint32_t>(*read(op::tensor(op::storage("ComplexFloatStorage", "0", 1), 0, {1}, {1}))),
      ElementsAre(0x01020304, 0x05060708));
  EXPECT_TRUE(read(op::tensor(op::storage("ByteStorage", "0", 8), 0, {8}, {1}))->plain());
}

TEST_F(TensorTest, AppliesLazyBits) {
  fill<float>({1, 2, 3, 4});
  const auto lazy = [&](std::string_view type, std::int64_t numel, const std::string& bits) {
    return *read(call("_rebuild_tensor_v2", {op::storage(type, "0", numel), "K\x01", op::ints({1}),
                                             op::ints({1}), "\x89", "}", op::dict({{bits, "\x88"}})}));
  };
  EXPECT_THAT(values_of<float>(lazy("ComplexFloatStorage", 2, "conj")), ElementsAre(3, -4));
  EXPECT_THAT(values_of<float>(lazy("ComplexFloatStorage", 2, "neg")), ElementsAre(-3, -4));
  EXPECT_THAT(values_of<float>(lazy("FloatStorage", 4, "neg")), ElementsAre(-2));
  EXPECT_THROW(lazy("IntStorage", 4, "neg"), Error);
}

TEST_F(TensorTest, RebuildsOtherForms) {
  data = std::string(64, '\1');
  const std::string storage = op::storage("FloatStorage", "0", 16);
  const std::string view = op::tensor(storage, 0, {4}, {1});
  EXPECT_EQ(read(call("_rebuild_tensor", {storage, op::integer(0), op::ints({2}), op::ints({1})}))->numel(),
            2);
  const std::string untyped = op::storage("UntypedStorage", "0", 64, "cuda:0", "torch.storage");
  const TensorPtr small =
      read(call("_rebuild_tensor_v3", {untyped, op::integer(0), op::ints({64}), op::ints({1}), "\x89", "}",
                                       op::global("torch", "float8_e5m2")}));
  EXPECT_EQ(small->dtype, DType::f8e5m2);
  EXPECT_TRUE(read(call("_rebuild_parameter", {view, "\x88", "}"}))->requires_grad);
  EXPECT_TRUE(read(call("_rebuild_parameter_with_state", {view, "\x88", "}", "N"}))->requires_grad);
  const TensorPtr subclass = read(op::global("torch._tensor", "_rebuild_from_type_v2") +
                                  op::tuple({op::global("torch._utils", "_rebuild_parameter"),
                                             op::global("m", "T"), op::tuple({view, "\x89", "}"}), "}"}) +
                                  "R");
  EXPECT_EQ(subclass->numel(), 4);
  const TensorPtr meta = read(call("_rebuild_meta_tensor_no_storage",
                                   {op::global("torch", "float16"), op::ints({8}), op::ints({1}), "\x89"}));
  EXPECT_EQ(meta->dtype, DType::f16);
  EXPECT_THROW(meta->to_vector(), Error);
  EXPECT_EQ(read(op::tensor(op::storage("FloatStorage", "0", 1 << 20, "meta"), 0, {1 << 20}, {1}))->numel(),
            1 << 20);
}

TEST_F(TensorTest, ReadsQuantization) {
  data = std::string(64, '\1');
  const auto quantized = [&](std::string_view type, const std::vector<std::int64_t>& shape,
                             const std::vector<std::int64_t>& strides, const std::string& scheme) {
    return call("_rebuild_qtensor", {op::storage(type, "0", 64), op::integer(0), op::ints(shape),
                                     op::ints(strides), scheme, "\x89", "}"});
  };
  const std::string per_tensor =
      op::tuple({op::global("torch", "per_tensor_affine"), op::real(0.5), op::integer(3)});
  const auto one = std::get<PerTensor>(read(quantized("QUInt8Storage", {4}, {1}, per_tensor))->quantization);
  EXPECT_EQ(one.scale, 0.5);
  EXPECT_EQ(one.zero_point, 3);
  const std::string scales = op::tensor(op::storage("DoubleStorage", "1", 8), 0, {3}, {1});
  const std::string zeros = op::tensor(op::storage("LongStorage", "2", 8), 0, {3}, {1});
  const auto per_channel = [&](std::int64_t axis, std::string_view scheme = "per_channel_affine") {
    return op::tuple({op::global("torch", scheme), scales, zeros, op::integer(axis)});
  };
  const TensorPtr channels = read(quantized("QInt8Storage", {2, 3}, {3, 1}, per_channel(1)));
  EXPECT_EQ(std::get<PerChannel>(channels->quantization).axis, 1);
  EXPECT_EQ(std::get<PerChannel>(channels->quantization).scales->numel(), 3);
  const TensorPtr packed =
      read(quantized("QUInt4x2Storage", {3, 5}, {5, 1}, per_channel(0, "per_channel_affine_float_qparams")));
  EXPECT_TRUE(std::get<PerChannel>(packed->quantization).float_qparams);
  EXPECT_EQ(packed->byte_size(), 9);
  EXPECT_EQ(packed->plain_bytes().size(), 9u);
  EXPECT_THAT(error(quantized("QInt8Storage", {2, 3}, {3, 1}, per_channel(0))), HasSubstr("one scale"));
  EXPECT_THAT(error(quantized("QInt8Storage", {2, 3}, {3, 1}, per_channel(2))), HasSubstr("axis"));
  EXPECT_THAT(error(quantized("FloatStorage", {2, 3}, {3, 1}, per_tensor)), HasSubstr("plain numbers"));
  EXPECT_THAT(error(quantized("QUInt4x2Storage", {5, 3}, {1, 5}, per_tensor)), HasSubstr("not contiguous"));
}

TEST_F(TensorTest, ReadsSparseTensors) {
  data = std::string(64, '\0');
  const std::string indices = op::tensor(op::storage("LongStorage", "0", 8), 0, {2, 3}, {3, 1});
  const std::string values = op::tensor(op::storage("FloatStorage", "1", 16), 0, {3}, {1});
  const std::string rows = op::tensor(op::storage("LongStorage", "0", 8), 0, {5}, {1});
  const std::string columns = op::tensor(op::storage("LongStorage", "0", 8), 0, {3}, {1});
  const std::string size = op::ints({4, 4});
  const TensorPtr coo = read(call("_rebuild_sparse_tensor", {"K\x01", size, "\x89", indices, values, "}"}));
  EXPECT_EQ(coo->layout, Layout::coo);
  EXPECT_THAT(coo->shape, ElementsAre(4, 4));
  EXPECT_EQ(coo->parts.size(), 2u);
  const TensorPtr csr =
      read(call("_rebuild_sparse_tensor", {"K\x02", size, "\x89", rows, columns, values, "}"}));
  EXPECT_EQ(csr->layout, Layout::csr);
  EXPECT_EQ(csr->parts.size(), 3u);
  const std::string layout =
      op::global("torch.serialization", "_get_layout") + op::str("torch.sparse_coo") + "\x85R";
  EXPECT_EQ(read(call("_rebuild_sparse_tensor", {layout, op::tuple({indices, values, size})}))->numel(), 16);
  EXPECT_THAT(error(call("_rebuild_sparse_tensor", {"K\x01", size, "\x89", columns, values, "}"})),
              HasSubstr("indices"));
  EXPECT_THAT(error(call("_rebuild_sparse_tensor", {"K\x01", size, "\x89", indices, rows, "}"})),
              HasSubstr("one index a value"));
}

TEST_F(TensorTest, RefusesToWriteWhatHasNoDataOrNoEnd) {
  const auto code = [](const TensorPtr& tensor) {
    try {
      tensor->to_vector();
    } catch (const Error& error) {
      return std::optional(error.diagnostics().front().code);
    }
    return std::optional<Code>();
  };
  EXPECT_EQ(code(read(op::tensor(op::storage("FloatStorage", "0", 4, "meta"), 0, {2, 2}, {2, 1}))),
            Code::meta_tensor);
  fill<float>({1});
  EXPECT_EQ(code(read(op::tensor(op::storage("FloatStorage", "0", 1), 0, {1 << 30, 1 << 10}, {0, 0}))),
            Code::tensor_too_large);
}

TEST_F(TensorTest, RefusesWhatLiesOutside) {
  data = std::string(16, '\0');
  const std::string storage = op::storage("FloatStorage", "0", 4);
  constexpr std::int64_t kHuge = std::int64_t{1} << 62;
  EXPECT_THAT(error(op::tensor(storage, 0, {5}, {1})), HasSubstr("beyond its storage '0'"));
  EXPECT_THAT(error(op::tensor(storage, 4, {1}, {1})), HasSubstr("beyond its storage"));
  EXPECT_THAT(error(op::tensor(storage, 0, {2, 2}, {3, 1})), HasSubstr("beyond its storage"));
  EXPECT_THAT(error(op::tensor(storage, 0, {2}, {kHuge})), HasSubstr("beyond its storage"));
  EXPECT_THAT(error(op::tensor(storage, kHuge, {3}, {kHuge})), HasSubstr("beyond any memory"));
  EXPECT_THAT(error(op::tensor(storage, 0, {kHuge, 4}, {0, 0})), HasSubstr("more elements"));
  EXPECT_THAT(error(op::tensor(storage, -1, {1}, {1})), HasSubstr("negative"));
  EXPECT_THAT(error(op::tensor(storage, 0, {-1}, {1})), HasSubstr("negative"));
  EXPECT_THAT(error(op::tensor(storage, 0, {2}, {-1})), HasSubstr("negative"));
  EXPECT_THAT(error(op::tensor(storage, 0, {2}, {1, 1})), HasSubstr("differ in length"));
  EXPECT_THAT(error(op::tensor(op::storage("WeirdStorage", "0", 4), 0, {1}, {1})),
              HasSubstr("torch.WeirdStorage"));
  EXPECT_THAT(error(op::tensor(op::storage("FloatStorage", "0", -4), 0, {1}, {1})),
              HasSubstr("negative size"));
  EXPECT_THAT(error(op::tensor("N", 0, {1}, {1})), HasSubstr("storage is missing"));
  EXPECT_THROW(read(op::tensor(storage, 0, {1 << 20, 1 << 20}, {0, 0}))->to_vector(), Error);
}

}  // namespace
}  // namespace cameo::archive
