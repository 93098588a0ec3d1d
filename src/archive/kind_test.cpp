#include "archive/kind.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "archive/testing.h"

namespace cameo::archive {
namespace {

using namespace std::string_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::ZipBuilder;
namespace op = testing::op;

Kind kind(const std::string& contents) { return kind_of(ZipBuilder::hold(contents)); }
Diagnostic explained(const std::string& contents) {
  const auto file = ZipBuilder::hold(contents);
  return explain(kind_of(file), *file);
}

std::string tensor() { return op::tensor(op::storage("ByteStorage", "0", 1), 0, {1}, {1}); }
std::string saved(const std::string& body) {
  return ZipBuilder("archive")
      .add("data.pkl", op::pickle(body))
      .add("data/0", "x")
      .add("version", "3\n")
      .build();
}
std::string module(std::string_view name) {
  return op::object("models", name, op::dict({{"_modules", "}"}, {"_parameters", "}"}, {"w", tensor()}}));
}

TEST(Kind, Programs) {
  ZipBuilder program;
  program.add("data.pkl", "").add("constants.pkl", "").add("code/__torch__.py", "");
  EXPECT_EQ(kind(program.build()), Kind::torchscript);
  program.add("bytecode.pkl", "");
  EXPECT_EQ(kind(program.build()), Kind::mobile);
  EXPECT_EQ(kind(ZipBuilder().add("data.pkl", "").add("bytecode.pkl", "").build()), Kind::mobile_stripped);
  EXPECT_TRUE(holds_program(Kind::torchscript));
  EXPECT_TRUE(holds_program(Kind::torchscript_old));
  EXPECT_TRUE(holds_program(Kind::mobile));
  EXPECT_FALSE(holds_program(Kind::mobile_stripped));
}

TEST(Kind, OtherArchivesOfPyTorch) {
  EXPECT_EQ(kind(ZipBuilder("").add("serialized_exported_program.json", "{}").add("version", "2").build()),
            Kind::exported_program);
  EXPECT_EQ(kind(ZipBuilder().add("archive_format", "pt2").add("models/model.json", "{}").build()),
            Kind::exported_program);
  EXPECT_EQ(kind(ZipBuilder().add("archive_format", "pt2").add("data/aotinductor/model/a.so", "").build()),
            Kind::aot_inductor);
  EXPECT_EQ(kind(ZipBuilder().add("model.json", "{}").add("code/a.py", "").build()), Kind::torchscript_old);
  EXPECT_EQ(kind(ZipBuilder().add(".data/extern_modules", "").add("m/m.pkl", "").build()),
            Kind::torch_package);
  EXPECT_EQ(kind(ZipBuilder().add("word/document.xml", "").build()), Kind::other_zip);
}

TEST(Kind, ArchivesOfTorchExport) {
  ZipBuilder both;
  both.add("archive_format", "pt2").add("models/a.json", "{}").add("data/aotinductor/a/a.so", "");
  EXPECT_EQ(kind(both.build()), Kind::exported_program);
  ZipBuilder rootless("");
  rootless.add("archive_format", "pt2").add("version", "0").add("data/aotinductor/model/a.so", "");
  EXPECT_EQ(kind(rootless.build()), Kind::aot_inductor);
  ZipBuilder unpacked("");
  unpacked.add("archive_format", "pt2").add("models/model.json", "{}");
  EXPECT_EQ(kind(unpacked.build()), Kind::exported_program);
  EXPECT_EQ(kind(ZipBuilder().add("serialized_exported_program.json", "{}").build()), Kind::exported_program);
  EXPECT_EQ(kind(ZipBuilder().add("archive_format", "pt2").add("data/executorch/m.pte", "").build()),
            Kind::executorch);
  EXPECT_EQ(kind(ZipBuilder().add("archive_format", "pt2").add("data/weights/a", "").build()),
            Kind::exported_program);
  EXPECT_EQ(kind(ZipBuilder().add("models/model.json", "{}").build()), Kind::other_zip);
  ZipBuilder script;
  script.add("data.pkl", "").add("constants.pkl", "").add("code/__torch__.py", "").add("version", "3");
  EXPECT_EQ(kind_of(script.file("model.pt2")), Kind::torchscript);
}

TEST(Kind, Checkpoints) {
  EXPECT_EQ(kind(saved(op::dict({{"conv.weight", tensor()}}))), Kind::state_dict);
  EXPECT_EQ(kind(saved("ccollections\nOrderedDict\n)R(" + op::str("w") + tensor() + "u}b")),
            Kind::state_dict);
  EXPECT_EQ(kind(saved(op::dict({{"epoch", "K\3"}, {"model", op::dict({{"w", tensor()}})}}))),
            Kind::state_dict);
  EXPECT_EQ(kind(saved(tensor())), Kind::tensors);
  EXPECT_EQ(kind(saved(op::list({tensor(), tensor()}))), Kind::tensors);
  EXPECT_EQ(kind(saved(op::dict({{"epoch", "K\3"}}))), Kind::tensors);
  EXPECT_EQ(kind(saved(module("Net"))), Kind::pickled_module);
  EXPECT_EQ(kind(saved(op::dict({{"epoch", "K\3"}, {"model", module("Net")}}))), Kind::pickled_module);
  EXPECT_EQ(kind(saved(op::object("sklearn", "Tree", "}"))), Kind::pickled_module);
  EXPECT_EQ(kind(ZipBuilder().add("data.pkl", "\xff\xff").build()), Kind::tensors);
}

TEST(Kind, OtherFiles) {
  EXPECT_EQ(kind("\x18\0\0\0PTMF\0\0\0\0"s), Kind::flatbuffer);
  EXPECT_EQ(kind("\x18\0\0\0ET12\0\0\0\0"s), Kind::executorch);
  EXPECT_EQ(kind("\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19.\x80\x02M\xe9\x03."),
            Kind::legacy_pickle);
  EXPECT_EQ(kind("\x80\x04N."), Kind::other_pickle);
  EXPECT_EQ(kind("PYTORCH1 and so on"), Kind::preview_container);
  EXPECT_EQ(explained("PYTORCH1 and so on").code, Code::preview_container);
  EXPECT_EQ(kind("\x89HDF\r\n\x1a\n and so on"), Kind::hdf5);
  EXPECT_EQ(explained("\x89HDF\r\n\x1a\n and so on").code, Code::hdf5);
  EXPECT_EQ(kind("\x1f\x8b\x08 and so on"), Kind::gzip);
  EXPECT_EQ(kind("version https://git-lfs.github.com/spec/v1\noid sha256:0\n"), Kind::git_lfs);
  EXPECT_EQ(kind("\n <!DOCTYPE HTML><title>404</title>"), Kind::html);
  EXPECT_EQ(kind("# a model\nimport torch\n"), Kind::python_text);
  EXPECT_EQ(kind("class Net(nn.Module):\n  pass\n"), Kind::python_text);
  EXPECT_EQ(kind("a gr\xc3\xbc\xc3\x9f of text"), Kind::text);
  EXPECT_EQ(kind("\x02\0\0\0\0\0\0\0{}"s), Kind::safetensors);
  EXPECT_EQ(explained("\x02\0\0\0\0\0\0\0{}"s).code, Code::safetensors);
  EXPECT_EQ(kind("\x08\x08\x12\x02xx\x3a\x03gra\x42\x02\x10\x11"), Kind::onnx);
  EXPECT_EQ(kind("\x08\x08\x12\x02xx\x3a\x13gra"), Kind::unknown);
  EXPECT_EQ(kind("\x01\x02\x03"), Kind::unknown);
  EXPECT_EQ(kind(""), Kind::unknown);
  std::string tar(512, '\0');
  tar.replace(0, 8, "sys_info").replace(257, 5, "ustar");
  EXPECT_EQ(kind(tar), Kind::tar);
  EXPECT_THAT(explained(tar).message, HasSubstr("PyTorch 0.1"));
  EXPECT_EQ(explained(tar).code, Code::tar);
  tar.replace(0, 8, "model.pt");
  EXPECT_EQ(explained(tar).message, "this is a tar archive, not a model");
}

TEST(Kind, BrokenZips) {
  const std::string whole = saved(tensor());
  EXPECT_EQ(kind(whole.substr(0, whole.size() / 2)), Kind::truncated_zip);
  std::string damaged = whole;
  damaged.replace(damaged.rfind("PK\x01\x02"), 4, "xxxx");
  EXPECT_EQ(kind(damaged), Kind::damaged_zip);
  EXPECT_EQ(explained(damaged).code, Code::bad_zip);
}

TEST(Kind, ExplainsEveryKind) {
  const auto file = ZipBuilder::hold("nothing");
  std::set<Code> codes;
  std::set<std::string> messages;
  for (int i = 0; i <= static_cast<int>(Kind::unknown); ++i) {
    const Kind each = static_cast<Kind>(i);
    EXPECT_FALSE(describe(each).empty());
    if (holds_program(each) || each == Kind::damaged_zip) continue;
    const Diagnostic diagnostic = explain(each, *file);
    EXPECT_TRUE(codes.insert(diagnostic.code).second) << name(diagnostic.code);
    EXPECT_TRUE(messages.insert(diagnostic.message).second) << diagnostic.message;
    EXPECT_FALSE(diagnostic.hint.empty());
    EXPECT_EQ(diagnostic.file, "model.pt");
    EXPECT_FALSE(diagnostic.message.ends_with('.'));
  }
}

TEST(Kind, SaysWhatIsInside) {
  const Diagnostic state_dict = explained(saved(op::dict({{"conv.weight", tensor()}})));
  EXPECT_EQ(state_dict.message, "this file holds weights but no program");
  EXPECT_EQ(state_dict.hint, "save the model with torch.jit.trace, torch.jit.script or torch.export");
  EXPECT_THAT(state_dict.notes, ElementsAre("it holds 1 tensor, the first one named 'conv.weight'"));
  EXPECT_THAT(explained(saved(op::dict({{"model", module("Net")}}))).message,
              HasSubstr("class 'models.Net'"));
  EXPECT_EQ(explained(ZipBuilder("release").add("net.pt", "").build()).message,
            "this zip archive is not a model itself but holds 'release/net.pt'");
}

}  // namespace
}  // namespace cameo::archive
