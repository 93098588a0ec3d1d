#pragma once
// The schema's enumerations. Files have the numbers; the names of the enumerators are accepted too.
#include "exported/graph.h"
#include "exported/json_reader.h"

namespace cameo::exported {

struct ScalarType {
  DType dtype = DType::undefined;  // undefined for a number that is not in the schema, and for 0
  std::int64_t number = 0;
};
ScalarType read_scalar_type(JsonReader& json);
DType read_dtype(JsonReader& json);                 // undefined: not in the schema
Layout read_layout(JsonReader& json);               // unknown: not in the schema
MemoryFormat read_memory_format(JsonReader& json);  // unknown: not in the schema
ArgumentKind read_argument_kind(JsonReader& json);

}  // namespace cameo::exported
