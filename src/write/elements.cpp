#include "write/elements.h"

#include <algorithm>
#include <functional>

#include "base/side_by_side.h"

namespace cameo {
namespace {

constexpr std::size_t kLarge = std::size_t{1} << 18;

bool in_archive(const onnx::Data& data) {
  const archive::TensorPtr& tensor = data.tensor();
  return tensor && tensor->plain() && tensor->storage->file && tensor->storage->file->descriptor() >= 0;
}

}  // namespace

void Elements::put(const onnx::Data& data) {
  if (in_archive(data)) {
    const archive::Tensor& tensor = *data.tensor();
    const auto start = static_cast<std::uint64_t>(tensor.offset) * size_of(tensor.dtype);
    return file_.append(*tensor.storage->file, *tensor.storage->file_offset + start, data.byte_size());
  }
  if (data.byte_size() < kLarge) return data.copy_to([this](Bytes bytes) { file_.append(bytes); });
  places_.push_back({&data, file_.size()});
  file_.append_room(data.byte_size());
}

void Elements::finish() {
  // The largest first, so that both threads end at about the same time.
  std::ranges::sort(places_, std::greater<>(), [](const Place& place) { return place.data->byte_size(); });
  side_by_side(places_.size(), [this](std::size_t i, std::size_t) { fill(places_[i]); });
}

void Elements::fill(Place place) {
  place.data->copy_to([&](Bytes bytes) {
    file_.write_at(place.offset, bytes);
    place.offset += bytes.size();
  });
}

}  // namespace cameo
