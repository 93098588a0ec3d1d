#include "legacy/source.h"

#include <gtest/gtest.h>

#include "archive/testing.h"
#include "cameo/diagnostic.h"

namespace cameo::legacy {
namespace {

using archive::testing::ZipBuilder;

constexpr const char* kTensor =
    R"({"dims":["2"],"strides":["1"],"offset":"0","dataType":"FLOAT","data":{"key":"tensors/0"},"device":"cpu"})";

std::shared_ptr<const archive::Archive> archive_with(const std::string& model) {
  ZipBuilder file("net");
  file.add("model.json", model).add("tensors/0", "12345678").add("version", "1\n");
  file.add("code/net.py", "op_version_set = 0\ndef forward(self,\n    x: Tensor) -> Tensor:\n  return x\n");
  return std::make_shared<archive::Archive>(file.file());
}

std::string fault(const std::string& model) {
  try {
    LegacySource{archive_with(model)};
  } catch (const Error& error) {
    return error.diagnostics().front().message;
  }
  return {};
}

TEST(LegacySource, MakesAClassOfEachModule) {
  const LegacySource program(
      archive_with(std::string(R"({"mainModule":{"name":"net","torchscriptArena":{"key":"code/net.py"},)") +
                   R"("parameters":[{"name":"w","tensorId":"0"}]},"tensors":[)" + kTensor + "]}"));
  ASSERT_EQ(program.code_files().size(), 1U);
  EXPECT_EQ(
      program.code(program.code_files()[0]),
      "class net(Module):\n  __parameters__ = [\"w\", ]\n  __buffers__ = []\n  w : Tensor\n"
      "  def forward(self: __torch__.___torch_mangle_0.net,\n      x: Tensor) -> Tensor:\n    return x\n");
  EXPECT_EQ(program.constants().size(), 1U);
}

TEST(LegacySource, RefusesDamage) {
  EXPECT_EQ(fault("{}"), "model.json holds no module");
  EXPECT_EQ(fault(R"({"protoVersion":"6","mainModule":{"name":"net"}})"),
            "model.json has version 6, which is too new; 5 is the newest known");
  EXPECT_EQ(fault(R"({"mainModule":{"name":"net","parameters":[{"name":"w","tensorId":"3"}]}})"),
            "the file holds no tensor 3");
  EXPECT_EQ(
      fault(R"({"mainModule":{"name":"net"},"tensors":[{"dims":["4"],"strides":["1"],"dataType":"FLOAT",)"
            R"("data":{"key":"tensors/0"}}]})"),
      "a tensor reaches beyond its storage 'tensors/0' of 8 bytes");
  EXPECT_EQ(
      fault(R"({"mainModule":{"name":"net"},"tensors":[{"dataType":"STRING","data":{"key":"tensors/0"}}]})"),
      "the element type 'STRING' is not known");
}

}  // namespace
}  // namespace cameo::legacy
