#include "calibrate/samples.h"

#include <algorithm>
#include <filesystem>

#include <fmt/core.h>

#include "archive/archive.h"
#include "archive/kind.h"
#include "archive/npz.h"
#include "base/npy.h"
#include "base/style.h"
#include "base/text.h"
#include "cameo/diagnostic.h"
#include "onnx/graph/value_info.h"

namespace cameo::calibration {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void no_data(const std::string& data, std::string message) {
  throw Error(Diagnostic{.code = Code::no_calibration_data,
                         .message = std::move(message),
                         .file = data,
                         .hint = "give a .npz file with an array for each input, a .pt file with a list of "
                                 "tensors, or a folder of such files"});
}

// By torch.save.
bool is_saved(const fs::path& file) { return file.extension() == ".pt" || file.extension() == ".pth"; }

std::vector<std::string> files_of(const std::string& data) {
  if (!fs::is_directory(data)) return {data};
  std::vector<std::string> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(data))
    if (entry.path().extension() == ".npz" || entry.path().extension() == ".npy" || is_saved(entry.path()))
      files.push_back(entry.path().string());
  std::ranges::sort(files);
  return files;
}

// The arrays of several inputs in their order.
NamedArrays by_place(std::vector<Array> arrays, std::span<const ValueInfo> inputs, const std::string& file) {
  if (arrays.size() != inputs.size())
    no_data(file, fmt::format("a sample has {}, and the model has {}", plural(std::ssize(arrays), "array"),
                              plural(std::ssize(inputs), "input")));
  NamedArrays named;
  for (std::size_t i = 0; i < arrays.size(); ++i) named.emplace_back(inputs[i].name, std::move(arrays[i]));
  return named;
}

Array array_of(const archive::Value& value, const std::string& file) {
  const auto* tensor = value.get_if<archive::TensorPtr>();
  if (!tensor) no_data(file, "a sample holds a value that is not a tensor");
  return Array::owning(onnx::element_type((*tensor)->dtype), (*tensor)->shape, (*tensor)->to_vector());
}

const std::vector<archive::Ref>* items_of(const archive::Value& value) {
  if (const auto* list = value.get_if<archive::List>()) return &list->items;
  const auto* tuple = value.get_if<archive::Tuple>();
  return tuple ? &tuple->items : nullptr;
}

// A tensor, the tensors of all inputs in order, or those of inputs by name.
NamedArrays sample_of(const archive::Value& value, std::span<const ValueInfo> inputs,
                      const std::string& file) {
  if (const auto* dict = value.get_if<archive::Dict>()) {
    NamedArrays named;
    for (const auto& [key, item] : dict->items)
      if (const auto* name = key->get_if<archive::String>())
        named.emplace_back(std::string(name->text), array_of(*item, file));
    return named;
  }
  std::vector<Array> arrays;
  if (const auto* items = items_of(value))
    for (const archive::Ref item : *items) arrays.push_back(array_of(*item, file));
  else
    arrays.push_back(array_of(value, file));
  return by_place(std::move(arrays), inputs, file);
}

// Calls use(arrays) for each item of a list that torch.save wrote, or for the only sample.
void each_saved(const std::string& file, std::span<const ValueInfo> inputs,
                const std::function<void(const NamedArrays&)>& use) {
  const auto mapped = MappedFile::open(file);
  if (const archive::Kind kind = archive::kind_of(mapped);
      kind != archive::Kind::tensors && kind != archive::Kind::state_dict)
    no_data(file, fmt::format("the file is not a list of tensors: {}", archive::describe(kind)));
  const archive::Archive archive(mapped);
  const std::shared_ptr<const archive::Pickle> pickle = archive.pickle("data");
  const archive::Value& root = *pickle->root();
  if (const auto* items = items_of(root))
    for (const archive::Ref item : *items) use(sample_of(*item, inputs, file));
  else
    use(sample_of(root, inputs, file));
}

void each_record(const std::string& file, std::span<const ValueInfo> inputs,
                 const std::function<void(const NamedArrays&)>& use) {
  if (is_saved(file)) return each_saved(file, inputs, use);
  use(file.ends_with(".npy") ? by_place({load_npy(file)}, inputs, file) : load_npz(file));
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
  for (const std::string& file : files_of(data))
    each_record(file, inputs, [&](const NamedArrays& arrays) {
      const auto count = stacked(arrays, inputs, file);
      for (std::int64_t i = 0; i < count.value_or(1); ++i) {
        std::vector<Session::Feed> feeds;
        for (const ValueInfo& input : inputs) {
          const Array& array = array_of(arrays, input, file);
          if (array.count() == 0)
            no_data(file, fmt::format("the array '{}' is empty", printable(input.name)));
          feeds.emplace_back(input.name, count ? slice(array, i) : array);
        }
        use(feeds);
        ++used;
      }
    });
  if (used == 0) no_data(data, "there is no sample to calibrate with");
}

}  // namespace cameo::calibration
