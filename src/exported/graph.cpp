#include "exported/graph.h"

#include "exported/json_reader.h"

namespace cameo::exported {

std::optional<std::string> Node::metadata(std::string_view key) const {
  if (metadata_json.empty()) return std::nullopt;
  Texts texts;
  JsonReader json(metadata_json, texts, {});
  std::optional<std::string> found;
  json.object([&](std::string_view entry) {
    if (entry == key && json.type() == JsonReader::Type::string) {
      found = json.string();
    } else {
      json.raw();
    }
  });
  return found;
}

const TensorMeta* Graph::tensor(std::string_view name) const {
  const auto found = tensors.find(name);
  return found == tensors.end() ? nullptr : &found->second;
}

}  // namespace cameo::exported
