#pragma once
#include <memory>
#include <string>
#include <vector>

#include "base/mapped_file.h"
#include "onnx/proto/messages.h"

namespace cameo::model {

// An ONNX file and the messages in it, which may have been changed since. A copy copies the messages.
struct Opened {
  // Throws Error (stage read) if the file is not an ONNX file or has no graph.
  explicit Opened(const std::string& path);
  // The same without the requirement of a graph.
  explicit Opened(std::shared_ptr<const MappedFile> from);
  // Messages that are not from a file; `from` names it in diagnostics.
  Opened(std::shared_ptr<const MappedFile> from, onnx::proto::Model messages)
      : file(std::move(from)), model(std::move(messages)) {}

  std::shared_ptr<const MappedFile> file;
  onnx::proto::Model model;
  // Owners of the texts and bytes outside of the file that messages point to.
  std::vector<std::shared_ptr<const void>> kept;

  void require_graph() const;
  const onnx::proto::Graph& graph() const { return *model.graph; }
  std::int64_t opset() const;                // of ai.onnx; 0 if it is not imported
  bool all_initializers_are_inputs() const;  // up to version 3 of the format
};

}  // namespace cameo::model
