#include "write/elements.h"

#include <atomic>
#include <future>

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
  file_.append_zeros(data.byte_size());
}

void Elements::finish() {
  std::atomic<std::size_t> next = 0;
  const auto work = [this, &next] {
    try {
      for (std::size_t i = next++; i < places_.size(); i = next++) fill(places_[i]);
    } catch (...) {
      next = places_.size();
      throw;
    }
  };
  std::future<void> other;
  if (places_.size() > 1) other = std::async(std::launch::async, work);
  work();
  if (other.valid()) other.get();
}

void Elements::fill(Place place) {
  place.data->copy_to([&](Bytes bytes) {
    file_.write_at(place.offset, bytes);
    place.offset += bytes.size();
  });
}

}  // namespace cameo
