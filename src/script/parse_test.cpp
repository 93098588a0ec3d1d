#include "script/parse.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cameo/diagnostic.h"
#include "script/print.h"

namespace cameo::script {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// The function around statements, for inspection.
struct Function {
  std::string text;
  SourceFile file;
  explicit Function(std::string_view body) : text("def f():\n") {
    while (!body.empty()) {
      const std::size_t end = std::min(body.find('\n'), body.size());
      text += "  " + std::string(body.substr(0, end)) + "\n";
      body.remove_prefix(std::min(end + 1, body.size()));
    }
    file = parse("f.py", text);
  }
  template <class T>
  const T& stmt(std::size_t i = 0) const {
    return std::get<T>(file.functions.at(0).body.at(i)->node);
  }
};

// How an expression was understood: printing adds the parentheses that precedence left out.
std::string understood(std::string_view text) { return print(*parse_type(text)); }

std::string parse_error(std::string_view text) {
  try {
    parse("code/x.py", text);
  } catch (const Error& e) {
    const Position& at = *e.diagnostics()[0].script;
    return std::to_string(at.line) + ":" + std::to_string(at.column) + ": " + e.what();
  }
  return "no error";
}

TEST(Parse, Precedence) {
  EXPECT_EQ(understood("a + b * c - d"), "(a + (b * c)) - d");
  EXPECT_EQ(understood("-a ** -b"), "-(a ** (-b))");
  EXPECT_EQ(understood("a ** b ** c"), "a ** (b ** c)");
  EXPECT_EQ(understood("not a == b or c and d"), "(not (a == b)) or (c and d)");
  EXPECT_EQ(understood("a | b ^ c & d << 1"), "a | (b ^ (c & (d << 1)))");
  EXPECT_EQ(understood("a is not b"), "a is not b");
  EXPECT_EQ(understood("a not in b"), "a not in b");
  EXPECT_EQ(understood("a if b else c if d else e"), "a if b else (c if d else e)");
  EXPECT_EQ(understood("a @ b // c % d"), "((a @ b) // c) % d");
  EXPECT_EQ(understood("~a.b(c)[d]"), "~a.b(c)[d]");
}

TEST(Parse, ChainedComparison) {
  EXPECT_EQ(understood("a < b <= 3 != c"), "((a < b) and (b <= 3)) and (3 != c)");
  EXPECT_EQ(understood("(a < b) < c"), "(a < b) < c");
}

TEST(Parse, Numbers) {
  const auto integer = [](std::string_view text) {
    return std::get<IntLiteral>(parse_type(text)->node).value;
  };
  const auto real = [](std::string_view text) {
    return std::get<FloatLiteral>(parse_type(text)->node).value;
  };
  EXPECT_EQ(integer("-1"), -1);
  EXPECT_EQ(integer("0x1f"), 31);
  EXPECT_EQ(integer("100000000000"), 100000000000);
  EXPECT_EQ(integer("9223372036854775807"), INT64_MAX);
  EXPECT_EQ(integer("-9223372036854775808"), INT64_MIN);
  EXPECT_EQ(real("9223372036854775808"), 9223372036854775808.0);
  EXPECT_EQ(real("0.10000000000000001"), 0.1);
  EXPECT_EQ(real("1.0000000000000001e-05"), 1e-5);
  EXPECT_EQ(real("-1e-300"), -1e-300);
  EXPECT_EQ(real("5e-324"), 5e-324);
  EXPECT_TRUE(std::signbit(real("-0.")));
  EXPECT_EQ(std::get<ImaginaryLiteral>(parse_type("2.5j")->node).value, 2.5);
  EXPECT_EQ(understood("1.+2.j"), "1. + 2.j");
  EXPECT_EQ(understood("-inf"), "-inf");
}

TEST(Parse, Strings) {
  EXPECT_EQ(std::get<StringLiteral>(parse_type(R"("a\r" 'b' """c""")")->node).value, "a\rbc");
}

TEST(Parse, Brackets) {
  EXPECT_EQ(understood("(a)"), "a");
  EXPECT_EQ(understood("(a,)"), "(a,)");
  EXPECT_EQ(understood("((a,),)"), "((a,),)");
  EXPECT_EQ(understood("()"), "()");
  EXPECT_EQ(understood("[a, b, ]"), "[a, b]");
  EXPECT_EQ(understood("{a: 1, \"b\": {}}"), "{a: 1, \"b\": {}}");
  EXPECT_EQ(understood("x[1:, ::2, ..., None]"), "x[1:, ::2, ..., None]");
  EXPECT_EQ(understood("[f(x) for x, y in z]"), "[f(x) for (x, y) in z]");
  EXPECT_EQ(understood("f(a, *b, k=c, )"), "f(a, *b, k=c)");
  EXPECT_EQ(understood("(m).forward(x, )"), "m.forward(x)");
}

TEST(Parse, Types) {
  for (const char* type :
       {"Dict[str, List[int]]", "Tuple[()]", "Optional[__torch__.a.B]", "int | None",
        "Tuple[Tensor, Tuple[int, float]]", "Future[Tensor]", "__torch__.torch.classes.x.Y"}) {
    EXPECT_EQ(understood(type), type);
  }
}

TEST(Parse, AssignmentForms) {
  const Function f(
      "x = g(y)\n"
      "a, b = torch.max(x, 1)\n"
      "a, b, = x\n"
      "a, = x\n"
      "a, b = b, a\n"
      "y : Optional[int] = 4\n"
      "self.n = x\n"
      "x[0] = y\n"
      "(a, b), c = x\n"
      "x += 1\n");
  const auto shape = [&](std::size_t i) {
    const auto& assign = f.stmt<Assign>(i);
    return std::pair(assign.targets.size(), assign.unpack);
  };
  EXPECT_EQ(shape(0), std::pair(std::size_t(1), false));
  EXPECT_EQ(shape(1), std::pair(std::size_t(2), false));
  EXPECT_EQ(shape(2), std::pair(std::size_t(2), true));
  EXPECT_EQ(shape(3), std::pair(std::size_t(1), true));
  EXPECT_EQ(shape(4), std::pair(std::size_t(2), false));
  EXPECT_EQ(f.stmt<Assign>(4).value->get_if<TupleExpr>()->items.size(), 2u);
  EXPECT_EQ(print(*f.stmt<Assign>(5).type), "Optional[int]");
  EXPECT_EQ(f.stmt<Assign>(6).targets[0]->get_if<Attribute>()->name, "n");
  EXPECT_TRUE(f.stmt<Assign>(7).targets[0]->get_if<Subscript>());
  EXPECT_EQ(shape(8), std::pair(std::size_t(2), false));
  EXPECT_TRUE(f.stmt<Assign>(8).targets[0]->get_if<TupleExpr>());
  EXPECT_EQ(f.stmt<AugAssign>(9).op, BinaryOp::add);
}

TEST(Parse, ControlFlow) {
  const Function f(
      "if a:\n  pass\nelif b:\n  x = 1\nelse:\n  x = 2\n"
      "for i in range(n):\n  continue\n"
      "while c:\n  break\n"
      "with ctx as v, other:\n  pass\n"
      "def __forked_function():\n  return x\n"
      "assert a, \"b\"\n"
      "raise E(\"x\")\n"
      "del x, y\n"
      "torch.warn(x)\n"
      "return\n");
  const auto& outer = f.stmt<If>(0);
  ASSERT_EQ(outer.else_body.size(), 1u);
  EXPECT_EQ(std::get<If>(outer.else_body[0]->node).else_body.size(), 1u);
  EXPECT_EQ(print(*f.stmt<For>(1).iterable), "range(n)");
  EXPECT_TRUE(f.stmt<While>(2).body[0]->get_if<Break>());
  EXPECT_TRUE(f.stmt<With>(3).items[0].target);
  EXPECT_FALSE(f.stmt<With>(3).items[1].target);
  EXPECT_EQ(f.stmt<FunctionDef>(4).name, "__forked_function");
  EXPECT_TRUE(f.stmt<Assert>(5).message);
  EXPECT_TRUE(f.stmt<Raise>(6).value);
  EXPECT_EQ(f.stmt<Delete>(7).targets.size(), 2u);
  EXPECT_TRUE(f.stmt<ExprStmt>(8).value->get_if<CallExpr>());
  EXPECT_FALSE(f.stmt<Return>(9).value);
}

TEST(Parse, ModuleClass) {
  const SourceFile file = parse("code/__torch__.py", R"(op_version_set = 1
import __torch__.a
class Net(Module):
  __parameters__ = ["weight", ]
  __buffers__ = ["mean", "var", ]
  __forward_pre_hooks__ = ["h0", ]
  __forward_hooks__ = []
  __annotations__ = []
  __annotations__["0"] = __torch__.Linear
  weight : Tensor
  n : Final[int] = 4
  def forward(s: __torch__.Net,
    x: Tensor,
    *,
    k: List[int]=[1, 1]) -> Tensor:
    return x
  def forward1(self) -> NoneType:
    pass
def free(x: int) -> int:
  return x
)");
  EXPECT_EQ(file.op_version_set, 1);
  ASSERT_EQ(file.classes.size(), 1u);
  const ClassDef& net = file.classes[0];
  EXPECT_EQ(net.kind, ClassKind::module);
  EXPECT_THAT(net.parameters, ElementsAre("weight"));
  EXPECT_THAT(net.buffers, ElementsAre("mean", "var"));
  EXPECT_THAT(net.forward_pre_hooks, ElementsAre("h0"));
  ASSERT_EQ(net.fields.size(), 3u);
  EXPECT_EQ(net.fields[0].name, "0");
  EXPECT_EQ(print(*net.fields[0].type), "__torch__.Linear");
  EXPECT_FALSE(net.fields[1].final);
  EXPECT_TRUE(net.fields[2].final);
  EXPECT_EQ(print(*net.fields[2].type), "int");
  EXPECT_EQ(print(*net.fields[2].value), "4");
  ASSERT_EQ(net.methods.size(), 2u);
  ASSERT_EQ(net.methods[0].params.size(), 3u);
  EXPECT_EQ(net.methods[0].params[0].name, "s");
  EXPECT_FALSE(net.methods[0].params[1].keyword_only);
  EXPECT_TRUE(net.methods[0].params[2].keyword_only);
  EXPECT_EQ(print(*net.methods[0].params[2].default_value), "[1, 1]");
  ASSERT_EQ(file.functions.size(), 1u);
  EXPECT_EQ(file.functions[0].name, "free");
}

TEST(Parse, OtherClasses) {
  const SourceFile file = parse("x.py",
                                "class P:\n  x : int\n"
                                "class N(NamedTuple):\n  a : Tensor\n  b : int = 3\n"
                                "class E(Enum):\n  RED = 1\n  TEXT = \"t\"\n"
                                "class I(Interface):\n  def m(self, x: int) -> int:\n    pass\n"
                                "class J(ModuleInterface):\n  pass\n");
  ASSERT_EQ(file.classes.size(), 5u);
  EXPECT_EQ(file.classes[0].kind, ClassKind::plain);
  EXPECT_EQ(file.classes[1].kind, ClassKind::named_tuple);
  EXPECT_TRUE(file.classes[1].fields[1].value);
  EXPECT_EQ(file.classes[2].kind, ClassKind::enumeration);
  EXPECT_EQ(file.classes[2].fields[1].name, "TEXT");
  EXPECT_FALSE(file.classes[2].fields[1].type);
  EXPECT_EQ(file.classes[3].kind, ClassKind::interface);
  EXPECT_TRUE(file.classes[3].methods[0].body[0]->get_if<Pass>());
  EXPECT_EQ(file.classes[4].kind, ClassKind::module_interface);
}

TEST(Parse, EmptyFile) {
  EXPECT_TRUE(parse("x.py", "").classes.empty());
  EXPECT_TRUE(parse("x.py", "\n  \n# only a comment").functions.empty());
}

TEST(Parse, RangesCoverTheText) {
  const Function f("y = torch.add(x, 1)\nif y:\n  pass\n");
  const auto text = [&](Range range) { return f.text.substr(range.begin, range.end - range.begin); };
  const auto& body = f.file.functions[0].body;
  EXPECT_EQ(text(body[0]->range), "y = torch.add(x, 1)");
  EXPECT_EQ(text(f.stmt<Assign>(0).value->range), "torch.add(x, 1)");
  EXPECT_EQ(text(body[1]->range), "if y:\n    pass");
  EXPECT_EQ(text(f.file.functions[0].range), f.text.substr(0, f.text.size() - 1));
}

TEST(Parse, TornLinesOfWindows) {
  EXPECT_EQ(
      parse("x.py", "def f(a: int,\r\n    b: int) -> int:\r\n  return a\r\n").functions[0].params.size(), 2u);
}

TEST(Parse, Faults) {
  EXPECT_EQ(parse_error("x = 1\n"), "1:1: expected a class or a function, found 'x'");
  EXPECT_EQ(parse_error("def f(x: int -> int:\n"), "1:14: expected ')' after the parameters, found '->'");
  EXPECT_EQ(parse_error("def f():\nreturn 1\n"),
            "2:1: expected a deeper indentation to begin a block, found 'return'");
  EXPECT_EQ(parse_error("def f():\n  return (1\n"),
            "3:1: expected ')' to close '(', found the end of the file");
  EXPECT_EQ(parse_error("def f():\n  x = \n"), "2:7: expected an expression, found the end of the line");
  EXPECT_EQ(parse_error("def f():\n  x = 1 2\n"), "2:9: expected the end of the line, found the number 2");
  EXPECT_EQ(parse_error("def f():\n  else:\n"), "2:3: expected an expression, found 'else'");
  EXPECT_EQ(parse_error("def f():\n  f(x) = 1\n"), "2:3: this cannot be assigned to");
  EXPECT_EQ(parse_error("def f():\n  f(a=1, b)\n"), "2:10: a positional argument cannot follow a named one");
  EXPECT_EQ(parse_error("def f():\n  a < g(b) < c\n"),
            "2:7: the middle of a chained comparison must be a name or a literal");
  EXPECT_EQ(parse_error("def f():\n  x = 1e999\n"), "2:7: this number is out of range");
  EXPECT_EQ(parse_error("class A(B):\n  pass\n"),
            "1:9: unknown base class 'B'; a base is Module, NamedTuple, Enum, Interface or ModuleInterface");
  EXPECT_EQ(parse_error("class A:\n  x\n"),
            "2:4: expected '=' or ':' after the attribute's name, found the end of the line");
  EXPECT_EQ(parse_error("op_version_set = \"a\"\n"), "1:18: op_version_set must be an integer");
}

TEST(Parse, FaultCarriesItsPlace) {
  try {
    parse("code/x.py", "def f():\n  y = torch.add(x,, 1)\n");
    FAIL();
  } catch (const Error& e) {
    const Diagnostic& d = e.diagnostics()[0];
    EXPECT_EQ(d.code, Code::script_syntax);
    EXPECT_EQ(d.stage(), Stage::read);
    EXPECT_EQ(d.record, "code/x.py");
    EXPECT_EQ(d.offset, 27u);
    EXPECT_EQ(d.script->file, "code/x.py");
    EXPECT_EQ(d.script->text, "  y = torch.add(x,, 1)");
    EXPECT_EQ(d.script->column, 19);
    EXPECT_EQ(d.script->length, 1);
    EXPECT_FALSE(d.hint.empty());
  }
}

std::string repeated(std::string_view text, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) out += text;
  return out;
}

TEST(Parse, DeepExpressionsAreRefused) {
  const auto in_function = [](const std::string& expr) { return parse_error("def f():\n  " + expr + "\n"); };
  const int n = 100000;
  for (const std::string& deep :
       {repeated("(", n), repeated("-", n), repeated("[", n), repeated("f(", n), "a" + repeated(".b", n),
        "a" + repeated("()", n), "a" + repeated(" + a", n), "a" + repeated("[0]", n),
        repeated("a if b else ", n) + "c", "a" + repeated(" < a", n), "a" + repeated(" ** a", n),
        repeated("not ", n) + "a"}) {
    EXPECT_THAT(in_function(deep), HasSubstr("expressions nested too deeply (limit 500)"))
        << deep.substr(0, 20);
  }
}

std::string nested_ifs(int depth) {
  std::string text = "def f():\n";
  for (int i = 0; i < depth; ++i) text += std::string(2 * static_cast<std::size_t>(i) + 2, ' ') + "if a:\n";
  return text + std::string(2 * static_cast<std::size_t>(depth) + 2, ' ') + "return " + repeated("(", 400) +
         "x" + repeated(",)", 400) + "\n";
}

TEST(Parse, DeepBlocks) {
  EXPECT_THAT(parse_error(nested_ifs(5000)), HasSubstr("blocks nested too deeply (limit 1000)"));
  EXPECT_THAT(parse_error("def f():\n  if a:\n    pass\n" + repeated("  elif b:\n    pass\n", 50000)),
              HasSubstr("blocks nested too deeply"));
  const std::string text = nested_ifs(998);
  const SourceFile file = parse("x.py", text);
  const std::string printed = print(file);
  EXPECT_TRUE(equal(file, parse("x.py", printed)));
}

}  // namespace
}  // namespace cameo::script
