#include "model/quantize/integers.h"

#include <algorithm>

#include "model/quantize/round.h"
#include "onnx/fold/element.h"

namespace cameo::model {
namespace {

// Elements next to one another whose groups are next to one another, too, or are one group.
struct Run {
  std::size_t length, group, step;
};

// Finds the groups of elements in the order of the weight.
class Runs {
 public:
  explicit Runs(const Grouping& grouping)
      : extent_(grouping.extent()),
        inner_(grouping.inner()),
        block_(grouping.block),
        blocks_(block_ == 0 ? 0 : grouping.blocks()) {}

  Run at(std::int64_t element) const {
    const std::int64_t line = element / inner_, within = element % inner_;
    const std::int64_t index = line % extent_, outer = line / extent_;
    if (block_ == 0) {
      if (inner_ == 1) return run(extent_ - index, index, 1);
      return run(inner_ - within, index, 0);
    }
    const std::int64_t group = (outer * blocks_ + index / block_) * inner_ + within;
    if (inner_ == 1) return run(std::min(block_ - index % block_, extent_ - index), group, 0);
    return run(inner_ - within, group, 1);
  }

 private:
  static Run run(std::int64_t length, std::int64_t group, std::size_t step) {
    return {static_cast<std::size_t>(length), static_cast<std::size_t>(group), step};
  }
  std::int64_t extent_, inner_, block_, blocks_;
};

// One number as an integer: its low bits.
std::uint8_t integer(float number, float scale, int zero, int least, int most) {
  const float q = nearest(number / scale, static_cast<float>(least - zero), static_cast<float>(most - zero));
  return static_cast<std::uint8_t>(static_cast<int>(q) + zero);
}

void convert(std::span<const float> numbers, const Run& run, const Fit& fit, const Integers& integers,
             std::uint8_t* out) {
  const float* scale = fit.scales.data() + run.group;
  const std::int16_t* zero = fit.zero_points.data() + run.group;
  const int least = integers.least(), most = integers.most();
  if (run.step == 0) {
    const float own = *scale;
    const int offset = *zero;
    for (std::size_t i = 0; i < numbers.size(); ++i) out[i] = integer(numbers[i], own, offset, least, most);
  } else {
    for (std::size_t i = 0; i < numbers.size(); ++i)
      out[i] = integer(numbers[i], scale[i], zero[i], least, most);
  }
}

// Packs integers of 4 bits and keeps one that has no second yet.
class Packer {
 public:
  explicit Packer(const onnx::Sink& sink) : sink_(sink) {}
  void put(std::span<const std::uint8_t> numbers) {
    out_.clear();
    std::size_t i = 0;
    if (pending_ >= 0 && !numbers.empty())
      pair(static_cast<std::uint8_t>(std::exchange(pending_, -1)), numbers[i++]);
    for (; i + 1 < numbers.size(); i += 2) pair(numbers[i], numbers[i + 1]);
    if (i < numbers.size()) pending_ = numbers[i];
    if (!out_.empty()) sink_(out_);
  }
  void finish() {
    if (pending_ < 0) return;
    out_.clear();
    pair(static_cast<std::uint8_t>(std::exchange(pending_, -1)), 0);
    sink_(out_);
  }

 private:
  void pair(std::uint8_t low, std::uint8_t high) {
    out_.push_back(static_cast<std::byte>((low & 0xF) | (high & 0xF) << 4));
  }
  const onnx::Sink& sink_;
  std::vector<std::byte> out_;
  int pending_ = -1;
};

void convert_all(const onnx::Data& weight, const Grouping& grouping, const Integers& integers, const Fit& fit,
                 const std::function<void(std::span<const std::uint8_t>)>& use) {
  const Runs runs(grouping);
  std::vector<std::uint8_t> made;
  std::int64_t element = 0;
  each_piece(weight, [&](std::span<const float> piece) {
    made.resize(piece.size());
    for (std::size_t at = 0; at < piece.size();) {
      Run run = runs.at(element + static_cast<std::int64_t>(at));
      run.length = std::min(run.length, piece.size() - at);
      convert(piece.subspan(at, run.length), run, fit, integers, made.data() + at);
      at += run.length;
    }
    element += std::ssize(piece);
    use(made);
  });
}

}  // namespace

onnx::DataPtr quantized(const onnx::DataPtr& weight, const Grouping& grouping, const Integers& integers,
                        std::shared_ptr<const Fit> fit) {
  const bool halves = info(integers.type).bits == 4;
  return std::make_shared<onnx::Data>(
      integers.type, weight->shape(),
      onnx::Recipe([weight, grouping, integers, fit = std::move(fit), halves](const onnx::Sink& sink) {
        if (!halves)
          return convert_all(*weight, grouping, integers, *fit,
                             [&](std::span<const std::uint8_t> numbers) { sink(std::as_bytes(numbers)); });
        Packer packer(sink);
        convert_all(*weight, grouping, integers, *fit,
                    [&](std::span<const std::uint8_t> numbers) { packer.put(numbers); });
        packer.finish();
      }));
}

onnx::DataPtr quantized_columns(const onnx::DataPtr& weight, const Grouping& grouping,
                                const Integers& integers, std::shared_ptr<const Fit> fit) {
  const std::int64_t columns = grouping.outer() * grouping.inner(), blocks = grouping.blocks();
  const onnx::DataPtr by_column = permuted(weight, grouping.permutation());
  return std::make_shared<onnx::Data>(
      DType::u8, std::vector{columns, blocks, grouping.block / 2},
      onnx::Recipe([by_column, grouping, integers, fit = std::move(fit), blocks](const onnx::Sink& sink) {
        Packer packer(sink);
        std::vector<std::uint8_t> group;
        std::int64_t next = 0;
        each_piece(*by_column, [&](std::span<const float> piece) {
          for (const float number : piece) {
            const auto place = static_cast<std::size_t>(grouping.place(next));
            group.push_back(integer(number, fit->scales[place], fit->zero_points[place], integers.least(),
                                    integers.most()));
            if (std::ssize(group) < grouping.length(next)) continue;
            group.resize(static_cast<std::size_t>(grouping.block),
                         static_cast<std::uint8_t>(fit->zero_points[place]));
            packer.put(group);
            group.clear();
            ++next;
          }
        });
      }));
}

onnx::DataPtr scales_data(const std::shared_ptr<const Fit>& fit, DType type,
                          std::vector<std::int64_t> shape) {
  return std::make_shared<onnx::Data>(type, std::move(shape),
                                      onnx::Recipe([fit, type](const onnx::Sink& sink) {
                                        std::vector<std::byte> bytes;
                                        onnx::narrow(type, fit->scales, bytes);
                                        sink(bytes);
                                      }));
}

std::vector<std::byte> packed(std::span<const std::int16_t> numbers) {
  std::vector<std::byte> bytes((numbers.size() + 1) / 2);
  for (std::size_t i = 0; i < numbers.size(); ++i)
    bytes[i / 2] |= static_cast<std::byte>((numbers[i] & 0xF) << (i % 2 * 4));
  return bytes;
}

onnx::DataPtr zero_points_data(const std::shared_ptr<const Fit>& fit, DType type,
                               std::vector<std::int64_t> shape) {
  return std::make_shared<onnx::Data>(type, std::move(shape),
                                      onnx::Recipe([fit, type](const onnx::Sink& sink) {
                                        if (info(type).bits == 4) return sink(packed(fit->zero_points));
                                        std::vector<std::byte> bytes;
                                        for (const std::int16_t zero : fit->zero_points)
                                          bytes.push_back(static_cast<std::byte>(zero & 0xFF));
                                        sink(bytes);
                                      }));
}

}  // namespace cameo::model
