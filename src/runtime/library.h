#pragma once
#include <cstdint>
#include <memory>
#include <string>

#include "runtime/ort_abi.h"

namespace cameo::runtime {

// ONNX Runtime's shared library, loaded, with its environment. It is unloaded with its last user.
class Library {
 public:
  // Searches the places that session.h lists; `path` is SessionOptions::library. Throws Error with all these
  // places if there is no usable library.
  static std::shared_ptr<const Library> load(const std::string& path);

  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  const ort::Api& api() const { return api_; }
  const ort::Env* env() const { return env_.get(); }
  const ort::MemoryInfo* cpu() const { return cpu_.get(); }
  ort::Allocator* allocator() const { return allocator_; }
  const std::string& version() const { return version_; }
  const std::string& path() const { return path_; }  // as it was given to the system's loader
  // False also for the shape of a scalar if the library is too old to distinguish it from an absent one.
  bool has_shape(const ort::TensorInfo* info, std::size_t rank) const;

 private:
  Library(void* handle, const std::string& path);

  ort::Api api_;
  ort::Owned<ort::Env> env_;
  ort::Owned<ort::MemoryInfo> cpu_;
  ort::Allocator* allocator_ = nullptr;
  std::string path_, version_;
  bool tells_shapes_ = false;
};

}  // namespace cameo::runtime
