#pragma once
// The kind of a file, found from its contents and never from its name.

#include <memory>
#include <string_view>

#include "base/mapped_file.h"
#include "cameo/diagnostic.h"

namespace cameo::archive {

enum class Kind {
  torchscript,       // data.pkl, constants.pkl and code/
  mobile,            // the same with bytecode.pkl beside it
  mobile_stripped,   // bytecode.pkl without code/
  exported_program,  // torch.export .pt2
  aot_inductor,      // compiled package
  state_dict,        // torch.save of a dictionary of tensors
  tensors,           // torch.save of a tensor or of another plain value
  pickled_module,    // torch.save of a whole nn.Module
  torchscript_old,   // 1.0–1.2: model.json
  torch_package,
  flatbuffer,  // PTMF
  executorch,
  legacy_pickle,      // torch.save before 1.6
  tar,                // torch.save of the 0.1 days
  preview_container,  // PYTORCH1
  other_pickle,
  onnx,  // an ONNX model already
  safetensors,
  hdf5,
  git_lfs,
  html,
  python_text,
  text,
  gzip,
  truncated_zip,
  damaged_zip,
  other_zip,
  unknown,
};

Kind kind_of(const std::shared_ptr<const MappedFile>& file);
std::string_view describe(Kind kind);  // "TorchScript program", "state_dict checkpoint", …
bool holds_program(Kind kind);         // torchscript, torchscript_old, mobile, exported_program

// One line of cause and one of what to do, for every kind that is not a program.
Diagnostic explain(Kind kind, const MappedFile& file);

}  // namespace cameo::archive
