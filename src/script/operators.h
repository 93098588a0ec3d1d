#pragma once
// The operators that a program calls.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "script/program.h"

namespace cameo::script {

struct OperatorCount {
  std::string name;  // "aten::conv2d", "torchvision::nms"
  std::int64_t calls = 0;
  bool operator==(const OperatorCount&) const = default;
};

// The operator of an expression: "aten::add" for `a + b`. `not in` calls the operator of `in` and negates the
// result.
std::string_view operator_of(BinaryOp op);

// Calls written in all code of the program, each function once. Most frequent first, then by name.
std::vector<OperatorCount> count_operators(const Program& program);

// Calls in one run of `method` of the root module that takes every branch and runs the body of every loop
// once. A function counts as often as it is called. Methods are found by declared types, those behind an
// interface by the objects at hand. Counts saturate.
std::vector<OperatorCount> count_operators(const Program& program, std::string_view method);

}  // namespace cameo::script
