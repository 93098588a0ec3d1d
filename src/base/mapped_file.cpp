#include "base/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include "cameo/diagnostic.h"

namespace cameo {
namespace {

[[noreturn]] void fail(const std::string& path, Code code, std::string message, std::string hint) {
  throw Error(Diagnostic{.code = code, .message = std::move(message), .file = path, .hint = std::move(hint)});
}

[[noreturn]] void fail_to_open(const std::string& path, int error) {
  switch (error) {
    case ENOENT:
    case ENOTDIR: fail(path, Code::no_such_file, "no such file", "check the path and the spelling");
    case EACCES:
    case EPERM:
      fail(path, Code::no_permission, "no permission to read this file",
           "ask its owner for it, or allow reading with chmod +r");
    default:
      fail(path, Code::cannot_open, "cannot open this file: " + std::system_category().message(error),
           "copy it to a local disk and try again");
  }
}

class FileDescriptor {
 public:
  explicit FileDescriptor(int fd) : fd_(fd) {}
  ~FileDescriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  int get() const { return fd_; }
  int take() { return std::exchange(fd_, -1); }

 private:
  int fd_;
};

std::size_t size_of_regular_file(const FileDescriptor& fd, const std::string& path) {
  struct stat status {};
  if (::fstat(fd.get(), &status) != 0) fail_to_open(path, errno);
  if (S_ISDIR(status.st_mode)) {
    fail(path, Code::is_a_directory, "this is a directory, not a file",
         "name the model file itself; an unpacked archive has to be zipped again first");
  }
  if (!S_ISREG(status.st_mode)) {
    fail(path, Code::not_a_regular_file, "this is a pipe or a device, not a file",
         "save the model to a file first: it is read in place, not as a stream");
  }
  if (status.st_size == 0) {
    fail(path, Code::empty_file, "the file is empty (0 bytes)", "save or download it again");
  }
  return static_cast<std::size_t>(status.st_size);
}

}  // namespace

std::shared_ptr<const MappedFile> MappedFile::open(const std::string& path) {
  // Without O_NONBLOCK the opening of a pipe would wait for its writer.
  FileDescriptor fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (fd.get() < 0) fail_to_open(path, errno);
  const std::size_t size = size_of_regular_file(fd, path);
  void* address = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd.get(), 0);
  if (address == MAP_FAILED) fail_to_open(path, errno);
  const Bytes bytes(static_cast<const std::byte*>(address), size);
  return std::shared_ptr<const MappedFile>(new MappedFile(bytes, path, fd.take()));
}

std::shared_ptr<const MappedFile> MappedFile::wrap(Bytes bytes, std::string name) {
  return std::shared_ptr<const MappedFile>(new MappedFile(bytes, std::move(name), -1));
}

MappedFile::~MappedFile() {
  if (descriptor_ < 0) return;
  ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
  ::close(descriptor_);
}

void MappedFile::read(std::size_t offset, std::span<std::byte> to) const {
  if (descriptor_ < 0) {
    std::ranges::copy(bytes_.subspan(offset, to.size()), to.begin());
    return;
  }
  while (!to.empty()) {
    const ssize_t count = ::pread(descriptor_, to.data(), to.size(), static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) {
      fail(name_, Code::cannot_read,
           count == 0 ? "the file has become shorter while it was read"
                      : "cannot read this file: " + std::system_category().message(errno),
           "copy it to a local disk and try again");
    }
    offset += static_cast<std::size_t>(count);
    to = to.subspan(static_cast<std::size_t>(count));
  }
}

void MappedFile::release(Bytes part) const {
  if (descriptor_ < 0 || part.empty()) return;
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  // The mapping starts on a page, so this stays within it.
  const auto offset = static_cast<std::size_t>(part.data() - bytes_.data());
  const std::size_t before = offset % page;
  ::madvise(const_cast<std::byte*>(part.data() - before), part.size() + before, MADV_DONTNEED);
}

}  // namespace cameo
