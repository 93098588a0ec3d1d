#pragma once
#include "aten/schema.h"

namespace cameo::aten {

// A schema that is only known at run time; its parts point into `text`. Throws Error (Code::bad_schema) if it
// cannot be read, or has parts that converters of users do not support.
Schema read_schema(std::string_view text);

}  // namespace cameo::aten
