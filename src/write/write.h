#pragma once
// Writes a model as an ONNX file. Weights go from the mapped archive to the file in pieces; memory does not
// grow with them.

#include <string>

#include "cameo/export.h"
#include "onnx/graph/graph.h"

namespace cameo {

struct WriteOptions {
  ExternalData external_data = ExternalData::automatic;
  bool sync = true;          // wait until the disk has everything
  bool value_info = false;   // types of intermediate values too, not only of inputs and outputs
  bool doc_strings = false;  // where each node came from
  bool metadata = false;     // the same for machines: operator, module and line of Python
  bool initializers_as_inputs = false;
};

struct Written {
  std::uint64_t bytes = 0;           // of the ONNX file
  std::uint64_t external_bytes = 0;  // of the file beside it, "<path>.data"; 0 if there is none
};

// Needs a finished model: pruned, with unique names. The files appear under their names only when they are
// complete and, with `sync`, on the disk; on an error what was there before stays. The same model gives the
// same bytes. Throws Error (stage write).
Written write(const onnx::Model& model, const std::string& path, const WriteOptions& options = {});

// The same into memory, always in one piece.
std::string write_to_memory(const onnx::Model& model, const WriteOptions& options = {});

}  // namespace cameo
