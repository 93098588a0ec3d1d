#pragma once
#include <deque>
#include <map>
#include <string>

#include "aten/custom/conversion.h"

namespace cameo::aten {

// The operators that the user converts at one opset.
class CustomOps {
 public:
  // `registry` may be null and must outlive this.
  CustomOps(const cameo::Registry* registry, int opset, Warn warn);
  CustomOps(const CustomOps&) = delete;
  CustomOps& operator=(const CustomOps&) = delete;

  bool empty() const { return ops_.empty(); }
  // The overloads, in the order of priority; empty if there are none.
  std::span<const Op* const> find(std::string_view name) const;

 private:
  Warn warn_;
  std::deque<CustomOp> ops_;
  std::map<std::string_view, std::vector<const Op*>> by_name_;
};

}  // namespace cameo::aten
