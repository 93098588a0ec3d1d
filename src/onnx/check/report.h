#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "onnx/check/check.h"

namespace cameo::onnx {

// Collects faults with their places.
class Report {
 public:
  explicit Report(std::string file) : file_(std::move(file)) {}

  void error(Code code, std::string_view message, std::string hint = {}) {
    add(Severity::error, code, message, std::move(hint));
  }
  // An error of a model that ONNX Runtime accepts.
  void error_that_runs(Code code, std::string_view message, std::string hint) {
    add(Severity::error, code, message, std::move(hint), true);
  }
  void warning(Code code, std::string_view message, std::string hint = {}) {
    add(Severity::warning, code, message, std::move(hint));
  }
  std::vector<Fault> take();

  // The place of faults while it lives: a node, a subgraph of that node, or a part of the model.
  class At {
   public:
    At(Report& report, const proto::Node& node, std::size_t index) : At(report, {&node, index, {}}) {}
    At(Report& report, std::string part) : At(report, {nullptr, 0, std::move(part)}) {}
    ~At() { report_.frames_.pop_back(); }
    At(const At&) = delete;
    At& operator=(const At&) = delete;

   private:
    friend class Report;
    struct Frame {
      const proto::Node* node;
      std::size_t index;
      std::string part;
    };
    At(Report& report, Frame frame) : report_(report) { report.frames_.push_back(std::move(frame)); }
    Report& report_;
  };

 private:
  void add(Severity severity, Code code, std::string_view message, std::string hint, bool runs = false);

  std::string file_;
  std::vector<At::Frame> frames_;
  std::vector<Fault> faults_;
  std::size_t left_out_ = 0;
};

}  // namespace cameo::onnx
