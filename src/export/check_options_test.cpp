#include "export/check_options.h"

#include <gtest/gtest.h>

namespace cameo {
namespace {

std::string fault(const ExportOptions& options) {
  try {
    check_options(options);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(CheckOptions, Names) {
  ExportOptions options;
  options.input_names = {"a", "b"};
  options.output_names = {"c"};
  EXPECT_EQ(fault(options), "");
  options.output_names = {"a"};
  EXPECT_EQ(fault(options), "'a' cannot be the name of an input or output: it is given twice");
  options.output_names = {""};
  EXPECT_EQ(fault(options), "'' cannot be the name of an input or output: it is empty");
}

TEST(CheckOptions, Contradictions) {
  ExportOptions options;
  options.static_shapes = true;
  EXPECT_EQ(fault(options), "");
  options.dynamic_axes = "{'x': [0]}";
  EXPECT_EQ(fault(options), "--static fixes every size, and --dynamic-axes makes some dynamic");
  options = {};
  options.parameters_first = true;
  EXPECT_EQ(fault(options), "--param-order says where parameters stand among the inputs, and they are none");
  options.parameters = false;
  EXPECT_EQ(fault(options), "");
}

}  // namespace
}  // namespace cameo
