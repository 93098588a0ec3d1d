#include "cli/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string>
#include <system_error>

#include "base/index.h"
#include "base/json.h"
#include "cameo/diagnostic.h"
#include "cli/command.h"

namespace cameo::cli {
namespace {

std::string_view environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

bool is_terminal(std::FILE* stream) { return ::isatty(::fileno(stream)) != 0; }

bool wants_color(std::FILE* stream) {
  return is_terminal(stream) && environment("NO_COLOR").empty() && environment("TERM") != "dumb";
}

bool speaks_utf8() {
  for (const char* variable : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const std::string_view locale = environment(variable);
    if (locale.empty()) continue;
    return locale.find("UTF-8") != locale.npos || locale.find("utf8") != locale.npos ||
           locale.find("utf-8") != locale.npos;
  }
  return false;
}

std::size_t columns() {
  constexpr std::size_t kDefault = 100;
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  const int declared = std::atoi(std::string(environment("COLUMNS")).c_str());
  return declared > 0 ? as_size(declared) : kDefault;
}

void print(std::string_view text, std::FILE* to) {
  const bool written = std::fwrite(text.data(), 1, text.size(), to) == text.size() && std::fflush(to) == 0;
  if (written) return;
  if (errno == EPIPE) throw Exit(kClosedPipe);
  throw Error(
      Diagnostic{.code = Code::cannot_write,
                 .message = "cannot write to standard output: " + std::system_category().message(errno),
                 .hint = "what was printed is incomplete; check where the output goes"});
}

void print_json(const Json& json, std::FILE* to) { print(json.text(), to); }

}  // namespace cameo::cli
