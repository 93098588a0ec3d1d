#include "write/elements.h"

namespace cameo {
namespace {

constexpr std::size_t kWorthAThread = std::size_t{4} << 20;

bool in_archive(const onnx::Data& data) {
  const archive::TensorPtr& tensor = data.tensor();
  return tensor && tensor->plain() && tensor->storage->file && tensor->storage->file->descriptor() >= 0;
}

}  // namespace

Elements::Elements(const std::vector<onnx::DataPtr>& constants) {
  std::vector<onnx::DataPtr> computed;
  std::size_t size = 0;
  for (const onnx::DataPtr& data : constants) {
    if (in_archive(*data)) continue;
    computed.push_back(data);
    size += data->byte_size();
  }
  if (size >= kWorthAThread) computed_ = std::make_unique<Ahead>(std::move(computed));
}

void Elements::put(const onnx::Data& data, NewFile& file) {
  if (in_archive(data)) {
    const archive::Tensor& tensor = *data.tensor();
    const auto start = static_cast<std::uint64_t>(tensor.offset) * size_of(tensor.dtype);
    return file.append(*tensor.storage->file, *tensor.storage->file_offset + start, data.byte_size());
  }
  const onnx::Sink sink = [&file](Bytes bytes) { file.append(bytes); };
  if (computed_)
    computed_->next(sink);
  else
    data.copy_to(sink);
}

}  // namespace cameo
