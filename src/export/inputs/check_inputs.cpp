#include "export/inputs/check_inputs.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "base/index.h"
#include "export/inputs/first_layer.h"
#include "export/inputs/spec_text.h"
#include "onnx/graph/value_info.h"
#include "script/print.h"

namespace cameo {
namespace {

using Kind = FirstLayer::Kind;

// Of the type of a tuple.
std::size_t count_items(const std::string& type) {
  int depth = 0;
  std::size_t items = 1;
  for (const char c : type) {
    depth += c == '[' ? 1 : c == ']' ? -1 : 0;
    if (c == ',' && depth == 1) ++items;
  }
  return items;
}

class Checking {
 public:
  Checking(const eval::Evaluator& ev, std::string argument, const InputSpec& spec)
      : file_(ev.program().file_name()), argument_(std::move(argument)), spec_(spec) {}

  void check_type(const std::string& type) const {
    const bool is_number = is<bool>() || is<std::int64_t>() || is<double>();
    if (type == "Tensor" && !is<TensorSpec>() && !is<NoneSpec>() && !is_number) refuse(type, meant_tensor());
    if (type == "int" && !is<TensorSpec>() && !is<std::int64_t>() && !is<bool>()) refuse(type, meant_int());
    if (type == "float" && !is<TensorSpec>() && !is_number) refuse(type, "");
    if (type == "bool" && !is<TensorSpec>() && !is_number) refuse(type, "True or False");
    if (type == "str" && !is<std::string>()) refuse(type, "");
    if (type.starts_with("Tuple[")) check_tuple(type);
    if (type.starts_with("List[") && (is<TensorSpec>() || is<DictSpec>()))
      refuse(type, is<TensorSpec>() ? fmt::format("[{}]", to_text(spec_)) : "");
    if (type.starts_with("Dict[") && !is<DictSpec>())
      refuse(type, is<TensorSpec>() ? fmt::format("{{\"key\": {}}}", to_text(spec_)) : "");
  }

  void check_layer(const FirstLayer& layer, bool float64_as_float32) const {
    const auto* tensor = std::get_if<TensorSpec>(&spec_.value);
    if (!tensor) {
      if (is<std::int64_t>() || is<double>() || is<bool>()) refuse_for(layer, "takes a tensor", "");
      return;
    }
    check_dtype(layer, *tensor, float64_as_float32);
    const std::int64_t rank = std::ssize(tensor->shape);
    if (layer.kind == Kind::convolution) return check_channels(layer, *tensor);
    if (layer.kind == Kind::embedding) return;
    if (layer.kind == Kind::recurrent && rank != 2 && rank != 3)
      refuse_for(layer, "takes 2 or 3 dimensions", "");
    if (rank == 0) refuse_for(layer, "takes at least 1 dimension", "");
    check_size(layer, *tensor, rank - 1, "features");
  }

 private:
  template <class T>
  bool is() const {
    return std::holds_alternative<T>(spec_.value);
  }

  [[noreturn]] void fail(std::string message, const std::string& meant) const {
    Diagnostic d{.code = Code::bad_input_spec, .message = std::move(message), .file = file_};
    if (!meant.empty()) d.hint = fmt::format("did you mean {}={}?", argument_, meant);
    throw Error(std::move(d));
  }
  [[noreturn]] void refuse(const std::string& type, const std::string& meant) const {
    fail(fmt::format("you gave {}={}; the argument is of type {}", argument_, to_text(spec_), type), meant);
  }
  [[noreturn]] void refuse_for(const FirstLayer& layer, const std::string& takes,
                               const std::string& meant) const {
    const std::string where = layer.path.empty() ? layer.cls : fmt::format("{} ({})", layer.path, layer.cls);
    fail(fmt::format("you gave {}={}; {} {}", argument_, to_text(spec_), where, takes), meant);
  }

  // (1,3,64,64) is a shape.
  std::string meant_tensor() const {
    const auto* tuple = std::get_if<TupleSpec>(&spec_.value);
    const auto* list = std::get_if<ListSpec>(&spec_.value);
    if (!tuple && !list) return "";
    TensorSpec tensor;
    for (const InputSpec& item : tuple ? tuple->items : list->items) {
      const auto* size = std::get_if<std::int64_t>(&item.value);
      if (!size) return "";
      tensor.shape.push_back(*size < 0 ? Dim("batch") : Dim(*size));
    }
    return to_text({"", tensor});
  }
  std::string meant_int() const {
    const double* number = std::get_if<double>(&spec_.value);
    const bool whole = number && std::trunc(*number) == *number && std::abs(*number) < 1e15;
    return whole ? fmt::format("{:.0f}", *number) : "";
  }
  // The tensor that was given, as often as a tuple of tensors has items.
  std::string meant_tuple(const std::string& type, std::size_t items) const {
    const auto* tuple = std::get_if<TupleSpec>(&spec_.value);
    std::string tensors = "Tuple[Tensor";
    for (std::size_t i = 1; i < items; ++i) tensors += ", Tensor";
    if (type != tensors + "]" || (tuple && tuple->items.empty())) return "";
    TupleSpec meant;
    meant.items.assign(items, tuple ? tuple->items.front() : spec_);
    return to_text({"", meant});
  }
  void check_tuple(const std::string& type) const {
    const std::size_t items = count_items(type);
    const auto* tuple = std::get_if<TupleSpec>(&spec_.value);
    if (tuple && tuple->items.size() == items) return;
    if (!tuple && !is<TensorSpec>()) return;
    refuse(type, meant_tuple(type, items));
  }

  std::string with_type(const TensorSpec& tensor, ElementType type) const {
    TensorSpec meant = tensor;
    meant.type = type;
    return to_text({"", meant});
  }
  void check_dtype(const FirstLayer& layer, const TensorSpec& tensor, bool float64_as_float32) const {
    const DType given = onnx::dtype_of(tensor.type);
    if (layer.kind == Kind::embedding) {
      if (given != DType::i64 && given != DType::i32)
        refuse_for(layer, "takes indices of type i64 or i32", with_type(tensor, ElementType::i64));
      return;
    }
    const bool narrowed = float64_as_float32 && is_floating(given) && is_floating(layer.dtype);
    if (given == layer.dtype || narrowed || !is_floating(layer.dtype) || is_complex(given)) return;
    refuse_for(layer, fmt::format("has weights of {} and takes the same type", cameo::name(layer.dtype)),
               with_type(tensor, info(layer.dtype).onnx));
  }

  void check_size(const FirstLayer& layer, const TensorSpec& tensor, std::int64_t axis,
                  std::string_view what) const {
    const Dim& dim = element_at(tensor.shape, axis);
    if (!layer.features || !dim.name.empty() || dim.size < 0 || dim.size == *layer.features) return;
    const std::string one(what.substr(0, what.size() - 1));
    refuse_for(
        layer,
        fmt::format("takes {} {} in dimension {}", *layer.features, *layer.features == 1 ? one : what, axis),
        with_size(tensor, axis, *layer.features));
  }

  // The last dimension moved to the axis if it has the size, or else the size put there.
  std::string with_size(TensorSpec tensor, std::int64_t axis, std::int64_t size) const {
    const auto at = tensor.shape.begin() + axis;
    if (tensor.shape.back().size == size && tensor.shape.back().name.empty())
      std::rotate(at, tensor.shape.end() - 1, tensor.shape.end());
    else
      *at = size;
    return to_text({"", tensor});
  }

  void check_channels(const FirstLayer& layer, const TensorSpec& tensor) const {
    const std::int64_t rank = std::ssize(tensor.shape);
    const std::int64_t full = layer.spatial + 2;
    if (rank != full && rank != full - 1) {
      TensorSpec meant = tensor;
      if (rank == layer.spatial && layer.features)
        meant.shape.insert(meant.shape.begin(), {Dim(1), Dim(*layer.features)});
      refuse_for(layer, fmt::format("takes {} dimensions: batch, channels and {} more", full, layer.spatial),
                 meant.shape.size() == tensor.shape.size() ? "" : to_text({"", meant}));
    }
    check_size(layer, tensor, rank - layer.spatial - 1, "channels");
  }

  std::string file_, argument_;
  const InputSpec& spec_;
};

}  // namespace

void check_inputs(const eval::Evaluator& ev, const eval::Object& root, const script::FunctionDef& method,
                  const std::vector<InputSpec*>& given, const ExportOptions& options) {
  for (std::size_t i = 1; i < method.params.size(); ++i) {
    const script::Param& param = method.params[i];
    if (!given[i] || !param.type) continue;
    const Checking checking(ev, std::string(param.name), *given[i]);
    checking.check_type(script::print(*param.type));
    if (const auto layer = first_layer(ev.program(), root, method, param.name))
      checking.check_layer(*layer, options.float64_as_float32);
  }
}

}  // namespace cameo
