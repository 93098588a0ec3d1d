#pragma once
#include <memory>
#include <string>

#include "base/mapped_file.h"
#include "onnx/proto/messages.h"

namespace cameo::model {

// An ONNX file and what is in it. Throws Error (stage read) if it is none or has no graph.
struct Opened {
  explicit Opened(const std::string& path);

  std::shared_ptr<const MappedFile> file;
  onnx::proto::Model model;
  const onnx::proto::Graph& graph() const { return *model.graph; }
  std::int64_t opset() const;                // of ai.onnx; 0 if it is not imported
  bool all_initializers_are_inputs() const;  // up to version 3 of the format
};

}  // namespace cameo::model
