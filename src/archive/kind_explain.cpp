#include <fmt/core.h>

#include <algorithm>

#include "archive/archive.h"
#include "archive/checkpoint.h"
#include "archive/kind.h"
#include "archive/sniff.h"

namespace cameo::archive {
namespace {

struct Row {
  Kind kind;
  std::string_view description;
  std::optional<Code> code;  // absent: it is a program
  std::string_view message;
  std::string_view hint;
};

constexpr std::string_view kSaveProgram =
    "save the model with torch.jit.trace, torch.jit.script or torch.export";
constexpr std::string_view kSaveScript =
    "save the model with torch.jit.trace or torch.jit.script, and torch.jit.save";

constexpr Row kRows[] = {
    {Kind::torchscript, "TorchScript program", std::nullopt, "", ""},
    {Kind::mobile, "TorchScript program for mobile", std::nullopt, "", ""},
    {Kind::mobile_stripped, "mobile bytecode", Code::bytecode_only,
     "this mobile archive holds bytecode for the lite interpreter but no TorchScript code",
     "save the original program again with torch.jit.save"},
    {Kind::exported_program, "torch.export program", std::nullopt, "", ""},
    {Kind::aot_inductor, "AOTInductor package", Code::aot_inductor,
     "this is an AOTInductor package: machine code, without the graph it was compiled from", kSaveProgram},
    {Kind::state_dict, "state_dict checkpoint", Code::state_dict, "this file holds weights but no program",
     kSaveProgram},
    {Kind::tensors, "torch.save of tensors or plain values", Code::tensors_only,
     "this file holds tensors or plain values but no program", kSaveProgram},
    {Kind::pickled_module, "pickled Python object", Code::pickled_module,
     "this file holds a pickled Python object, whose code is not in the file",
     "load it with torch.load where its class is defined, then save it with torch.jit.trace, "
     "torch.jit.script or torch.export"},
    {Kind::torchscript_old, "TorchScript program of PyTorch 1.0 to 1.2", std::nullopt, "", ""},
    {Kind::torch_package, "torch.package archive", Code::torch_package,
     "this is a torch.package archive: Python sources and pickles, not a program",
     "load the model with torch.package.PackageImporter, then save it with torch.jit.trace, "
     "torch.jit.script or torch.export"},
    {Kind::flatbuffer, "mobile flatbuffer", Code::flatbuffer,
     "this is a mobile flatbuffer: bytecode for the lite interpreter without TorchScript code",
     "save the original program again with torch.jit.save"},
    {Kind::executorch, "ExecuTorch program", Code::executorch,
     "this is an ExecuTorch program, already lowered for one device", kSaveProgram},
    {Kind::legacy_pickle, "torch.save file from before PyTorch 1.6", Code::legacy_pickle,
     "this file was written by torch.save in the format from before PyTorch 1.6: pickled values, no program",
     "load it with torch.load, then save the model with torch.jit.trace, torch.jit.script or torch.export"},
    {Kind::tar, "tar archive", Code::tar, "this is a tar archive, not a model",
     "unpack it and pass the model file inside"},
    {Kind::preview_container, "container of the PyTorch 1.0 preview", Code::preview_container,
     "this file was written by the preview of PyTorch 1.0, in a format that nothing reads any more",
     "save the model again with a released version of PyTorch"},
    {Kind::other_pickle, "Python pickle", Code::other_pickle,
     "this is a Python pickle that torch.save has not written",
     "load it in Python, then save the model with torch.jit.trace, torch.jit.script or torch.export"},
    {Kind::onnx, "ONNX model", Code::onnx, "this is an ONNX model already",
     "use it as it is: there is nothing to convert"},
    {Kind::safetensors, "safetensors weights", Code::safetensors,
     "this safetensors file holds weights but no program", kSaveProgram},
    {Kind::hdf5, "HDF5 file", Code::hdf5, "this is an HDF5 file (Keras writes such), not a PyTorch file",
     "convert Keras models with tf2onnx, or save the PyTorch model with torch.jit.save"},
    {Kind::git_lfs, "git-LFS pointer", Code::git_lfs_pointer,
     "this is a git-LFS pointer, not the file itself", "run 'git lfs pull' in the repository it came from"},
    {Kind::html, "web page", Code::html, "this is a web page, not a model",
     "the download led to a login or error page: fetch the file itself, with its direct link"},
    {Kind::python_text, "Python source", Code::python_source, "this is Python source text, not a saved model",
     "run it and save its model with torch.jit.trace, torch.jit.script or torch.export"},
    {Kind::text, "text", Code::text, "this is a text file, not a model",
     "pass a file written by torch.jit.save"},
    {Kind::gzip, "gzip file", Code::gzip, "this file is compressed with gzip",
     "unpack it first with gunzip, or with tar -xzf if it is a tar archive"},
    {Kind::truncated_zip, "truncated zip archive", Code::truncated_zip,
     "this file is cut off: it begins as a PyTorch archive but its end is missing",
     "the download or copy stopped early: fetch the file again"},
    {Kind::damaged_zip, "damaged zip archive", Code::bad_zip, "this zip archive is damaged",
     "save or download it again"},
    {Kind::other_zip, "zip archive", Code::other_zip, "this zip archive was not written by PyTorch",
     "pass a file written by torch.jit.save"},
    {Kind::unknown, "unknown file", Code::unknown_format, "this is not a file that PyTorch writes",
     "pass a file written by torch.jit.save"},
};

const Row& row_of(Kind kind) {
  const auto* row =
      std::find_if(std::begin(kRows), std::end(kRows), [&](const Row& r) { return r.kind == kind; });
  if (row == std::end(kRows)) throw InternalError("a kind of file without a description");
  return *row;
}

void describe_checkpoint(const Archive& archive, Diagnostic& diagnostic) {
  const Checkpoint checkpoint = study_checkpoint(archive.pickle("data")->root());
  if (checkpoint.content == Checkpoint::Content::object) {
    diagnostic.message =
        fmt::format("this file holds a pickled Python object of class '{}', whose code is not in the file",
                    checkpoint.class_name);
  } else if (!checkpoint.first_parameter.empty()) {
    diagnostic.notes.push_back(fmt::format("it holds {} {}, the first one named '{}'", checkpoint.tensors,
                                           checkpoint.tensors == 1 ? "tensor" : "tensors",
                                           checkpoint.first_parameter));
  }
}

void name_model_inside(const Archive& archive, Diagnostic& diagnostic) {
  for (const Record& record : archive.zip().records()) {
    for (const std::string_view ending : {".pt", ".pth", ".ptl", ".pt2", ".torchscript"}) {
      if (!record.name.ends_with(ending)) continue;
      diagnostic.message = fmt::format("this zip archive is not a model itself but holds '{}'", record.name);
      diagnostic.hint = "unpack it and pass that file";
      return;
    }
  }
}

// Adds facts from the contents; a file with damaged contents keeps the general answer.
void look_inside(Kind kind, const std::shared_ptr<const MappedFile>& file, Diagnostic& diagnostic) {
  try {
    const Archive archive(file);
    if (kind == Kind::other_zip) {
      name_model_inside(archive, diagnostic);
    } else {
      describe_checkpoint(archive, diagnostic);
    }
  } catch (const Error& error) {
    if (kind == Kind::damaged_zip) diagnostic = error.diagnostics().front();
  }
}

}  // namespace

std::string_view describe(Kind kind) { return row_of(kind).description; }

Diagnostic explain(Kind kind, const MappedFile& file) {
  if (holds_program(kind)) throw InternalError("explain() of a program");
  const Row& row = row_of(kind);
  Diagnostic diagnostic{.code = *row.code};
  diagnostic.message = row.message;
  diagnostic.file = file.name();
  diagnostic.hint = row.hint;
  switch (kind) {
    case Kind::tar:
      if (looks_like_torch_tar(file.bytes())) {
        diagnostic.message = "this file was written by torch.save of PyTorch 0.1: pickled values, no program";
        diagnostic.hint =
            "load it with torch.load, then save the model with torch.jit.trace, torch.jit.script or "
            "torch.export";
      }
      break;
    case Kind::state_dict:
    case Kind::tensors:
    case Kind::pickled_module:
    case Kind::damaged_zip:
    case Kind::other_zip: look_inside(kind, MappedFile::wrap(file.bytes(), file.name()), diagnostic); break;
    default: break;
  }
  return diagnostic;
}

}  // namespace cameo::archive
