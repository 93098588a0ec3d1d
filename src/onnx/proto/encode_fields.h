#pragma once
// Writes the fields of messages. Each message has a function
//   void put(Writer&, const M&)
// that writes its fields in the order of their numbers.

#include "onnx/proto/encode.h"

namespace cameo::onnx::proto {

class Writer {
 public:
  explicit Writer(const Relocate& relocate) : relocate_(relocate) {}
  Encoded take() { return std::move(out_); }

  void chunk(std::uint32_t number, Bytes bytes);
  void chunk(std::uint32_t number, Text text) { chunk(number, std::as_bytes(std::span(text))); }
  void elements(std::uint32_t number, const Data& data);
  void integer(std::uint32_t number, std::int64_t value);
  void single(std::uint32_t number, float value);

  // An absent field is left out.
  void field(std::uint32_t number, Text text) {
    if (present(text)) chunk(number, text);
  }
  void field(std::uint32_t number, const std::optional<Bytes>& bytes) {
    if (bytes) chunk(number, *bytes);
  }
  void field(std::uint32_t number, std::optional<std::int64_t> value) {
    if (value) integer(number, *value);
  }
  void field(std::uint32_t number, std::optional<std::int32_t> value) {
    if (value) integer(number, *value);
  }
  void field(std::uint32_t number, std::optional<float> value) {
    if (value) single(number, *value);
  }
  void field(std::uint32_t number, const std::vector<Text>& texts) {
    for (const Text text : texts) chunk(number, text);
  }
  void field(std::uint32_t number, const std::vector<Bytes>& chunks) {
    for (const Bytes bytes : chunks) chunk(number, bytes);
  }
  void field(std::uint32_t number, const std::vector<std::int64_t>& values) {
    for (const std::int64_t value : values) integer(number, value);
  }
  void field(std::uint32_t number, const std::vector<float>& values) {
    for (const float value : values) single(number, value);
  }
  template <class M>
  void field(std::uint32_t number, const std::optional<M>& message) {
    if (message) this->message(number, *message);
  }
  template <class M>
  void field(std::uint32_t number, const std::unique_ptr<M>& message) {
    if (message) this->message(number, *message);
  }
  template <class M>
  void field(std::uint32_t number, const std::vector<M>& messages) {
    for (const M& message : messages) this->message(number, message);
  }
  template <class M>
  void message(std::uint32_t number, const M& message);
  void packed(std::uint32_t number, const Numbers& numbers);
  void unknown(const Unknown& fields) {
    for (const Bytes field : fields) append(field);
  }

  // A message whose fields fill() writes.
  template <class Fill>
  void nested(std::uint32_t number, Fill fill) {
    const Begin begin{out_.text_.size(), out_.pieces_.size(), out_.size()};
    fill();
    insert_head(number, begin);
  }
  std::optional<ExternalEntries> relocated(const Tensor& tensor) const {
    return relocate_ && (tensor.elements || tensor.external()) ? relocate_(tensor) : std::nullopt;
  }

 private:
  // Where the fields of a nested message begin: text, pieces and size of what stands before them.
  struct Begin {
    std::size_t text, pieces;
    std::uint64_t size;
  };
  void head(std::uint32_t number, std::uint64_t length);
  // Puts the head of a message before its fields, which have been written.
  void insert_head(std::uint32_t number, const Begin& begin);
  void append(Bytes bytes);

  const Relocate& relocate_;
  Encoded out_;
};

void put(Writer& w, const Model& model);
void put(Writer& w, const Function& function);
void put(Writer& w, const TrainingInfo& training);
void put(Writer& w, const OpsetImport& import);
void put(Writer& w, const Entry& entry);
void put(Writer& w, const Graph& graph);
void put(Writer& w, const Annotation& annotation);
void put(Writer& w, const Node& node);
void put(Writer& w, const Attribute& attribute);
void put(Writer& w, const Tensor& tensor);
void put(Writer& w, const SparseTensor& tensor);
void put(Writer& w, const ValueInfo& value);
void put(Writer& w, const Type& type);
void put(Writer& w, const Shape& shape);
void put(Writer& w, const Dimension& dim);

template <class M>
void Writer::message(std::uint32_t number, const M& message) {
  nested(number, [this, &message] { put(*this, message); });
}

}  // namespace cameo::onnx::proto
