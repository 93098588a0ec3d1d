#include "aten/families.h"

namespace cameo::aten {

std::span<const Op> recurrent_ops() { return {}; }

}  // namespace cameo::aten
