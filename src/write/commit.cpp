#include "write/commit.h"

#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include "cameo/diagnostic.h"

namespace cameo {

void too_large(const std::string& path, std::uint64_t size, const char* hint) {
  throw Error(Diagnostic{
      .code = Code::too_large_for_one_file,
      .message = fmt::format("{} would have {} bytes, and a protobuf file may have 2 GB", path, size),
      .file = path,
      .hint = hint});
}

std::string data_beside(const std::string& path) { return path + ".data"; }

// Two files cannot change at once. A model that names the data of another would compute wrong numbers, so the
// old model goes before its data do: a kill in between leaves no model.
void commit_both(NewFile& data, NewFile& model, const std::string& path) {
  data.finish();
  model.finish();
  struct stat status {};
  const bool both = stat(data_beside(path).c_str(), &status) == 0 && stat(path.c_str(), &status) == 0;
  if (both && S_ISREG(status.st_mode)) unlink(path.c_str());
  data.commit();
  model.commit();
}

}  // namespace cameo
