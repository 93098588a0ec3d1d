#pragma once
#include <string>

#include "base/style.h"
#include "cameo/verify.h"

namespace cameo::cli {

std::string verify_text(const VerifyReport& report, const Style& style);
std::string verify_json(const VerifyReport& report);

// Throws Error (code "departs"), with the node at fault where it is known, if something does not agree.
// `model` is the file that it says so of.
void require_agreement(const VerifyReport& report, const std::string& model);

}  // namespace cameo::cli
