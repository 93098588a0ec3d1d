#include "archive/npz.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include "base/temporary_folder.h"
#include "cameo/diagnostic.h"

namespace cameo {
namespace {

TEST(Npz, RefusesArraysOfFourGigabytes) {
  constexpr std::size_t kSize = std::size_t{1} << 32;  // address space, never touched
  void* memory = mmap(nullptr, kSize, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  const std::span bytes(static_cast<const std::byte*>(memory), kSize);
  const Array array = Array::view(ElementType::u8, {static_cast<std::int64_t>(kSize)}, bytes);
  const TemporaryFolder folder;
  try {
    save_npz(folder.file("large.npz"), {{"x", array}});
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.diagnostics().front().code, Code::npz_too_large);
  }
  munmap(memory, kSize);
}

}  // namespace
}  // namespace cameo
