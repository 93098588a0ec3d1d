#include "write/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "cameo/diagnostic.h"

namespace cameo {
namespace {

constexpr std::size_t kBuffer = std::size_t{1} << 16;

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

mode_t default_mode() {
  const mode_t mask = umask(0);
  umask(mask);
  return 0666 & ~mask;
}

}  // namespace

NewFile::NewFile(std::string path) : path_(std::move(path)), temporary_(path_ + ".XXXXXX") {
  descriptor_ = mkstemp(temporary_.data());
  if (descriptor_ < 0) {
    temporary_.clear();
    fail("create");
  }
  fchmod(descriptor_, default_mode());
}

NewFile::~NewFile() {
  if (descriptor_ >= 0) close(descriptor_);
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

void NewFile::append(Bytes bytes) {
  if (buffer_.size() + bytes.size() > kBuffer) flush();
  if (bytes.size() >= kBuffer) {
    put(bytes);
  } else {
    buffer_.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }
}

void NewFile::flush() {
  put(std::as_bytes(std::span(buffer_)));
  buffer_.clear();
}

void NewFile::put(Bytes bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      fail("write");
    }
    size_ += static_cast<std::uint64_t>(written);
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
}

void NewFile::commit() {
  flush();
  if (fsync(descriptor_) != 0) fail("write");
  const int closed = close(descriptor_);
  descriptor_ = -1;
  if (closed != 0) fail("write");
  if (rename(temporary_.c_str(), path_.c_str()) != 0) fail("create");
  temporary_.clear();
  if (const int folder = open(folder_of(path_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); folder >= 0) {
    fsync(folder);
    close(folder);
  }
}

void NewFile::fail(const char* doing) const {
  const int cause = errno;
  std::string hint;
  if (cause == EACCES || cause == EPERM || cause == EROFS || cause == ENOENT)
    hint = "name another place with -o";
  else if (cause == ENOSPC || cause == EDQUOT)
    hint = "free some space, or name another place with -o";
  throw Error(Diagnostic{.stage = Stage::write,
                         .code = "cannot-write",
                         .message = fmt::format("cannot {} {}: {}", doing, path_, std::strerror(cause)),
                         .file = path_,
                         .hint = hint});
}

}  // namespace cameo
