// Prints what Cameo reads of an archive, for a comparison with what PyTorch loads: a line
// "path dtype [shape] crc32 quantization record" for every tensor of data.pkl and constants.pkl. Fails if a
// code file, printed and parsed again, gives another tree.

#include <fmt/core.h>
#include <fmt/ranges.h>
#include <zlib.h>

#include <bit>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>
#include <utility>

#include "archive/archive.h"
#include "archive/packed_params.h"
#include "cameo/format.h"
#include "script/parse.h"
#include "script/print.h"
#include "script/program.h"

namespace cameo {
namespace {

using archive::Ref;
using archive::Tensor;
using archive::TensorPtr;

std::string crc_of(const Tensor& tensor) {
  uLong crc = crc32(0, nullptr, 0);
  tensor.copy_to([&crc](Bytes piece) {
    crc = crc32_z(crc, reinterpret_cast<const Bytef*>(piece.data()), piece.size());
  });
  return fmt::format("{:08x}", crc);
}

std::string quantization_of(const Tensor& tensor) {
  if (const auto* whole = std::get_if<archive::PerTensor>(&tensor.quantization)) {
    return fmt::format("{:016x} {}", std::bit_cast<std::uint64_t>(whole->scale), whole->zero_point);
  }
  if (const auto* channels = std::get_if<archive::PerChannel>(&tensor.quantization)) {
    return fmt::format("axis {} {} {}", channels->axis, crc_of(*channels->scales),
                       crc_of(*channels->zero_points));
  }
  return "-";
}

void print_tensor(const std::string& path, const Tensor& tensor) {
  for (std::size_t i = 0; i < tensor.parts.size(); ++i) {
    print_tensor(fmt::format("{}.part{}", path, i), *tensor.parts[i]);
  }
  if (tensor.layout != archive::Layout::strided) return;
  fmt::print("{}\t{}\t[{}]\t{}\t{}\t{}\n", path, info(tensor.dtype).torch, fmt::join(tensor.shape, "x"),
             crc_of(tensor), quantization_of(tensor), tensor.storage->record);
}

void print_packed(const std::string& path, const TensorPtr& weight, const TensorPtr& bias) {
  print_tensor(path + ".weight", *weight);
  if (bias) print_tensor(path + ".bias", *bias);
}

void print_value(const std::string& path, Ref value);

void print_object(const std::string& path, const archive::Object& object) {
  if (const auto packed = archive::decode_packed_params(object)) {
    if (const auto* linear = std::get_if<archive::PackedLinear>(&*packed)) {
      return print_packed(path, linear->weight, linear->bias);
    }
    if (const auto* conv = std::get_if<archive::PackedConv>(&*packed)) {
      return print_packed(path, conv->weight, conv->bias);
    }
    if (const auto* embedding = std::get_if<archive::PackedEmbedding>(&*packed)) {
      return print_packed(path, embedding->weight, nullptr);
    }
  }
  if (object.state == nullptr) return;
  const auto* attributes = object.state->get_if<archive::Dict>();
  if (attributes == nullptr) return print_value(path + ".__getstate__()", object.state);
  for (const auto& [key, item] : attributes->items) {
    const auto* name = key->get_if<archive::String>();
    if (name == nullptr) throw std::runtime_error(path + " has an attribute without a name");
    print_value(fmt::format("{}.{}", path, name->text), item);
  }
}

std::string key_text(Ref key) {
  if (const auto* text = key->get_if<archive::String>()) return std::string(text->text);
  if (const auto* number = key->get_if<std::int64_t>()) return fmt::to_string(*number);
  throw std::runtime_error("a dictionary's key is neither a string nor an integer");
}

void print_items(const std::string& path, const std::vector<Ref>& items) {
  for (std::size_t i = 0; i < items.size(); ++i) print_value(fmt::format("{}[{}]", path, i), items[i]);
}

void print_value(const std::string& path, Ref value) {
  if (const auto* tensor = value->get_if<TensorPtr>()) return print_tensor(path, **tensor);
  if (const auto* object = value->get_if<archive::Object>()) return print_object(path, *object);
  if (const auto* list = value->get_if<archive::List>()) return print_items(path, list->items);
  if (const auto* tuple = value->get_if<archive::Tuple>()) return print_items(path, tuple->items);
  if (const auto* dict = value->get_if<archive::Dict>()) {
    for (const auto& [key, item] : dict->items) {
      print_value(fmt::format("{}[{}]", path, key_text(key)), item);
    }
  }
}

void check_round_trip(const script::SourceFile& file) {
  const std::string printed = script::print(file);
  if (!script::equal(file, script::parse(file.name, printed))) {
    throw std::runtime_error(fmt::format("{} printed and parsed again differs", file.name));
  }
}

void digest(const std::string& path) {
  const script::Program program(std::make_shared<archive::Archive>(MappedFile::open(path)));
  for (const std::string_view name : program.code_files()) check_round_trip(program.file(name));
  print_value("self", program.root());
  for (std::size_t i = 0; i < program.constants().size(); ++i) {
    print_value(fmt::format("CONSTANTS.c{}", i), program.constants()[i]);
  }
}

}  // namespace
}  // namespace cameo

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: archive_digest FILE\n");
    return 2;
  }
  try {
    cameo::digest(argv[1]);
    return 0;
  } catch (const cameo::Error& error) {
    fmt::print(stderr, "{}", cameo::format(error.diagnostics()));
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
  }
  return 1;
}
