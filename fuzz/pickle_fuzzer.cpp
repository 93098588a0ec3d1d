// Reads any bytes as a pickle over a small storage, then looks at every value that it made.
#include "archive/checkpoint.h"
#include "archive/packed_params.h"
#include "archive/pickle.h"
#include "cameo/diagnostic.h"

using namespace cameo;
using namespace cameo::archive;

namespace {

constexpr std::byte kBytes[4096]{};

std::shared_ptr<const Storage> fake_storage(DType dtype, std::string_view key, std::string_view location,
                                            std::int64_t numel) {
  auto storage = std::make_shared<Storage>();
  storage->dtype = dtype;
  storage->key = key;
  storage->numel = numel;
  storage->has_data = location != "meta";
  storage->big_endian = location == "cuda";
  if (storage->has_data) storage->bytes = kBytes;
  return storage;
}

// A tensor without data and packed parameters in no known encoding are errors that it may meet.
void look_at(const Value& value) try {
  if (const Object* object = value.get_if<Object>()) decode_packed_params(*object);
  const TensorPtr* tensor = value.get_if<TensorPtr>();
  if (tensor == nullptr || (*tensor)->layout != Layout::strided) return;
  if ((*tensor)->byte_size() < (1 << 20)) (*tensor)->to_vector();
} catch (const Error&) {
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) try {
  const Pickle pickle({reinterpret_cast<const std::byte*>(data), size}, {"fuzz.pkl", fake_storage});
  study_checkpoint(pickle.root());
  for (const Value& value : pickle.values()) look_at(value);
  return 0;
} catch (const Error&) {
  return 0;
}
