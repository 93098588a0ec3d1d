#pragma once
// Facts about a saved program. The program is not run and its weights are not read: time and memory grow with
// the code and the number of modules, not with the size of the tensors.
//
//   const cameo::inspect::Report report = cameo::inspect::program("model.pt");
//   std::fputs(to_text(report).c_str(), stdout);

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cameo/diagnostic.h"
#include "cameo/value_info.h"

namespace cameo::inspect {

// The way in which the program was made. The file does not record it; it follows from the code.
enum class Origin { unknown, scripted, traced, mixed };
std::string_view name(Origin origin);  // "traced"

struct TorchVersion {
  int major = 0, minor = 0;
  auto operator<=>(const TorchVersion&) const = default;
};
std::string to_string(TorchVersion version);  // "1.13"

// One trait of the file, and the releases of PyTorch that show it.
struct Evidence {
  std::string_view trait;    // static text
  TorchVersion first;        // 0.0: no bound
  TorchVersion last{99, 0};  // 99.0: no bound
};

// The releases of PyTorch that may have written the file: those that all evidence allows.
struct Saver {
  TorchVersion first;        // 0.0: no bound
  TorchVersion last{99, 0};  // 99.0: no bound
  std::vector<Evidence> evidence;

  bool bounded_below() const { return first.major > 0; }
  bool bounded_above() const { return last.major < 99; }
};
std::string to_string(const Saver& saver);  // "1.12 – 2.0", "2.1 or newer", "unknown release"

struct Argument {
  std::string name;
  // "Optional[Tensor]"; classes by their Python names. "f32[s77, 8]" if the file declares the tensor.
  std::string type;
  std::optional<std::string> default_value;  // as the program writes it
};

// The arguments of one call that the file holds, each as text: "f32[1, 3, 224, 224]".
struct Example {
  bool bundled = false;  // added by the user for mobile use; otherwise recorded by tracing
  std::vector<std::string> arguments;
};

// A method of the root module that is called from outside.
struct EntryPoint {
  std::string name;
  std::vector<Argument> arguments;  // without self
  std::string returns;
  std::vector<Example> examples;
};

// The purpose of a tensor. `packed` tensors are inside a C++ object, as quantised weights are.
enum class Role { parameter, buffer, packed, constant };
constexpr std::size_t kRoles = 4;

// Numbers by Role. Sums saturate, since a file can declare any size.
struct Weights {
  std::array<std::int64_t, kRoles> tensors{};
  std::array<std::int64_t, kRoles> elements{};
  std::array<std::int64_t, kRoles> bytes{};  // of storages; a shared storage counts once

  Weights& operator+=(const Weights& other);
  std::int64_t total_elements() const;
  std::int64_t total_bytes() const;
};

struct Module {
  std::string name;       // the attribute of its parent that holds it; empty for the root
  std::string path;       // "layer1.0.conv1"
  std::string cls;        // the Python class: "torch.nn.modules.conv.Conv2d"
  std::string qualified;  // the class as the program names it
  std::size_t depth = 0;
  std::size_t end = 0;  // index just beyond the last module below this one
  bool alias = false;   // the module is the one at `same_as`, and its weights count there
  std::string same_as;  // a path; may be empty, which is the root
  bool shares = false;  // some of its own tensors belong to an earlier module and count there
  bool training = false;
  bool hooks = false;
  Weights own;
  Weights total;  // with all modules below
};

struct ModuleTree {
  std::vector<Module> modules;  // parents before children; the first is the root
  Weights weights;              // of the tree and of the constants
  std::vector<std::pair<std::string, std::int64_t>> elements;  // by element type: "f32"
};

// Facts that only a torch.export program records.
struct Exported {
  std::string torch_version;          // "2.9.1+cu128"; empty if the file does not record it
  std::string schema_version;         // "8.14"
  std::vector<std::string> dialects;  // "TRAINING", "ATEN", …
  std::vector<std::pair<std::string, SizeRange>> sizes;  // dynamic sizes and formulas of them
};

struct Report {
  std::string file;
  std::uint64_t file_size = 0;
  std::optional<Exported> exported;  // absent for TorchScript
  Origin origin = Origin::unknown;
  bool frozen = false;     // weights are constants of the code
  bool mobile = false;     // the file also holds bytecode for the lite interpreter
  bool quantized = false;  // some weights are quantised
  int format_version = 0;  // 0: the file does not record it
  Saver saver;
  std::optional<bool> training;  // the flag of the root module, if it has one
  std::vector<EntryPoint> entry_points;
  ModuleTree modules;
  // Calls of each operator in one run of the first entry point; in all code if there is no entry point.
  std::vector<std::pair<std::string, std::int64_t>> operators;
  std::vector<std::string> extra_files;  // records that the user added
};

struct CodeLine {
  int number = 0;
  std::string text;
  // The user's own source of this line, innermost call first; empty if unknown or equal to the line before.
  std::vector<Position> python;
  bool same_python = false;  // equal to the line before
};

// A part of the program's code that has a name.
struct Listing {
  std::string title;  // "__torch__.Net.forward"
  std::string file;   // "code/__torch__.py"
  std::vector<CodeLine> lines;
};

struct SourceCode {
  std::string file;
  std::vector<Listing> listings;  // several if several definitions have the name
};

// An overview of the program in `path`. Throws Error if the file cannot be read or holds no program; the
// diagnostic names the kind of file.
Report program(const std::string& path);
// Likewise, of a program in memory. `name` stands for the path.
Report program(std::span<const std::byte> bytes, const std::string& name = "program");

// TorchScript source and the Python lines that it came from. `name` is a method of the root module
// ("forward"), a module's path ("layer1.0") with or without a method, a class or function by its simple or
// qualified name, or a code file; empty for the entry point. Throws Error as program() does, and if nothing
// has that name.
SourceCode source(const std::string& path, const std::string& name = {});

// The layout of a report as text.
struct TextOptions {
  bool color = false;        // ANSI escapes
  bool lines = false;        // tree lines, bars and two columns, in UTF-8; otherwise plain indentation
  std::size_t width = 100;   // columns
  std::optional<int> depth;  // levels of the module tree to show; chosen to fit a screen if absent
  bool expand = false;       // show each of several equal modules in a row
};

std::string to_text(const Report& report, const TextOptions& options = {});
std::string to_text(const SourceCode& code, const TextOptions& options = {});
// As JSON; docs/inspect.md lists the keys.
std::string to_json(const Report& report);
std::string to_json(const SourceCode& code);

}  // namespace cameo::inspect
