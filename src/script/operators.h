#pragma once
// Which operators a program calls.

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

// What `a + b` calls: "aten::add". `not in` calls what `in` does, and negates it.
std::string_view operator_of(BinaryOp op);

// Calls written in all code of the program, each function once. Most frequent first, then by name.
std::vector<OperatorCount> count_operators(const Program& program);

// Calls that one run of `method` of the root module makes, if it takes every branch and goes through every
// loop once: a function counts as often as it is called. Methods are found by declared types, those behind
// an interface by the objects at hand. Counts saturate.
std::vector<OperatorCount> count_operators(const Program& program, std::string_view method);

}  // namespace cameo::script
