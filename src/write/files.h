#pragma once
#include <cstdint>
#include <functional>
#include <string>

#include "base/mapped_file.h"
#include "base/new_file.h"
#include "onnx/proto/encode.h"

namespace cameo {

// ExportOptions::writing.
using WriteProgress = std::function<void(std::uint64_t done, std::uint64_t total)>;

struct Written {
  std::uint64_t bytes = 0;           // of the ONNX file
  std::uint64_t external_bytes = 0;  // of the file beside it; 0 if there is none
};

// A protobuf file has at most 2 GB - 1 byte.
bool fits_one_file(const onnx::proto::Encoded& model);

// The file that holds the data of the model `path`, if it has one of its own: "<path>.data".
std::string data_beside(const std::string& path);
// The first offset at or after `end` where the elements of a tensor may begin in that file.
std::uint64_t next_place(std::uint64_t end);

struct Files {
  const onnx::proto::Encoded& model;
  const MappedFile* source = nullptr;       // long runs of bytes that lie in it are copied from file to file
  std::function<void(NewFile&)> data = {};  // writes the file beside the model; empty: there is none
  std::uint64_t data_size = 0;              // the bytes that `data` writes
  bool sync = true;                         // wait until the disk has everything
  WriteProgress progress = {};
  const char* too_large_hint = "";  // for a model that does not fit one file
};
// Writes the files of a model and gives them their names when they are complete. If the new model has no data of
// its own and the old one had, removes the old data, unless another model in the folder names it. Throws Error
// (stage write).
Written write_files(const std::string& path, const Files& files);

}  // namespace cameo
