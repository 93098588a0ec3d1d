#include "cameo/session.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "base/mapped_file.h"
#include "base/text.h"
#include "runtime/explain.h"
#include "runtime/library.h"
#include "runtime/more_outputs.h"
#include "runtime/ort_value.h"

namespace cameo {

using runtime::explain_feeds;
using runtime::explain_outputs;
using runtime::Library;
namespace ort = runtime::ort;

namespace {

ort::Owned<ort::SessionOptions> make_options(const ort::Api& api, const SessionOptions& options) {
  auto result = api.make<ort::SessionOptions>(ort::kCreateSessionOptions);
  api(ort::kSetIntraOpThreads, result.get(), options.threads);
  api(ort::kSetOptimizationLevel, result.get(), static_cast<int>(options.optimization));
  api(ort::kSetLogSeverity, result.get(), static_cast<int>(options.log));
  if (!options.optimized_model.empty())
    api(ort::kSetOptimizedModelPath, result.get(), options.optimized_model.c_str());
  return result;
}

template <typename Count, typename Name, typename Type>
std::vector<ValueInfo> describe_all(const Library& library, const ort::Session* session, Count count,
                                    Name name, Type type) {
  const ort::Api& api = library.api();
  std::vector<ValueInfo> infos(api.get<std::size_t>(count, session));
  for (std::size_t i = 0; i < infos.size(); ++i) {
    const auto free = [&](char* text) { api(ort::kAllocatorFree, library.allocator(), text); };
    const std::unique_ptr<char, decltype(free)> text(api.get<char*>(name, session, i, library.allocator()),
                                                     free);
    infos[i] = describe(library, text.get(), api.make<ort::TypeInfo>(type, session, i).get());
  }
  return infos;
}

bool overlaps(std::span<const std::byte> a, std::span<const std::byte> b) {
  return !a.empty() && !b.empty() && a.data() < b.data() + b.size() && b.data() < a.data() + a.size();
}

// ONNX Runtime leaves this to each operator, not all of which look.
void require_inputs(const std::vector<ValueInfo>& inputs, const std::vector<Session::Feed>& feeds) {
  const auto is_missing = [&](const ValueInfo& input) {
    return !input.optional && std::ranges::none_of(feeds, [&](const Session::Feed& feed) {
      return feed.first == input.name && feed.second.has_value();
    });
  };
  std::vector<std::string> missing;
  for (const ValueInfo& input : inputs) {
    if (is_missing(input)) missing.push_back(to_string(input));
  }
  if (missing.empty()) return;
  throw Error(Diagnostic{.code = Code::unfed_input,
                         .message = fmt::format("the model needs more inputs: {}", join(missing, "; "))});
}

// A model may hand an input on as an output; the caller's bytes may not live as long as the result.
Datum detach(Datum datum, const std::vector<Session::Feed>& feeds) {
  const auto borrowed = [&](const Array& array) {
    return std::ranges::any_of(feeds, [&](const Session::Feed& feed) {
      const Datum& fed = feed.second;
      if (fed.is_tensor()) return overlaps(array.bytes(), fed.tensor().bytes());
      return fed.is_sequence() && std::ranges::any_of(fed.sequence(), [&](const Array& element) {
               return overlaps(array.bytes(), element.bytes());
             });
    });
  };
  const auto own = [&](const Array& array) {
    if (!borrowed(array)) return array;
    return Array::owning(array.type(), array.shape(), {array.bytes().begin(), array.bytes().end()});
  };
  if (datum.is_tensor()) return own(datum.tensor());
  if (!datum.is_sequence()) return datum;
  std::vector<Array> elements;
  std::ranges::transform(datum.sequence(), std::back_inserter(elements), own);
  return elements;
}

}  // namespace

struct Session::State {
  std::shared_ptr<const Library> library;
  ort::Owned<ort::Session> session;
  std::vector<ValueInfo> inputs;
  std::vector<ValueInfo> outputs;

  template <typename Create>
  static std::shared_ptr<const State> make(const SessionOptions& options, Create&& create) {
    auto state = std::make_shared<State>();
    state->library = Library::load(options.library);
    const Library& library = *state->library;
    const auto ort_options = make_options(library.api(), options);
    state->session = create(library, ort_options.get());
    const ort::Session* session = state->session.get();
    state->inputs = describe_all(library, session, ort::kInputCount, ort::kInputName, ort::kInputType);
    state->outputs = describe_all(library, session, ort::kOutputCount, ort::kOutputName, ort::kOutputType);
    return state;
  }

  std::vector<ort::Owned<ort::Value>> run(const std::vector<Feed>& feeds,
                                          const std::vector<std::string>& asked) const {
    std::vector<ort::Owned<ort::Value>> values;
    std::vector<const ort::Value*> pointers;
    std::vector<const char*> names;
    for (const auto& [name, datum] : feeds) {
      if (!datum.has_value()) continue;  // ONNX Runtime takes an input that is not fed for an absent optional
      const auto info = std::ranges::find(inputs, name, &ValueInfo::name);
      values.push_back(to_ort(*library, datum, info == inputs.end() ? ValueInfo{} : *info));
      pointers.push_back(values.back().get());
      names.push_back(name.c_str());
    }
    std::vector<const char*> output_names;
    for (const std::string& name : asked) output_names.push_back(name.c_str());
    if (asked.empty()) {
      for (const ValueInfo& info : outputs) output_names.push_back(info.name.c_str());
    }
    std::vector<ort::Value*> produced(output_names.size());
    library->api()(ort::kRun, session.get(), nullptr, names.data(), pointers.data(), pointers.size(),
                   output_names.data(), output_names.size(), produced.data());
    std::vector<ort::Owned<ort::Value>> results;
    for (ort::Value* value : produced) results.push_back(library->api().own(value));
    return results;
  }
};

Session::Session(const std::string& path, const SessionOptions& options)
    : state_(State::make(options, [&](const Library& library, ort::SessionOptions* ort_options) {
        try {
          if (options.fetch.empty())
            return library.api().make<ort::Session>(ort::kCreateSession, library.env(), path.c_str(),
                                                    ort_options);
          const std::string folder = std::filesystem::absolute(path).parent_path().string();
          library.api()(ort::kAddSessionConfigEntry, ort_options,
                        "session.model_external_initializers_file_folder_path", folder.c_str());
          const std::string model = runtime::with_outputs(MappedFile::open(path)->bytes(), options.fetch);
          return library.api().make<ort::Session>(ort::kCreateSessionFromArray, library.env(), model.data(),
                                                  model.size(), ort_options);
        } catch (SessionError& error) {
          error.diagnostics().front().file = path;
          throw;
        }
      })) {}

Session::Session(std::span<const std::byte> model, const SessionOptions& options)
    : state_(State::make(options, [&](const Library& library, const ort::SessionOptions* ort_options) {
        std::string grown;
        if (!options.fetch.empty()) {
          grown = runtime::with_outputs(model, options.fetch);
          model = std::as_bytes(std::span(grown));
        }
        return library.api().make<ort::Session>(ort::kCreateSessionFromArray, library.env(), model.data(),
                                                model.size(), ort_options);
      })) {}

const std::vector<ValueInfo>& Session::inputs() const { return state_->inputs; }
const std::vector<ValueInfo>& Session::outputs() const { return state_->outputs; }
const std::string& Session::runtime_version() const { return state_->library->version(); }

std::vector<Datum> Session::run(const std::vector<Feed>& feeds,
                                const std::vector<std::string>& outputs) const {
  const Library& library = *state_->library;
  require_inputs(state_->inputs, feeds);
  std::vector<ort::Owned<ort::Value>> results;
  try {
    results = state_->run(feeds, outputs);
  } catch (SessionError& error) {
    std::string& hint = error.diagnostics().front().hint;
    hint = explain_feeds(state_->inputs, feeds);
    if (hint.empty()) hint = explain_outputs(state_->outputs, outputs);
    throw;
  }
  std::vector<Datum> data;
  for (auto& result : results) data.push_back(detach(from_ort(library, std::move(result), state_), feeds));
  return data;
}

}  // namespace cameo
