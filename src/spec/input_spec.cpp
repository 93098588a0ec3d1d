#include "cameo/input_spec.h"

#include <fmt/core.h>

#include <cctype>
#include <charconv>
#include <cmath>

#include "base/dtype.h"
#include "base/npy.h"
#include "cameo/diagnostic.h"
#include "spec/dim_spec.h"
#include "spec/meant_input.h"
#include "sym/parse.h"

namespace cameo {
namespace {

class InputSpecParser {
 public:
  InputSpecParser(std::string_view text, SizeRanges& ranges) : text_(text), ranges_(ranges) {}

  InputSpec parse() {
    InputSpec spec;
    const std::size_t equals = text_.find('=');
    if (equals != text_.npos && is_name(text_.substr(0, equals))) {
      spec.name = trimmed(text_.substr(0, equals));
      at_ = equals + 1;
    }
    spec.value = value().value;
    skip_space();
    if (at_ != text_.size()) fail("this is not understood");
    return spec;
  }

 private:
  static constexpr int kMaxDepth = 50;

  static std::string_view trimmed(std::string_view s) {
    while (!s.empty() && s.front() == ' ') s.remove_prefix(1);
    while (!s.empty() && s.back() == ' ') s.remove_suffix(1);
    return s;
  }
  static bool is_name(std::string_view s) {
    s = trimmed(s);
    if (s.empty() || std::isdigit(static_cast<unsigned char>(s[0]))) return false;
    for (char c : s)
      if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_' && c != '.') return false;
    return true;
  }

  [[noreturn]] void fail(std::string message, std::size_t length = 1) const {
    Diagnostic d{.code = Code::bad_input_spec};
    d.message = std::move(message);
    Position position;
    position.file = "--input";
    position.line = 1;
    position.column = static_cast<int>(at_) + 1;
    position.length = static_cast<int>(length);
    position.text = text_;
    d.script = position;
    d.hint = "an input looks like x=f32[batch,3,224,224], n=3 or x=@input.npy";
    throw Error(std::move(d));
  }

  void skip_space() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool take(char c) {
    skip_space();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!take(c)) fail(fmt::format("expected '{}'", c));
  }
  std::string_view word() {
    skip_space();
    std::size_t start = at_;
    while (at_ < text_.size() &&
           (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_' || text_[at_] == '.'))
      ++at_;
    return text_.substr(start, at_ - start);
  }

  template <class Spec>
  Spec items(char close) {
    Spec spec;
    while (!take(close)) {
      spec.items.push_back(value());
      if (!take(',')) {
        expect(close);
        break;
      }
    }
    return spec;
  }

  InputSpec value() {
    if (++depth_ > kMaxDepth) fail("nested too deeply");
    skip_space();
    InputSpec spec;
    if (at_ >= text_.size()) fail("expected a type or a value");
    const char c = text_[at_];
    if (take('('))
      spec.value = items<TupleSpec>(')');
    else if (take('['))
      spec.value = items<ListSpec>(']');
    else if (take('{'))
      spec.value = dict();
    else if (take('@'))
      spec.value = like_file();
    else if (c == '"' || c == '\'')
      spec.value = quoted();
    else if (c == '-' || c == '+' || c == '.' || std::isdigit(static_cast<unsigned char>(c)))
      spec.value = number();
    else
      named(spec);
    --depth_;
    return spec;
  }

  DictSpec dict() {
    DictSpec spec;
    while (!take('}')) {
      skip_space();
      const bool quotes = at_ < text_.size() && (text_[at_] == '"' || text_[at_] == '\'');
      std::string key = quotes ? quoted() : std::string(word());
      expect(':');
      spec.items.push_back({std::move(key), value()});
      if (!take(',')) {
        expect('}');
        break;
      }
    }
    return spec;
  }

  std::string quoted() {
    const char quote = text_[at_++];
    const std::size_t end = text_.find(quote, at_);
    if (end == text_.npos) fail("the text has no end");
    std::string out(text_.substr(at_, end - at_));
    at_ = end + 1;
    return out;
  }

  InputSpec::Value number() {
    const std::size_t start = at_;
    if (text_[at_] == '+') ++at_;
    const std::size_t digits = at_;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) ||
                                  std::string_view("+-.").find(text_[at_]) != std::string_view::npos))
      ++at_;
    const std::string_view literal = text_.substr(digits, at_ - digits);
    const char* end = literal.data() + literal.size();
    std::int64_t integer = 0;
    if (std::from_chars(literal.data(), end, integer).ptr == end) return integer;
    double real = 0;
    if (auto [parsed, error] = std::from_chars(literal.data(), end, real);
        parsed == end && error == std::errc())
      return real;
    at_ = start;
    fail("this is not a number", literal.size());
  }

  TensorSpec like_file() {
    const std::size_t end = std::min(text_.find_first_of(",)]}", at_), text_.size());
    const std::string path(trimmed(text_.substr(at_, end - at_)));
    at_ = end;
    const Array array = load_npy(path);
    if (!dtype_from_name(name(array.type())))
      fail(fmt::format("'{}' holds elements that no tensor has", path));
    return {array.type(), {array.shape().begin(), array.shape().end()}, path};
  }

  void named(InputSpec& spec) {
    const std::size_t start = at_;
    const std::string_view id = word();
    if (id == "None")
      spec.value = NoneSpec{};
    else if (id == "True" || id == "true")
      spec.value = true;
    else if (id == "False" || id == "false")
      spec.value = false;
    else if (const std::optional<ElementType> integer = integers_of(id))
      spec.value = quantized(*integer);
    else if (const std::optional<ElementType> type = element_type(id))
      spec.value = tensor(*type);
    else {
      at_ = start;
      fail(id.empty() ? "expected a type or a value" : fmt::format("'{}' is not a type", id),
           std::max<std::size_t>(id.size(), 1));
    }
  }

  // Names of PyTorch, and those of diagnostics.
  static std::optional<ElementType> integers_of(std::string_view type) {
    if (type.starts_with("torch.")) type.remove_prefix(6);
    if (type == "quint8" || type == "qu8") return ElementType::u8;
    if (type == "qint8" || type == "qi8") return ElementType::i8;
    if (type == "qint32" || type == "qi32") return ElementType::i32;
    return std::nullopt;
  }

  TensorSpec quantized(ElementType integer) {
    TensorSpec::Quantization quantization{.integer = integer};
    expect('(');
    skip_space();
    const std::size_t scale = at_;
    const InputSpec::Value number = this->number();
    const auto* whole = std::get_if<std::int64_t>(&number);
    quantization.scale = whole ? static_cast<double>(*whole) : std::get<double>(number);
    if (!(quantization.scale > 0) || !std::isfinite(quantization.scale)) {
      at_ = scale;
      fail("the scale must be a positive number");
    }
    expect(',');
    skip_space();
    const std::size_t zero = at_;
    const InputSpec::Value zero_point = this->number();
    const auto* found = std::get_if<std::int64_t>(&zero_point);
    if (!found || !in_range(*found, integer)) {
      at_ = zero;
      fail(fmt::format("the zero point must be an integer of {}", name(integer)));
    }
    quantization.zero_point = *found;
    expect(')');
    TensorSpec spec = tensor(ElementType::f32);
    spec.quantization = quantization;
    return spec;
  }

  static bool in_range(std::int64_t number, ElementType integer) {
    if (integer == ElementType::u8) return number == static_cast<std::uint8_t>(number);
    if (integer == ElementType::i8) return number == static_cast<std::int8_t>(number);
    return number == static_cast<std::int32_t>(number);
  }

  TensorSpec tensor(ElementType type) {
    TensorSpec spec{type};
    expect('[');
    while (!take(']')) {
      spec.shape.push_back(dimension());
      if (!take(',')) {
        expect(']');
        break;
      }
    }
    return spec;
  }

  Dim dimension() {
    try {
      ParsedDim parsed = parse_dim(text_, at_);
      const std::size_t end = parsed.end;
      at_ = parsed.range_start;
      if (const std::string fault = add_range(ranges_, parsed.dim); !fault.empty()) fail(fault, end - at_);
      at_ = end;
      return std::move(parsed.dim);
    } catch (const sym::FormulaError& error) {
      at_ = error.at();
      fail(error.what(), error.length());
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0;
  SizeRanges& ranges_;
};

bool is_valid(const std::string& text) {
  try {
    SizeRanges ranges;
    InputSpecParser(text, ranges).parse();
    return true;
  } catch (const Error&) {
    return false;
  }
}

InputSpec parse(std::string_view text, SizeRanges& ranges) {
  try {
    return InputSpecParser(text, ranges).parse();
  } catch (const Error& error) {
    std::vector<Diagnostic> diagnostics = error.diagnostics();
    const std::string meant = meant_input(text, is_valid);
    if (diagnostics.front().code != Code::bad_input_spec || meant.empty() || meant == text) throw;
    diagnostics.front().hint = fmt::format("did you mean {}?", meant);
    throw Error(std::move(diagnostics));
  }
}

}  // namespace

InputSpec parse_input(std::string_view text) {
  SizeRanges ranges;
  return parse(text, ranges);
}

std::vector<InputSpec> parse_inputs(const std::vector<std::string>& texts) {
  SizeRanges ranges;
  std::vector<InputSpec> specs;
  for (const std::string& text : texts) specs.push_back(parse(text, ranges));
  return specs;
}

}  // namespace cameo
