#pragma once
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "legacy/model_file.h"
#include "script/program_source.h"

namespace cameo::legacy {

// A TorchScript program of PyTorch 1.0 to 1.2 in the form of later ones. A file of these versions holds the methods of each
// module in a code file of its own, without a class: each module becomes an object of a class with its attributes and
// these methods.
class LegacySource final : public script::ProgramSource {
 public:
  // Throws Error if the archive holds no such program.
  explicit LegacySource(std::shared_ptr<const archive::Archive> archive);

  const MappedFile& file() const override { return archive_->file(); }
  int operator_version() const override { return archive_->version(); }
  archive::Ref root() const override { return root_; }
  std::string_view record() const override { return "model.json"; }
  const std::vector<archive::Ref>& constants() const override { return constants_; }
  const archive::Value* traced_inputs() const override { return nullptr; }
  std::vector<std::string_view> code_files() const override;
  std::optional<std::string_view> code(std::string_view name) const override;
  std::unique_ptr<script::SourceMap> source_map(std::string_view) const override;

 private:
  struct Class {
    std::string_view scope, name;  // "__torch__.___torch_mangle_0" and "Net"
  };
  archive::Ref keep(archive::Value value);
  archive::Ref text(std::string_view text);
  std::string_view own(std::string text) { return texts_.emplace_back(std::move(text)); }
  Class class_of(const ModuleRecord& module);
  archive::Ref object(const ModuleRecord& module, const Class& cls);
  archive::Ref attribute(const Attribute& attribute) const;
  archive::Ref with_tensors(archive::Ref value, int depth);
  [[noreturn]] void fail(Code code, std::string message, std::string hint) const;

  std::shared_ptr<const archive::Archive> archive_;
  exported::Texts texts_;
  ModelFile model_;
  std::shared_ptr<const archive::Pickle> attributes_;
  std::vector<archive::Ref> attribute_values_;
  std::deque<archive::Value> values_;
  std::vector<archive::Ref> constants_;
  std::map<std::string, std::string, std::less<>> classes_;  // the code files of the modules
  archive::Ref root_ = nullptr;
  std::size_t count_ = 0;  // of modules
};

}  // namespace cameo::legacy
