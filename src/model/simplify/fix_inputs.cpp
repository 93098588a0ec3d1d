#include "model/simplify/fix_inputs.h"

#include <algorithm>

#include <fmt/core.h>

#include "base/nearest.h"
#include "base/text.h"
#include "cameo/diagnostic.h"

namespace cameo::model {
namespace {

namespace proto = onnx::proto;

[[noreturn]] void fail(const Opened& opened, Code code, std::string message, std::string hint) {
  throw Error(Diagnostic{
      .code = code, .message = std::move(message), .file = opened.file->name(), .hint = std::move(hint)});
}

proto::ValueInfo& find(Opened& opened, const std::string& name) {
  std::vector<std::string> names;
  for (proto::ValueInfo& input : opened.model.graph->inputs) {
    if (input.name == name) return input;
    names.emplace_back(input.name);
  }
  const std::string meant = nearest(name, names);
  fail(opened, Code::no_such_input, fmt::format("the model has no input '{}'", name),
       meant.empty() ? fmt::format("its inputs are {}", join(names, ", "))
                     : fmt::format("did you mean '{}'?", meant));
}

}  // namespace

void fix_inputs(Opened& opened, const SimplifyOptions& options) {
  for (const auto& [name, sizes] : options.input_shapes) {
    proto::ValueInfo& input = find(opened, name);
    if (!input.type || input.type->kind != proto::Type::Kind::tensor)
      fail(opened, Code::no_tensor, fmt::format("the input '{}' is not a tensor", name), "");
    if (!input.type->shape) {
      input.type->shape.emplace();
      input.type->shape->dims.resize(sizes.size());
    }
    std::vector<proto::Dimension>& dims = input.type->shape->dims;
    bool fits = dims.size() == sizes.size();
    for (std::size_t i = 0; fits && i < sizes.size(); ++i)
      fits = sizes[i] >= 0 && (!dims[i].value || *dims[i].value == sizes[i]);
    if (!fits)
      fail(opened, Code::shape_contradicts,
           fmt::format("the input '{}' cannot have the shape [{}]", name, join(sizes, ", ")),
           "cameo io shows the shape that the file declares");
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      dims[i].value = sizes[i];
      dims[i].parameter = {};
    }
  }
}

void refuse_training(const Opened& opened) {
  if (!opened.model.training.empty())
    fail(opened, Code::holds_training, "the model has a training graph, which is not supported",
         "remove training_info first");
}

}  // namespace cameo::model
