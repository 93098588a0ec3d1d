#pragma once
// All operators: an explicit list of family tables, and the binder that finds the overload for the values at
// hand.

#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "aten/op.h"

namespace cameo::aten {

struct Family {
  std::string_view name;
  std::span<const Declaration> declarations;
};

// An operator that somebody else converts (cameo/converter.h): its `call` is null.
struct CustomOp : Op {
  std::function<Returns(Emit&, std::span<const Arg>)> convert;
};
// Converts a call. The arguments are bound, one a parameter.
Returns invoke(const Op& op, Emit& e, std::span<const Arg> args);

// Schemas are read when somebody asks for the operator. Threads may ask at the same time.
class Registry {
 public:
  static const Registry& builtin();

  // The overloads of "aten::add" in the order of declaration; empty if unknown.
  std::span<const Op* const> find(std::string_view name) const;
  // What an in-place form such as "aten::add_" computes before it writes; empty for any other name.
  std::span<const Op* const> find_in_place(std::string_view name) const;
  std::vector<const Op*> all() const;  // in the order of declaration, family by family

 private:
  struct Declared {
    const Declaration* declaration;
    std::string_view family;
  };
  struct Overloads {
    std::vector<Declared> declared;
    std::vector<const Op*> read;
  };
  explicit Registry(std::span<const Family> families);
  std::vector<std::pair<std::string_view, std::size_t>>
      order_;  // names, each with the number of the overload
  mutable std::mutex mutex_;
  mutable std::deque<Op> ops_;
  mutable std::unordered_map<std::string_view, Overloads> by_name_;
};

// "aten::add_" → "aten::add"; nothing for names that are not in-place forms.
std::optional<std::string_view> functional_form(std::string_view name);

struct Call {
  std::vector<Arg> positional;
  std::vector<std::pair<std::string_view, Arg>> keywords;
};

struct Bound {
  const Op* op = nullptr;
  std::vector<Arg> args;  // one a parameter of the schema
  // For each parameter the index of the call's argument that fills it: positional ones first, then keywords;
  // -1 for a default.
  std::vector<int> sources;
};

// Tries the overloads in order, first without and then with TorchScript's implicit conversions (a tensor of
// one element to a number, int to float, one number for a list of fixed length). Empty if none fits.
std::optional<Bound> bind(Emit& e, std::span<const Op* const> overloads, const Call& call);

// The value that a schema's text gives as a default; nothing if it is none.
std::optional<Arg> parse_default(std::string_view text);

}  // namespace cameo::aten
