#include "legacy/model_file.h"

#include <fmt/core.h>

#include <charconv>
#include <map>

#include "archive/tensor_check.h"

namespace cameo::legacy {
namespace {

using exported::JsonReader;

constexpr const char* kRecord = "model.json";
constexpr std::int64_t kNewestVersion = 5;

[[noreturn]] void fail(const archive::Archive& archive, Code code, std::string message) {
  throw Error(Diagnostic{
      .code = code, .message = std::move(message), .file = archive.file().name(), .record = kRecord});
}

// A 64-bit integer is a string in the JSON form of protobuf.
std::int64_t integer(JsonReader& json) {
  if (json.type() != JsonReader::Type::string) return json.integer();
  const std::string_view text = json.string();
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size())
    json.fail(fmt::format("'{}' is not an integer", text));
  return number;
}

std::vector<std::int64_t> integers(JsonReader& json) {
  std::vector<std::int64_t> out;
  json.array([&] { out.push_back(integer(json)); });
  return out;
}

// {"key": "tensors/0"}
std::string_view record_key(JsonReader& json) {
  std::string_view key;
  json.object([&](std::string_view name) {
    if (name == "key")
      key = json.string();
    else
      json.raw();
  });
  return key;
}

DType element_type(JsonReader& json, std::string_view name) {
  constexpr std::pair<std::string_view, DType> kTypes[] = {
      {"FLOAT", DType::f32},   {"INT32", DType::i32}, {"BYTE", DType::u8},   {"BOOL", DType::boolean},
      {"UINT8", DType::u8},    {"INT8", DType::i8},   {"INT16", DType::i16}, {"INT64", DType::i64},
      {"FLOAT16", DType::f16}, {"DOUBLE", DType::f64}};
  for (const auto& [known, dtype] : kTypes)
    if (known == name) return dtype;
  json.fail(fmt::format("the element type '{}' is not known", name));
}

DType quantized_type(DType dtype) {
  return dtype == DType::u8 ? DType::qu8 : dtype == DType::i8 ? DType::qi8 : DType::qi32;
}

struct TensorRecord {
  archive::Tensor tensor;
  std::string_view record, device = "cpu";
  bool is_quantized = false;
  archive::PerTensor quantizer;
};

TensorRecord tensor_record(JsonReader& json) {
  TensorRecord out;
  json.object([&](std::string_view key) {
    if (key == "dims")
      out.tensor.shape = integers(json);
    else if (key == "strides")
      out.tensor.strides = integers(json);
    else if (key == "offset")
      out.tensor.offset = integer(json);
    else if (key == "requiresGrad")
      out.tensor.requires_grad = json.boolean();
    else if (key == "dataType")
      out.tensor.dtype = element_type(json, json.string());
    else if (key == "data")
      out.record = record_key(json);
    else if (key == "device")
      out.device = json.string();
    else if (key == "isQuantized")
      out.is_quantized = json.boolean();
    else if (key == "scale")
      out.quantizer.scale = json.real();
    else if (key == "zeroPoint")
      out.quantizer.zero_point = integer(json);
    else
      json.raw();
  });
  return out;
}

// One object for all tensors of a record that have the same type.
using Storages = std::map<std::pair<std::string_view, DType>, std::shared_ptr<const archive::Storage>>;

std::shared_ptr<const archive::Storage> storage_of(const archive::Archive& archive,
                                                   const TensorRecord& tensor,
                                                   const archive::Record& record) {
  auto storage = std::make_shared<archive::Storage>();
  storage->dtype = tensor.tensor.dtype;
  storage->key = tensor.record;
  storage->record = record.name;
  storage->location = tensor.device;
  storage->has_data = true;
  storage->numel = static_cast<std::int64_t>(record.size / size_of(storage->dtype));
  storage->bytes = archive.zip().read(record);
  if (record.stored()) {
    storage->file_offset = archive.zip().data_offset(record);
    storage->file = &archive.file();
  }
  return storage;
}

archive::TensorPtr tensor(JsonReader& json, const archive::Archive& archive, Storages& storages) {
  TensorRecord read = tensor_record(json);
  archive::Tensor& tensor = read.tensor;
  if (read.is_quantized) {
    tensor.dtype = quantized_type(tensor.dtype);
    tensor.quantization = read.quantizer;
  }
  const archive::Record* record = archive.record(read.record);
  if (record == nullptr) json.fail(fmt::format("the archive has no record '{}'", read.record));
  std::shared_ptr<const archive::Storage>& storage = storages[{read.record, tensor.dtype}];
  if (storage == nullptr) storage = storage_of(archive, read, *record);
  tensor.storage = storage;
  if (tensor.strides.size() != tensor.shape.size()) json.fail("a tensor has not one stride for each size");
  if (const std::optional<std::string> fault = archive::find_fault(tensor)) json.fail(*fault);
  return std::make_shared<const archive::Tensor>(std::move(tensor));
}

Parameter parameter(JsonReader& json) {
  Parameter out;
  json.object([&](std::string_view key) {
    if (key == "name")
      out.name = json.string();
    else if (key == "tensorId")
      out.tensor = integer(json);
    else if (key == "isBuffer")
      out.is_buffer = json.boolean();
    else
      json.raw();
  });
  return out;
}

Attribute attribute(JsonReader& json) {
  Attribute out;
  json.object([&](std::string_view key) {
    if (key == "name")
      out.name = json.string();
    else if (key == "type")
      out.type = json.string();
    else if (key == "id")
      out.id = integer(json);
    else
      json.raw();
  });
  return out;
}

ModuleRecord module_record(JsonReader& json) {
  ModuleRecord out;
  json.object([&](std::string_view key) {
    if (key == "name")
      out.name = json.string();
    else if (key == "torchscriptArena")
      out.code = record_key(json);
    else if (key == "parameters")
      json.array([&] { out.parameters.push_back(parameter(json)); });
    else if (key == "attributes")
      json.array([&] { out.attributes.push_back(attribute(json)); });
    else if (key == "submodules")
      json.array([&] { out.submodules.push_back(module_record(json)); });
    else if (key == "getStateAttributeId")
      out.restores_state = integer(json) >= 0;
    else
      json.raw();
  });
  return out;
}

ModelFile read(const archive::Archive& archive, exported::Texts& texts) {
  JsonReader json(archive.text(kRecord), texts, {.file = archive.file().name(), .record = kRecord});
  ModelFile out;
  Storages storages;
  bool has_module = false;
  json.object([&](std::string_view key) {
    if (key == "protoVersion") {
      out.version = integer(json);
    } else if (key == "mainModule") {
      out.main = module_record(json);
      has_module = true;
    } else if (key == "tensors") {
      json.array([&] { out.tensors.push_back(tensor(json, archive, storages)); });
    } else {
      json.raw();
    }
  });
  json.end();
  if (!has_module) fail(archive, Code::not_a_program, "model.json holds no module");
  if (out.version > kNewestVersion)
    fail(archive, Code::too_new,
         fmt::format("model.json has version {}, which is too new; {} is the newest known", out.version,
                     kNewestVersion));
  return out;
}

}  // namespace

ModelFile read_model_file(const archive::Archive& archive, exported::Texts& texts) {
  try {
    return read(archive, texts);
  } catch (Error& error) {  // the JSON reader speaks of programs of torch.export
    for (Diagnostic& diagnostic : error.diagnostics()) {
      if (diagnostic.code == Code::bad_exported_program) diagnostic.code = Code::not_a_program;
      diagnostic.hint = kSaveAgain;
    }
    throw;
  }
}

}  // namespace cameo::legacy
