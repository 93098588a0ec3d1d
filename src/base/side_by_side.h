#pragma once
#include <atomic>
#include <cstddef>
#include <future>
#include <system_error>

namespace cameo {

inline constexpr std::size_t kWorkers = 2;

// Calls work(i, worker) for each i below `count`, in two threads if possible. `worker` is the number of the
// thread, below kWorkers. If calls throw, it throws one of the exceptions when all running calls have ended.
template <class Work>
void side_by_side(std::size_t count, const Work& work) {
  std::atomic<std::size_t> next = 0;
  const auto run = [&](std::size_t worker) {
    try {
      for (std::size_t i = next++; i < count; i = next++) work(i, worker);
    } catch (...) {
      next = count;
      throw;
    }
  };
  std::future<void> other;
  try {
    if (count > 1) other = std::async(std::launch::async, run, 1);
  } catch (const std::system_error&) {  // no second thread: this one does all the work
  }
  run(0);
  if (other.valid()) other.get();
}

}  // namespace cameo
