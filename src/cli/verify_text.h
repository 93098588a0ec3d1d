#pragma once
#include <string>

#include "base/style.h"
#include "cameo/verify.h"

namespace cameo::cli {

std::string verify_text(const VerifyReport& report, const Style& style);
// One line for each output, as verify_text() has them.
std::string outputs_text(const std::vector<VerifiedOutput>& outputs, const Style& style);
std::string verify_json(const VerifyReport& report);

// Throws Error unless all outputs agree. The error has the faulty node if it is known. `model` is the file
// that the error names.
void require_agreement(const VerifyReport& report, const std::string& model);

}  // namespace cameo::cli
