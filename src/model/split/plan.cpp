#include "model/split/plan.h"

#include <algorithm>
#include <set>

#include <fmt/core.h>

#include "base/json.h"
#include "base/mapped_file.h"
#include "base/text.h"
#include "spec/literal.h"

namespace cameo::model {
namespace {

class PlanReader {
 public:
  explicit PlanReader(std::string path) : path_(std::move(path)) {}

  Plan read() {
    const auto file = MappedFile::open(path_);
    const Bytes bytes = file->bytes();
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    const Literal root = parse_literal(text, path_, Code::bad_plan);
    Plan plan{.model = string(root, "model"),
              .inputs = strings(root, "inputs"),
              .outputs = strings(root, "outputs"),
              .parts = {}};
    for (const Literal& each : list(root, "parts")) plan.parts.push_back(part(each));
    require_feeds(plan);
    return plan;
  }

 private:
  [[noreturn]] void refuse(std::string message) const {
    throw Error(Diagnostic{.code = Code::bad_plan,
                           .message = std::move(message),
                           .file = path_,
                           .hint = "write the plan again with cameo split"});
  }

  const Literal& field(const Literal& of, std::string_view key) const {
    if (const auto* dict = of.get_if<Literal::Dict>())
      for (const Literal::Entry& entry : *dict)
        if (const auto* name = entry.key.get_if<std::string>(); name && *name == key) return entry.value;
    refuse(fmt::format("the plan lacks '{}'", key));
  }
  template <class T>
  const T& typed(const Literal& literal, std::string_view key) const {
    if (const T* value = literal.get_if<T>()) return *value;
    refuse(fmt::format("'{}' of the plan has another type than cameo split writes", key));
  }
  const std::string& string(const Literal& of, std::string_view key) const {
    return typed<std::string>(field(of, key), key);
  }
  const Literal::List& list(const Literal& of, std::string_view key) const {
    return typed<Literal::List>(field(of, key), key);
  }
  std::vector<std::string> strings(const Literal& of, std::string_view key) const {
    std::vector<std::string> texts;
    for (const Literal& each : list(of, key)) texts.push_back(typed<std::string>(each, key));
    return texts;
  }

  PlanPart part(const Literal& from) const {
    PlanPart part{.name = string(from, "name"),
                  .target = string(from, "target"),
                  .file = string(from, "file"),
                  .inputs = {},
                  .outputs = strings(from, "outputs")};
    if (part.file.find('/') != part.file.npos)
      refuse(fmt::format("the file '{}' does not lie in the folder of the plan", printable(part.file)));
    for (const Literal& feed : list(from, "inputs"))
      part.inputs.push_back({.name = string(feed, "name"), .from = string(feed, "from")});
    return part;
  }

  void require_feeds(const Plan& plan) const {
    std::set<std::string> known(plan.inputs.begin(), plan.inputs.end());
    const auto require = [&](const std::string& value, std::string_view by) {
      if (!known.contains(value))
        refuse(fmt::format("{} reads '{}', which nothing before it computes", by, printable(value)));
    };
    for (const PlanPart& part : plan.parts) {
      for (const SplitFeed& feed : part.inputs)
        require(feed.name, fmt::format("the part '{}'", printable(part.name)));
      known.insert(part.outputs.begin(), part.outputs.end());
    }
    for (const std::string& output : plan.outputs) require(output, "the result");
  }

  std::string path_;
};

}  // namespace

std::string text_of(const Plan& plan) {
  Json parts = Json::array();
  for (const PlanPart& part : plan.parts) {
    Json inputs = Json::array();
    for (const SplitFeed& feed : part.inputs)
      inputs.push_back(Json{{"name", feed.name}, {"from", feed.from}});
    parts.push_back(Json{{"name", part.name},
                         {"target", part.target},
                         {"file", part.file},
                         {"inputs", inputs},
                         {"outputs", part.outputs}});
  }
  return Json{{"model", plan.model}, {"inputs", plan.inputs}, {"outputs", plan.outputs}, {"parts", parts}}
      .text();
}

Plan read_plan(const std::string& path) { return PlanReader(path).read(); }

}  // namespace cameo::model
