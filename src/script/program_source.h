#pragma once
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "archive/archive.h"
#include "base/dtype.h"
#include "base/mapped_file.h"
#include "cameo/value_info.h"
#include "script/source_map.h"

namespace cameo::script {

// A tensor that forward() takes. A dynamic size has a name, or a formula of names.
struct DeclaredInput {
  std::string name;
  DType dtype = DType::undefined;
  std::vector<Dim> shape = {};
};

// The parts of a program, as the reader of a file format supplies them. Everything that it returns lives as
// long as the source.
class ProgramSource {
 public:
  ProgramSource() = default;
  virtual ~ProgramSource() = default;
  ProgramSource(const ProgramSource&) = delete;
  ProgramSource& operator=(const ProgramSource&) = delete;

  virtual const MappedFile& file() const = 0;
  virtual int operator_version() const = 0;     // see Program
  virtual archive::Ref root() const = 0;        // an archive::Object
  virtual std::string_view record() const = 0;  // the record of the root object, for diagnostics
  virtual const std::vector<archive::Ref>& constants() const = 0;
  virtual const archive::Value* traced_inputs() const = 0;  // null if the file holds none
  // The arguments of forward(), in order, if the file declares their types and sizes; else empty.
  virtual std::vector<DeclaredInput> declared_inputs() const { return {}; }

  virtual std::vector<std::string_view> code_files() const = 0;  // "code/__torch__.py", …
  // The text of a code file; nothing if there is no such file.
  virtual std::optional<std::string_view> code(std::string_view name) const = 0;
  virtual std::unique_ptr<SourceMap> source_map(std::string_view name) const = 0;  // of a code file
};

}  // namespace cameo::script
