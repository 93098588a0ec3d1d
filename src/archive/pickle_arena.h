#pragma once
// The state that the pickle machine and the rebuilders of known globals share while they read one pickle.

#include <deque>
#include <string>

#include "archive/pickle.h"

namespace cameo::archive {

class PickleArena {
 public:
  PickleArena(std::size_t pickle_size, std::string name, std::deque<Value>& values,
              std::deque<std::string>& strings)
      : budget_(4 * pickle_size + 1024), name_(std::move(name)), values_(values), strings_(strings) {}

  template <class T>
  Value* make(T data) {
    return &values_.emplace_back(Value{std::move(data)});
  }
  std::string_view keep(std::string text) { return strings_.emplace_back(std::move(text)); }

  // Call it before a copy of something that the pickle may name repeatedly through its memo. It keeps memory
  // and time proportional to the pickle.
  void charge(std::size_t items);

  void set_offset(std::size_t offset) { offset_ = offset; }
  [[noreturn]] void fail(std::string message) const;  // throws Error at the current offset

 private:
  std::size_t budget_;
  std::size_t offset_ = 0;
  std::string name_;
  std::deque<Value>& values_;
  std::deque<std::string>& strings_;
};

}  // namespace cameo::archive
