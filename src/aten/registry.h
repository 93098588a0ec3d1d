#pragma once
// All operators: an explicit list of family tables, and the binder that finds the overload for the arguments
// of a call.

#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "aten/op.h"

namespace cameo::aten {

struct Family {
  std::string_view name;
  std::span<const Declaration> (*declarations)();
};

// An operator with a converter of the user (cameo/converter.h): its `call` is null.
struct CustomOp : Op {
  std::function<Returns(Emit&, std::span<const Arg>)> convert;
};
// Converts a call. The arguments are bound, one per parameter.
Returns invoke(const Op& op, Emit& e, std::span<const Arg> args);

// Schemas are parsed when an operator is first looked up. Lookups are thread-safe.
class Registry {
 public:
  static const Registry& builtin();

  // The overloads of "aten::add" in the order of declaration; empty if unknown.
  std::span<const Op* const> find(std::string_view name) const;
  // The functional form of an in-place operator such as "aten::add_"; empty for any other name.
  std::span<const Op* const> find_in_place(std::string_view name) const;
  // Facts about operators without a converter (`call` is null): the type of their results.
  std::span<const Op* const> find_unconverted(std::string_view name) const;
  // In the order of declaration, family by family; each is followed by its other names.
  std::vector<const Op*> all() const;

 private:
  struct Declared {
    const Declaration* declaration;
    std::string_view family;
    std::string_view other_name;  // "aten::multiply.Tensor"; empty: the name of the schema
    bool copy = false;            // the other name gives a copy where the schema declares a view
  };
  struct Overloads {
    std::vector<Declared> declared;
    std::vector<const Op*> ops;  // parsed; empty before the first lookup
  };
  using ByName = std::unordered_map<std::string_view, Overloads>;
  using Listed = std::pair<std::string_view, std::size_t>;  // a name and the index of the overload

  Registry(std::span<const Family> families, const Family& unconverted);
  static void add(const Family& family, ByName& by_name, std::vector<Listed>& order);
  std::span<const Op* const> find(ByName& by_name, std::string_view name) const;
  const Op& read(const Declared& declared) const;

  std::vector<Listed> order_;
  mutable std::mutex mutex_;
  mutable std::deque<Op> ops_;
  mutable std::deque<std::string> other_schemas_;
  mutable ByName by_name_, unconverted_;
};

// A fact about an operator of which only the name is known: that of the first overload which states it.
template <class Fact>
Fact fact(std::span<const Op* const> overloads, Fact Traits::*field) {
  for (const Op* op : overloads)
    if (op->traits.*field != Traits{}.*field) return op->traits.*field;
  return Traits{}.*field;
}

// "aten::add_" → "aten::add"; nothing for names that are not in-place forms.
std::optional<std::string_view> functional_form(std::string_view name);

struct Call {
  std::vector<Arg> positional;
  std::vector<std::pair<std::string_view, Arg>> keywords;
};

struct Bound {
  const Op* op = nullptr;
  std::vector<Arg> args;  // one per parameter of the schema
  // For each parameter the index of the call's argument that fills it: positional ones first, then keywords;
  // nothing for a default.
  std::vector<std::optional<std::size_t>> sources;

  // The argument of the parameter with this name; null if there is no such parameter.
  const Arg* argument(std::string_view parameter) const;
  Arg* argument(std::string_view parameter);
};

// Tries the overloads in order, first without and then with TorchScript's implicit conversions (a tensor of
// one element to a number, int to float, one number for a list of fixed length). Empty if none fits.
std::optional<Bound> bind(Emit& e, std::span<const Op* const> overloads, const Call& call);

// The value that a schema's text gives as a default; nothing if it is none.
std::optional<Arg> parse_default(std::string_view text);

}  // namespace cameo::aten
