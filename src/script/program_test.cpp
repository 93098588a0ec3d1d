#include "script/program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "script/testing.h"

namespace cameo::script {
namespace {

using ::testing::ElementsAre;
using testing::ProgramBuilder;
namespace op = testing::op;

const std::string kNet =
    "class Net(Module):\n"
    "  __parameters__ = []\n"
    "  def forward(self: __torch__.Net,\n"
    "    x: Tensor) -> Tensor:\n"
    "    return __torch__.a.b.double(x, )\n";

ProgramBuilder small_program() {
  ProgramBuilder b;
  b.code = {{"__torch__.py", kNet},
            {"__torch__/a/b.py", "def double(x: Tensor) -> Tensor:\n  return torch.add(x, x)\n"},
            {"__torch__/a/b/___torch_mangle_4.py", "class C:\n  x : int\n"},
            {"__torch__/torch/classes/quantized.py", "class Packed:\n  x : int\n"},
            {"empty.py", ""}};
  b.constants = op::tuple({op::integer(7), op::str("caf\u00e9")});
  return b;
}

std::string build_error(const ProgramBuilder& b) {
  try {
    b.build();
  } catch (const Error& e) {
    return std::string(name(e.diagnostics()[0].code)) + ": " + e.what();
  }
  return "no error";
}

TEST(Program, FindsDefinitions) {
  const Program program = small_program().build();
  EXPECT_EQ(program.find_class("__torch__.Net").def->name, "Net");
  EXPECT_EQ(program.find_class("__torch__.Net").file->name, "code/__torch__.py");
  EXPECT_EQ(program.find_function("__torch__.a.b.double").file->name, "code/__torch__/a/b.py");
  EXPECT_TRUE(program.find_class("__torch__.a.b.___torch_mangle_4.C"));
  EXPECT_FALSE(program.find_class("__torch__.a.Nothing"));
  EXPECT_FALSE(program.find_class("__torch__.a.b.double"));
  EXPECT_FALSE(program.find_class("Net"));
  EXPECT_FALSE(program.find_class("__torch__.torch.classes.quantized.Packed"));
  const ClassDef& net = *program.find_class("__torch__.Net").def;
  EXPECT_TRUE(program.find_method(net, "forward"));
  EXPECT_FALSE(program.find_method(net, "backward"));
}

TEST(Program, HoldsConstantsAndInputs) {
  ProgramBuilder b = small_program();
  const Program program = b.build();
  ASSERT_EQ(program.constants().size(), 2u);
  EXPECT_EQ(*program.constants()[0]->get_if<std::int64_t>(), 7);
  EXPECT_EQ(program.traced_inputs(), nullptr);
  b.records = {{"traced_inputs.pkl", op::pickle(op::dict({}))}};
  EXPECT_NE(b.build().traced_inputs(), nullptr);
}

TEST(Program, ListsItsCode) {
  EXPECT_THAT(
      small_program().build().code_files(),
      ElementsAre("code/__torch__.py", "code/__torch__/a/b.py", "code/__torch__/a/b/___torch_mangle_4.py",
                  "code/__torch__/torch/classes/quantized.py", "code/empty.py"));
}

TEST(Program, PositionsInBothSources) {
  ProgramBuilder b = small_program();
  const auto at = static_cast<std::int64_t>(kNet.find("__torch__.a.b.double"));
  const std::string source =
      op::tuple({op::str("def forward(self, x):\n  return double(x)\n"), op::str("net.py"), op::integer(10)});
  b.records = {{"code/__torch__.py.debug_pkl",
                op::pickle(op::tuple(
                    {op::tuple({op::integer(at), op::tuple({source, op::integer(31), op::integer(37)})})}))}};
  const Program program = b.build();
  const SourceFile& file = program.file("code/__torch__.py");
  const Stmt& stmt = *file.classes[0].methods[0].body[0];
  const Position script = program.script_position(file, stmt.range);
  EXPECT_EQ(script.file, "code/__torch__.py");
  EXPECT_EQ(script.line, 5);
  EXPECT_EQ(script.column, 5);
  EXPECT_EQ(script.function, "Net.forward");
  const auto python = program.python_position(file, stmt.range);
  ASSERT_EQ(python.size(), 1u);
  EXPECT_EQ(python[0].file, "net.py");
  EXPECT_EQ(python[0].line, 11);
  EXPECT_EQ(python[0].column, 10);
  const SourceFile& other = program.file("code/__torch__/a/b.py");
  EXPECT_TRUE(program.python_position(other, {0, 1}).empty());
}

TEST(Program, CodeThatDoesNotParse) {
  ProgramBuilder b = small_program();
  b.code[0].second = "class Net(Module)\n";
  const Program program = b.build();
  for (int again = 0; again < 2; ++again) {
    try {
      program.find_class("__torch__.Net");
      FAIL();
    } catch (const Error& e) {
      EXPECT_STREQ(e.what(), "expected ':' after the class's name, found the end of the line");
      EXPECT_EQ(e.diagnostics()[0].file, "model.pt");
      EXPECT_EQ(e.diagnostics()[0].record, "code/__torch__.py");
    }
  }
}

TEST(Program, Faults) {
  ProgramBuilder b = small_program();
  b.version = "11";
  EXPECT_EQ(build_error(b),
            "too-new: the file has format version 11, which is too new; 10 is the newest known");
  b = small_program();
  b.constants = "N";
  EXPECT_EQ(build_error(b), "bad-constants: constants.pkl does not hold a tuple");
  b = small_program();
  b.data = "N";
  EXPECT_EQ(build_error(b), "not-a-program: data.pkl does not hold a module");
  b = small_program();
  b.code.clear();
  EXPECT_EQ(build_error(b), "not-a-program: the archive has no TorchScript program");
}

TEST(Program, Demangle) {
  EXPECT_EQ(demangle("__torch__.torch.nn.modules.conv.___torch_mangle_4.Conv2d"),
            "torch.nn.modules.conv.Conv2d");
  EXPECT_EQ(demangle("__torch__.Net"), "Net");
  EXPECT_EQ(demangle("__torch__.___torch_mangle_12.Net"), "Net");
  EXPECT_EQ(demangle("__torch__.___torch_mangle_x.Net"), "___torch_mangle_x.Net");
  EXPECT_EQ(demangle(""), "");
}

}  // namespace
}  // namespace cameo::script
