// The archive's objects as the program sees them.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>

#include "eval/evaluator.h"

namespace cameo::eval {
namespace {

std::string child(const std::string& path, std::string_view name) {
  return path.empty() ? std::string(name) : fmt::format("{}.{}", path, name);
}

bool is_state(const script::ClassDef& cls, std::string_view name) {
  return std::ranges::find(cls.parameters, name) != cls.parameters.end() ||
         std::ranges::find(cls.buffers, name) != cls.buffers.end();
}

bool same_elements(const archive::Tensor& a, const archive::Tensor& b) {
  return a.storage == b.storage && a.offset == b.offset && a.dtype == b.dtype && a.shape == b.shape &&
         a.strides == b.strides;
}

}  // namespace

ObjectPtr Evaluator::root() {
  Value value = load(program_.root(), {});
  const ObjectPtr* object = value.get_if<ObjectPtr>();
  if (!object) fail("no-module", "the archive's root is not a module");
  return *object;
}

void Evaluator::set_mode(Object& root) {
  if (options_.training == TrainingMode::preserve) return;
  std::set<const Object*> visited;
  std::function<void(Object&)> visit = [&](Object& object) {
    if (!object.module || !visited.insert(&object).second) return;
    for (auto& [name, value] : object.attributes) {
      if (const ObjectPtr* child_module = value.get_if<ObjectPtr>())
        visit(**child_module);
      else if (name == "training" && value.is<bool>())
        value = options_.training == TrainingMode::training;
    }
  };
  visit(root);
}

Value Evaluator::load(archive::Ref ref, const std::string& path) {
  if (auto found = loaded_.find(ref); found != loaded_.end()) return found->second;
  Value value;
  if (const auto* b = ref->get_if<bool>())
    value = *b;
  else if (const auto* n = ref->get_if<std::int64_t>())
    value = *n;
  else if (const auto* d = ref->get_if<double>())
    value = *d;
  else if (const auto* c = ref->get_if<archive::Complex>())
    value = std::complex<double>(c->real, c->imag);
  else if (const auto* s = ref->get_if<archive::String>())
    value = std::string(s->text);
  else if (const auto* device = ref->get_if<archive::Device>())
    value = Device{std::string(device->text)};
  else if (const auto* tensor = ref->get_if<archive::TensorPtr>())
    value = load_tensor(*tensor, path);
  else if (const auto* items = ref->get_if<archive::List>()) {
    value = list({});
    loaded_.emplace(ref, value);
    List& target = **value.get_if<ListPtr>();
    for (std::size_t i = 0; i < items->items.size(); ++i)
      target.items.push_back(load(items->items[i], child(path, std::to_string(i))));
    return value;
  } else if (const auto* tuple = ref->get_if<archive::Tuple>()) {
    std::vector<Value> values;
    for (std::size_t i = 0; i < tuple->items.size(); ++i)
      values.push_back(load(tuple->items[i], child(path, std::to_string(i))));
    value = make_tuple(std::move(values));
  } else if (const auto* entries = ref->get_if<archive::Dict>()) {
    value = dict({});
    loaded_.emplace(ref, value);
    Dict& target = **value.get_if<DictPtr>();
    for (const auto& [key, item] : entries->items) {
      const auto* text = key->get_if<archive::String>();
      target.items.emplace_back(load(key, path), load(item, child(path, text ? text->text : "item")));
    }
    return value;
  } else if (const auto* member = ref->get_if<archive::EnumValue>()) {
    std::string cls = archive::qualified_name(member->cls);
    Value held = load(member->value, path);
    std::string name;
    if (auto def = program_.find_class(cls))
      for (const script::Field& field : def.def->fields)
        if (field.value && same(evaluate_constant(*field.value, *def.file), held)) name = field.name;
    value = EnumMember{cls, name, std::make_shared<const Value>(held)};
  } else if (const auto* object = ref->get_if<archive::Object>()) {
    return load_object(*object, ref, path);
  } else if (!ref->is_none()) {
    value = Conflict{"the archive holds something here that Cameo cannot read"};
  }
  loaded_.emplace(ref, value);
  return value;
}

Value Evaluator::load_tensor(const archive::TensorPtr& tensor, const std::string& path) {
  if (tensor->layout != archive::Layout::strided) return Conflict{"it is a sparse tensor"};
  const bool as_input = state_paths_.contains(path);
  if (!as_input && tensor->numel() > 0 && !tensor->storage->has_data)
    return Conflict{"the archive holds no data for this tensor"};
  aten::Tensor value =
      as_input ? parameter_input(tensor, path) : emit_.constant(std::make_shared<onnx::Data>(tensor), path);
  if (const auto* q = std::get_if<archive::PerTensor>(&tensor->quantization)) {
    value.quantizer = std::make_shared<aten::Quantizer>(aten::Quantizer{
        emit_.scalar(DType::f32, q->scale), emit_.scalar(tensor->dtype, q->zero_point), std::nullopt});
  } else if (const auto* channels = std::get_if<archive::PerChannel>(&tensor->quantization)) {
    value.quantizer = std::make_shared<aten::Quantizer>(aten::Quantizer{
        emit_.cast(emit_.constant(std::make_shared<onnx::Data>(channels->scales)), DType::f32),
        emit_.cast(emit_.constant(std::make_shared<onnx::Data>(channels->zero_points)), tensor->dtype),
        channels->axis});
  }
  CellPtr cell = cells_.make(value);
  cell->contiguous = tensor->contiguous();
  cell->buffer = path;
  return cell;
}

onnx::Value* Evaluator::parameter_input(const archive::TensorPtr& tensor, const std::string& path) {
  for (const auto& [known, input] : parameter_inputs_)
    if (same_elements(*known, *tensor)) return input;
  onnx::Type type{onnx::Type::Kind::tensor, tensor->dtype, onnx::Shape{}};
  for (std::int64_t dim : tensor->shape) type.shape->emplace_back(dim);
  onnx::Value* input = emit_.graph_input(&emit_.model().main(), std::move(type), path);
  parameter_inputs_.emplace_back(tensor, input);
  return input;
}

Value Evaluator::load_object(const archive::Object& source, archive::Ref ref, const std::string& path) {
  const std::string cls = archive::qualified_name(source.cls);
  auto object = std::make_shared<Object>(journal_.now(), cls, program_.find_class(cls));
  object->path = path;
  loaded_.emplace(ref, object);
  if (!object->definition) {
    object->opaque = &source;
    return object;
  }
  const script::ClassDef& def = *object->definition.def;
  object->module = def.kind == script::ClassKind::module;
  if (program_.find_method(def, "__setstate__")) {
    for (const script::Field& field : def.fields)
      if (!field.value && !field.final) object->attributes.emplace(field.name, Uninitialized{});
    call_method(object, "__setstate__", {{load(source.state, path)}, {}});
    return object;
  }
  if (const auto* state = source.state ? source.state->get_if<archive::Dict>() : nullptr) {
    for (const auto& [key, item] : state->items)
      if (const auto* name = key->get_if<archive::String>()) {
        const std::string at = child(path, name->text);
        if (options_.parameters_as_inputs && object->module && is_state(def, name->text))
          state_paths_.insert(at);
        object->attributes.emplace(name->text, load(item, at));
      }
  }
  return object;
}

}  // namespace cameo::eval
