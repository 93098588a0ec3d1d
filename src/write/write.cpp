#include "write/write.h"

#include <functional>

#include "base/new_file.h"
#include "write/commit.h"
#include "write/elements.h"
#include "write/link.h"
#include "write/proto.h"

namespace cameo {
namespace {

// Below this an initialiser stays in the model: a reader wants shapes and scalars at hand.
constexpr std::uint64_t kSmall = 1024;
constexpr std::uint64_t kAlignment = 4096;

// Where the elements of a constant of some size go; nothing: into the model.
using Place = std::function<std::optional<External>(const onnx::Data&)>;

// An initialiser as it stands in GraphProto: head, then its elements unless they are in another file.
struct Part {
  Initializer initializer;
  std::string head;
  std::optional<External> external;
};

struct Layout {
  std::string model;
  std::string graph;
  std::vector<Part> parts;
  std::uint64_t graph_size = 0;
  std::uint64_t size() const {
    return model.size() + field_head(field::kModelGraph, graph_size).size() + graph_size;
  }
};

Layout lay_out(const onnx::Model& model, const WriteOptions& options, const Place& place = {}) {
  Layout layout{.model = encode_model_head(model), .graph = encode_graph(model.main(), options), .parts = {}};
  layout.graph_size = layout.graph.size();
  for (Initializer& initializer : initializers(model.main())) {
    Part part{.initializer = std::move(initializer), .head = {}, .external = {}};
    const std::uint64_t length = part.initializer.data->byte_size();
    if (place && length >= kSmall) part.external = place(*part.initializer.data);
    const std::uint64_t inside = part.external ? 0 : length;
    std::string tensor = encode_tensor_head(part.initializer);
    tensor += part.external ? encode_external(*part.external) : field_head(field::kTensorRawData, length);
    part.head = field_head(field::kGraphInitializer, tensor.size() + inside) + tensor;
    layout.graph_size += part.head.size() + inside;
    layout.parts.push_back(std::move(part));
  }
  return layout;
}

// One after the other, in a file of their own.
Place beside(std::string file) {
  return [file = std::move(file), end = std::uint64_t{0}](const onnx::Data& data) mutable {
    const std::uint64_t offset = (end + kAlignment - 1) / kAlignment * kAlignment;
    end = offset + data.byte_size();
    return External{file, offset, data.byte_size()};
  };
}

// The model but for the elements of constants, which `put` writes.
template <class Out, class Put>
void put_model(const Layout& layout, Out& out, Put put) {
  out.append(layout.model);
  out.append(field_head(field::kModelGraph, layout.graph_size));
  out.append(layout.graph);
  for (const Part& part : layout.parts) {
    out.append(part.head);
    if (!part.external) put(*part.initializer.data);
  }
}

void put_model(const Layout& layout, NewFile& file) {
  Elements elements(file);
  put_model(layout, file, [&](const onnx::Data& data) { elements.put(data); });
  elements.finish();
}

void put_external(const Layout& layout, NewFile& file) {
  Elements elements(file);
  for (const Part& part : layout.parts) {
    if (!part.external) continue;
    file.append_zeros(part.external->offset - file.size());
    elements.put(*part.initializer.data);
  }
  elements.finish();
}

std::string file_name(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

Written write_both(const onnx::Model& model, const std::string& path, const WriteOptions& options) {
  const Layout layout = lay_out(model, options, beside(data_beside(file_name(path))));
  if (layout.size() > kLargestModel) too_large(path, layout.size(), "");
  NewFile data(data_beside(path), options.sync), file(path, options.sync);
  put_external(layout, data);
  put_model(layout, file);
  const Written written{.bytes = file.size(), .external_bytes = data.size()};
  commit_both(data, file, path);
  return written;
}

}  // namespace

Written write(const onnx::Model& model, const std::string& path, const WriteOptions& options) {
  if (options.external_data == ExternalData::always) return write_both(model, path, options);
  ArchiveLinks links(path);
  const bool link = options.external_data == ExternalData::link;
  const Layout layout =
      link ? lay_out(model, options, [&links](const onnx::Data& data) { return links.place(data); })
           : lay_out(model, options);
  if (layout.size() > kLargestModel) {
    if (options.external_data == ExternalData::automatic) return write_both(model, path, options);
    too_large(path, layout.size(), "let the weights go to a file of their own: --external-data auto");
  }
  NewFile file(path, options.sync);
  put_model(layout, file);
  const Written written{.bytes = file.size()};
  file.commit();
  return written;
}

std::string write_to_memory(const onnx::Model& model, const WriteOptions& options) {
  std::string result;
  put_model(lay_out(model, options), result, [&result](const onnx::Data& data) {
    data.copy_to(
        [&result](Bytes bytes) { result.append(reinterpret_cast<const char*>(bytes.data()), bytes.size()); });
  });
  return result;
}

}  // namespace cameo
