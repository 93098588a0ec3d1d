#include "model/diff/match.h"

#include <algorithm>
#include <string>

#include "model/diff/findings.h"

namespace cameo::model {
namespace {

using namespace onnx::proto;  // NOLINT(google-build-using-namespace): the messages are what this is about

std::string_view first_result(const Node& node) {
  const auto found = std::ranges::find_if(node.outputs, [](Text name) { return !name.empty(); });
  return found == node.outputs.end() ? std::string_view() : *found;
}

bool same_operator(const Node& a, const Node& b) {
  return a.op_type == b.op_type && a.domain == b.domain && a.overload == b.overload;
}

void append(std::string& key, std::string_view part) {
  key += part;
  key += '\0';
}

std::string operator_key(const Node& node) {
  std::string key;
  append(key, node.domain);
  append(key, node.op_type);
  append(key, node.overload);
  return key;
}

// Small tensors tell constants apart.
void append_elements(std::string& key, const Tensor& tensor) {
  constexpr std::size_t kSmall = 64;
  const auto add = [&key](Bytes bytes) {
    if (bytes.size() <= kSmall) key.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  };
  if (const auto raw = tensor.raw()) add(*raw);
  for (const Numbers* numbers :
       {&tensor.float_data, &tensor.int32_data, &tensor.int64_data, &tensor.double_data, &tensor.uint64_data})
    for (const Bytes piece : numbers->pieces) add(piece);
}

// The operation of a node as text; `name` gives the names of its inputs.
template <class Name>
std::string exact_key(const Node& node, Name name) {
  std::string key = operator_key(node);
  for (const Text input : given_inputs(node)) append(key, name(input));
  std::vector<std::string> attributes;
  for (const Attribute& attribute : node.attributes) {
    std::string& text = attributes.emplace_back(attribute_text(attribute));
    if (attribute.t) append_elements(text, *attribute.t);
  }
  std::ranges::sort(attributes);
  for (const std::string& attribute : attributes) append(key, attribute);
  return key;
}

// One key a value that it reads; one for all where it reads none.
template <class Name>
std::vector<std::string> near_keys(const Node& node, Name name) {
  std::vector<std::string> keys;
  for (const Text input : given_inputs(node)) {
    if (input.empty()) continue;
    append(keys.emplace_back(operator_key(node)), name(input));
  }
  if (keys.empty()) keys.push_back(operator_key(node));
  return keys;
}

class Index {
 public:
  void add(std::string key, std::size_t node) { nodes_[std::move(key)].push_back(node); }
  // The first of them that is not taken.
  std::optional<std::size_t> find(const std::string& key, const std::vector<bool>& taken) {
    const auto found = nodes_.find(key);
    if (found == nodes_.end()) return std::nullopt;
    Queue& queue = found->second;
    while (queue.next < queue.nodes.size() && taken[queue.nodes[queue.next]]) ++queue.next;
    return queue.next < queue.nodes.size() ? std::optional(queue.nodes[queue.next]) : std::nullopt;
  }

 private:
  struct Queue {
    void push_back(std::size_t node) { nodes.push_back(node); }
    std::vector<std::size_t> nodes;
    std::size_t next = 0;
  };
  std::unordered_map<std::string, Queue> nodes_;
};

class Matching {
 public:
  Matching(const Body& a, const Body& b, Renames& renames) : a_(a), b_(b), renames_(renames) {
    result_.partners.resize(a.nodes.size());
    result_.taken.resize(b.nodes.size());
  }

  Matched match() {
    by_result(true);
    by_what_they_do();
    by_result(false);
    return std::move(result_);
  }

 private:
  void pair(std::size_t a, std::size_t b) {
    result_.partners[a] = b;
    result_.taken[b] = true;
    const auto &from = a_.nodes[a].outputs, &to = b_.nodes[b].outputs;
    for (std::size_t i = 0; i < std::min(from.size(), to.size()); ++i)
      if (from[i] != to[i]) renames_.add(from[i], to[i]);
  }

  void by_result(bool of_same_operator) {
    std::unordered_map<std::string_view, std::size_t> results;
    for (std::size_t i = 0; i < b_.nodes.size(); ++i)
      if (!result_.taken[i]) results.emplace(first_result(b_.nodes[i]), i);
    for (std::size_t i = 0; i < a_.nodes.size(); ++i) {
      const std::string_view name = first_result(a_.nodes[i]);
      const auto found = name.empty() || result_.partners[i] ? results.end() : results.find(name);
      if (found == results.end() || result_.taken[found->second]) continue;
      if (!of_same_operator || same_operator(a_.nodes[i], b_.nodes[found->second])) pair(i, found->second);
    }
  }

  void by_what_they_do() {
    const auto as_it_is = [](Text name) { return name; };
    Index exact, near;
    for (std::size_t i = 0; i < b_.nodes.size(); ++i) {
      if (result_.taken[i]) continue;
      exact.add(exact_key(b_.nodes[i], as_it_is), i);
      for (std::string& key : near_keys(b_.nodes[i], as_it_is)) near.add(std::move(key), i);
    }
    for (std::size_t i = 0; i < a_.nodes.size(); ++i) {
      if (result_.partners[i]) continue;
      auto found = exact.find(exact_key(a_.nodes[i], renames_), result_.taken);
      for (const std::string& key : near_keys(a_.nodes[i], renames_))
        if (!found) found = near.find(key, result_.taken);
      if (found) pair(i, *found);
    }
  }

  const Body& a_;
  const Body& b_;
  Renames& renames_;
  Matched result_;
};

}  // namespace

Matched match(const Body& a, const Body& b, Renames& renames) { return Matching(a, b, renames).match(); }

}  // namespace cameo::model
