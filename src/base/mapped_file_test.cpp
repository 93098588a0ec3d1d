#include "base/mapped_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/temporary_folder.h"
#include "cameo/diagnostic.h"

namespace cameo {
namespace {

namespace fs = std::filesystem;

class MappedFileTest : public testing::Test {
 protected:
  void SetUp() override { fs::permissions(folder_.path(), fs::perms::all); }

  std::string path(const std::string& name) const { return folder_.path() / name; }

  std::string write(const std::string& name, const std::string& contents) const {
    std::ofstream(path(name), std::ios::binary) << contents;
    return path(name);
  }

  static Diagnostic failure(const std::string& path) {
    try {
      MappedFile::open(path);
    } catch (const Error& error) {
      EXPECT_EQ(error.diagnostics().size(), 1U);
      EXPECT_EQ(error.diagnostics().front().file, path);
      EXPECT_FALSE(error.diagnostics().front().hint.empty());
      return error.diagnostics().front();
    }
    ADD_FAILURE() << path << " was opened";
    return {};
  }

  const TemporaryFolder folder_;
};

std::string text(Bytes bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

TEST_F(MappedFileTest, MapsTheWholeFile) {
  const auto file = MappedFile::open(write("a.pt", "contents"));
  EXPECT_EQ(text(file->bytes()), "contents");
  EXPECT_EQ(file->name(), path("a.pt"));
}

TEST_F(MappedFileTest, ReleasedPagesStayReadable) {
  std::string contents(100'000, 'x');
  contents[50'000] = 'y';
  const auto file = MappedFile::open(write("a.pt", contents));
  ASSERT_EQ(text(file->bytes()), contents);
  file->release(file->bytes().subspan(5, 90'000));
  file->release(file->bytes().subspan(99'999));
  file->release(file->bytes());
  file->release({});
  EXPECT_EQ(text(file->bytes()), contents);
}

std::string read(const MappedFile& file, std::size_t offset, std::size_t length) {
  std::string part(length, '?');
  file.read(offset, std::as_writable_bytes(std::span(part)));
  return part;
}

TEST_F(MappedFileTest, ReadsParts) {
  const std::string contents = "contents";
  for (const auto& file : {MappedFile::open(write("a.pt", contents)),
                           MappedFile::wrap(std::as_bytes(std::span(contents)), "buffer")}) {
    EXPECT_EQ(read(*file, 0, 8), "contents");
    EXPECT_EQ(read(*file, 3, 4), "tent");
    EXPECT_EQ(read(*file, 8, 0), "");
  }
}

TEST_F(MappedFileTest, SaysThatTheFileHasBecomeShorter) {
  const auto file = MappedFile::open(write("a.pt", "contents"));
  fs::resize_file(path("a.pt"), 5);
  EXPECT_EQ(read(*file, 1, 4), "onte");
  try {
    read(*file, 1, 5);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.diagnostics().front().code, Code::cannot_read);
    EXPECT_EQ(error.diagnostics().front().file, path("a.pt"));
  }
}

TEST_F(MappedFileTest, WrapsBytesInPlace) {
  const std::string contents = "in memory";
  const Bytes bytes = std::as_bytes(std::span(contents));
  const auto file = MappedFile::wrap(bytes, "buffer");
  file->release(file->bytes());
  EXPECT_EQ(file->bytes().data(), bytes.data());
  EXPECT_EQ(file->name(), "buffer");
}

TEST_F(MappedFileTest, SaysWhatIsWrong) {
  EXPECT_EQ(failure(path("absent.pt")).code, Code::no_such_file);
  EXPECT_EQ(failure(path("absent.pt")).message, "no such file");
  EXPECT_EQ(failure(write("a.pt", "x") + "/data.pkl").code, Code::no_such_file);
  EXPECT_EQ(failure(folder_.path()).code, Code::is_a_directory);
  EXPECT_EQ(failure(write("empty.pt", "")).code, Code::empty_file);
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  EXPECT_EQ(failure(path("pipe")).code, Code::not_a_regular_file);
  EXPECT_EQ(failure(path(std::string(5000, 'x'))).code, Code::cannot_open);
}

TEST_F(MappedFileTest, SaysThatPermissionIsMissing) {
  const std::string secret = write("secret.pt", "x");
  fs::permissions(secret, fs::perms::none);
  const uid_t user = ::geteuid();
  constexpr uid_t kNobody = 65534;  // the superuser may read anything
  if (user == 0) {
    ASSERT_EQ(::seteuid(kNobody), 0);
  }
  const Diagnostic diagnostic = failure(secret);
  if (user == 0) {
    ASSERT_EQ(::seteuid(user), 0);
  }
  EXPECT_EQ(diagnostic.code, Code::no_permission);
}

}  // namespace
}  // namespace cameo
