#pragma once
// Axes of inputs and outputs that are dynamic, as torch.onnx.export's dynamic_axes names them.

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cameo/diagnostic.h"
#include "cameo/input_spec.h"
#include "onnx/graph/graph.h"

namespace cameo {

class DynamicAxes {
 public:
  // {"x": [0, 2], "y": {0: "batch"}}, in JSON or as a Python literal; empty for none. Axes without names get
  // PyTorch's, x_dynamic_axes_1 …, and its warning. Throws Error (Code::bad_dynamic_axes), with a caret.
  explicit DynamicAxes(std::string_view text);

  // Names the axes of the input `name`; its sizes stay as the example's. Throws Error if it has no such axis,
  // or if --input gives the axis another name.
  void name_input(const std::string& name, std::vector<Dim>& shape);

  // The axes of an input or output that the user names, with their names.
  std::vector<std::pair<std::int64_t, std::string>> names_of(const std::string& key) const;

  // All names of axes, so that no other size gets one of them.
  std::vector<std::string> names() const;

  // Writes the names into the types of the outputs. Warns about axes of fixed size, axes whose size is known
  // to differ from the named one, and keys that are neither an input nor an output.
  void name_outputs(onnx::Model& model);

  std::vector<Diagnostic> take_warnings() { return std::move(warnings_); }

 private:
  struct Axis {
    std::int64_t axis;
    std::string name;
    bool automatic;  // the name is PyTorch's, not the user's
  };
  struct Entry {
    std::string key;
    std::vector<Axis> axes;
    bool used = false;
  };
  Entry* find(const std::string& key);
  void check_rank(const Entry& entry, std::size_t rank) const;
  void name_output(onnx::Model& model, const Entry& entry, onnx::Value& output);
  void warn(Code code, std::string message, std::string hint = {});

  std::vector<Entry> entries_;
  std::map<std::string, onnx::Dim> meanings_;  // the sizes of the graph by their names
  std::vector<Diagnostic> warnings_;
};

}  // namespace cameo
