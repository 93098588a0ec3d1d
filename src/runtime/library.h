#pragma once
#include <cstdint>
#include <memory>
#include <string>

#include "runtime/ort_abi.h"

namespace cameo::runtime {

// ONNX Runtime's shared library, loaded, with its environment. Lives until its last user is gone.
class Library {
 public:
  // Looks where session.h says, `path` being SessionOptions::library. Throws Error if there is no usable
  // library, with all places looked at.
  static std::shared_ptr<const Library> load(const std::string& path);

  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  const ort::Api& api() const { return api_; }
  const ort::Env* env() const { return env_.get(); }
  const ort::MemoryInfo* cpu() const { return cpu_.get(); }
  ort::Allocator* allocator() const { return allocator_; }
  const std::string& version() const { return version_; }
  // False also for a scalar's shape if the library is too old to tell it from an absent one.
  bool has_shape(const ort::TensorInfo* info, std::size_t rank) const;

 private:
  Library(void* handle, const std::string& path);

  ort::Api api_;
  ort::Owned<ort::Env> env_;
  ort::Owned<ort::MemoryInfo> cpu_;
  ort::Allocator* allocator_ = nullptr;
  std::string version_;
  bool tells_shapes_ = false;
};

}  // namespace cameo::runtime
