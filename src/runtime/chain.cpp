#include "runtime/chain.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include <fmt/core.h>

#include "base/text.h"

namespace cameo::runtime {

Chain::Chain(const std::string& plan, SessionOptions options)
    : folder_(std::filesystem::path(plan).parent_path().string()),
      plan_(model::read_plan(plan)),
      options_(std::move(options)) {
  std::map<std::string, ValueInfo> known;
  for (const model::PlanPart& part : plan_.parts)
    for (const ValueInfo& input : Model(path_of(part)).io().inputs) known.emplace(input.name, input);
  for (const std::string& input : plan_.inputs)
    if (const auto found = known.find(input); found != known.end()) inputs_.push_back(found->second);
}

std::string Chain::path_of(const model::PlanPart& part) const {
  return (std::filesystem::path(folder_) / part.file).string();
}

std::vector<Datum> Chain::run(const std::vector<Session::Feed>& feeds,
                              const std::vector<std::string>& outputs, const Watch& watch) const {
  const std::vector<std::string>& wanted = outputs.empty() ? plan_.outputs : outputs;
  for (const std::string& output : wanted)
    if (!is_listed(plan_.outputs, output))
      throw Error(
          Diagnostic{.code = Code::no_such_value,
                     .message = fmt::format("the plan has no output '{}'", printable(output)),
                     .hint = fmt::format("its outputs are {}", printable(join(plan_.outputs, ", ")))});
  std::map<std::string, Datum> values(feeds.begin(), feeds.end());
  std::map<std::string, std::size_t> last;  // the last part that reads a value
  for (std::size_t i = 0; i < plan_.parts.size(); ++i)
    for (const SplitFeed& feed : plan_.parts[i].inputs) last[feed.name] = i;
  const std::set<std::string> kept(wanted.begin(), wanted.end());
  for (std::size_t i = 0; i < plan_.parts.size(); ++i) {
    const model::PlanPart& part = plan_.parts[i];
    std::vector<Session::Feed> given;
    for (const SplitFeed& feed : part.inputs) given.emplace_back(feed.name, values[feed.name]);
    if (watch) watch(part, given);
    std::vector<Datum> results = Session(path_of(part), options_).run(given, part.outputs);
    for (std::size_t k = 0; k < results.size(); ++k) values[part.outputs[k]] = std::move(results[k]);
    std::erase_if(values, [&](const auto& each) {
      const auto read = last.find(each.first);
      return !kept.contains(each.first) && (read == last.end() || read->second <= i);
    });
  }
  std::vector<Datum> results;
  for (const std::string& output : wanted) results.push_back(values.at(output));
  return results;
}

}  // namespace cameo::runtime
