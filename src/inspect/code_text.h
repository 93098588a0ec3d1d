#pragma once
#include <string>
#include <vector>

#include "base/style.h"
#include "cameo/inspect.h"
#include "inspect/code.h"

namespace cameo::inspect {

// Parts of the text of source code. to_text() draws two columns on a wide screen, otherwise each line of
// Python as a comment above its TorchScript. The comment has the indentation of its line; it is empty if the
// Python is not known or equal to the line before.
std::string heading(const Listing& listing, const Style& style);
std::string highlighted(std::string_view code, const Style& style);
std::string python_comment(const CodeLine& line, const Style& style);
inline constexpr std::size_t kWide = 110;  // columns from which on two of them are readable

}  // namespace cameo::inspect
