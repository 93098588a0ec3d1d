#pragma once
// Your own converters: for operators of other libraries, or in place of Cameo's.
//
//   cameo::Registry registry;
//   registry.add("mylib::scaled_relu(Tensor x, float a=1.0) -> Tensor", [](cameo::Conversion& c) {
//     const cameo::Tensor relu = c.op("Relu", {c["x"].tensor()});
//     return c.op("Mul", {relu, c.value(c["a"])});
//   });
//   cameo::ExportOptions options;
//   options.converters = &registry;

#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "cameo/conversion.h"

namespace cameo {

// Called for each call of the operator. It may be called again for the same call (in the body of a loop), and
// must give the same results then.
using Converter = std::function<Results(Conversion&)>;

struct OpsetRange {
  int first = 0;
  int last = std::numeric_limits<int>::max();
};

// A plug-in calls nothing but the virtual functions.
class Registry {
 public:
  Registry() = default;
  Registry(const Registry&) = default;
  Registry& operator=(const Registry&) = default;
  virtual ~Registry();

  // The operator's schema as PyTorch writes it: "mylib::op.overload(Tensor x, int[2] k, *, float? a=None) ->
  // (Tensor, Tensor)". A later converter has priority over an earlier one, and over Cameo's own. Among
  // converters for several ranges of opsets, the one whose range begins last has priority. "mylib::op_"
  // returns the new value of its first argument. Calls of "mylib::op_" use "mylib::op" if only that one was
  // added. Throws Error (Code::bad_schema).
  virtual void add(std::string schema, Converter converter, OpsetRange opsets = {});
  // The version of a domain that the model imports. ExportOptions::custom_opsets overrides it.
  virtual void set_domain_version(std::string domain, int version);

  struct Entry {
    std::string schema;
    Converter converter;
    OpsetRange opsets;
  };
  const std::vector<Entry>& entries() const { return entries_; }
  const std::vector<std::pair<std::string, int>>& domain_versions() const { return domain_versions_; }

 private:
  std::vector<Entry> entries_;
  std::vector<std::pair<std::string, int>> domain_versions_;
};

// A plug-in for the command (cameo export --plugin libmine.so) is a shared object with two functions:
//
//   extern "C" const char* cameo_plugin_abi() { return cameo::kPluginAbi; }
//   extern "C" void cameo_register(cameo::Registry& registry) { registry.add(…); }
//
// The text names the version of this interface and the standard library that the plug-in was built for.
#if defined(_LIBCPP_VERSION)
#define CAMEO_STANDARD_LIBRARY "libc++"
#elif defined(_GLIBCXX_DEBUG)
#define CAMEO_STANDARD_LIBRARY "libstdc++ debug"
#elif defined(_GLIBCXX_USE_CXX11_ABI) && !_GLIBCXX_USE_CXX11_ABI
#define CAMEO_STANDARD_LIBRARY "libstdc++ old"
#else
#define CAMEO_STANDARD_LIBRARY "libstdc++"
#endif
inline constexpr char kPluginAbi[] = "1, " CAMEO_STANDARD_LIBRARY;
#undef CAMEO_STANDARD_LIBRARY

// Adds a plug-in's converters. It stays loaded. Throws Error: Code::no_such_file, Code::not_a_plugin,
// Code::plugin_version, Code::plugin_failed, or an exception of cameo_register.
void load_plugin(const std::string& path, Registry& registry);

}  // namespace cameo
