#include "onnx/check/report.h"

#include <fmt/core.h>

namespace cameo::onnx {
namespace {

constexpr std::size_t kMost = 1000;  // nobody reads more

std::string label(const proto::Node& node, std::size_t index) {
  const std::string_view op = node.op_type.empty() ? "node" : node.op_type;
  return node.name.empty() ? fmt::format("{} (node {})", op, index) : fmt::format("{} '{}'", op, node.name);
}

}  // namespace

void Report::add(Severity severity, Code code, std::string_view message, std::string hint, bool runs) {
  if (faults_.size() >= kMost) {
    ++left_out_;
    return;
  }
  Fault fault{.diagnostic = {.severity = severity,
                             .code = code,
                             .message = std::string(message),
                             .file = file_,
                             .hint = std::move(hint)},
              .runs = runs};
  const At::Frame* node = nullptr;
  for (const At::Frame& frame : frames_) {
    if (frame.node != nullptr) {
      node = &frame;
      fault.node = frame.node->name;
    } else if (node != nullptr) {
      fault.diagnostic.notes.push_back(
          fmt::format("in {} of {}", frame.part, label(*node->node, node->index)));
    } else {
      fault.diagnostic.notes.push_back(fmt::format("in {}", frame.part));
    }
  }
  if (!frames_.empty()) fault.at = frames_.back().node;
  if (fault.at != nullptr)
    fault.diagnostic.message = fmt::format("{}: {}", label(*node->node, node->index), message);
  faults_.push_back(std::move(fault));
}

std::vector<Fault> Report::take() {
  if (left_out_ > 0)
    faults_.back().diagnostic.notes.push_back(fmt::format("{} more are not shown", left_out_));
  return std::move(faults_);
}

}  // namespace cameo::onnx
