#pragma once
// A TorchScript program as its archive holds it: code, constants, the root object. Files are parsed on
// demand.

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "archive/archive.h"
#include "script/ast.h"
#include "script/source_map.h"

namespace cameo::script {

// A definition and the file that it stands in.
template <class Def>
struct Definition {
  const Def* def = nullptr;
  const SourceFile* file = nullptr;
  explicit operator bool() const { return def != nullptr; }
};

class Program {
 public:
  // Throws Error if the archive holds no TorchScript program.
  explicit Program(std::shared_ptr<const archive::Archive> archive);

  const archive::Archive& archive() const { return *archive_; }
  archive::Ref root() const { return data_->root(); }  // the root module's object
  const std::vector<archive::Ref>& constants() const;  // CONSTANTS.c0, c1, …
  const archive::Value* traced_inputs() const;         // null if the file holds none

  // "__torch__.a.b.C" → the definition C in code/__torch__/a/b.py; empty if there is none. Throws Error if
  // the file does not parse.
  Definition<ClassDef> find_class(std::string_view qualified) const;
  Definition<FunctionDef> find_function(std::string_view qualified) const;
  const FunctionDef* find_method(const ClassDef& cls, std::string_view name) const;

  std::vector<std::string_view> code_files() const;           // "code/__torch__.py", …
  const SourceFile& file(std::string_view name) const;        // parses; throws Error
  const SourceMap& source_map(const SourceFile& file) const;  // empty if the archive has no table for it

  // The serialized place, and the user's own, of a range in `file`.
  Position script_position(const SourceFile& file, Range range) const;
  std::vector<Position> python_position(const SourceFile& file, Range range) const;

 private:
  const SourceFile* file_of_qualifier(std::string_view qualifier) const;
  std::shared_ptr<const archive::Archive> archive_;
  std::shared_ptr<const archive::Pickle> data_, constants_, traced_inputs_;
  std::vector<archive::Ref> constant_items_;
  mutable std::map<std::string, std::unique_ptr<SourceFile>, std::less<>> files_;
  mutable std::map<const SourceFile*, std::unique_ptr<SourceMap>> maps_;
};

// "__torch__.torch.nn.modules.conv.___torch_mangle_4.Conv2d" → "torch.nn.modules.conv.Conv2d": the Python
// class.
std::string demangle(std::string_view qualified);

}  // namespace cameo::script
