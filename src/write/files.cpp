#include "write/files.h"

#include <sys/stat.h>

#include <atomic>
#include <limits>

#include <fmt/core.h>

#include "base/overload.h"
#include "cameo/diagnostic.h"
#include "write/elements.h"
#include "write/stale.h"

namespace cameo {
namespace {

constexpr std::uint64_t kLargestModel = std::uint64_t{std::numeric_limits<std::int32_t>::max()};
constexpr std::uint64_t kAlignment = 4096;
// Below this size a copy through memory is faster than a copy from file to file.
constexpr std::size_t kWorthIt = std::size_t{64} << 10;

[[noreturn]] void too_large(const std::string& path, std::uint64_t size, const char* hint) {
  throw Error(Diagnostic{
      .code = Code::too_large_for_one_file,
      .message = fmt::format("{} would have {} bytes, and a protobuf file may have 2 GB", path, size),
      .file = path,
      .hint = hint});
}

[[noreturn]] void no_place_for_data(const std::string& path) {
  throw Error(Diagnostic{
      .code = Code::cannot_write,
      .message =
          fmt::format("external data needs a file beside the model, and {} is not a regular file", path),
      .file = path,
      .hint = "write the model to a file, or store the weights in it"});
}

bool within(Bytes piece, const MappedFile& file) {
  const Bytes all = file.bytes();
  const std::less_equal<> before;
  return before(all.data(), piece.data()) && before(piece.data() + piece.size(), all.data() + all.size());
}

void put(const onnx::proto::Encoded& model, const MappedFile* source, NewFile& file) {
  Elements elements(file);
  const bool copies = source && source->descriptor() >= 0;
  model.each(Overload{[&](Bytes piece) {
                        if (copies && piece.size() >= kWorthIt && within(piece, *source))
                          file.append(*source,
                                      static_cast<std::uint64_t>(piece.data() - source->bytes().data()),
                                      piece.size());
                        else
                          file.append(piece);
                      },
                      [&](const onnx::Data& data) { elements.put(data); }});
  elements.finish();
}

// Two files cannot change at once. A model that names the data of another would compute wrong numbers, so the
// old model is removed before its data is replaced: a kill in between leaves no model.
void commit_both(NewFile& data, NewFile& model, const std::string& path) {
  data.finish();
  model.finish();
  struct stat status {};
  if (stat(data_beside(path).c_str(), &status) == 0) model.drop_old();
  data.commit();
  model.commit();
}

// Sums the bytes of both files, for one report on their progress.
class Progress {
 public:
  explicit Progress(const Files& files) : files_(files), total_(files.model.size() + files.data_size) {}

  void watch(NewFile& file) {
    if (files_.progress) file.watch([this](std::uint64_t bytes) { files_.progress(done_ += bytes, total_); });
  }

 private:
  const Files& files_;
  std::uint64_t total_;
  std::atomic<std::uint64_t> done_ = 0;
};

}  // namespace

bool fits_one_file(const onnx::proto::Encoded& model) { return model.size() <= kLargestModel; }

std::string data_beside(const std::string& path) { return path + ".data"; }

std::uint64_t next_place(std::uint64_t end) { return (end + kAlignment - 1) / kAlignment * kAlignment; }

Written write_files(const std::string& path, const Files& files) {
  if (!fits_one_file(files.model)) too_large(path, files.model.size(), files.too_large_hint);
  Progress progress(files);
  NewFile model(path, files.sync);
  progress.watch(model);
  put(files.model, files.source, model);
  Written written{.bytes = model.size()};
  if (!files.data) {
    const StaleData stale(path, data_beside(path));
    model.commit();
    stale.remove();
    return written;
  }
  if (model.is_stream()) no_place_for_data(path);
  NewFile data(data_beside(path), files.sync);
  progress.watch(data);
  files.data(data);
  written.external_bytes = data.size();
  commit_both(data, model, path);
  return written;
}

}  // namespace cameo
