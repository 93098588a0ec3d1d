#include <algorithm>
#include <set>

#include <fmt/core.h>

#include "base/text.h"
#include "model/rewrite/keep.h"
#include "model/split/grouping.h"

namespace cameo::model {
namespace {

// The nodes before a cut. A set that has a node has all nodes that it reads from.
struct Before {
  std::vector<bool> nodes;
  std::string name;  // of the part that ends there; empty: none of its own
  std::size_t count() const { return static_cast<std::size_t>(std::ranges::count(nodes, true)); }
};

// Words between commas.
std::vector<std::string> words(std::string_view text) {
  std::vector<std::string> found;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    if (end > begin) found.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return found;
}

class Cuts {
 public:
  explicit Cuts(const SplitSource& source) : source_(source) {}

  void add(const std::string& cut) {
    const std::size_t colon = cut.find(':');
    const std::string_view kind = std::string_view(cut).substr(0, colon);
    const std::string rest = colon == cut.npos ? std::string() : cut.substr(colon + 1);
    if (rest.empty() || (kind != "value" && kind != "module" && kind != "mark"))
      refuse(fmt::format("'{}' is not a cut", printable(cut)),
             "a cut is value:NAME, module:PATH or mark:FUNCTION[CALL]:input");
    if (kind == "module")
      module(rest);
    else
      values(cut, kind == "value" ? named(rest) : marked(rest));
  }

  Grouping group() {
    std::ranges::stable_sort(before_, {}, &Before::count);
    Grouping grouping;
    std::vector<std::size_t> first(source_.graph.nodes.size(), before_.size());
    for (std::size_t i = before_.size(); i-- > 0;)
      for (std::size_t node = 0; node < first.size(); ++node)
        if (before_[i].nodes[node]) first[node] = i;
    std::vector<std::size_t> number(before_.size() + 1);
    const std::set<std::size_t> used(first.begin(), first.end());
    for (const std::size_t i : used) {
      number[i] = grouping.parts.size();
      grouping.parts.push_back({.name = i < before_.size() ? before_[i].name : "", .target = {}});
    }
    for (const std::size_t i : first) grouping.part_of.push_back(number[i]);
    return grouping;
  }

 private:
  [[noreturn]] void refuse(std::string message, std::string hint) const {
    throw Error(Diagnostic{
        .code = Code::bad_cut, .message = std::move(message), .file = source_.file, .hint = std::move(hint)});
  }

  ValueNames named(const std::string& names) const {
    return Endpoints(source_.graph, source_.links, source_.file).ends(words(names));
  }

  ValueNames marked(const std::string& text) const {
    const auto wanted = parse_mark(text);
    ValueNames found;
    std::set<std::string> known;
    for (const Mark& mark : source_.marks) {
      known.insert(mark.text());
      if (wanted && mark.text() == wanted->text() && source_.links.has(mark.value))
        found.push_back(mark.value);
    }
    if (found.empty())
      refuse(fmt::format("the model has no mark '{}'", printable(text)),
             known.empty() ? "the model has no marks: cut at a value or a module"
                           : "its marks are " + printable(join(known, ", ")));
    return found;
  }

  void values(const std::string& text, const ValueNames& values) {
    Before before{.nodes = cut(source_.links, {}, values).nodes, .name = {}};
    if (!separates(before))
      refuse(fmt::format("nothing lies {} '{}'", before.count() == 0 ? "before" : "behind", printable(text)),
             "name a value that nodes compute and that other nodes read");
    keep(std::move(before));
  }

  // The module is a part of its own: one cut before it, and one behind it.
  void module(const std::string& path) {
    Kept selected({path});
    const std::size_t count = source_.graph.nodes.size();
    std::vector<bool> inside(count), depends(count);
    ValueNames results;
    for (std::size_t i = 0; i < count; ++i) {
      const onnx::proto::Node& node = source_.graph.nodes[i];
      inside[i] = selected(node);
      if (inside[i])
        std::ranges::copy_if(node.outputs, std::back_inserter(results),
                             [](auto name) { return !name.empty(); });
      depends[i] = inside[i] || std::ranges::any_of(source_.links.reads[i], [&](std::string_view value) {
                     const auto maker = source_.links.maker.find(value);
                     return maker != source_.links.maker.end() && depends[maker->second];
                   });
    }
    selected.require_matches(source_.file);
    Before behind{.nodes = cut(source_.links, {}, results).nodes, .name = path},
        ahead{.nodes = behind.nodes, .name = {}};
    for (std::size_t i = 0; i < count; ++i)
      if (depends[i]) ahead.nodes[i] = false;
    if (!separates(ahead) && !separates(behind))
      refuse(fmt::format("all nodes belong to the module '{}'", printable(path)), "name a module within it");
    for (Before* before : {&ahead, &behind})
      if (separates(*before)) keep(std::move(*before));
  }

  // Nodes on both sides; constants alone are no part.
  bool separates(const Before& before) const {
    bool sides[2] = {};
    for (std::size_t i = 0; i < before.nodes.size(); ++i)
      if (source_.graph.nodes[i].op_type != "Constant") sides[before.nodes[i] ? 1 : 0] = true;
    return sides[0] && sides[1];
  }

  void keep(Before before) {
    const auto same = std::ranges::find(before_, before.nodes, &Before::nodes);
    if (same == before_.end())
      before_.push_back(std::move(before));
    else if (same->name.empty())
      same->name = std::move(before.name);
  }

  const SplitSource& source_;
  std::vector<Before> before_;
};

}  // namespace

Grouping group_by_cuts(const SplitSource& source, const std::vector<std::string>& cuts) {
  Cuts all(source);
  for (const std::string& cut : cuts) all.add(cut);
  return all.group();
}

}  // namespace cameo::model
