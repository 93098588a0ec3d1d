#include "write/write.h"

#include <unordered_map>
#include <vector>

#include "base/new_file.h"
#include "onnx/proto/encode.h"
#include "write/elements.h"
#include "write/link.h"

namespace cameo {
namespace {

using onnx::proto::Encoded;
using onnx::proto::ExternalEntries;
using onnx::proto::Model;
using onnx::proto::Tensor;

// Smaller initialisers stay in the model: a reader wants shapes and scalars at hand.
constexpr std::uint64_t kSmall = 1024;

template <class Visit>
void each_large(const Model& model, Visit visit) {
  if (!model.graph) return;
  for (const Tensor& tensor : model.graph->initializers)
    if (tensor.elements && tensor.elements->byte_size() >= kSmall) visit(tensor);
}

using Places = std::unordered_map<const Tensor*, ExternalEntries>;

Encoded encode_with(const Model& model, const Places& places) {
  return encode(model, [&places](const Tensor& tensor) {
    const auto place = places.find(&tensor);
    return place == places.end() ? std::nullopt : std::optional(place->second);
  });
}

std::string file_name(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

// The elements stand one after the other in the file beside the model.
Written write_both(const Model& model, const std::string& path, const WriteOptions& options) {
  const std::string name = data_beside(file_name(path));
  Places places;
  std::uint64_t end = 0;
  each_large(model, [&](const Tensor& tensor) {
    const std::uint64_t offset = next_place(end);
    end = offset + tensor.elements->byte_size();
    places.emplace(&tensor, onnx::proto::external_entries(name, offset, tensor.elements->byte_size()));
  });
  const auto put_data = [&model](NewFile& file) {
    Elements elements(file);
    each_large(model, [&](const Tensor& tensor) {
      file.append_zeros(next_place(file.size()) - file.size());
      elements.put(*tensor.elements);
    });
    elements.finish();
  };
  const Encoded encoded = encode_with(model, places);
  return write_files(path, {.model = encoded,
                            .data = put_data,
                            .data_size = end,
                            .sync = options.sync,
                            .progress = options.progress});
}

// The elements that stay in the archive.
Places linked(const Model& model, const std::string& path) {
  ArchiveLinks links(path);
  Places places;
  each_large(model, [&](const Tensor& tensor) {
    if (auto entries = links.place(*tensor.elements)) places.emplace(&tensor, std::move(*entries));
  });
  return places;
}

}  // namespace

Written write(const onnx::proto::Model& model, const std::string& path, const WriteOptions& options) {
  if (options.external_data == ExternalData::always) return write_both(model, path, options);
  const Encoded encoded =
      encode_with(model, options.external_data == ExternalData::link ? linked(model, path) : Places());
  if (options.external_data == ExternalData::automatic && !fits_one_file(encoded))
    return write_both(model, path, options);
  return write_files(path,
                     {.model = encoded,
                      .sync = options.sync,
                      .progress = options.progress,
                      .too_large_hint = "let the weights go to a file of their own: --external-data auto"});
}

}  // namespace cameo
