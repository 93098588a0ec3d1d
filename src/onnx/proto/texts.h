#pragma once
#include <deque>
#include <string>

#include "onnx/proto/messages.h"

namespace cameo::onnx::proto {

// Owns the texts of messages that were not read from a file. They stay valid when it is moved.
class Texts {
 public:
  Text keep(std::string text) { return kept_.emplace_back(std::move(text)); }

 private:
  std::deque<std::string> kept_;
};

}  // namespace cameo::onnx::proto
