#pragma once
// Models and programs as text.

#include <cstddef>
#include <limits>
#include <string>

#include "cameo/export.h"
#include "cameo/inspect.h"

namespace cameo {

enum class PrintStyle {
  onnx,       // as onnx.helper.printable_graph
  text,       // ONNX's textual syntax, as onnx.parser reads it
  torch,      // as torch.onnx.export(verbose=True) of PyTorch 1.x
  torch_0_3,  // as PyTorch 0.3: parameters first, with the uses of each value
  annotated,  // the same with comments that say how to read it
};

// The graph of an ONNX model. `max_elements` is how many elements of a tensor PrintStyle::text shows.
std::string print_model(const std::string& path, PrintStyle style,
                        std::size_t max_elements = std::numeric_limits<std::size_t>::max());

// A TorchScript program, each line with the ONNX nodes that it becomes; nothing is written. Throws as
// export_onnx() does.
std::string print_program(const std::string& path, const ExportOptions& options = {},
                          const InspectOptions& look = {});

}  // namespace cameo
