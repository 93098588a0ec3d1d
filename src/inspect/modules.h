#pragma once
// The module tree with its weights.

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/dtype.h"
#include "script/program.h"

namespace cameo::inspect {

enum class Role {
  parameter,
  buffer,
  packed,
  constant
};  // packed: inside a C++ object, as quantised weights are
constexpr std::size_t kRoles = 4;

// Sums saturate: a file can declare more than there can be.
struct Weights {
  std::array<std::int64_t, kRoles> tensors{};
  std::array<std::int64_t, kRoles> elements{};
  std::array<std::int64_t, kRoles> bytes{};  // of storages, each counted where it is met first

  Weights& operator+=(const Weights& other);
  std::int64_t total_elements() const;
  std::int64_t total_bytes() const;
};

struct Module {
  std::string name;       // the attribute of its parent that holds it; empty for the root
  std::string path;       // "layer1.0.conv1"
  std::string cls;        // the Python class: "torch.nn.modules.conv.Conv2d"
  std::string qualified;  // the same as the program names it
  std::size_t depth = 0;
  std::size_t end = 0;  // index just beyond the last module below this one
  std::string same_as;  // path of the module that this one is another name of; its weights count there
  bool alias = false;   // same_as is meant, even if empty
  bool shares = false;  // some of its own tensors were met before and count there
  bool training = false;
  bool hooks = false;
  Weights own;
  Weights total;  // with everything below
};

struct ModuleTree {
  std::vector<Module> modules;  // parents before children; the first is the root
  Weights weights;              // the tree's and the constants'
  std::map<DType, std::int64_t> elements;
};

// Each object is visited once, however often it is shared, and nothing recurses. Throws Error if the paths of
// the modules would not fit into reasonable memory.
ModuleTree gather_modules(const script::Program& program);

std::int64_t saturating_add(std::int64_t a, std::int64_t b);  // of numbers that are not negative

}  // namespace cameo::inspect
