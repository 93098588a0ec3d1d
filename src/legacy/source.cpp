#include "legacy/source.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/index.h"
#include "exported/lower/names.h"

namespace cameo::legacy {
namespace {

constexpr int kMaxDepth = 200;

std::string declaration(std::string_view name, std::string_view type) {
  return exported::is_identifier(name)
             ? fmt::format("  {} : {}\n", name, type)
             : fmt::format("  __annotations__[{}] = {}\n", exported::string_literal(name), type);
}

// The methods, as those of a class of this name. The first line of the file is the version of its operators.
std::string methods(std::string_view code, std::string_view cls) {
  std::string out;
  while (!code.empty()) {
    const std::size_t end = std::min(code.find('\n'), code.size());
    const std::string_view line = code.substr(0, end);
    code.remove_prefix(std::min(end + 1, code.size()));
    if (line.empty() || line.starts_with("op_version_set")) continue;
    const std::size_t self = line.starts_with("def ") ? line.find("(self") : line.npos;
    if (self == line.npos)
      out += fmt::format("  {}\n", line);
    else
      out += fmt::format("  {}(self: {}{}\n", line.substr(0, self), cls, line.substr(self + 5));
  }
  return out;
}

// Code files of classes stand below libs/ and not below code/.
std::string library(std::string_view name) {
  return name.starts_with("code/") ? fmt::format("libs/{}", name.substr(5)) : std::string(name);
}

}  // namespace

LegacySource::LegacySource(std::shared_ptr<const archive::Archive> archive)
    : archive_(std::move(archive)), model_(read_model_file(*archive_, texts_)) {
  for (const archive::TensorPtr& tensor : model_.tensors) constants_.push_back(keep({tensor}));
  if (archive_->has("attributes.pkl")) {
    attributes_ = archive_->pickle("attributes");
    if (const auto* tuple = attributes_->root()->get_if<archive::Tuple>()) attribute_values_ = tuple->items;
    if (const auto* list = attributes_->root()->get_if<archive::List>()) attribute_values_ = list->items;
    for (archive::Ref& value : attribute_values_) value = with_tensors(value, 0);
  }
  const Class cls = class_of(model_.main);
  root_ = object(model_.main, cls);
}

void LegacySource::fail(Code code, std::string message, std::string hint) const {
  throw Error(Diagnostic{.code = code,
                         .message = std::move(message),
                         .file = file().name(),
                         .record = std::string(record()),
                         .hint = std::move(hint)});
}

archive::Ref LegacySource::keep(archive::Value value) { return &values_.emplace_back(std::move(value)); }
archive::Ref LegacySource::text(std::string_view text) { return keep({archive::String{text}}); }

// A module has the methods of its own code file only, so no two modules share a class.
LegacySource::Class LegacySource::class_of(const ModuleRecord& module) {
  const std::string_view last = module.name.substr(module.name.rfind('.') + 1);
  return {own(fmt::format("__torch__.___torch_mangle_{}", count_++)), own(exported::identifier(last))};
}

archive::Ref LegacySource::object(const ModuleRecord& module, const Class& cls) {
  if (module.restores_state)
    fail(Code::torchscript_too_old,
         fmt::format("module '{}' restores its state with __setstate__, which is not read in this format",
                     module.name),
         kSaveAgain);
  std::string fields, parameters, buffers;
  archive::Dict state;
  const auto add = [&](std::string_view name, std::string_view type, archive::Ref value) {
    const bool known = std::ranges::any_of(state.items, [&](const auto& item) {
      return item.first->template get_if<archive::String>()->text == name;
    });
    if (known) return;  // an attribute that is a buffer, too
    fields += declaration(name, type);
    state.items.emplace_back(text(name), value);
  };
  for (const Parameter& each : module.parameters) {
    if (each.tensor < 0 || each.tensor >= std::ssize(constants_))
      fail(Code::not_a_program, fmt::format("the file holds no tensor {}", each.tensor), kSaveAgain);
    (each.is_buffer ? buffers : parameters) += exported::string_literal(each.name) + ", ";
    add(each.name, "Tensor", element_at(constants_, each.tensor));
  }
  for (const Attribute& each : module.attributes) add(each.name, each.type, attribute(each));
  for (const ModuleRecord& each : module.submodules) {
    const Class inner = class_of(each);
    add(each.name, fmt::format("{}.{}", inner.scope, inner.name), object(each, inner));
  }
  const std::string qualified = fmt::format("{}.{}", cls.scope, cls.name);
  std::string file = fmt::format("code/{}.py", cls.scope);
  std::replace(file.begin() + 5, file.end() - 3, '.', '/');
  const std::string body =
      module.code.empty() ? std::string() : methods(archive_->text(module.code), qualified);
  classes_[file] = fmt::format("class {}(Module):\n  __parameters__ = [{}]\n  __buffers__ = [{}]\n{}{}",
                               cls.name, parameters, buffers, fields, body);
  archive::Object object;
  object.cls = {cls.scope, cls.name};
  object.args = keep({archive::Tuple{}});
  object.state = keep({std::move(state)});
  return keep({object});
}

archive::Ref LegacySource::attribute(const Attribute& attribute) const {
  static const archive::Value kNone{archive::None{}};
  if (attribute.id < 0) return &kNone;
  if (attribute.id >= std::ssize(attribute_values_))
    fail(Code::not_a_program, fmt::format("attributes.pkl holds no value {}", attribute.id), kSaveAgain);
  return element_at(attribute_values_, attribute.id);
}

// The value with the tensors that it names by their place in the table.
archive::Ref LegacySource::with_tensors(archive::Ref value, int depth) {
  if (depth > kMaxDepth) fail(Code::nested_too_deeply, "an attribute is nested too deeply", kSaveAgain);
  const auto all = [&](const std::vector<archive::Ref>& items) {
    std::vector<archive::Ref> out;
    for (archive::Ref item : items) out.push_back(with_tensors(item, depth + 1));
    return out;
  };
  if (const auto* list = value->get_if<archive::List>())
    return keep({archive::List{all(list->items), list->type}});
  if (const auto* tuple = value->get_if<archive::Tuple>()) return keep({archive::Tuple{all(tuple->items)}});
  if (const auto* dict = value->get_if<archive::Dict>()) {
    archive::Dict out{.items = {}, .type = dict->type};
    for (const auto& [key, item] : dict->items) out.items.emplace_back(key, with_tensors(item, depth + 1));
    return keep({std::move(out)});
  }
  const auto* call = value->get_if<archive::Call>();
  const auto* callee = call == nullptr ? nullptr : call->callee->get_if<archive::Global>();
  if (callee == nullptr || callee->name != "build_tensor_from_id") return value;
  const auto* args = call->args == nullptr ? nullptr : call->args->get_if<archive::Tuple>();
  const auto* id = args == nullptr || args->items.empty() ? nullptr : args->items[0]->get_if<std::int64_t>();
  if (id == nullptr || *id < 0 || *id >= std::ssize(constants_))
    fail(Code::not_a_program, "an attribute names a tensor that the file does not hold", kSaveAgain);
  return element_at(constants_, *id);
}

std::vector<std::string_view> LegacySource::code_files() const {
  std::vector<std::string_view> names;
  for (const auto& [name, text] : classes_) names.push_back(name);
  for (const std::string_view name : archive_->names("libs/"))
    if (name.ends_with(".py")) names.push_back(name);
  return names;
}

std::optional<std::string_view> LegacySource::code(std::string_view name) const {
  if (const auto found = classes_.find(name); found != classes_.end()) return found->second;
  const std::string record = library(name);
  return archive_->has(record) ? std::optional(archive_->text(record)) : std::nullopt;
}

std::unique_ptr<script::SourceMap> LegacySource::source_map(std::string_view) const {
  return std::make_unique<script::SourceMap>();
}

}  // namespace cameo::legacy
