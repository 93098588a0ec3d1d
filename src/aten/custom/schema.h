#pragma once
#include "aten/schema.h"

namespace cameo::aten {

// A schema that is only known at run time; its parts point into `text`. Throws Error (Code::bad_schema)
// where it cannot be read, or asks for more than a converter of the user's can do.
Schema read_schema(std::string_view text);

}  // namespace cameo::aten
