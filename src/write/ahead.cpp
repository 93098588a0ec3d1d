#include "write/ahead.h"

#include <algorithm>

namespace cameo {
namespace {

constexpr std::size_t kPieces = 4;
constexpr std::size_t kPieceBytes = std::size_t{1} << 20;

}  // namespace

Ahead::Ahead(std::vector<onnx::DataPtr> constants)
    : constants_(std::move(constants)), thread_([this] { compute(); }) {}

Ahead::~Ahead() {
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void Ahead::next(const onnx::Sink& sink) {
  while (true) {
    Piece piece = take();
    if (piece.empty()) return;
    sink(piece);
    const std::lock_guard lock(mutex_);
    used_.push_back(std::move(piece));
  }
}

void Ahead::compute() {
  try {
    for (const onnx::DataPtr& data : constants_) {
      data->copy_to([this](Bytes bytes) {
        for (; !bytes.empty(); bytes = bytes.subspan(std::min(bytes.size(), kPieceBytes)))
          push(bytes.first(std::min(bytes.size(), kPieceBytes)));
      });
      push({});
    }
  } catch (const Stopped&) {
    return;
  } catch (...) {
    const std::lock_guard lock(mutex_);
    failure_ = std::current_exception();
  }
  changed_.notify_all();
}

void Ahead::push(Bytes bytes) {
  Piece piece;
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return stopped_ || ready_.size() < kPieces; });
    if (stopped_) throw Stopped();
    if (!bytes.empty() && !used_.empty()) {
      piece = std::move(used_.back());
      used_.pop_back();
    }
  }
  piece.assign(bytes.begin(), bytes.end());
  {
    const std::lock_guard lock(mutex_);
    ready_.push_back(std::move(piece));
  }
  changed_.notify_all();
}

Ahead::Piece Ahead::take() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return failure_ || !ready_.empty(); });
  if (ready_.empty()) std::rethrow_exception(failure_);
  Piece piece = std::move(ready_.front());
  ready_.pop_front();
  lock.unlock();
  changed_.notify_all();
  return piece;
}

}  // namespace cameo
