#pragma once
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "onnx/data.h"

namespace cameo {

// Computes the elements of constants on a thread of its own, at most a few megabytes ahead of their reader.
class Ahead {
 public:
  explicit Ahead(std::vector<onnx::DataPtr> constants);
  ~Ahead();
  Ahead(const Ahead&) = delete;
  Ahead& operator=(const Ahead&) = delete;

  // The elements of the next constant, in pieces. Throws what computing them threw.
  void next(const onnx::Sink& sink);

 private:
  using Piece = std::vector<std::byte>;  // empty: a constant ends
  struct Stopped {};

  void compute();
  void push(Bytes bytes);
  Piece take();

  const std::vector<onnx::DataPtr> constants_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Piece> ready_;
  std::vector<Piece> used_;  // to be filled again
  bool stopped_ = false;
  std::exception_ptr failure_;
  std::thread thread_;  // the last member: it uses the others
};

}  // namespace cameo
