#include "model/diff/findings.h"

#include <fmt/core.h>

#include "base/text.h"
#include "model/diff/elements.h"
#include "model/graph/describe.h"

namespace cameo::model {

using onnx::proto::Tensor;

void Findings::add(ModelDifference difference) {
  difference.where = join(std::vector<std::string>(places_.rbegin(), places_.rend()), ", in ");
  found_.push_back(std::move(difference));
}

void Findings::add(Kind kind, const char* what, std::string name, std::string detail) {
  add(ModelDifference{.kind = kind, .what = what, .name = std::move(name), .detail = std::move(detail)});
}

std::string quoted(std::string_view name) { return fmt::format("'{}'", printable(name)); }

std::string label(const onnx::proto::Node& node) {
  const std::string op =
      node.domain.empty() ? std::string(node.op_type) : fmt::format("{}.{}", node.domain, node.op_type);
  if (!node.name.empty()) return fmt::format("{} {}", printable(op), quoted(node.name));
  for (const std::string_view output : node.outputs)
    if (!output.empty()) return fmt::format("{} of {}", printable(op), quoted(output));
  return printable(op);
}

std::optional<ModelDifference> tensor_difference(Sides sides, const Tensor& a, const Tensor& b) {
  ModelDifference result;
  if (a.data_type != b.data_type || a.dims != b.dims) {
    result.detail = fmt::format("{} -> {}", type_text(a), type_text(b));
    return result;
  }
  if (!sides.values) return std::nullopt;
  const TensorBytes left(a, sides.a.files), right(b, sides.b.files);
  const auto found = distance(a.data_type, left.get(), right.get());
  if (!found) return std::nullopt;
  result.absolute = found->absolute;
  result.relative = found->relative;
  result.detail = found->absolute
                      ? fmt::format("{} of {} elements differ, by at most {:.3g}, relatively {:.3g}",
                                    found->differing, found->count, *found->absolute, *found->relative)
                      : "the elements differ";
  return result;
}

}  // namespace cameo::model
