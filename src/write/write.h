#pragma once
// Writes an ONNX file. The elements of constants are copied from the mapped archive to the file in pieces;
// memory does not grow with them.

#include <cstdint>
#include <string>

#include "cameo/export.h"
#include "onnx/proto/messages.h"
#include "write/files.h"

namespace cameo {

struct WriteOptions {
  ExternalData external_data = ExternalData::automatic;
  bool sync = true;  // wait until the disk has everything
  WriteProgress progress = {};
};

// Stores the elements of the main graph's initialisers as `options` say. The files appear under their names
// only when they are complete and, with `sync`, on the disk; on an error the old files stay. The same model
// gives the same bytes. Throws Error (stage write).
Written write(const onnx::proto::Model& model, const std::string& path, const WriteOptions& options = {});

}  // namespace cameo
