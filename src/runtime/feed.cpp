#include "runtime/feed.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <map>
#include <numbers>
#include <random>

#include "base/half.h"
#include "base/index.h"
#include "base/npy.h"
#include "base/text.h"

namespace cameo::runtime {
namespace {

[[noreturn]] void refuse_feed(std::string message, std::string hint = {}) {
  throw Error(Diagnostic{.code = Code::bad_feed, .message = std::move(message), .hint = std::move(hint)});
}

constexpr std::int64_t kMaxElements = std::int64_t{1} << 33;

std::size_t count_to_make_up(const std::vector<std::int64_t>& shape) {
  std::int64_t count = 1;
  for (const std::int64_t size : shape) {
    if (size != 0 && count > kMaxElements / size) refuse_feed("so many random elements are not generated");
    count *= size;
  }
  return as_size(count);
}

template <class T>
std::optional<T> number(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// Element i of an array that is made up.
using Generator = std::function<double(std::size_t)>;

template <class T>
Array fill(std::vector<std::int64_t> shape, const Generator& element) {
  std::vector<T> elements(count_to_make_up(shape));
  for (std::size_t i = 0; i < elements.size(); ++i) elements[i] = static_cast<T>(element(i));
  return Array::of(std::move(shape), elements);
}

Array fill_booleans(std::vector<std::int64_t> shape, const Generator& element) {
  std::vector<std::byte> bytes(count_to_make_up(shape));
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = std::byte{element(i) != 0};
  return Array::owning(ElementType::boolean, std::move(shape), std::move(bytes));
}

// f16 and bf16.
Array fill_halves(ElementType type, std::vector<std::int64_t> shape, const Generator& element) {
  std::vector<std::byte> bytes(count_to_make_up(shape) * 2);
  for (std::size_t i = 0; i < bytes.size(); i += 2) {
    const auto value = static_cast<float>(element(i / 2));
    const std::uint16_t bits = type == ElementType::f16 ? f16_from_float(value) : bf16_from_float(value);
    bytes[i] = std::byte(bits & 0xFF);
    bytes[i + 1] = std::byte(bits >> 8);
  }
  return Array::owning(type, std::move(shape), std::move(bytes));
}

Array make(const ValueInfo& input, std::vector<std::int64_t> shape, const Generator& element) {
  switch (input.type) {
    case ElementType::f32: return fill<float>(std::move(shape), element);
    case ElementType::f64: return fill<double>(std::move(shape), element);
    case ElementType::i8: return fill<std::int8_t>(std::move(shape), element);
    case ElementType::i16: return fill<std::int16_t>(std::move(shape), element);
    case ElementType::i32: return fill<std::int32_t>(std::move(shape), element);
    case ElementType::i64: return fill<std::int64_t>(std::move(shape), element);
    case ElementType::u8: return fill<std::uint8_t>(std::move(shape), element);
    case ElementType::u16: return fill<std::uint16_t>(std::move(shape), element);
    case ElementType::u32: return fill<std::uint32_t>(std::move(shape), element);
    case ElementType::u64: return fill<std::uint64_t>(std::move(shape), element);
    case ElementType::boolean: return fill_booleans(std::move(shape), element);
    case ElementType::f16:
    case ElementType::bf16: return fill_halves(input.type, std::move(shape), element);
    default:
      refuse_feed(
          fmt::format("random numbers of type {} for '{}' are not supported", name(input.type), input.name),
          fmt::format("give a file: {}=@{}.npy", input.name, input.name));
  }
}

bool is_floating(ElementType type) {
  return type == ElementType::f32 || type == ElementType::f64 || type == ElementType::f16 ||
         type == ElementType::bf16;
}

std::vector<std::int64_t> own_shape(const ValueInfo& input) {
  if (!input.shape)
    refuse_feed(fmt::format("the model does not state the rank of '{}'", input.name),
                fmt::format("give a shape: {}=rand[1,3]", input.name));
  std::vector<std::int64_t> shape;
  for (const Dim& dim : *input.shape) shape.push_back(dim.size < 0 ? 1 : dim.size);
  return shape;
}

// "[2,3,10]"; nullopt if it is none.
std::optional<std::vector<std::int64_t>> parse_shape(std::string_view text) {
  if (!text.starts_with('[') || !text.ends_with(']')) return std::nullopt;
  text = text.substr(1, text.size() - 2);
  std::vector<std::int64_t> shape;
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    std::string_view item = text.substr(0, comma);
    while (item.starts_with(' ')) item.remove_prefix(1);
    const auto size = number<std::int64_t>(item);
    if (!size || *size < 0) return std::nullopt;
    shape.push_back(*size);
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return shape;
}

class Maker {
 public:
  explicit Maker(std::uint64_t seed) : random_(seed) {}

  Array from_spec(const ValueInfo& input, std::string_view text) {
    if (text.starts_with('@')) return load_npy(std::string(text.substr(1)));
    if (const auto value = number<double>(text))
      return make(input, own_shape(input), [value](std::size_t) { return *value; });
    const std::size_t bracket = std::min(text.find('['), text.size());
    std::vector<std::int64_t> shape;
    if (bracket < text.size()) {
      const auto parsed = parse_shape(text.substr(bracket));
      if (!parsed)
        refuse_feed(fmt::format("'{}' is not a valid shape", text.substr(bracket)), "as in: rand[2,3,10,10]");
      shape = *parsed;
    } else {
      shape = own_shape(input);
    }
    return made_up(input, text.substr(0, bracket), std::move(shape));
  }

 private:
  Array made_up(const ValueInfo& input, std::string_view how, std::vector<std::int64_t> shape) {
    if (how == "zeros") return make(input, std::move(shape), [](std::size_t) { return 0; });
    if (how == "ones") return make(input, std::move(shape), [](std::size_t) { return 1; });
    if (how == "arange")
      return make(input, std::move(shape), [](std::size_t i) { return static_cast<double>(i); });
    const bool floating = is_floating(input.type);
    if (how == "randn" && floating)
      return make(input, std::move(shape), [this](std::size_t) { return normal(); });
    if (how != "rand" && how != "randn")
      refuse_feed(fmt::format("'{}' is not a way to generate an input", how),
                  "there are rand, randn, zeros, ones, arange, a number and @file.npy");
    return make(input, std::move(shape),
                [this, floating](std::size_t) { return floating ? unit() : std::floor(unit() * 10); });
  }

  // Made of the generator's own numbers, so that every library gives the same ones.
  double unit() { return static_cast<double>(random_() >> 11) * 0x1p-53; }
  double normal() {
    const double radius = std::sqrt(-2 * std::log(1 - unit()));
    return radius * std::cos(2 * std::numbers::pi * unit());
  }

  std::mt19937_64 random_;
};

std::string known_names(std::span<const ValueInfo> inputs) {
  std::vector<std::string> texts;
  for (const ValueInfo& input : inputs) texts.push_back(to_string(input));
  return fmt::format("the model's inputs are: {}", join(texts, "; "));
}

// "x=rand[1]" is about x; "rand[1]" about the next input of the model.
std::map<std::string, std::string> by_name(std::span<const ValueInfo> inputs,
                                           const std::vector<std::string>& specs) {
  std::map<std::string, std::string> texts;
  std::size_t next = 0;
  for (const std::string& spec : specs) {
    const std::size_t equals = spec.find('=');
    std::string name;
    if (equals != spec.npos) {
      name = spec.substr(0, equals);
    } else {
      if (next == inputs.size()) refuse_feed("more inputs are given than the model has", known_names(inputs));
      name = inputs[next].name;
    }
    const auto known = std::ranges::find(inputs, name, &ValueInfo::name);
    if (known == inputs.end())
      refuse_feed(fmt::format("the model has no input '{}'", name), known_names(inputs));
    next = position_in(inputs, known) + 1;
    if (!texts.emplace(name, equals == spec.npos ? spec : spec.substr(equals + 1)).second)
      refuse_feed(fmt::format("the input '{}' is given twice", name));
  }
  return texts;
}

}  // namespace

std::vector<Session::Feed> make_feeds(std::span<const ValueInfo> inputs, const FeedOptions& options) {
  const std::map<std::string, std::string> texts = by_name(inputs, options.specs);
  for (const auto& [name, array] : options.arrays)
    if (std::ranges::find(inputs, name, &ValueInfo::name) == inputs.end())
      refuse_feed(fmt::format("the model has no input '{}'", name), known_names(inputs));
  Maker maker(options.seed);
  std::vector<Session::Feed> feeds;
  for (const ValueInfo& input : inputs) {
    const auto text = texts.find(input.name);
    const auto array = std::ranges::find(options.arrays, input.name, &NamedArrays::value_type::first);
    if (text != texts.end())
      feeds.emplace_back(input.name, maker.from_spec(input, text->second));
    else if (array != options.arrays.end())
      feeds.emplace_back(input.name, array->second);
    else if (!input.optional)
      feeds.emplace_back(input.name, maker.from_spec(input, "rand"));
  }
  return feeds;
}

}  // namespace cameo::runtime
