#include "model/simplify/lower_attribute.h"

#include "base/overload.h"
#include "cameo/diagnostic.h"
#include "onnx/facts/facts.h"

namespace cameo::model {
namespace {

namespace proto = onnx::proto;
using onnx::facts::Kind;

}  // namespace

proto::Tensor tensor_of(const onnx::DataPtr& data, Arena& arena) {
  proto::Tensor tensor;
  tensor.dims = data->shape();
  tensor.data_type = onnx::to_onnx(data->dtype());
  tensor.raw_data = data->bytes();
  if (!tensor.raw_data->empty()) arena.elements.emplace(tensor.raw_data->data(), data);
  return tensor;
}

proto::Attribute attribute_of(const onnx::Attribute& attribute, Arena& arena) {
  proto::Attribute result;
  result.name = arena.text(attribute.name);
  const auto is = [&result](Kind kind) { result.type = static_cast<std::int32_t>(kind); };
  std::visit(Overload{
                 [&](std::int64_t number) { is(Kind::integer), result.i = number; },
                 [&](float number) { is(Kind::real), result.f = number; },
                 [&](const std::string& text) { is(Kind::string), result.s = arena.text(text); },
                 [&](const onnx::DataPtr& data) {
                   is(Kind::tensor);
                   result.t = std::make_unique<proto::Tensor>(tensor_of(data, arena));
                 },
                 [&](const std::vector<std::int64_t>& numbers) { is(Kind::integers), result.ints = numbers; },
                 [&](const std::vector<float>& numbers) { is(Kind::reals), result.floats = numbers; },
                 [&](const std::vector<std::string>& texts) {
                   is(Kind::strings);
                   for (const std::string& text : texts) result.strings.push_back(arena.text(text));
                 },
                 [](const auto&) { throw InternalError("a subgraph that comes from no file"); },
             },
             attribute.value);
  return result;
}

}  // namespace cameo::model
