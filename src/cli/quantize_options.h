#pragma once
#include <string>

#include "cameo/model.h"
#include "cli/command.h"

namespace cameo::cli {

// The type of weights on the command line: "int4:32".
struct WeightsText {
  ElementType type;
  std::int64_t block;
};
// Throws WrongUsage.
WeightsText parse_weights(const std::string& text);

struct QuantizeArguments {
  std::string weights = "int8";
  bool symmetric = false, asymmetric = false;
  QuantizeOptions quantize;

  QuantizeOptions options() const;  // throws WrongUsage
};

void add_quantize_options(Command command, QuantizeArguments& arguments);

}  // namespace cameo::cli
