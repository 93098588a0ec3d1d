#pragma once
#include <deque>
#include <functional>
#include <memory>
#include <string>

#include "archive/value.h"

namespace cameo::archive {

// The context of the pickle machine.
struct PickleSource {
  std::string name;  // for diagnostics: "data.pkl"
  // Finds the storage of a persistent id; called once for each key. Null result: the pickle fails with an
  // Error.
  std::function<std::shared_ptr<const Storage>(DType, std::string_view key, std::string_view location,
                                               std::int64_t numel)>
      storage;
};

// One pickle, read. Owns its values; strings may point into `bytes`, which must outlive it.
class Pickle {
 public:
  // Throws Error with the byte offset and what was being read. Memory is bounded by a small multiple of
  // bytes.size().
  Pickle(Bytes bytes, const PickleSource& source);
  Ref root() const { return root_; }
  std::size_t consumed() const { return consumed_; }           // bytes up to and including STOP
  const std::deque<Value>& values() const { return values_; }  // all of them, reachable or not

 private:
  friend class PickleMachine;
  std::deque<Value> values_;
  std::deque<std::string> strings_;
  Ref root_ = nullptr;
  std::size_t consumed_ = 0;
};

}  // namespace cameo::archive
