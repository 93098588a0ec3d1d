#pragma once
#include <memory>

#include "base/mapped_file.h"
#include "script/program.h"

namespace cameo {

// Throws Error if the file is anything but a TorchScript program: the diagnostic says what it is.
script::Program open_program(const std::shared_ptr<const MappedFile>& file,
                             std::vector<archive::Borrowed> borrowed = {});

}  // namespace cameo
