#pragma once
// Which PyTorch wrote the file? No record says so; only traits of the writer narrow it down.

#include <string>
#include <string_view>
#include <vector>

#include "script/program.h"

namespace cameo::inspect {

struct TorchVersion {
  int major = 0, minor = 0;
  auto operator<=>(const TorchVersion&) const = default;
};

// One trait of the file, and the releases that show it.
struct Evidence {
  std::string_view trait;
  TorchVersion first;        // 0.0: no bound
  TorchVersion last{99, 0};  // 99.0: no bound
};

// The releases that all evidence allows. `first` may be 0.0 and `last` 99.0: unbounded.
struct Saver {
  TorchVersion first;
  TorchVersion last{99, 0};
  std::vector<Evidence> evidence;

  bool bounded_below() const { return first.major > 0; }
  bool bounded_above() const { return last.major < 99; }
};

Saver gather_saver(const script::Program& program);

std::string to_string(TorchVersion version);  // "1.13"
std::string to_string(const Saver& saver);    // "1.12 – 2.0", "2.1 or newer", "unknown release"

}  // namespace cameo::inspect
