#include "cameo/format.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace cameo {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

Diagnostic complete() {
  return {.severity = Severity::error,
          .code = Code::unsupported_operator,
          .message = "aten::foo has no conversion",
          .file = "model.pt",
          .offset = 1234,
          .record = "code/__torch__/net.py",
          .script = Position{.file = "code/__torch__/net.py",
                             .line = 12,
                             .column = 8,
                             .length = 12,
                             .text = "  _0 = torch.foo(x)",
                             .function = "forward"},
          .python = {Position{.file = "net.py",
                              .line = 40,
                              .column = 16,
                              .length = 12,
                              .text = "        return torch.foo(x)",
                              .function = "forward"},
                     Position{.file = "train.py", .line = 99, .text = "net(x)"}},
          .module_path = "layer1.0",
          .notes = {"3 more calls of aten::foo"},
          .hint = "replace torch.foo by torch.bar"};
}

TEST(Format, DrawsEveryPart) {
  EXPECT_EQ(format(complete()),
            R"(model.pt: error: [convert] aten::foo has no conversion [unsupported-operator]
  in code/__torch__/net.py:12:8 in forward
     12 |   _0 = torch.foo(x)
        |        ^~~~~~~~~~~~
  at net.py:40:16 in forward
     40 |         return torch.foo(x)
        |                ^~~~~~~~~~~~
  at train.py:99
  in module layer1.0
  in record code/__torch__/net.py, at byte 1234
  note: 3 more calls of aten::foo
  hint: replace torch.foo by torch.bar
)");
}

TEST(Format, TakesTwoLinesForCauseAndHint) {
  const Diagnostic d{
      .code = Code::no_such_file, .message = "no such file", .file = "a.pt", .hint = "look again"};
  EXPECT_EQ(format(d), "a.pt: error: [read] no such file [no-such-file]\n  hint: look again\n");
}

TEST(Format, SpeaksForItselfWithoutAFile) {
  EXPECT_EQ(format(Diagnostic{.severity = Severity::warning, .code = Code::bad_size, .message = "slow"}),
            "cameo: warning: [run] slow [bad-size]\n");
}

TEST(Format, DrawsOneAfterTheOther) {
  const std::vector<Diagnostic> two = {{.code = Code::no_such_file, .message = "one"},
                                       {.code = Code::no_such_file, .message = "two", .offset = 7}};
  EXPECT_EQ(
      format(two),
      "cameo: error: [read] one [no-such-file]\ncameo: error: [read] two [no-such-file]\n  at byte 7\n");
}

TEST(Format, ColorsOnlyWhenAsked) {
  EXPECT_THAT(format(complete(), {.color = true}), HasSubstr("\x1b[1;31merror:\x1b[0m"));
  EXPECT_THAT(format(complete()), Not(HasSubstr("\x1b")));
}

TEST(Format, KeepsTheCaretUnderItsText) {
  const Position at{.file = "n.py", .line = 1, .column = 8, .length = 2, .text = "\tgröße+x1"};
  EXPECT_THAT(format(Diagnostic{.code = Code::no_such_file, .message = "m", .script = at}),
              EndsWith("      1 |  größe+x1\n        |      ^~\n"));
}

TEST(Format, MarksTheEndOfALineAndBeyond) {
  for (const int column : {4, 1000}) {
    const Position at{.file = "n.py", .line = 1, .column = column, .length = 50, .text = "abc"};
    EXPECT_THAT(format(Diagnostic{.code = Code::no_such_file, .message = "m", .script = at}),
                EndsWith(" | abc\n        |    ^\n"));
  }
}

TEST(Format, CutsLongLinesAroundTheMark) {
  const Position at{.file = "n.py",
                    .line = 1,
                    .column = 500'001,
                    .length = 3,
                    .text = std::string(500'000, 'a') + "bcd" + std::string(500'000, 'e')};
  EXPECT_THAT(format(Diagnostic{.code = Code::no_such_file, .message = "m", .script = at}),
              EndsWith(" | …" + std::string(60, 'a') + "bcd" + std::string(97, 'e') + "…\n        | " +
                       std::string(61, ' ') + "^~~\n"));
}

TEST(Format, DisarmsTextFromFiles) {
  const Diagnostic d{.code = Code::no_such_file, .message = "bad name \x1b]0;x\a", .file = "a\nb.pt"};
  EXPECT_EQ(format(d), "a\\x0ab.pt: error: [read] bad name \\x1b]0;x\\x07 [no-such-file]\n");
}

TEST(FormatJson, HoldsEveryPart) {
  const auto json = nlohmann::json::parse(format_json(std::vector{complete()}));
  EXPECT_EQ(json, nlohmann::json::parse(R"json([{
    "severity": "error", "stage": "convert", "code": "unsupported-operator",
    "message": "aten::foo has no conversion", "file": "model.pt",
    "record": "code/__torch__/net.py", "offset": 1234,
    "script": {"file": "code/__torch__/net.py", "line": 12, "column": 8, "length": 12,
               "text": "  _0 = torch.foo(x)", "function": "forward"},
    "python": [{"file": "net.py", "line": 40, "column": 16, "length": 12,
                "text": "        return torch.foo(x)", "function": "forward"},
               {"file": "train.py", "line": 99, "text": "net(x)"}],
    "module_path": "layer1.0", "notes": ["3 more calls of aten::foo"],
    "hint": "replace torch.foo by torch.bar"}])json"));
}

TEST(FormatJson, LeavesOutWhatIsAbsent) {
  EXPECT_EQ(
      nlohmann::json::parse(format_json(std::vector{Diagnostic{.code = Code::no_such_file, .message = "m"}})),
      nlohmann::json::parse(
          R"([{"severity": "error", "stage": "read", "code": "no-such-file", "message": "m"}])"));
  EXPECT_EQ(format_json({}), "[]\n");
}

TEST(FormatJson, SurvivesBytesThatAreNoUtf8) {
  const auto json = nlohmann::json::parse(
      format_json(std::vector{Diagnostic{.code = Code::no_such_file, .message = "\xff"}}));
  EXPECT_EQ(json[0]["message"], "\xef\xbf\xbd");
}

TEST(Error, CarriesItsDiagnostics) {
  EXPECT_STREQ(Error(Diagnostic{.code = Code::no_such_file, .message = "cause"}).what(), "cause");
  EXPECT_THROW(Error(std::vector<Diagnostic>{}), InternalError);
}

}  // namespace
}  // namespace cameo
