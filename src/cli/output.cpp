#include "cli/output.h"

#include <unistd.h>

#include "base/destination.h"
#include "cli/options.h"
#include "cli/terminal.h"

namespace cameo::cli {

std::string output_path(const std::string& given) {
  if (given != "-") return given;
  if (is_terminal(stdout))
    throw WrongUsage("-o -: standard output is a terminal; send it to a file or to another program");
  return "/dev/stdout";
}

std::FILE* text_stream(const std::string& path) {
  const Destination to = destination_of(path);
  if (to.descriptor < 0) return stdout;
  struct stat standard {};
  const bool same = ::fstat(STDOUT_FILENO, &standard) == 0 && standard.st_dev == to.status.st_dev &&
                    standard.st_ino == to.status.st_ino;
  return same ? stderr : stdout;
}

bool is_stream(const std::string& path) { return destination_of(path).kind == Destination::Kind::stream; }

}  // namespace cameo::cli
