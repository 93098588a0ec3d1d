#include "archive/archive.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "archive/byte_reader.h"
#include "archive/testing.h"
#include "cameo/diagnostic.h"

namespace cameo::archive {
namespace {

using ::testing::ElementsAre;
using testing::ZipBuilder;
namespace op = testing::op;

std::string one_tensor(std::string_view storage, std::int64_t numel) {
  return op::pickle(op::tensor(storage, 0, {numel}, {1}));
}

Diagnostic failure(ZipBuilder& builder) {
  const Archive archive(builder.file());
  try {
    archive.pickle("data");
  } catch (const Error& error) {
    return error.diagnostics().front();
  }
  return {};
}

TEST(Archive, FindsTheRootFolder) {
  const Archive archive(ZipBuilder(" my.net v1").add("data.pkl", "x").add("code/__torch__.py", "y").file());
  EXPECT_EQ(archive.root(), " my.net v1");
  EXPECT_TRUE(archive.has("data.pkl"));
  EXPECT_EQ(archive.text("code/__torch__.py"), "y");
  EXPECT_THAT(archive.names(), ElementsAre("data.pkl", "code/__torch__.py"));
  EXPECT_THAT(archive.names("code/"), ElementsAre("code/__torch__.py"));
  EXPECT_THROW(archive.read("absent"), Error);
}

TEST(Archive, AcceptsNoRootFolder) {
  const Archive archive(
      ZipBuilder("").add("serialized_exported_program.json", "{}").add("extra/a", "").file());
  EXPECT_EQ(archive.root(), "");
  EXPECT_THAT(archive.names(), ElementsAre("serialized_exported_program.json", "extra/a"));
}

TEST(Archive, LeavesFoldersAndForeignNamesOut) {
  const Archive archive(ZipBuilder("").add("m/", "").add("m/data.pkl", "x").add("__MACOSX/m", "").file());
  EXPECT_EQ(archive.root(), "m");
  EXPECT_THAT(archive.names(), ElementsAre("data.pkl"));
}

TEST(Archive, ReadsBookkeeping) {
  EXPECT_EQ(Archive(ZipBuilder().add("a", "").file()).version(), 0);
  EXPECT_EQ(Archive(ZipBuilder().add("version", "3\n").file()).version(), 3);
  EXPECT_EQ(Archive(ZipBuilder().add("version", "3\n").add(".data/version", "10\n").file()).version(), 10);
  EXPECT_EQ(Archive(ZipBuilder().add("version", "none").file()).version(), 0);
  EXPECT_FALSE(Archive(ZipBuilder().add("byteorder", "little").file()).big_endian());
  EXPECT_TRUE(Archive(ZipBuilder().add("byteorder", "big").file()).big_endian());
}

TEST(Archive, SharesStoragesAndPickles) {
  const std::string storage = op::storage("FloatStorage", "0", 4, "cuda:0");
  const std::string tensor = op::tensor(storage, 0, {4}, {1});
  const Archive archive(ZipBuilder()
                            .add("data.pkl", op::pickle(op::tuple({tensor, tensor})))
                            .add("data/0", "0123456789abcdef and more")
                            .file());
  const auto pickle = archive.pickle("data");
  EXPECT_EQ(pickle, archive.pickle("data"));
  const auto& items = pickle->root()->get_if<Tuple>()->items;
  const TensorPtr& first = *items[0]->get_if<TensorPtr>();
  EXPECT_EQ(first->storage, (*items[1]->get_if<TensorPtr>())->storage);
  EXPECT_EQ(first->storage->record, "model/data/0");
  EXPECT_EQ(first->storage->location, "cuda:0");
  EXPECT_EQ(as_text(first->plain_bytes()), "0123456789abcdef");
  EXPECT_EQ(archive.file().bytes().data() + *first->storage->file_offset, first->plain_bytes().data());
}

TEST(Archive, InflatesStorages) {
  const Archive archive(ZipBuilder()
                            .add("data.pkl", one_tensor(op::storage("ByteStorage", "0", 3), 3))
                            .add_deflated("data/0", "abc")
                            .file());
  const TensorPtr& tensor = *archive.pickle("data")->root()->get_if<TensorPtr>();
  EXPECT_EQ(as_text(tensor->plain_bytes()), "abc");
  EXPECT_FALSE(tensor->storage->file_offset.has_value());
}

TEST(Archive, AcceptsStoragesWithoutData) {
  const Archive traced(ZipBuilder()
                           .add("traced_inputs.pkl", one_tensor(op::storage("FloatStorage", "0", 4), 4))
                           .add("traced_inputs/0", "")
                           .file());
  EXPECT_FALSE((*traced.pickle("traced_inputs")->root()->get_if<TensorPtr>())->storage->has_data);
  const Archive meta(
      ZipBuilder().add("data.pkl", one_tensor(op::storage("FloatStorage", "0", 4, "meta"), 4)).file());
  EXPECT_FALSE((*meta.pickle("data")->root()->get_if<TensorPtr>())->storage->has_data);
  const Archive empty(
      ZipBuilder().add("data.pkl", one_tensor(op::storage("FloatStorage", "0", 0), 0)).file());
  EXPECT_TRUE((*empty.pickle("data")->root()->get_if<TensorPtr>())->plain());
}

TEST(Archive, BorrowsStorages) {
  const std::string_view mark = "mark", elements = "0123456789abcdef";
  const std::string pickle =
      op::pickle(op::tuple({op::tensor(op::storage("FloatStorage", "0", 1), 0, {2, 2}, {1, 2}),
                            op::tensor(op::storage("FloatStorage", "1", 1), 0, {1}, {1})}));
  const auto file = ZipBuilder().add("data.pkl", pickle).add("data/0", "mark").add("data/1", "1234").file();
  const Archive archive(file, {{std::as_bytes(std::span(mark)), std::as_bytes(std::span(elements))}});
  const auto& items = archive.pickle("data")->root()->get_if<Tuple>()->items;
  const TensorPtr& borrowed = *items[0]->get_if<TensorPtr>();
  EXPECT_EQ(as_text(borrowed->storage->bytes), elements);
  EXPECT_EQ(borrowed->storage->bytes.data(), std::as_bytes(std::span(elements)).data());
  EXPECT_EQ(as_text(borrowed->to_vector()), "012389ab4567cdef");
  EXPECT_EQ(as_text((*items[1]->get_if<TensorPtr>())->plain_bytes()), "1234");
  EXPECT_THROW(Archive(file).pickle("data"), Error);
}

TEST(Archive, FindsBytecodeStoragesAmongConstants) {
  const Archive archive(ZipBuilder()
                            .add("bytecode.pkl", one_tensor(op::storage("ByteStorage", "0.storage", 1), 1))
                            .add("constants/0.storage", "x")
                            .file());
  EXPECT_EQ((*archive.pickle("bytecode")->root()->get_if<TensorPtr>())->storage->record,
            "model/constants/0.storage");
}

TEST(Archive, NamesFileAndRecordAtFault) {
  ZipBuilder missing;
  missing.add("data.pkl", one_tensor(op::storage("FloatStorage", "7", 4), 4));
  EXPECT_EQ(failure(missing).code, Code::missing_record);
  EXPECT_EQ(failure(missing).record, "model/data/7");
  ZipBuilder small;
  small.add("data.pkl", one_tensor(op::storage("FloatStorage", "7", 4), 4)).add("data/7", "short");
  EXPECT_EQ(failure(small).code, Code::short_storage);
  EXPECT_EQ(failure(small).message, "the storage '7' declares 4 elements of f32 but holds 5 bytes");
  ZipBuilder huge;
  huge.add("data.pkl", one_tensor(op::storage("DoubleStorage", "7", std::int64_t{1} << 62), 4))
      .add("data/7", "x");
  EXPECT_EQ(failure(huge).code, Code::short_storage);
  ZipBuilder bad;
  bad.add("data.pkl", "\x80\x02\xff");
  EXPECT_EQ(failure(bad).code, Code::bad_pickle);
  EXPECT_EQ(failure(bad).file, "model.pt");
  EXPECT_EQ(failure(bad).record, "model/data.pkl");
  EXPECT_EQ(failure(bad).offset, 2u);
}

}  // namespace
}  // namespace cameo::archive
