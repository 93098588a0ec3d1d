#pragma once
// A program: code, constants, the root object. The code is TorchScript, or TorchScript that a program of
// another format was lowered to. Files are parsed on demand.

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "script/ast.h"
#include "script/program_source.h"

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
  explicit Program(std::unique_ptr<const ProgramSource> source) : source_(std::move(source)) {}
  // A TorchScript program. Throws Error if the archive holds none.
  explicit Program(std::shared_ptr<const archive::Archive> archive);

  const ProgramSource& source() const { return *source_; }
  const std::string& file_name() const { return source_->file().name(); }
  // The TorchScript format version whose operators the code calls; 0 if the file does not record it.
  int operator_version() const { return source_->operator_version(); }
  archive::Ref root() const { return source_->root(); }  // the root module's object
  const std::vector<archive::Ref>& constants() const { return source_->constants(); }  // CONSTANTS.c0, c1, …
  const archive::Value* traced_inputs() const { return source_->traced_inputs(); }  // null if there are none
  std::vector<DeclaredInput> declared_inputs() const { return source_->declared_inputs(); }

  // "__torch__.a.b.C" → the definition C in code/__torch__/a/b.py; empty if there is none. Throws Error if
  // the file does not parse.
  Definition<ClassDef> find_class(std::string_view qualified) const;
  Definition<FunctionDef> find_function(std::string_view qualified) const;
  const FunctionDef* find_method(const ClassDef& cls, std::string_view name) const;

  std::vector<std::string_view> code_files() const {
    return source_->code_files();
  }                                                           // "code/__torch__.py", …
  const SourceFile& file(std::string_view name) const;        // parses; throws Error
  const SourceMap& source_map(const SourceFile& file) const;  // empty if the source is not known

  // The serialized place, and the user's own, of a range in `file`.
  Position script_position(const SourceFile& file, Range range) const;
  std::vector<Position> python_position(const SourceFile& file, Range range) const;

 private:
  const SourceFile* file_of_qualifier(std::string_view qualifier) const;
  const SourceFile* find_file(std::string_view name) const;
  std::unique_ptr<const ProgramSource> source_;
  mutable std::map<std::string, std::unique_ptr<SourceFile>, std::less<>> files_;
  mutable std::map<const SourceFile*, std::unique_ptr<SourceMap>> maps_;
};

// "__torch__.torch.nn.modules.conv.___torch_mangle_4.Conv2d" → "torch.nn.modules.conv.Conv2d": the Python
// class.
std::string demangle(std::string_view qualified);

}  // namespace cameo::script
