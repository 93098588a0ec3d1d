#pragma once
#include <memory>

#include "base/mapped_file.h"
#include "verify/inputs.h"

namespace cameo::verify {

// The inputs of a torch.export program: those of the file first, then others of sizes within the ranges that the file
// declares. An input whose shape stays is that of the file, unless all its elements are equal floating-point numbers.
// Others are random, if they are floating-point numbers, or have elements of the input of the file.
// `specs` is ExportOptions::inputs: inputs with a file are that array. Throws Error (Code::bad_input) if they are not
// the inputs of the model.
std::unique_ptr<Inputs> exported_inputs(const std::shared_ptr<const MappedFile>& file,
                                        const std::vector<InputSpec>& specs,
                                        const std::vector<ValueInfo>& inputs);

}  // namespace cameo::verify
