#include "cameo/backend.h"

#include <fmt/core.h>

#include <algorithm>
#include <mutex>
#include <unordered_set>

#include "base/nearest.h"
#include "base/temporary_folder.h"
#include "base/text.h"
#include "model/file/open.h"

namespace cameo {
namespace {

[[noreturn]] void refuse(Code code, std::string message, std::string hint) {
  throw Error(Diagnostic{.code = code, .message = std::move(message), .hint = std::move(hint)});
}

// Initialisers and what the nodes of the graph itself make; values of subgraphs exist only inside them.
std::vector<std::string> values_inside(const std::string& path) {
  const model::Opened opened(path);
  const onnx::proto::Graph& graph = opened.graph();
  std::unordered_set<std::string_view> seen = {""};
  for (const onnx::proto::ValueInfo& input : graph.inputs) seen.insert(input.name);
  std::vector<std::string> names;
  const auto add = [&](std::string_view name) {
    if (seen.insert(name).second) names.emplace_back(name);
  };
  for (const onnx::proto::Tensor& tensor : graph.initializers) add(tensor.name);
  for (const onnx::proto::Node& node : graph.nodes) std::ranges::for_each(node.outputs, add);
  return names;
}

std::vector<Session::Feed> by_position(const Session& session, const std::vector<Datum>& inputs) {
  const std::vector<ValueInfo>& wanted = session.inputs();
  if (inputs.size() != wanted.size()) {
    std::vector<std::string> texts;
    for (const ValueInfo& info : wanted) texts.push_back(to_string(info));
    refuse(Code::wrong_number_of_inputs,
           fmt::format("the model has {} inputs and was given {}", wanted.size(), inputs.size()),
           fmt::format("give, in this order: {}", join(texts, "; ")));
  }
  std::vector<Session::Feed> feeds;
  for (std::size_t i = 0; i < inputs.size(); ++i) feeds.emplace_back(wanted[i].name, inputs[i]);
  return feeds;
}

}  // namespace

struct Prepared::State {
  State(std::string model, const SessionOptions& how)
      : path(std::move(model)), options(how), session(path, how) {}

  std::string path;
  SessionOptions options;
  Session session;
  std::once_flag once;
  std::vector<std::string> inside;
  std::optional<Session> with_all;  // as outputs

  const Session& all() {
    std::call_once(once, [this] {
      inside = values_inside(path);
      SessionOptions more = options;
      for (const std::string& name : inside)
        if (std::ranges::find(session.outputs(), name, &ValueInfo::name) == session.outputs().end())
          more.fetch.push_back(name);
      with_all.emplace(path, more);
    });
    return *with_all;
  }
};

bool supports_device(std::string_view device) {
  const std::string_view kind = device.substr(0, device.find(':'));
  const std::string_view number = device.substr(std::min(kind.size() + 1, device.size()));
  return kind == "CPU" && number.find_first_not_of("0123456789") == number.npos;
}

Prepared prepare(const std::string& path, std::string_view device, const SessionOptions& options) {
  if (!supports_device(device))
    refuse(Code::unsupported_device, fmt::format("the device '{}' is not supported", device),
           "models run on the device \"CPU\"");
  return Prepared(std::make_shared<Prepared::State>(path, options));
}

const Session& Prepared::session() const { return state_->session; }

std::vector<Datum> Prepared::run(const std::vector<Datum>& inputs) const {
  return session().run(by_position(session(), inputs));
}

Workspace Prepared::run_all(const std::vector<Datum>& inputs) const {
  std::vector<Session::Feed> values = by_position(session(), inputs);
  const Session& all = state_->all();
  const std::vector<Datum> results = all.run(values, state_->inside);
  for (std::size_t i = 0; i < results.size(); ++i) values.emplace_back(state_->inside[i], results[i]);
  return Workspace(std::move(values));
}

std::string Prepared::predict_net() const {
  const TemporaryFolder folder;
  SessionOptions options = state_->options;
  options.optimized_model = folder.file("model.onnx");
  const Session writes(state_->path, options);
  const auto file = MappedFile::open(options.optimized_model);
  return {reinterpret_cast<const char*>(file->bytes().data()), file->bytes().size()};
}

std::vector<std::string> Workspace::names() const {
  std::vector<std::string> names;
  for (const auto& [name, datum] : values_) names.push_back(name);
  return names;
}

bool Workspace::has(std::string_view name) const {
  return std::ranges::find(values_, name, &Session::Feed::first) != values_.end();
}

const Datum& Workspace::fetch(std::string_view name) const {
  const auto found = std::ranges::find(values_, name, &Session::Feed::first);
  if (found != values_.end()) return found->second;
  const std::string meant = nearest(std::string(name), names());
  refuse(Code::no_such_value, fmt::format("the model has no value '{}'", name),
         meant.empty() ? "" : fmt::format("did you mean '{}'?", meant));
}

}  // namespace cameo
