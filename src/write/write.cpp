#include "write/write.h"

#include <functional>
#include <limits>

#include <fmt/format.h>

#include "write/file.h"
#include "write/proto.h"

namespace cameo {
namespace {

// One file may hold 2 GB - 1; some room is left for what later stages may add to it.
constexpr std::uint64_t kLimit = std::uint64_t{std::numeric_limits<std::int32_t>::max()};
// Below this an initialiser stays in the model: a reader wants shapes and scalars at hand.
constexpr std::uint64_t kSmall = 1024;
constexpr std::uint64_t kAlignment = 4096;

// An initialiser as it stands in GraphProto: head, then `inside` bytes of elements.
struct Part {
  Initializer initializer;
  std::string head;
  std::uint64_t inside = 0;
  std::uint64_t outside = 0;  // where its elements lie in the other file, if inside is 0
};

struct Layout {
  std::string model;
  std::string graph;
  std::vector<Part> parts;
  std::uint64_t graph_size = 0;
};

Layout lay_out(const onnx::Model& model, const WriteOptions& options, const std::string& external_file) {
  Layout layout{.model = encode_model_head(model), .graph = encode_graph(model.main(), options), .parts = {}};
  std::uint64_t end = 0;
  layout.graph_size = layout.graph.size();
  for (Initializer& initializer : initializers(model.main())) {
    Part part{.initializer = std::move(initializer), .head = {}};
    const std::uint64_t length = part.initializer.data->byte_size();
    std::string tensor = encode_tensor_head(part.initializer);
    if (!external_file.empty() && length >= kSmall) {
      part.outside = (end + kAlignment - 1) / kAlignment * kAlignment;
      end = part.outside + length;
      tensor += encode_external({external_file, part.outside, length});
    } else {
      part.inside = length;
      tensor += field_head(field::kTensorRawData, length);
    }
    part.head = field_head(field::kGraphInitializer, tensor.size() + part.inside) + tensor;
    layout.graph_size += part.head.size() + part.inside;
    layout.parts.push_back(std::move(part));
  }
  return layout;
}

void put_elements(const onnx::Data& data, const std::function<void(Bytes)>& sink) { data.copy_to(sink); }

void put_model(const Layout& layout, const std::function<void(Bytes)>& sink) {
  auto text = [&sink](std::string_view part) { sink(std::as_bytes(std::span(part))); };
  text(layout.model);
  text(field_head(field::kModelGraph, layout.graph_size));
  text(layout.graph);
  for (const Part& part : layout.parts) {
    text(part.head);
    if (part.inside > 0) put_elements(*part.initializer.data, sink);
  }
}

std::string file_name(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

void put_external(const Layout& layout, NewFile& file) {
  constexpr std::byte kPadding[kAlignment] = {};
  for (const Part& part : layout.parts) {
    const std::uint64_t length = part.initializer.data->byte_size();
    if (part.inside == length) continue;
    file.append(Bytes(kPadding, part.outside - file.size()));
    put_elements(*part.initializer.data, [&file](Bytes bytes) { file.append(bytes); });
  }
}

}  // namespace

Written write(const onnx::Model& model, const std::string& path, const WriteOptions& options) {
  Layout layout = lay_out(model, options, {});
  const bool too_large = layout.graph_size + layout.model.size() + 16 > kLimit;
  if (too_large && options.external_data == ExternalData::never)
    throw Error(Diagnostic{.stage = Stage::write,
                           .code = "too-large-for-one-file",
                           .message = fmt::format("{} would have {} bytes, and a protobuf file may have 2 GB",
                                                  path, layout.graph_size),
                           .file = path,
                           .hint = "let the weights go to a file of their own: --external-data auto"});
  Written written;
  std::optional<NewFile> external;
  if (too_large || options.external_data == ExternalData::always) {
    layout = lay_out(model, options, file_name(path) + ".data");
    put_external(layout, external.emplace(path + ".data"));
    written.external_bytes = external->size();
  }
  NewFile file(path);
  put_model(layout, [&file](Bytes bytes) { file.append(bytes); });
  written.bytes = file.size();
  if (external) external->commit();
  file.commit();
  return written;
}

std::string write_to_memory(const onnx::Model& model, const WriteOptions& options) {
  std::string result;
  put_model(lay_out(model, options, {}), [&result](Bytes bytes) {
    result.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  });
  return result;
}

}  // namespace cameo
