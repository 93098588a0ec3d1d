#pragma once
// Axes of inputs and outputs that are dynamic, as torch.onnx.export's dynamic_axes names them.

#include <map>
#include <string>
#include <string_view>
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
  // or if --input calls it otherwise.
  void name_input(const std::string& name, std::vector<Dim>& shape);

  // Every name that an axis is called by, so that no other size takes it.
  std::vector<std::string> names() const;

  // Writes the names into the types of the outputs, and warns where that would be wrong: an axis of fixed
  // size, or one whose size is known to be another than the name says. Keys that are neither input nor output
  // are warned about too.
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
  std::map<std::string, onnx::Dim> meanings_;  // what each name of a size stands for in the graph
  std::vector<Diagnostic> warnings_;
};

}  // namespace cameo
