#pragma once
#include <memory>
#include <vector>

#include "script/program_source.h"

namespace cameo::script {

// A program of a TorchScript archive.
class ArchiveSource final : public ProgramSource {
 public:
  // Throws Error if the archive holds no TorchScript program.
  explicit ArchiveSource(std::shared_ptr<const archive::Archive> archive);

  const archive::Archive& archive() const { return *archive_; }

  const MappedFile& file() const override { return archive_->file(); }
  int operator_version() const override { return archive_->version(); }
  archive::Ref root() const override { return data_->root(); }
  std::string_view record() const override { return "data.pkl"; }
  const std::vector<archive::Ref>& constants() const override { return constants_; }
  const archive::Value* traced_inputs() const override;
  std::vector<std::string_view> code_files() const override;
  std::optional<std::string_view> code(std::string_view name) const override;
  std::unique_ptr<SourceMap> source_map(std::string_view name) const override;

 private:
  std::shared_ptr<const archive::Archive> archive_;
  std::shared_ptr<const archive::Pickle> data_, constant_table_, traced_inputs_;
  std::vector<archive::Ref> constants_;
};

}  // namespace cameo::script
