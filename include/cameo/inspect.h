#pragma once
// What is in a file? Facts about a saved program, without running it and without touching its weights: time
// and memory grow with the code and the number of modules, not with the size of the tensors.

#include <optional>
#include <string>

namespace cameo {

struct InspectOptions {
  bool json = false;   // for machines; docs/inspect.md lists the keys. All that follows is for text only
  bool color = false;  // ANSI escapes
  bool lines = false;  // tree lines, bars and two columns, in UTF-8; otherwise plain indentation
  int width = 100;     // columns to stay within
  std::optional<int> depth;  // levels of the module tree to show; chosen to fit a screen if absent
  bool expand = false;       // show each of several equal modules that stand in a row
};

// An overview of the program in `path`. Throws Error if the file cannot be read or holds no program: the
// diagnostic says what it is instead, and what to do about it.
std::string inspect_file(const std::string& path, const InspectOptions& options = {});

// TorchScript source beside the Python lines that it came from. `name` is a method of the root module
// ("forward"), a module's path ("layer1.0") with or without a method, a class or function by its simple or
// qualified name, or a code file; empty for the entry point. Throws Error as inspect_file() does, and if
// nothing bears that name.
std::string inspect_code(const std::string& path, const std::string& name,
                         const InspectOptions& options = {});

}  // namespace cameo
