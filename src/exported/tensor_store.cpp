#include "exported/tensor_store.h"

#include <fmt/core.h>

#include "archive/tensor_check.h"
#include "cameo/diagnostic.h"
#include "exported/base64.h"
#include "exported/union.h"

namespace cameo::exported {
namespace {

constexpr const char* kDamagedFile = "the file is damaged or incomplete: save it again";
constexpr const char* kPlainWeights =
    "convert the weights to plain tensors before torch.export, or export the model without the library that "
    "wraps them";

std::string location_of(const Device& device) {
  return device.index ? fmt::format("{}:{}", device.type, *device.index) : std::string(device.type);
}

// The class of a pickled object that is not a tensor. A tensor subclass is a call of
// torch._tensor._rebuild_from_type_v2(function, class, …).
std::string class_of(archive::Ref value) {
  if (const auto* object = value->get_if<archive::Object>()) return archive::qualified_name(object->cls);
  const auto* call = value->get_if<archive::Call>();
  if (call == nullptr) return {};
  const auto* callee = call->callee->get_if<archive::Global>();
  if (callee == nullptr) return {};
  const auto* args = call->args == nullptr ? nullptr : call->args->get_if<archive::Tuple>();
  if (callee->name.starts_with("_rebuild_from_type") && args != nullptr && args->items.size() > 1) {
    if (const auto* cls = args->items[1]->get_if<archive::Global>()) return archive::qualified_name(*cls);
  }
  return archive::qualified_name(*callee);
}

bool calls(const archive::Call& call, std::string_view name) {
  const auto* callee = call.callee->get_if<archive::Global>();
  return callee != nullptr && callee->name == name;
}

const archive::Value* first_argument(const archive::Call& call) {
  const auto* args = call.args == nullptr ? nullptr : call.args->get_if<archive::Tuple>();
  return args == nullptr || args->items.empty() ? nullptr : args->items.front();
}

// The bytes of a Python bytes object; protocol 2 writes a call of _codecs.encode with a string.
std::optional<std::string_view> bytes_in(const archive::Value* value) {
  if (value == nullptr) return std::nullopt;
  if (const auto* bytes = value->get_if<archive::ByteString>()) return bytes->bytes;
  const auto* call = value->get_if<archive::Call>();
  if (call == nullptr || !calls(*call, "encode")) return std::nullopt;
  const archive::Value* argument = first_argument(*call);
  const auto* text = argument == nullptr ? nullptr : argument->get_if<archive::String>();
  return text == nullptr ? std::nullopt : std::optional(text->text);
}

std::string_view folder_of(std::string_view record) {
  const std::size_t slash = record.rfind('/');
  return slash == record.npos ? std::string_view() : record.substr(0, slash + 1);
}

}  // namespace

void TensorStore::fail(Code code, std::string_view name, std::string_view why, std::string_view record,
                       std::string hint) const {
  throw Error(Diagnostic{.code = code,
                         .message = fmt::format("the {} '{}' cannot be read: {}", what_, name, why),
                         .file = archive_.file().name(),
                         .record = std::string(record),
                         .hint = std::move(hint)});
}

void TensorStore::check_dtype(std::string_view name, const TensorMeta& meta, std::string_view record) const {
  if (meta.dtype != DType::undefined) return;
  fail(Code::bad_exported_program, name,
       fmt::format("its element type has the unknown number {}", meta.scalar_type), record,
       "save the program with an older version of PyTorch, or use a newer version of this program");
}

void TensorStore::fail_class(std::string_view name, archive::Ref value, std::string_view record) const {
  const std::string cls = class_of(value);
  fail(Code::tensor_subclass, name,
       cls.empty() ? "it is not a tensor" : fmt::format("it is an object of the Python class '{}'", cls),
       record, kPlainWeights);
}

void TensorStore::add(std::string_view name, std::variant<archive::Ref, Payload> source) {
  const auto [entry, added] = entries_.insert_or_assign(name, Entry{std::move(source), nullptr});
  if (added) names_.push_back(name);
}

void TensorStore::add_saved(std::string_view record) {
  if (archive_.read(record).empty()) return;
  const archive::Ref root = saved_.emplace_back(archive_, record).root();
  const auto* dict = root->get_if<archive::Dict>();
  if (dict == nullptr) {
    throw Error(Diagnostic{.code = Code::bad_exported_program,
                           .message = fmt::format("the record '{}' does not hold a dict of tensors", record),
                           .file = archive_.file().name(),
                           .record = std::string(record),
                           .hint = kDamagedFile});
  }
  for (const auto& [key, value] : dict->items) {
    if (const auto* name = key->get_if<archive::String>()) add(name->text, value);
  }
}

void TensorStore::add_base64(std::string_view name, std::string_view base64) {
  std::optional<std::vector<std::byte>> bytes = decode_base64(base64);
  if (!bytes) fail(Code::bad_exported_program, name, "it is not base64 text", {}, kDamagedFile);
  const std::vector<std::byte>& kept = decoded_.emplace_back(std::move(*bytes));
  add(name, saved_.emplace_back(kept, archive_.file().name(), name).root());
}

void TensorStore::add_configured(std::string_view record) {
  JsonReader json(archive_.text(record), arena_.texts,
                  {.file = archive_.file().name(), .record = std::string(record)});
  json.object([&](std::string_view key) {
    if (key == "config") {
      json.object([&](std::string_view name) { add(name, read_payload(json, folder_of(record))); });
    } else {
      json.raw();
    }
  });
  json.end();
}

TensorStore::Payload TensorStore::read_payload(JsonReader& json, std::string_view folder) {
  Payload payload;
  GraphReader reader(json, arena_);
  json.object([&](std::string_view key) {
    if (key == "path_name") {
      payload.record = fmt::format("{}{}", folder, json.string());
    } else if (key == "use_pickle") {
      payload.pickled = json.boolean();
    } else if (key == "tensor_meta") {
      read_optional(json, [&] { payload.meta = reader.tensor_meta(); });
    } else {
      json.raw();
    }
  });
  if (payload.record.empty()) json.fail("a tensor has no 'path_name'");
  return payload;
}

archive::TensorPtr TensorStore::find(std::string_view name) {
  const auto found = entries_.find(name);
  if (found == entries_.end()) return nullptr;
  Entry& entry = found->second;
  if (entry.tensor == nullptr) {
    entry.tensor =
        std::visit([&](const auto& source) { return tensor_of(found->first, source); }, entry.source);
  }
  return entry.tensor;
}

archive::TensorPtr TensorStore::tensor_of(std::string_view name, archive::Ref value) {
  if (const auto* tensor = value->get_if<archive::TensorPtr>()) return *tensor;
  const auto* call = value->get_if<archive::Call>();
  if (call != nullptr && calls(*call, "_reconstruct_fake_tensor")) return fake_tensor(name, *call);
  fail_class(name, value, {});
}

// A tensor without data: PyTorch pickles the JSON text of its metadata.
archive::TensorPtr TensorStore::fake_tensor(std::string_view name, const archive::Call& call) {
  const std::optional<std::string_view> text = bytes_in(first_argument(call));
  if (!text)
    fail(Code::bad_exported_program, name, "a tensor without data has no metadata", {}, kDamagedFile);
  JsonReader json(*text, arena_.texts,
                  {.file = archive_.file().name(), .record = std::string(name), .offset = 0});
  const TensorMeta meta = GraphReader(json, arena_).tensor_meta();
  check_dtype(name, meta, {});
  auto storage = std::make_shared<archive::Storage>();
  storage->dtype = meta.dtype;
  storage->location = "meta";
  return described(name, meta, std::move(storage));
}

archive::TensorPtr TensorStore::tensor_of(std::string_view name, const Payload& payload) {
  if (!archive_.has(payload.record)) {
    fail(Code::missing_record, name, fmt::format("the archive has no record '{}'", payload.record),
         payload.record, kDamagedFile);
  }
  if (!payload.meta)
    fail(Code::tensor_subclass, name, "it is a custom object", payload.record, kPlainWeights);
  if (payload.pickled) {
    const archive::Ref root = saved_.emplace_back(archive_, payload.record).root();
    if (const auto* tensor = root->get_if<archive::TensorPtr>()) return *tensor;
    fail_class(name, root, payload.record);
  }
  return described(name, *payload.meta, storage_of(name, payload));
}

// One object for all tensors of a record that have the same type.
std::shared_ptr<const archive::Storage> TensorStore::storage_of(std::string_view name,
                                                                const Payload& payload) {
  check_dtype(name, *payload.meta, payload.record);
  const DType dtype = payload.meta->dtype;
  std::shared_ptr<const archive::Storage>& shared =
      storages_[fmt::format("{}:{}", cameo::name(dtype), payload.record)];
  if (shared != nullptr) return shared;
  const archive::Zip& zip = archive_.zip();
  const archive::Record& record = *archive_.record(payload.record);
  auto storage = std::make_shared<archive::Storage>();
  storage->dtype = dtype;
  storage->key = payload.record.substr(folder_of(payload.record).size());
  storage->record = record.name;
  storage->location = location_of(payload.meta->device);
  storage->big_endian = archive_.big_endian();
  const std::optional<Bytes> borrowed = archive_.borrowed(record);
  storage->bytes = borrowed ? *borrowed : archive_.read(payload.record);
  storage->has_data = !storage->bytes.empty();
  storage->numel = static_cast<std::int64_t>(storage->bytes.size() / size_of(dtype));
  if (record.stored() && !borrowed) {
    storage->file = &zip.file();
    storage->file_offset = zip.data_offset(record);
  }
  return shared = std::move(storage);
}

archive::TensorPtr TensorStore::described(std::string_view name, const TensorMeta& meta,
                                          std::shared_ptr<const archive::Storage> storage) const {
  const std::string& record = storage->record;
  const auto fixed = [&](const SymInt& size) {
    if (size.expression != nullptr) {
      fail(Code::bad_exported_program, name, "its size is symbolic", record, kDamagedFile);
    }
    if (size.value < 0) fail(Code::bad_exported_program, name, "a size is negative", record, kDamagedFile);
    return size.value;
  };
  if (meta.layout != Layout::strided) {
    fail(Code::tensor_subclass, name, "it is a sparse tensor", record, kPlainWeights);
  }
  auto tensor = std::make_shared<archive::Tensor>();
  tensor->dtype = meta.dtype;
  for (const SymInt& size : meta.sizes) tensor->shape.push_back(fixed(size));
  for (const SymInt& stride : meta.strides) tensor->strides.push_back(fixed(stride));
  tensor->offset = fixed(meta.storage_offset);
  tensor->requires_grad = meta.requires_grad;
  tensor->storage = std::move(storage);
  if (const std::optional<std::string> fault = archive::find_fault(*tensor)) {
    fail(Code::short_storage, name, *fault, tensor->storage->record, kDamagedFile);
  }
  return tensor;
}

}  // namespace cameo::exported
