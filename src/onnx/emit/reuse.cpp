#include <algorithm>
#include <array>

#include "onnx/emit/tables.h"

namespace cameo::onnx {
namespace {

constexpr std::array<std::string_view, 9> kNotReused = {
    "RandomNormal", "RandomNormalLike", "RandomUniform", "RandomUniformLike",
    "Multinomial",  "Bernoulli",        "Dropout",       "If",
    "Loop",
};

template <class T>
void put(std::string& key, const T& value) {
  key.append(reinterpret_cast<const char*>(&value),
             sizeof(T));  // NOLINT(bugprone-sizeof-expression): identities
}

void put_text(std::string& key, std::string_view text) {
  put(key, text.size());
  key += text;
}

struct PutAttribute {
  std::string& key;

  void operator()(std::int64_t number) { put(key, number); }
  void operator()(float number) { put(key, number); }
  void operator()(const std::string& text) { put_text(key, text); }
  void operator()(Graph* graph) { put(key, graph); }
  void operator()(const DataPtr& data) {
    put(key, data->dtype());
    for (std::int64_t dim : data->shape()) put(key, dim);
    const Bytes bytes = data->bytes();
    put_text(key, std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
  }
  void operator()(const std::vector<std::string>& texts) {
    put(key, texts.size());
    for (const std::string& text : texts) put_text(key, text);
  }
  template <class T>
  void operator()(const std::vector<T>& numbers) {
    put(key, numbers.size());
    for (T number : numbers) put(key, number);
  }
};

}  // namespace

std::string reuse_key(const Node& node, std::size_t outputs) {
  if (!node.domain.empty()) return {};  // who knows whether it draws random numbers
  if (std::find(kNotReused.begin(), kNotReused.end(), node.op) != kNotReused.end()) return {};
  std::string key;
  put_text(key, node.op);
  put_text(key, node.domain);
  put(key, outputs);
  put(key, node.inputs.size());
  for (const Value* input : node.inputs) put(key, input);
  std::vector<const Attribute*> attributes;
  for (const Attribute& attribute : node.attributes) attributes.push_back(&attribute);
  std::sort(attributes.begin(), attributes.end(),
            [](const Attribute* a, const Attribute* b) { return a->name < b->name; });
  for (const Attribute* attribute : attributes) {
    put_text(key, attribute->name);
    put(key, attribute->value.index());
    std::visit(PutAttribute{key}, attribute->value);
  }
  return key;
}

}  // namespace cameo::onnx
