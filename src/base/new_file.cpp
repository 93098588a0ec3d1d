#include "base/new_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include <fmt/core.h>

#include "cameo/diagnostic.h"

namespace cameo {
namespace {

constexpr std::size_t kBuffer = std::size_t{1} << 16;
constexpr std::size_t kPiece = std::size_t{1} << 19;         // that is copied at once
constexpr std::uint64_t kStretch = std::uint64_t{64} << 20;  // that is sent to the disk at once

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

// A file without a name gets one through here.
std::string link_of(int descriptor) { return fmt::format("/proc/self/fd/{}", descriptor); }

// Calls `make` with names beside `path` until one is not taken.
template <class Make>
std::string beside(const std::string& path, Make make) {
  for (int attempt = 0;; ++attempt) {
    std::string name = fmt::format("{}.{}-{}.tmp", path, getpid(), attempt);
    if (make(name.c_str())) return name;
    if (errno != EEXIST) return {};
  }
}

struct Closing {
  int descriptor;
  ~Closing() { close(descriptor); }
};

bool write_all(int to, Bytes bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(to, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
  return true;
}

}  // namespace

NewFile::NewFile(std::string path, bool sync)
    : path_(std::move(path)), to_(destination_of(path_)), sync_(sync) {
  if (to_.kind == Destination::Kind::folder)
    fail("cannot write " + path_ + ": it is a folder", "name a file in it with -o");
  if (to_.fault != 0) {
    errno = to_.fault;
    fail("write");
  }
  const bool exists = to_.kind != Destination::Kind::fresh && to_.descriptor < 0;
  if (exists && faccessat(AT_FDCWD, to_.path.c_str(), W_OK, AT_EACCESS) != 0) fail("write");
  through_ = is_stream();
  if (!through_ && create_beside()) {
    if (keeps_owner()) return;
    close(std::exchange(descriptor_, -1));
    if (!temporary_.empty()) unlink(temporary_.c_str());
    temporary_.clear();
  }
  through_ = through_ || exists;
  if (!through_) fail("create");
  create();
}

// The new file, without a name if possible, in the folder of the old one.
bool NewFile::create_beside() {
  // Nobody else may read the new file before it has the mode of the old one.
  const mode_t mode = to_.kind == Destination::Kind::file ? 0600 : 0666;
  descriptor_ = open(folder_of(to_.path).c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, mode);
  if (descriptor_ >= 0 && access(link_of(descriptor_).c_str(), F_OK) == 0) return true;
  if (descriptor_ >= 0) close(descriptor_);
  temporary_ = beside(to_.path, [this, mode](const char* name) {
    descriptor_ = open(name, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, mode);
    return descriptor_ >= 0;
  });
  return descriptor_ >= 0;
}

bool NewFile::keeps_owner() const {
  if (to_.kind != Destination::Kind::file) return true;
  struct stat made {};
  if (fstat(descriptor_, &made) != 0) return false;
  const bool same = made.st_uid == to_.status.st_uid && made.st_gid == to_.status.st_gid;
  if (!same && fchown(descriptor_, to_.status.st_uid, to_.status.st_gid) != 0) return false;
  return fchmod(descriptor_, to_.status.st_mode & 07777) == 0;
}

// A temporary file without a name.
void NewFile::create() {
  const char* named = std::getenv("TMPDIR");
  const std::string folder = named && *named ? named : "/tmp";
  descriptor_ = open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (descriptor_ >= 0) return;
  std::string name = folder + "/cameo-XXXXXX";
  descriptor_ = mkostemp(name.data(), O_CLOEXEC);
  if (descriptor_ < 0)
    fail(fmt::format("cannot create a file in {}: {}", folder, std::strerror(errno)),
         "name another place in TMPDIR");
  unlink(name.c_str());
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

void NewFile::append(const MappedFile& source, std::uint64_t offset, std::uint64_t length) {
  if (buffer_.size() + length > kBuffer) flush();
  if (length < kBuffer) {
    const std::size_t before = buffer_.size();
    buffer_.resize(before + length);
    return source.read(offset, std::as_writable_bytes(std::span(buffer_).subspan(before)));
  }
  const std::uint64_t end = offset + length;
  while (offset < end) {
    const off_t data = lseek(source.descriptor(), static_cast<off_t>(offset), SEEK_DATA);
    if (data < 0 && errno == ENXIO) return append_zeros(end - offset);
    const std::uint64_t begin = data < 0 ? offset : std::min(end, static_cast<std::uint64_t>(data));
    append_zeros(begin - offset);
    const off_t hole = data < 0 ? -1 : lseek(source.descriptor(), data, SEEK_HOLE);
    offset = hole < 0 ? end : std::min(end, static_cast<std::uint64_t>(hole));
    copy(source, begin, offset - std::min(begin, offset));
  }
}

void NewFile::append_zeros(std::uint64_t count) {
  if (count == 0) return;
  flush();
  size_ += count;
}

void NewFile::append_room(std::uint64_t count) {
  flush();
  reserve(count);
  size_ += count;
}

// Blocks for what comes next, all at once: cheaper than a few with every write, and a full disk shows early.
void NewFile::reserve(std::uint64_t count) const {
  const bool done = fallocate(descriptor_, 0, static_cast<off_t>(size_), static_cast<off_t>(count)) == 0;
  if (!done && (errno == ENOSPC || errno == EDQUOT || errno == EFBIG)) fail("write");
}

void NewFile::copy(const MappedFile& source, std::uint64_t offset, std::uint64_t length) {
  if (length == 0) return;
  reserve(length);
  side_by_side((length + kPiece - 1) / kPiece, [&](std::size_t i, std::size_t worker) {
    auto& buffer = copied_[worker];
    if (!buffer) buffer = std::make_unique_for_overwrite<std::byte[]>(kPiece);
    const std::span piece(buffer.get(), std::min(kPiece, length - i * kPiece));
    source.read(offset + i * kPiece, piece);
    write_at(size_ + i * kPiece, piece);
  });
  size_ += length;
}

void NewFile::write_at(std::uint64_t offset, Bytes bytes) const {
  write(offset, bytes);
  start_writing_out(bytes.size());
}

void NewFile::flush() {
  put(std::as_bytes(std::span(buffer_)));
  buffer_.clear();
}

void NewFile::put(Bytes bytes) {
  write(size_, bytes);
  size_ += bytes.size();
  start_writing_out(bytes.size());
}

void NewFile::write(std::uint64_t offset, Bytes bytes) const {
  const std::size_t size = bytes.size();
  while (!bytes.empty()) {
    const ssize_t written = pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (written < 0) {
      if (errno == EINTR) continue;
      fail("write");
    }
    offset += static_cast<std::uint64_t>(written);
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
  if (wrote_) wrote_(size);
}

// Sends what is complete on its way to the disk, so that finish() has little to wait for. Many small requests would
// cost more than they save, because each one stops the writes of the other thread.
void NewFile::start_writing_out(std::uint64_t count) const {
  if (!sync_ || through_) return;
  const std::uint64_t before = written_.fetch_add(count);
  if (before / kStretch == (before + count) / kStretch) return;
  sync_file_range(descriptor_, 0, 0, SYNC_FILE_RANGE_WRITE);  // all of the file that is not on its way
}

void NewFile::finish() {
  if (std::exchange(finished_, true)) return;
  flush();
  if (ftruncate(descriptor_, static_cast<off_t>(size_)) != 0) fail("write");  // where it ends in a hole
  if (sync_ && !through_ && fsync(descriptor_) != 0) fail("write");
}

void NewFile::drop_old() const {
  if (to_.kind != Destination::Kind::file) return;
  const bool done = through_ ? truncate(to_.path.c_str(), 0) == 0 : unlink(to_.path.c_str()) == 0;
  if (!done && errno != ENOENT) fail("write");
}

void NewFile::write_through() const {
  const int to = to_.descriptor >= 0 ? fcntl(to_.descriptor, F_DUPFD_CLOEXEC, 0)
                                     : open(to_.path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
  if (to < 0) fail("write");
  const Closing closing{to};
  if (!is_stream() && ftruncate(to, 0) != 0) fail("write");
  const auto piece = std::make_unique_for_overwrite<std::byte[]>(kPiece);
  for (std::uint64_t done = 0; done < size_;) {
    const ssize_t read = pread(descriptor_, piece.get(), kPiece, static_cast<off_t>(done));
    if (read < 0 && errno == EINTR) continue;
    if (read <= 0) fail("write");
    done += static_cast<std::uint64_t>(read);
    if (!write_all(to, {piece.get(), static_cast<std::size_t>(read)})) fail("write");
  }
  if (!is_stream() && sync_ && fsync(to) != 0) fail("write");
}

void NewFile::take_name() {
  if (!temporary_.empty()) return;
  const std::string self = link_of(descriptor_);
  auto link = [&self](const char* name) {
    return linkat(AT_FDCWD, self.c_str(), AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0;
  };
  if (link(to_.path.c_str())) return;
  if (errno == EEXIST) temporary_ = beside(to_.path, link);
  if (temporary_.empty()) fail("create");
}

void NewFile::commit() {
  finish();
  if (through_) return write_through();
  take_name();
  if (!temporary_.empty() && rename(temporary_.c_str(), to_.path.c_str()) != 0) fail("create");
  temporary_.clear();
  const int closed = close(descriptor_);
  descriptor_ = -1;
  if (closed != 0) fail("write");
  if (!sync_) return;
  if (const int folder = open(folder_of(to_.path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); folder >= 0) {
    fsync(folder);
    close(folder);
  }
}

void NewFile::fail(const char* doing) const {
  const int cause = errno;
  std::string hint;
  if (cause == EACCES || cause == EPERM || cause == EROFS || cause == ENOENT)
    hint = "name another place with -o";
  else if ((cause == ENOSPC || cause == EDQUOT) && through_ && !finished_)
    hint = "free some space in the temporary folder, or name another one in TMPDIR";
  else if (cause == ENOSPC || cause == EDQUOT)
    hint = "free some space, or name another place with -o";
  fail(fmt::format("cannot {} {}: {}", doing, path_, std::strerror(cause)), hint);
}

void NewFile::fail(const std::string& message, const std::string& hint) const {
  throw Error(Diagnostic{.code = Code::cannot_write, .message = message, .file = path_, .hint = hint});
}

}  // namespace cameo
