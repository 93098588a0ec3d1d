#include "exported/tree_spec_reader.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <numeric>

#include "exported/union.h"

namespace cameo::exported {
namespace {

struct KnownType {
  std::string_view name;
  TreeSpec::Kind kind;
};

constexpr KnownType kKnownTypes[] = {
    {"builtins.tuple", TreeSpec::Kind::tuple},
    {"builtins.list", TreeSpec::Kind::list},
    {"builtins.dict", TreeSpec::Kind::dict},
    {"collections.OrderedDict", TreeSpec::Kind::dict},
    {"collections.defaultdict", TreeSpec::Kind::dict},
    {"collections.namedtuple", TreeSpec::Kind::named_tuple},
    {"torch.fx.immutable_collections.immutable_list", TreeSpec::Kind::list},
    {"torch.fx.immutable_collections.immutable_dict", TreeSpec::Kind::dict},
};

JsonReader nested(const JsonReader& json, std::string_view text) {
  return JsonReader(text, json.texts(),
                    {.file = json.source().file, .record = json.source().record, .offset = json.offset()});
}

class TreeSpecReader {
 public:
  TreeSpecReader(JsonReader json, const NamedTupleFields& fields) : json_(std::move(json)), fields_(fields) {}

  TreeSpec read() {
    TreeSpec spec;
    int position = 0;
    json_.array([&] {
      switch (position++) {
        case 0:
          if (const std::int64_t version = json_.integer(); version != 1) {
            json_.fail(fmt::format("a tree spec has version {}; only version 1 is known", version));
          }
          break;
        case 1: spec = node(); break;
        default: json_.raw();
      }
    });
    if (position < 2) json_.fail("a tree spec has no tree");
    json_.end();
    return spec;
  }

 private:
  TreeSpec node() {
    TreeSpec spec;
    std::string_view context;
    json_.object([&](std::string_view key) {
      if (key == "type") {
        read_optional(json_, [&] { spec.type = json_.string(); });
      } else if (key == "context") {
        read_optional(json_, [&] {
          context = json_.type() == JsonReader::Type::string ? json_.string() : json_.raw();
        });
      } else if (key == "children_spec") {
        spec.children = read_list(json_, [&] { return node(); });
      } else {
        json_.raw();
      }
    });
    if (spec.type.empty()) {
      if (!spec.children.empty()) json_.fail("a leaf of a tree spec has children");
      return spec;
    }
    const auto* known = std::find_if(std::begin(kKnownTypes), std::end(kKnownTypes),
                                     [&](const KnownType& row) { return row.name == spec.type; });
    spec.kind = known == std::end(kKnownTypes) ? TreeSpec::Kind::other : known->kind;
    read_keys(spec, context);
    return spec;
  }

  void read_keys(TreeSpec& spec, std::string_view context) {
    if (spec.kind == TreeSpec::Kind::dict) {
      JsonReader keys = nested(json_, context);
      spec.keys = keys.type() == JsonReader::Type::object ? default_dict_keys(keys) : dict_keys(keys);
      if (spec.keys.size() != spec.children.size()) {
        json_.fail(fmt::format("a dict of a tree spec has {} keys but {} children", spec.keys.size(),
                               spec.children.size()));
      }
    } else if (spec.kind == TreeSpec::Kind::named_tuple) {
      if (context.empty()) return;
      spec.type = context.starts_with('"') ? nested(json_, context).string() : context;
      const auto found = fields_.find(spec.type);
      if (found == fields_.end() || found->second.size() != spec.children.size()) return;
      spec.keys.assign(found->second.begin(), found->second.end());
    }
  }

  static std::vector<TreeSpec::Key> dict_keys(JsonReader& json) {
    return read_list(json, [&]() -> TreeSpec::Key {
      if (json.type() == JsonReader::Type::string) return json.string();
      const std::string_view text = json.raw();
      const bool integer = text.find_first_not_of("-0123456789") == text.npos;
      if (!integer) return TreeSpec::OtherKey{text};
      return json.part(text).integer();
    });
  }

  static std::vector<TreeSpec::Key> default_dict_keys(JsonReader& json) {
    std::vector<TreeSpec::Key> keys;
    json.object([&](std::string_view key) {
      if (key == "dict_context") {
        keys = dict_keys(json);
      } else {
        json.raw();
      }
    });
    return keys;
  }

  JsonReader json_;
  const NamedTupleFields& fields_;
};

}  // namespace

TreeSpec read_tree_spec(const JsonReader& json, std::string_view text, const NamedTupleFields& fields) {
  return TreeSpecReader(nested(json, text), fields).read();
}

std::size_t TreeSpec::leaves() const {
  if (kind == Kind::leaf) return 1;
  return std::accumulate(children.begin(), children.end(), std::size_t{0},
                         [](std::size_t sum, const TreeSpec& child) { return sum + child.leaves(); });
}

}  // namespace cameo::exported
