#include "cameo/version.h"

#include <commit.h>  // generated: CAMEO_COMMIT

namespace cameo {

std::string_view version() { return CAMEO_VERSION; }
std::string_view commit() { return CAMEO_COMMIT; }

}  // namespace cameo
