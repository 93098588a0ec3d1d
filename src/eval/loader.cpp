#include "eval/loader.h"

#include <fmt/core.h>

#include <algorithm>

#include "aten/complex.h"
#include "aten/quantization.h"

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

// A cast to the type of the integers would change zero points that it cannot hold.
void check_range(const onnx::Data& zero_points, DType integer) {
  const auto [least, most] = aten::range_of(integer);
  for (std::int64_t i = 0; i < zero_points.numel(); ++i)
    if (const double zero = zero_points.real(i); !(zero >= least && zero <= most))
      throw aten::ProgramError(fmt::format("the zero point {} is not in the range of {}", zero,
                                           name(aten::quantized_type(integer))));
}

}  // namespace

Loader::Loader(Evaluation& evaluation, const script::Program& program, const Options& options,
               ConstantOf constant_of)
    : ev_(evaluation),
      program_(program),
      parameters_as_inputs_(options.parameters_as_inputs),
      state_inputs_(options.state_inputs),
      training_(options.training),
      constant_of_(std::move(constant_of)) {}

ObjectPtr Loader::root() {
  Value value = load(program_.root(), {});
  const ObjectPtr* object = value.get_if<ObjectPtr>();
  if (!object) throw InternalError("a program whose root is not an object");
  return *object;
}

void Loader::set_mode(Object& root) const {
  if (training_ == TrainingMode::preserve) return;
  std::set<const Object*> visited;
  std::function<void(Object&)> visit = [&](Object& object) {
    if (!object.module || !visited.insert(&object).second) return;
    for (auto& [name, value] : object.attributes) {
      if (const ObjectPtr* child_module = value.get_if<ObjectPtr>())
        visit(**child_module);
      else if (name == "training" && value.is<bool>())
        value = training_ == TrainingMode::training;
    }
  };
  visit(root);
}

archive::TensorPtr Loader::saved(const onnx::Value* input) const {
  for (const auto& [tensor, value] : parameter_inputs_)
    if (value.value == input) return tensor;
  return nullptr;
}

Value Loader::load(archive::Ref ref, const std::string& path) {
  if (auto found = loaded_.find(ref); found != loaded_.end()) return found->second;
  if (const auto* items = ref->get_if<archive::List>()) return load_list(*items, ref, path);
  if (const auto* entries = ref->get_if<archive::Dict>()) return load_dict(*entries, ref, path);
  if (const auto* object = ref->get_if<archive::Object>()) return load_object(*object, ref, path);
  Value value = load_plain(*ref, path);
  loaded_.emplace(ref, value);
  return value;
}

// A value that cannot hold itself.
Value Loader::load_plain(const archive::Value& value, const std::string& path) {
  if (value.is_none()) return None{};
  if (const auto* b = value.get_if<bool>()) return *b;
  if (const auto* n = value.get_if<std::int64_t>()) return *n;
  if (const auto* d = value.get_if<double>()) return *d;
  if (const auto* c = value.get_if<archive::Complex>()) return std::complex<double>(c->real, c->imag);
  if (const auto* s = value.get_if<archive::String>()) return std::string(s->text);
  if (const auto* device = value.get_if<archive::Device>()) return Device{std::string(device->text)};
  if (const auto* tensor = value.get_if<archive::TensorPtr>()) return load_tensor(*tensor, path);
  if (const auto* member = value.get_if<archive::EnumValue>()) return load_enum(*member, path);
  if (const auto* tuple = value.get_if<archive::Tuple>()) {
    std::vector<Value> values;
    for (std::size_t i = 0; i < tuple->items.size(); ++i)
      values.push_back(load(tuple->items[i], child(path, std::to_string(i))));
    return make_tuple(std::move(values));
  }
  return Conflict{"the archive holds something here that Cameo cannot read"};
}

Value Loader::load_enum(const archive::EnumValue& member, const std::string& path) {
  std::string cls = archive::qualified_name(member.cls);
  Value held = load(member.value, path);
  std::string name;
  if (auto def = program_.find_class(cls))
    for (const script::Field& field : def.def->fields)
      if (field.value && same(constant_of_(*field.value, *def.file), held)) name = field.name;
  return EnumMember{cls, name, std::make_shared<const Value>(held)};
}

Value Loader::load_list(const archive::List& items, archive::Ref ref, const std::string& path) {
  Value value = ev_.memory.make_list({});
  loaded_.emplace(ref, value);
  List& target = **value.get_if<ListPtr>();
  for (std::size_t i = 0; i < items.items.size(); ++i)
    target.items.push_back(load(items.items[i], child(path, std::to_string(i))));
  return value;
}

Value Loader::load_dict(const archive::Dict& entries, archive::Ref ref, const std::string& path) {
  Value value = ev_.memory.make_dict({});
  loaded_.emplace(ref, value);
  Dict& target = **value.get_if<DictPtr>();
  for (const auto& [key, item] : entries.items) {
    const auto* text = key->get_if<archive::String>();
    target.items.emplace_back(load(key, path), load(item, child(path, text ? text->text : "item")));
  }
  return value;
}

Value Loader::load_tensor(const archive::TensorPtr& tensor, const std::string& path) {
  if (tensor->layout != archive::Layout::strided) return Conflict{"it is a sparse tensor"};
  const bool as_input = state_paths_.contains(path);
  if (!as_input && tensor->numel() > 0 && !tensor->storage->has_data)
    return Conflict{"the archive holds no data for this tensor"};
  CellPtr cell;
  try {
    cell = ev_.memory.cells().make(as_input ? parameter_input(tensor, path) : tensor_of(tensor, path));
  } catch (const aten::ProgramError& error) {
    return Conflict{error.what()};
  } catch (const aten::Unsupported& error) {
    return Conflict{error.what()};
  }
  cell->contiguous = tensor->contiguous();
  cell->buffer = path;
  return cell;
}

// A complex weight is a real one with a last axis of two: the parts stand side by side in the file.
aten::Tensor Loader::constant(const archive::TensorPtr& tensor, const std::string& path) {
  if (!is_complex(tensor->dtype)) return ev_.emit.constant(std::make_shared<onnx::Data>(tensor), path);
  auto parts = std::make_shared<archive::Tensor>(*tensor);
  parts->dtype = part_type(tensor->dtype);
  parts->conjugate = false;
  parts->offset *= 2;
  for (std::int64_t& stride : parts->strides) stride *= 2;
  parts->shape.push_back(2);
  parts->strides.push_back(1);
  const aten::Tensor pairs =
      aten::Tensor::pairs(ev_.emit.constant(std::make_shared<onnx::Data>(std::move(parts)), path));
  return tensor->conjugate ? aten::pairs(conjugate(aten::parts_of(ev_.emit, pairs))) : pairs;
}

aten::QuantizerPtr Loader::quantizer_of(const archive::Tensor& tensor) {
  onnx::Emit& e = ev_.emit;
  const DType integer = aten::integer_type(tensor.dtype);
  if (const auto* q = std::get_if<archive::PerTensor>(&tensor.quantization))
    return aten::per_tensor(e, q->scale, q->zero_point, integer);
  const auto* channels = std::get_if<archive::PerChannel>(&tensor.quantization);
  if (!channels) throw aten::Unsupported("the archive holds no scale for this quantised tensor");
  const auto zeros = std::make_shared<onnx::Data>(channels->zero_points);
  if (!channels->float_qparams) check_range(*zeros, integer);
  onnx::Value* zero_points = e.constant(zeros);
  return aten::checked({e.cast(e.constant(std::make_shared<onnx::Data>(channels->scales)), DType::f32),
                        e.cast(zero_points, channels->float_qparams ? DType::f32 : integer), channels->axis},
                       integer);
}

// The integers of a quantised tensor stay in the file.
aten::Tensor Loader::tensor_of(const archive::TensorPtr& tensor, const std::string& path) {
  if (!is_quantized(tensor->dtype)) return constant(tensor, path);
  auto integers = std::make_shared<archive::Tensor>(*tensor);
  integers->dtype = aten::integer_type(tensor->dtype);
  integers->quantization = {};
  return {ev_.emit.constant(std::make_shared<onnx::Data>(std::move(integers)), path), quantizer_of(*tensor)};
}

aten::Tensor Loader::parameter_input(const archive::TensorPtr& tensor, const std::string& path) {
  for (const auto& [known, input] : parameter_inputs_)
    if (same_elements(*known, *tensor)) return input;
  const DType dtype = is_quantized(tensor->dtype) ? aten::integer_type(tensor->dtype) : tensor->dtype;
  onnx::Type type{onnx::Type::Kind::tensor, dtype, onnx::Shape{}};
  for (std::int64_t dim : tensor->shape) type.shape->emplace_back(dim);
  aten::Tensor input = aten::graph_input(ev_.emit, std::move(type), path);
  if (is_quantized(tensor->dtype)) input.quantizer = quantizer_of(*tensor);
  parameter_inputs_.emplace_back(tensor, input);
  return input;
}

Value Loader::load_object(const archive::Object& source, archive::Ref ref, const std::string& path) {
  const std::string cls = archive::qualified_name(source.cls);
  auto object = std::make_shared<Object>(ev_.memory.journal().now(), cls, program_.find_class(cls));
  object->path = path;
  loaded_.emplace(ref, object);
  if (!object->definition) {
    object->opaque = &source;
    load_packed(*object, path);
    return object;
  }
  const script::ClassDef& def = *object->definition.def;
  object->module = def.kind == script::ClassKind::module;
  if (program_.find_method(def, "__setstate__")) {
    for (const script::Field& field : def.fields)
      if (!field.value && !field.final) object->attributes.emplace(field.name, Uninitialized{});
    ev_.caller.call_method(object, "__setstate__", {{load(source.state, path)}, {}});
    return object;
  }
  load_attributes(*object, source);
  return object;
}

void Loader::load_attributes(Object& object, const archive::Object& source) {
  const auto* state = source.state ? source.state->get_if<archive::Dict>() : nullptr;
  if (!state) return;
  for (const auto& [key, item] : state->items) {
    const auto* name = key->get_if<archive::String>();
    if (!name) continue;
    const std::string at = child(object.path, name->text);
    if (state_inputs_.contains(at) ||
        (parameters_as_inputs_ && object.module && is_state(*object.definition.def, name->text)))
      state_paths_.insert(at);
    object.attributes.emplace(name->text, load(item, at));
  }
}

}  // namespace cameo::eval
