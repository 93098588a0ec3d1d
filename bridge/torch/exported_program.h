#pragma once
#include <memory>
#include <string>

#include "base/mapped_file.h"
#include "verify/bridge.h"

namespace cameo::torch {

// A torch.export program that libtorch runs call by call. Its only method is forward. The arguments of a run are the
// user inputs that are tensors or runtime numbers, in order; a number is an array without axes.
std::unique_ptr<verify::Program> load_exported(std::shared_ptr<const MappedFile> file);

}  // namespace cameo::torch
