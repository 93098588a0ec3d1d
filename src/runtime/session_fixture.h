#pragma once
#include <gtest/gtest.h>

#include "cameo/format.h"
#include "cameo/session.h"
#include "runtime/library.h"
#include "runtime/test_model.h"

namespace cameo::runtime::testing {

// A test that needs ONNX Runtime; it is skipped with a message if there is none.
class SessionFixture : public ::testing::Test {
 protected:
  void SetUp() override {
    try {
      Library::load("");
    } catch (const Error& error) {
      FAIL() << "this test needs ONNX Runtime\n" << format(error.diagnostics());
    }
  }

  static Session open(const Graph& graph, const SessionOptions& options = {}) {
    const std::string bytes = model(graph);
    return Session(std::as_bytes(std::span(bytes)), options);
  }
};

}  // namespace cameo::runtime::testing
