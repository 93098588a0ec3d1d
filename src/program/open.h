#pragma once
#include <memory>

#include "base/mapped_file.h"
#include "script/program.h"

namespace cameo {

// Throws Error if the file is not a TorchScript program. The diagnostic names the kind of file.
script::Program open_program(const std::shared_ptr<const MappedFile>& file,
                             std::vector<archive::Borrowed> borrowed = {});

}  // namespace cameo
