#include "calibrate/samples.h"

#include <algorithm>
#include <filesystem>

#include <fmt/core.h>

#include "archive/npz.h"
#include "base/npy.h"
#include "base/text.h"
#include "cameo/diagnostic.h"

namespace cameo::calibration {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void no_data(const std::string& data, std::string message) {
  throw Error(Diagnostic{.code = Code::no_calibration_data,
                         .message = std::move(message),
                         .file = data,
                         .hint = "give a .npz file with an array for each input, or a folder of such files"});
}

std::vector<std::string> files_of(const std::string& data) {
  if (!fs::is_directory(data)) return {data};
  std::vector<std::string> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(data))
    if (entry.path().extension() == ".npz" || entry.path().extension() == ".npy")
      files.push_back(entry.path().string());
  std::ranges::sort(files);
  return files;
}

NamedArrays load(const std::string& file, std::span<const ValueInfo> inputs) {
  if (!file.ends_with(".npy")) return load_npz(file);
  if (inputs.size() != 1)
    no_data(file, fmt::format("a .npy file holds one array, and the model has {} inputs", inputs.size()));
  return {{inputs[0].name, load_npy(file)}};
}

const Array& array_of(const NamedArrays& arrays, const ValueInfo& input, const std::string& file) {
  const auto found = std::ranges::find(arrays, input.name, &NamedArrays::value_type::first);
  if (found == arrays.end())
    no_data(file, fmt::format("the file has no array for the input '{}'", printable(input.name)));
  return found->second;
}

// The number of samples along a first axis that the inputs lack; absent if the arrays are one sample.
std::optional<std::int64_t> stacked(const NamedArrays& arrays, std::span<const ValueInfo> inputs,
                                    const std::string& file) {
  std::optional<std::int64_t> count;
  for (const ValueInfo& input : inputs) {
    const Array& array = array_of(arrays, input, file);
    if (!input.shape || array.shape().size() != input.shape->size() + 1) return std::nullopt;
    if (count && *count != array.shape()[0])
      no_data(file, fmt::format("the arrays hold {} and {} samples", *count, array.shape()[0]));
    count = array.shape()[0];
  }
  return count;
}

Array slice(const Array& array, std::int64_t index) {
  const std::size_t size = array.bytes().size() / static_cast<std::size_t>(array.shape()[0]);
  return Array::view(array.type(), {array.shape().begin() + 1, array.shape().end()},
                     array.bytes().subspan(static_cast<std::size_t>(index) * size, size));
}

}  // namespace

void each_sample(const std::string& data, std::span<const ValueInfo> inputs,
                 const std::function<void(const std::vector<Session::Feed>&)>& use) {
  std::int64_t used = 0;
  for (const std::string& file : files_of(data)) {
    const NamedArrays arrays = load(file, inputs);
    const auto count = stacked(arrays, inputs, file);
    for (std::int64_t i = 0; i < count.value_or(1); ++i) {
      std::vector<Session::Feed> feeds;
      for (const ValueInfo& input : inputs) {
        const Array& array = array_of(arrays, input, file);
        if (array.count() == 0) no_data(file, fmt::format("the array '{}' is empty", printable(input.name)));
        feeds.emplace_back(input.name, count ? slice(array, i) : array);
      }
      use(feeds);
      ++used;
    }
  }
  if (used == 0) no_data(data, "there is no sample to calibrate with");
}

}  // namespace cameo::calibration
