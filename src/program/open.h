#pragma once
#include <memory>

#include "base/mapped_file.h"
#include "script/program.h"

namespace cameo {

// Opens a TorchScript program or a torch.export program. Throws Error if the file is neither. The diagnostic names the kind of file.
script::Program open_program(const std::shared_ptr<const MappedFile>& file,
                             std::vector<archive::Borrowed> borrowed = {});

}  // namespace cameo
