#pragma once
// Diagnostics are values. The library collects them and throws them, and one formatter (format.h) formats
// them. The library never prints.

#include <cstdint>
#include <exception>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "cameo/code.h"

namespace cameo {

enum class Severity { note, warning, error };
std::string_view name(Severity severity);  // "error", …

// One place in a text. `line` and `column` count from 1; 0 means unknown. `text` is the whole line, without
// its end, where it is known; `length` bytes from `column` on are marked.
struct Position {
  std::string file;
  int line = 0;
  int column = 0;
  int length = 1;
  std::string text;
  std::string function;  // the function that the place is in, where known
};

[[noreturn]] Code missing_code();  // throws InternalError: a diagnostic needs a code

struct Diagnostic {
  Severity severity = Severity::error;
  Code code = missing_code();
  std::string message;  // one sentence; first word lower case unless it is a name; no full stop
  std::string file;     // the file at fault, as the user named it
  std::optional<std::uint64_t> offset;  // byte offset within `file`, or within `record` if that is set
  std::string record;                   // the record of the archive that was being read
  std::optional<Position> script;       // the serialized TorchScript
  std::vector<Position> python;         // the user's own source, innermost call first
  std::string module_path;              // "layer1.0.conv1"
  std::vector<std::string> notes;
  std::string hint;  // what to do about it

  Stage stage() const { return info(code).stage; }
};

// The input, the options or the environment are at fault; what() is the first diagnostic's message.
class Error : public std::exception {
 public:
  explicit Error(Diagnostic diagnostic);
  explicit Error(std::vector<Diagnostic> diagnostics);  // at least one
  const char* what() const noexcept override { return diagnostics_.front().message.c_str(); }
  const std::vector<Diagnostic>& diagnostics() const noexcept { return diagnostics_; }
  std::vector<Diagnostic>& diagnostics() noexcept { return diagnostics_; }

 private:
  std::vector<Diagnostic> diagnostics_;
};

// Cameo itself is at fault: a broken invariant. Never thrown because of what a file contains.
class InternalError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

}  // namespace cameo
