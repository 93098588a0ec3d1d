#include "base/temporary_folder.h"

#include <cstdlib>

#include "cameo/diagnostic.h"

namespace cameo {

TemporaryFolder::TemporaryFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "cameo-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr)
    throw Error(Diagnostic{.code = Code::cannot_write,
                           .message = "no temporary folder can be made",
                           .file = name,
                           .hint = "name another place in TMPDIR"});
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace cameo
