#include <deque>
#include <memory>

#include <fmt/core.h>

#include "base/text.h"
#include "model/diff/compare.h"
#include "model/graph/describe.h"

namespace cameo::model {
namespace {

using namespace onnx::proto;  // NOLINT(google-build-using-namespace): the messages are what this is about
using Kind = Findings::Kind;

std::string constant_text(const Node& node) {
  for (const Attribute& attribute : node.attributes) {
    if (attribute.t) return type_text(*attribute.t);
    if (attribute.f) return "float32 []";
    if (attribute.i) return "int64 []";
    if (present(attribute.s)) return "string []";
    if (!attribute.floats.empty()) return fmt::format("float32 [{}]", attribute.floats.size());
    if (!attribute.ints.empty()) return fmt::format("int64 [{}]", attribute.ints.size());
    if (!attribute.strings.empty()) return fmt::format("string [{}]", attribute.strings.size());
  }
  return "something else";
}

struct Region;

// Where a value comes from.
struct Source {
  enum class Kind { unknown, input, constant, node };
  Kind kind = Kind::unknown;
  const Region* scope = nullptr;
  const Node* node = nullptr;
  std::size_t position = 0;  // of the input, or among the results of the node
  std::string type;          // of a constant

  std::string text() const {
    switch (kind) {
      case Kind::input: return fmt::format("input {}", position);
      case Kind::constant: return "a constant, " + type;
      case Kind::node: return label(*node);
      default: return "nothing";
    }
  }
};

struct Region {
  Region(Body of, const Region* around) : body(std::move(of)), outer(around) {
    const auto add = [this](Text name, Source source) {
      source.scope = this;
      if (!name.empty()) sources.emplace(name, std::move(source));
    };
    for (std::size_t i = 0; i < body.inputs.size(); ++i)
      add(body.inputs[i], {.kind = Source::Kind::input, .position = i});
    if (body.graph) {
      for (const Tensor& tensor : body.graph->initializers)
        add(tensor.name, {.kind = Source::Kind::constant, .type = type_text(tensor)});
      for (const SparseTensor& tensor : body.graph->sparse_initializers)
        add(name_of(tensor),
            {.kind = Source::Kind::constant, .type = fmt::format("sparse [{}]", join(tensor.dims, ", "))});
    }
    for (const Node& node : body.nodes) {
      const bool constant = node.op_type == "Constant" && node.domain.empty();
      for (std::size_t i = 0; i < node.outputs.size(); ++i)
        add(node.outputs[i], constant ? Source{.kind = Source::Kind::constant, .type = constant_text(node)}
                                      : Source{.kind = Source::Kind::node, .node = &node, .position = i});
    }
  }
  Source find(Text name) const {
    const auto found = sources.find(name);
    if (found != sources.end()) return found->second;
    return outer ? outer->find(name) : Source{};
  }

  Body body;
  const Region* outer;
  std::unordered_map<std::string_view, Source> sources;
};

class Structure {
 public:
  Structure(Findings& findings, Sides sides) : findings_(findings), sides_(sides) { sides_.values = false; }

  void compare(const Body& a, const Body& b) {
    enter(a, nullptr, b, nullptr, {});
    while (!open_.empty()) {
      const Open next = std::move(open_.back());
      open_.pop_back();
      if (next.a.empty() && next.b.empty()) continue;
      values(next.scope_a->find(next.a), next.scope_b->find(next.b), next.reader);
    }
  }

 private:
  // A value of each model, and who reads it.
  struct Open {
    Text a, b;
    const Region *scope_a, *scope_b;
    std::string reader;
  };

  void differ(const std::string& name, std::string detail) {
    findings_.add(Kind::changed, "node", name, std::move(detail));
  }

  void enter(const Body& a, const Region* around_a, const Body& b, const Region* around_b,
             const std::string& place) {
    const Region& left = *scopes_.emplace_back(std::make_unique<Region>(a, around_a));
    const Region& right = *scopes_.emplace_back(std::make_unique<Region>(b, around_b));
    partners_.emplace(&left, &right);
    if (a.inputs.size() != b.inputs.size() || a.outputs.size() != b.outputs.size())
      return findings_.add(Kind::changed, "graph", place.empty() ? "main" : place,
                           fmt::format("{} inputs, {} outputs -> {} inputs, {} outputs", a.inputs.size(),
                                       a.outputs.size(), b.inputs.size(), b.outputs.size()));
    for (std::size_t i = a.outputs.size(); i-- > 0;)
      open_.push_back(
          {a.outputs[i], b.outputs[i], &left, &right,
           place.empty() ? fmt::format("output {}", i) : fmt::format("output {} of {}", i, place)});
  }

  void values(const Source& a, const Source& b, const std::string& reader) {
    bool same = a.kind == b.kind && a.position == b.position && a.type == b.type;
    if (same && a.kind == Source::Kind::input) {
      const auto partner = partners_.find(a.scope);
      same = partner != partners_.end() && partner->second == b.scope;
    }
    if (!same)
      return findings_.add(Kind::changed, "value", reader,
                           fmt::format("{} -> {}", printable(a.text()), printable(b.text())));
    if (a.kind == Source::Kind::node) nodes(a, b, reader);
  }

  void nodes(const Source& a, const Source& b, const std::string& reader) {
    const auto [left, new_left] = nodes_.emplace(a.node, b.node);
    const auto [right, new_right] = reverse_.emplace(b.node, a.node);
    if (left->second != b.node || right->second != a.node)
      return findings_.add(
          Kind::changed, "value", reader,
          fmt::format("{} -> {}, which is {} elsewhere", label(*a.node), label(*b.node),
                      left->second != b.node ? label(*left->second) : label(*right->second)));
    if (!new_left) return;
    std::vector<std::string> details = node_differences(sides_, *a.node, *b.node);
    const auto from = given_inputs(*a.node), to = given_inputs(*b.node);
    if (from.size() != to.size()) details.push_back(fmt::format("{} inputs -> {}", from.size(), to.size()));
    if (!details.empty()) differ(label(*a.node), join(details, "; "));
    if (a.node->op_type != b.node->op_type || from.size() != to.size()) return;
    subgraphs(a, b);
    for (std::size_t i = from.size(); i-- > 0;)
      open_.push_back({from[i], to[i], a.scope, b.scope, fmt::format("input {} of {}", i, label(*a.node))});
  }

  void subgraphs(const Source& a, const Source& b) {
    for (const Attribute& attribute : a.node->attributes) {
      const Attribute* other = find_attribute(*b.node, attribute.name);
      if (!other) continue;
      const std::string place = fmt::format("{} of {}", printable(attribute.name), label(*a.node));
      if (attribute.g && other->g) enter(Body(*attribute.g), a.scope, Body(*other->g), b.scope, place);
      for (std::size_t i = 0; i < std::min(attribute.graphs.size(), other->graphs.size()); ++i)
        enter(Body(attribute.graphs[i]), a.scope, Body(other->graphs[i]), b.scope, place);
    }
  }

  Findings& findings_;
  Sides sides_;
  std::deque<std::unique_ptr<Region>> scopes_;
  std::unordered_map<const Region*, const Region*> partners_;
  std::unordered_map<const Node*, const Node*> nodes_, reverse_;
  std::vector<Open> open_;
};

}  // namespace

void compare_structure(Findings& findings, Sides sides, const Body& a, const Body& b) {
  Structure(findings, sides).compare(a, b);
}

}  // namespace cameo::model
