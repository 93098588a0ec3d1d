#include "base/destination.h"

#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <climits>
#include <optional>
#include <string_view>

#include <fmt/core.h>

namespace cameo {
namespace {

constexpr int kMostLinks = 40;  // as Linux

// The number N of a name such as /dev/fd/N, and 1 for /dev/stdout.
int own_descriptor(std::string_view path) {
  if (path == "/dev/stdout") return STDOUT_FILENO;
  if (path == "/dev/stderr") return STDERR_FILENO;
  for (const std::string& folder :
       {std::string("/dev/fd/"), std::string("/proc/self/fd/"), std::string("/proc/thread-self/fd/"),
        fmt::format("/proc/{}/fd/", getpid())}) {
    if (!path.starts_with(folder)) continue;
    const std::string_view digits = path.substr(folder.size());
    int number = -1;
    const auto [end, fault] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    return fault == std::errc() && end == digits.data() + digits.size() ? number : -1;
  }
  return -1;
}

std::optional<std::string> linked(const std::string& path) {
  char text[PATH_MAX];
  const ssize_t length = readlink(path.c_str(), text, sizeof text);
  if (length < 0) return std::nullopt;
  std::string target(text, static_cast<std::size_t>(length));
  if (target.starts_with('/')) return target;
  return path.substr(0, path.rfind('/') + 1) + target;
}

bool same(const struct stat& a, const struct stat& b) { return a.st_dev == b.st_dev && a.st_ino == b.st_ino; }

}  // namespace

Destination destination_of(const std::string& path) {
  Destination found{.path = path};
  for (int links = 0;; ++links) {
    found.descriptor = own_descriptor(found.path);
    if (found.descriptor >= 0 && fstat(found.descriptor, &found.status) == 0) {
      found.kind = Destination::Kind::stream;
      return found;
    }
    found.descriptor = -1;
    const std::optional<std::string> next = linked(found.path);
    if (!next || links == kMostLinks) break;
    found.path = *next;
  }
  if (stat(path.c_str(), &found.status) != 0) {
    found.fault = errno == ENOENT ? 0 : errno;
    return found;
  }
  struct stat end {};
  const bool reached = lstat(found.path.c_str(), &end) == 0 && same(end, found.status);
  if (!reached) found.path = path;  // a link that only the system can follow, such as /proc/PID/fd/N
  if (S_ISDIR(found.status.st_mode))
    found.kind = Destination::Kind::folder;
  else
    found.kind =
        S_ISREG(found.status.st_mode) && reached ? Destination::Kind::file : Destination::Kind::stream;
  return found;
}

}  // namespace cameo
