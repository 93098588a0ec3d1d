#pragma once
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "exported/lower/modules.h"
#include "exported/lower/stack_trace.h"
#include "exported/program.h"
#include "script/program_source.h"

namespace cameo::exported {

// A torch.export program as a TorchScript program. The root class has one method for each graph; modules have
// a class each, with their parameters and buffers.
class ExportedSource final : public script::ProgramSource {
 public:
  // Throws Error if the file is damaged.
  explicit ExportedSource(Program program);

  const Program& program() const { return program_; }

  const MappedFile& file() const override { return program_.archive().file(); }
  int operator_version() const override;
  archive::Ref root() const override { return root_; }
  std::string_view record() const override { return program_.record(); }
  const std::vector<archive::Ref>& constants() const override { return constants_; }
  const archive::Value* traced_inputs() const override { return nullptr; }
  std::vector<script::DeclaredInput> declared_inputs() const override;
  std::vector<std::string_view> code_files() const override;
  std::optional<std::string_view> code(std::string_view name) const override;
  std::unique_ptr<script::SourceMap> source_map(std::string_view name) const override;

 private:
  void lower();
  void add_state();
  void name_root();

  Program program_;
  Modules modules_;
  archive::Ref root_ = nullptr;
  std::vector<archive::Ref> constants_;
  std::map<std::string, std::string, std::less<>> code_;
  std::string root_file_;
  std::vector<NodeSourceMap::Entry> entries_;  // of the root's file
};

}  // namespace cameo::exported
