#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "runtime/session_fixture.h"
#include "runtime/test_model.h"

namespace cameo::runtime::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class SessionErrorsTest : public SessionFixture {
 protected:
  static Session negate(const std::vector<Dim>& dims) {
    const Message type = tensor_type(ElementType::f32, dims);
    return open({.inputs = {{"x", type}}, .outputs = {{"y", type}}, .nodes = {{"Neg", {"x"}, {"y"}}}});
  }
};

template <typename Action>
SessionError refusal(Action&& action) {
  try {
    action();
  } catch (const SessionError& error) {
    return error;
  }
  ADD_FAILURE() << "ONNX Runtime refused nothing";
  return SessionError(RuntimeCode::ok, "");
}

std::string hint(const Error& error) { return error.diagnostics().front().hint; }

TEST_F(SessionErrorsTest, WrongSizesAreToldWithARemedy) {
  const Session session = negate({1, 3, "width"});
  const auto error = refusal([&] { session.run({{"x", Array::of<float>({2, 3, 1}, {1, 2, 3, 4, 5, 6})}}); });
  EXPECT_EQ(error.code(), RuntimeCode::invalid_argument);
  EXPECT_THAT(error.text(), StartsWith("Got invalid dimensions for input: x for the following indices\n"
                                       " index: 0 Got: 2 Expected: 1\n"));
  EXPECT_THAT(error.what(), StartsWith("[ONNXRuntimeError] : 2 : INVALID_ARGUMENT : Got invalid dimensions"));
  EXPECT_EQ(error.diagnostics().front().code, Code::onnxruntime_invalid_argument);
  EXPECT_EQ(error.diagnostics().front().stage(), Stage::run);
  EXPECT_EQ(hint(error),
            "the model was exported with fixed sizes: feed x: f32[1, 3, width], or re-export with "
            "--input 'x=f32[dim0,3,width]'");
}

TEST_F(SessionErrorsTest, EveryWrongSizeIsListed) {
  const auto error = refusal([&] { negate({1, 3}).run({{"x", Array::of<float>({2, 1}, {1, 2})}}); });
  EXPECT_THAT(error.text(), AllOf(HasSubstr(" index: 0 Got: 2 Expected: 1\n"),
                                  HasSubstr(" index: 1 Got: 1 Expected: 3\n")));
}

TEST_F(SessionErrorsTest, WrongRank) {
  const auto error = refusal([&] { negate({1, 3}).run({{"x", Array::of<float>({3}, {1, 2, 3})}}); });
  EXPECT_EQ(error.code(), RuntimeCode::invalid_argument);
  EXPECT_EQ(hint(error), "`x` takes 2 axes and was given 1: x: f32[1, 3]");
}

TEST_F(SessionErrorsTest, WrongType) {
  const auto error = refusal([&] { negate({1}).run({{"x", Array::of<double>({1}, {1})}}); });
  EXPECT_EQ(error.code(), RuntimeCode::invalid_argument);
  EXPECT_THAT(error.text(), AllOf(HasSubstr("tensor(double)"), HasSubstr("tensor(float)")));
  EXPECT_EQ(hint(error), "`x` was fed f64: feed x: f32[1]");
}

TEST_F(SessionErrorsTest, WrongKind) {
  const auto error = refusal([&] {
    negate({1}).run({{"x", std::vector<Array>{Array::of<float>({1}, {1})}}});
  });
  EXPECT_EQ(error.code(), RuntimeCode::invalid_argument);
  EXPECT_EQ(hint(error), "`x` was fed a sequence: feed x: f32[1]");
}

TEST_F(SessionErrorsTest, WrongInputName) {
  const auto one = Array::of<float>({1}, {1});
  const auto error = refusal([&] { negate({1}).run({{"x", one}, {"z", one}}); });
  EXPECT_EQ(error.code(), RuntimeCode::invalid_argument);
  EXPECT_THAT(error.text(), HasSubstr("z"));
  EXPECT_EQ(hint(error), "there is no input `z`, the inputs are x: f32[1]");
}

TEST_F(SessionErrorsTest, MissingInput) {
  const Session session = negate({1});
  for (const std::vector<Session::Feed>& feeds :
       {std::vector<Session::Feed>{}, {{"x", Datum()}}, {{"z", Array::of<float>({1}, {1})}}}) {
    try {
      session.run(feeds);
      ADD_FAILURE();
    } catch (const Error& error) {
      EXPECT_STREQ(error.what(), "the model needs more inputs: x: f32[1]");
      EXPECT_EQ(error.diagnostics().front().code, Code::unfed_input);
    }
  }
}

TEST_F(SessionErrorsTest, WrongOutputName) {
  const auto error = refusal([&] { negate({1}).run({{"x", Array::of<float>({1}, {1})}}, {"z"}); });
  EXPECT_EQ(error.code(), RuntimeCode::invalid_argument);
  EXPECT_THAT(error.text(), HasSubstr("z"));
  EXPECT_EQ(hint(error), "there is no output `z`, the outputs are y: f32[1]");
}

TEST_F(SessionErrorsTest, FileThatIsNotThere) {
  const auto error = refusal([] { Session("/nonexistent/model.onnx"); });
  EXPECT_EQ(error.code(), RuntimeCode::no_such_file);
  EXPECT_EQ(error.diagnostics().front().file, "/nonexistent/model.onnx");
}

TEST_F(SessionErrorsTest, BytesThatAreNoModel) {
  const std::string bytes = "not a model";
  const auto error = refusal([&] { Session(std::as_bytes(std::span(bytes))); });
  EXPECT_EQ(error.code(), RuntimeCode::invalid_protobuf);
  EXPECT_THROW(Session(std::span<const std::byte>{}), SessionError);
}

TEST_F(SessionErrorsTest, OperatorThatDoesNotExist) {
  const Message type = tensor_type(ElementType::f32, {1});
  const auto error = refusal([&] {
    open({.inputs = {{"x", type}}, .outputs = {{"y", type}}, .nodes = {{"Nonsense", {"x"}, {"y"}}}});
  });
  EXPECT_THAT(error.text(), HasSubstr("Nonsense"));
}

TEST_F(SessionErrorsTest, FailureWithinARun) {
  const Session session = open(
      {.inputs = {{"x", tensor_type(ElementType::f32, {"n"})}, {"shape", tensor_type(ElementType::i64, {1})}},
       .outputs = {{"y", tensor_type(ElementType::f32, {"m"})}},
       .nodes = {{"Reshape", {"x", "shape"}, {"y"}}}});
  const auto error = refusal([&] {
    session.run({{"x", Array::of<float>({3}, {1, 2, 3})}, {"shape", Array::of<std::int64_t>({1}, {2})}});
  });
  EXPECT_NE(error.code(), RuntimeCode::ok);
  EXPECT_THAT(error.text(), HasSubstr("Reshape"));
}

TEST(SessionErrorCodes, FollowTheNumbersOfOnnxRuntime) {
  const Code codes[] = {Code::onnxruntime_fail,
                        Code::onnxruntime_invalid_argument,
                        Code::onnxruntime_no_suchfile,
                        Code::onnxruntime_no_model,
                        Code::onnxruntime_engine_error,
                        Code::onnxruntime_runtime_exception,
                        Code::onnxruntime_invalid_protobuf,
                        Code::onnxruntime_model_loaded,
                        Code::onnxruntime_not_implemented,
                        Code::onnxruntime_invalid_graph,
                        Code::onnxruntime_ep_fail,
                        Code::onnxruntime_unknown};
  int number = 1;
  for (const Code code : codes)
    EXPECT_EQ(SessionError(static_cast<RuntimeCode>(number++), "text").diagnostics().front().code, code);
}

TEST(LibraryTest, ANamedFileThatIsNotThereIsAnError) {
  try {
    Library::load("/nonexistent/libonnxruntime.so");
    FAIL();
  } catch (const Error& error) {
    const Diagnostic& diagnostic = error.diagnostics().front();
    EXPECT_EQ(diagnostic.code, Code::onnxruntime_not_loadable);
    EXPECT_THAT(diagnostic.message, HasSubstr("/nonexistent/libonnxruntime.so"));
    EXPECT_THAT(diagnostic.hint, AllOf(HasSubstr("make setup"), HasSubstr("CAMEO_ONNXRUNTIME")));
    EXPECT_EQ(diagnostic.notes.size(), 1u);
  }
}

TEST(LibraryTest, AnotherLibraryIsToldApart) {
  try {
    Library::load("libz.so.1");
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("is not ONNX Runtime"));
  }
}

TEST(LibraryTest, TheEnvironmentNamesAFile) {
  const char* before = std::getenv("CAMEO_ONNXRUNTIME");
  const std::string saved = before ? before : "";
  setenv("CAMEO_ONNXRUNTIME", "/nonexistent/from-environment.so", 1);
  try {
    Library::load("");
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("from-environment.so"), HasSubstr("CAMEO_ONNXRUNTIME")));
  }
  before ? setenv("CAMEO_ONNXRUNTIME", saved.c_str(), 1) : unsetenv("CAMEO_ONNXRUNTIME");
}

}  // namespace
}  // namespace cameo::runtime::testing
