#pragma once
#include <string>

#include "view/document/document.h"

namespace cameo::view {

// The page with the document in it.
std::string to_html(const Document& document);

}  // namespace cameo::view
