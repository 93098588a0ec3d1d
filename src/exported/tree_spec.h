#pragma once
// The structure of arguments and results (PyTorch's pytree): how nested containers are made of a flat list of leaves.

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <variant>
#include <vector>

namespace cameo::exported {

struct TreeSpec {
  enum class Kind {
    leaf,
    tuple,
    list,
    dict,         // builtins.dict, collections.OrderedDict, collections.defaultdict
    named_tuple,  // `keys` are the field names, if the file has them
    other,        // a class that the user registered, or collections.deque: only its leaves are known
  };
  // A key that is neither a string nor an integer is its JSON text.
  struct OtherKey {
    std::string_view json;
  };
  using Key = std::variant<std::string_view, std::int64_t, OtherKey>;

  Kind kind = Kind::leaf;
  std::string_view type;  // as the file has it: "builtins.tuple", "my.Cache"; empty for a leaf
  std::vector<Key> keys;  // of a dict or named tuple: one for each child
  std::vector<TreeSpec> children;

  std::size_t leaves() const;
};

}  // namespace cameo::exported
