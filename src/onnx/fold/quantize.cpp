#include "onnx/fold/quantize.h"

#include <algorithm>
#include <cmath>

#include "onnx/fold/element.h"
#include "onnx/fold/families.h"
#include "onnx/fold/index.h"

namespace cameo::onnx {
namespace {

bool four_bits(DType dtype) { return dtype == DType::i4 || dtype == DType::u4; }

// Passes integers on as elements of their type. Integers of four bits wait for their neighbour.
class Packer {
 public:
  Packer(DType dtype, const Sink& sink) : dtype_(dtype), sink_(sink) {}

  void add(const std::vector<std::int64_t>& integers) {
    if (!four_bits(dtype_)) {
      narrow(dtype_, integers, bytes_);
      return sink_(bytes_);
    }
    bytes_.clear();
    for (std::int64_t integer : integers) {
      const auto nibble = static_cast<unsigned>(integer) & 15u;
      if (half_) bytes_.push_back(static_cast<std::byte>(low_ | nibble << 4));
      low_ = nibble;
      half_ = !half_;
    }
    if (!bytes_.empty()) sink_(bytes_);
  }
  void finish() {
    if (!half_) return;
    bytes_.assign(1, static_cast<std::byte>(low_));
    sink_(bytes_);
  }

 private:
  DType dtype_;
  const Sink& sink_;
  std::vector<std::byte> bytes_;
  unsigned low_ = 0;
  bool half_ = false;
};

// The scale and zero point of each element in turn.
class Quantizing {
 public:
  Quantizing(const Quantization& q, const std::vector<std::int64_t>& shape) : q_(q) {
    if (q.scales.size() > 1)
      for (std::size_t i = static_cast<std::size_t>(q.axis) + 1; i < shape.size(); ++i) run_ *= shape[i];
    for (float scale : q.scales) factors_.push_back(q.by_inverse ? 1.0F / scale : scale);
  }

  void apply(const std::vector<float>& numbers, std::vector<std::int64_t>& integers) {
    integers.clear();
    for (float number : numbers) integers.push_back(integer(number));
  }

 private:
  std::int64_t integer(float number) {
    const std::size_t channel = channel_;
    if (++in_run_ == run_) {
      in_run_ = 0;
      if (++channel_ == factors_.size()) channel_ = 0;
    }
    const float scaled = q_.by_inverse ? number * factors_[channel] : number / factors_[channel];
    const double rounded =
        static_cast<double>(std::nearbyint(scaled)) + static_cast<double>(q_.zero_points[channel]);
    if (!(rounded > static_cast<double>(q_.least))) return q_.least;  // NaN too
    return rounded < static_cast<double>(q_.most) ? static_cast<std::int64_t>(rounded) : q_.most;
  }

  const Quantization& q_;
  std::vector<float> factors_;
  std::int64_t run_ = 1, in_run_ = 0;
  std::size_t channel_ = 0;
};

// Calls use(integers) with the integers of each piece.
template <class Use>
void each_piece(const Data& numbers, const Quantization& q, Use use) {
  Quantizing quantizing(q, numbers.shape());
  std::vector<float> piece;
  std::vector<std::int64_t> integers;
  numbers.copy_to([&](Bytes bytes) {
    widen(numbers.dtype(), bytes, piece);
    quantizing.apply(piece, integers);
    use(integers);
  });
}

float apply(char op, float a, float b) {
  switch (op) {
    case '+': return a + b;
    case '-': return a - b;
    case '*': return a * b;
    default: return a / b;
  }
}

// The positions of a broadcast operand, one after the other.
class Odometer {
 public:
  Odometer(const Ints& from, const Ints& to)
      : shape_(to), strides_(broadcast_strides(from, to)), at_(to.size()) {}

  std::size_t next() {
    const auto position = static_cast<std::size_t>(position_);
    for (std::size_t axis = shape_.size(); axis-- > 0;) {
      position_ += strides_[axis];
      if (++at_[axis] < shape_[axis]) break;
      position_ -= strides_[axis] * shape_[axis];
      at_[axis] = 0;
    }
    return position;
  }

 private:
  Ints shape_, strides_, at_;
  std::int64_t position_ = 0;
};

Recipe combining(char op, const DataPtr& large, const DataPtr& small, bool large_first) {
  return [=](const Sink& sink) {
    const std::vector<float> operand = read<float>(*small);
    Odometer odometer(small->shape(), large->shape());
    std::vector<float> numbers;
    std::vector<std::byte> elements;
    large->copy_to([&](Bytes bytes) {
      widen(large->dtype(), bytes, numbers);
      for (float& number : numbers) {
        const float other = operand[odometer.next()];
        number = large_first ? apply(op, number, other) : apply(op, other, number);
      }
      narrow(large->dtype(), numbers, elements);
      sink(elements);
    });
  };
}

bool short_float(DType dtype) { return dtype == DType::f32 || dtype == DType::f16 || dtype == DType::bf16; }

char operation(const Node& node) {
  if (!node.domain.empty() || node.inputs.size() != 2) return 0;
  if (node.op == "Mul") return '*';
  if (node.op == "Div") return '/';
  if (node.op == "Add") return '+';
  return node.op == "Sub" ? '-' : '\0';
}

constexpr int kDeepest = 8;

constexpr FoldRow kQuantize[] = {{"QuantizeLinear", quantize_later}};

DataPtr computed(const Value* value, int depth) {
  if (value->constant()) return value->data;
  const Node* node = value->producer;
  if (!node || depth == kDeepest || !short_float(value->dtype()) || !value->has_rank()) return nullptr;
  const char op = operation(*node);
  if (op == 0) return nullptr;
  const DataPtr a = computed(node->inputs[0], depth + 1);
  const DataPtr b = a ? computed(node->inputs[1], depth + 1) : nullptr;
  if (!b) return nullptr;
  Ints shape;
  for (const Dim& dim : *value->type.shape) shape.push_back(known(dim).value_or(-1));
  const bool first = a->shape() == shape && b->numel() <= kMaxFolded;
  if (!first && (b->shape() != shape || a->numel() > kMaxFolded)) return nullptr;
  return std::make_shared<Data>(value->dtype(), shape, combining(op, first ? a : b, first ? b : a, first));
}

}  // namespace

Limits limits_of(DType dtype) {
  switch (dtype) {
    case DType::i4: return {-8, 7};
    case DType::u4: return {0, 15};
    case DType::i8: return {-128, 127};
    case DType::u8: return {0, 255};
    case DType::i16: return {-32768, 32767};
    case DType::u16: return {0, 65535};
    default: return {-2147483648LL, 2147483647LL};
  }
}

DataPtr quantized(const DataPtr& numbers, Quantization quantization) {
  const DType dtype = quantization.dtype;
  Recipe recipe = [numbers, q = std::move(quantization)](const Sink& sink) {
    Packer packer(q.dtype, sink);
    each_piece(*numbers, q, [&](const std::vector<std::int64_t>& integers) { packer.add(integers); });
    packer.finish();
  };
  return std::make_shared<Data>(dtype, numbers->shape(), std::move(recipe));
}

bool limits_matter(const DataPtr& numbers, Quantization quantization) {
  const std::int64_t least = quantization.least, most = quantization.most;
  const Limits limits = limits_of(quantization.dtype);
  quantization.least = limits.least;
  quantization.most = limits.most;
  bool matter = false;
  each_piece(*numbers, quantization, [&](const std::vector<std::int64_t>& integers) {
    for (std::int64_t integer : integers) matter = matter || integer < least || integer > most;
  });
  return matter;
}

DataPtr integers_of(DType dtype, std::vector<std::int64_t> shape, std::span<const std::int64_t> integers) {
  std::vector<std::byte> bytes;
  const Sink sink = [&bytes](Bytes piece) { bytes.insert(bytes.end(), piece.begin(), piece.end()); };
  Packer packer(dtype, sink);
  packer.add({integers.begin(), integers.end()});
  packer.finish();
  return std::make_shared<Data>(dtype, std::move(shape), std::move(bytes));
}

std::vector<std::int64_t> all_integers(const Data& data) {
  if (!four_bits(data.dtype())) return read_integers(data);
  std::vector<std::int64_t> integers(as_size(data.numel()));
  const Bytes bytes = data.bytes();
  for (std::size_t i = 0; i < integers.size(); ++i) {
    const auto nibble = std::to_integer<std::int64_t>(bytes[i / 2]) >> (i % 2 * 4) & 15;
    integers[i] = data.dtype() == DType::i4 && nibble > 7 ? nibble - 16 : nibble;
  }
  return integers;
}

std::span<const FoldRow> quantize_folds() { return kQuantize; }

DataPtr computed_from_constants(const Value* value) { return computed(value, 0); }

Folded quantize_later(const Folding& f) {
  const Data& numbers = f.input(0);
  if (!short_float(numbers.dtype()) || f.input(1).dtype() != DType::f32 ||
      f.integer_attribute("block_size", 0) != 0)
    return {};
  Quantization q{.dtype = f.type().dtype, .scales = read<float>(f.input(1)), .zero_points = {}};
  if (q.dtype == DType::undefined || is_floating(q.dtype) || info(q.dtype).onnx == ElementType::f4e2m1)
    return {};
  q.zero_points = f.has(2) ? all_integers(f.input(2)) : std::vector<std::int64_t>(q.scales.size());
  const std::int64_t rank = std::ssize(numbers.shape());
  q.axis = f.input(1).shape().empty() ? 0 : wrap_axis(f.integer_attribute("axis", 1), numbers.shape().size());
  const bool fits = q.scales.size() == 1 || (q.axis >= 0 && q.axis < rank &&
                                             element_at(numbers.shape(), q.axis) == std::ssize(q.scales));
  if (!fits || q.zero_points.size() != q.scales.size()) return {};
  const Limits limits = limits_of(q.dtype);
  q.least = limits.least;
  q.most = limits.most;
  return {quantized(f.input_ptr(0), std::move(q))};
}

}  // namespace cameo::onnx
