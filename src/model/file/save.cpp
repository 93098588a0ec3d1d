#include "model/file/save.h"

#include <functional>

#include "model/file/relocation.h"
#include "onnx/proto/encode.h"
#include "write/commit.h"

namespace cameo::model {
namespace {

// Below this a copy from file to file costs more than one by way of memory.
constexpr std::size_t kWorthIt = std::size_t{64} << 10;

void put(const onnx::proto::Encoded& encoded, const MappedFile& source, NewFile& file) {
  const Bytes all = source.bytes();
  const auto within = [all](Bytes piece) {
    const std::less_equal<> before;
    return before(all.data(), piece.data()) && before(piece.data() + piece.size(), all.data() + all.size());
  };
  encoded.each([&](Bytes piece) {
    if (piece.size() >= kWorthIt && source.descriptor() >= 0 && within(piece))
      file.append(source, static_cast<std::uint64_t>(piece.data() - all.data()), piece.size());
    else
      file.append(piece);
  });
}

}  // namespace

Written save(const Opened& opened, const std::string& path, bool sync) {
  Relocation relocation(opened.file->name(), path);
  const onnx::proto::Encoded encoded = encode(opened.model, std::ref(relocation));
  if (encoded.size() > kLargestModel)
    too_large(path, encoded.size(), "a model of this size needs its weights as external data");
  NewFile file(path, sync);
  put(encoded, *opened.file, file);
  Written written{.bytes = file.size(), .external_bytes = 0};
  if (!relocation.copies()) {
    file.commit();
    return written;
  }
  NewFile data(data_beside(path), sync);
  relocation.put(data);
  written.external_bytes = data.size();
  commit_both(data, file, path);
  return written;
}

}  // namespace cameo::model
