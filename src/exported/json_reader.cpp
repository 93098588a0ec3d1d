#include "exported/json_reader.h"

#include <fmt/core.h>

#include <charconv>
#include <cmath>
#include <limits>

#include "base/text.h"
#include "cameo/diagnostic.h"

namespace cameo::exported {
namespace {

// A subgraph takes 8 levels.
constexpr int kMaxJsonDepth = 256;
constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

bool is_space(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

int hex_digit(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// The code unit of the four digits that `text` starts with; absent if they are none.
std::optional<std::uint32_t> code_unit(std::string_view text) {
  if (text.size() < 4) return std::nullopt;
  std::uint32_t unit = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    const int digit = hex_digit(text[i]);
    if (digit < 0) return std::nullopt;
    unit = unit * 16 + static_cast<std::uint32_t>(digit);
  }
  return unit;
}

void append_utf8(std::string& out, std::uint32_t code) {
  const auto byte = [&](std::uint32_t bits) { out.push_back(static_cast<char>(bits)); };
  if (code < 0x80) {
    byte(code);
  } else if (code < 0x800) {
    byte(0xC0 | code >> 6U);
    byte(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    byte(0xE0 | code >> 12U);
    byte(0x80 | (code >> 6U & 0x3F));
    byte(0x80 | (code & 0x3F));
  } else {
    byte(0xF0 | code >> 18U);
    byte(0x80 | (code >> 12U & 0x3F));
    byte(0x80 | (code >> 6U & 0x3F));
    byte(0x80 | (code & 0x3F));
  }
}

// Decodes \uXXXX, of which `text` starts with the digits. Returns the number of characters that were used.
std::size_t append_code_point(std::string& out, std::string_view text) {
  const std::uint32_t first = code_unit(text).value_or(0xD800);
  if (first < 0xD800 || first > 0xDFFF) {
    append_utf8(out, first);
    return 4;
  }
  if (first < 0xDC00 && text.substr(4).starts_with("\\u")) {
    const std::uint32_t second = code_unit(text.substr(6)).value_or(0);
    if (second >= 0xDC00 && second <= 0xDFFF) {
      append_utf8(out, 0x10000 + ((first - 0xD800) << 10U) + (second - 0xDC00));
      return 10;
    }
  }
  out += kReplacement;
  return 4;
}

char escaped_character(char c) {
  switch (c) {
    case 'b': return '\b';
    case 'f': return '\f';
    case 'n': return '\n';
    case 'r': return '\r';
    case 't': return '\t';
    case '"':
    case '\\':
    case '/': return c;
    default: return 0;
  }
}

std::string_view name_of(JsonReader::Type type) {
  switch (type) {
    case JsonReader::Type::null: return "null";
    case JsonReader::Type::boolean: return "a boolean";
    case JsonReader::Type::number: return "a number";
    case JsonReader::Type::string: return "a string";
    case JsonReader::Type::array: return "a list";
    case JsonReader::Type::object: return "an object";
  }
  return "";
}

constexpr std::string_view kInfinity = "Infinity", kMinusInfinity = "-Infinity", kNaN = "NaN";

std::optional<double> special_number(std::string_view text) {
  if (text == kInfinity) return std::numeric_limits<double>::infinity();
  if (text == kMinusInfinity) return -std::numeric_limits<double>::infinity();
  if (text == kNaN) return std::numeric_limits<double>::quiet_NaN();
  return std::nullopt;
}

}  // namespace

std::string decode_json_string(std::string_view escaped) {
  std::string out;
  out.reserve(escaped.size());
  for (std::size_t i = 0; i < escaped.size();) {
    const std::size_t escape = std::min(escaped.find('\\', i), escaped.size());
    out += escaped.substr(i, escape - i);
    if (escape + 1 >= escaped.size()) break;
    i = escape + 2;
    if (escaped[escape + 1] == 'u') {
      i += append_code_point(out, escaped.substr(i));
    } else {
      out.push_back(escaped_character(escaped[escape + 1]));
    }
  }
  return out;
}

JsonReader::JsonReader(std::string_view text, Texts& texts, JsonSource source)
    : text_(text), begin_(text.data()), texts_(&texts), source_(std::move(source)) {
  if (!is_utf8(text)) fail_syntax("it is not UTF-8");
}

JsonReader JsonReader::part(std::string_view raw) const {
  JsonReader part = *this;
  part.text_ = raw;
  part.at_ = 0;
  return part;
}

std::uint64_t JsonReader::offset() const {
  if (source_.offset) return *source_.offset;
  return static_cast<std::uint64_t>(text_.data() - begin_) + at_;
}

void JsonReader::fail(std::string message) const {
  throw Error(Diagnostic{.code = Code::bad_exported_program,
                         .message = std::move(message),
                         .file = source_.file,
                         .offset = offset(),
                         .record = source_.record,
                         .hint = "save the program again with torch.export.save"});
}

void JsonReader::fail_syntax(std::string message) const {
  throw Error(Diagnostic{.code = Code::bad_json,
                         .message = "the JSON text is damaged: " + std::move(message),
                         .file = source_.file,
                         .offset = offset(),
                         .record = source_.record,
                         .hint = "the file is damaged: save or download it again"});
}

void JsonReader::fail_expected(std::string_view what) const {
  fail_syntax(at_ >= text_.size() ? "it ends in the middle" : fmt::format("{} was expected", what));
}

void JsonReader::fail_type(std::string_view expected) {
  const std::string_view found = name_of(type());
  fail(key_.empty() ? fmt::format("the program must be {}, not {}", expected, found)
                    : fmt::format("'{}' must be {}, not {}", key_, expected, found));
}

char JsonReader::peek() {
  while (at_ < text_.size() && is_space(text_[at_])) ++at_;
  return at_ < text_.size() ? text_[at_] : '\0';
}

JsonReader::Type JsonReader::type() {
  const char c = peek();
  switch (c) {
    case '{': return Type::object;
    case '[': return Type::array;
    case '"': return Type::string;
    case 't':
    case 'f': return Type::boolean;
    case 'n': return Type::null;
    case '-':
    case 'I':
    case 'N': return Type::number;
    default: break;
  }
  if (is_digit(c)) return Type::number;
  fail_expected("a value");
}

bool JsonReader::take(std::string_view token) {
  if (!text_.substr(at_).starts_with(token)) return false;
  at_ += token.size();
  return true;
}

void JsonReader::null() {
  if (type() != Type::null) fail_type("null");
  if (!take("null")) fail_expected("a value");
}

bool JsonReader::boolean() {
  if (type() != Type::boolean) fail_type("a boolean");
  if (take("true")) return true;
  if (take("false")) return false;
  fail_expected("a value");
}

std::string_view JsonReader::scan_number() {
  const std::size_t start = at_;
  const auto text = [&] { return text_.substr(start, at_ - start); };
  for (const std::string_view token : {kInfinity, kMinusInfinity, kNaN}) {
    if (take(token)) return text();
  }
  const auto digits = [&] {
    const std::size_t first = at_;
    while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
    if (at_ == first) fail_expected("a digit");
    return at_ - first;
  };
  take("-");
  const bool zero = at_ < text_.size() && text_[at_] == '0';
  if (digits() > 1 && zero) fail_syntax("a number starts with 0");
  if (take(".")) digits();
  if (take("e") || take("E")) {
    if (!take("+")) take("-");
    digits();
  }
  return text();
}

std::string_view JsonReader::number() {
  if (type() != Type::number) fail_type("a number");
  return scan_number();
}

std::int64_t JsonReader::integer() {
  if (type() != Type::number) fail_type("an integer");
  const std::size_t start = at_;
  const std::string_view digits = scan_number();
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error == std::errc() && end == digits.data() + digits.size()) return value;
  at_ = start;
  fail(fmt::format("'{}' must be an integer of 64 bits, not {}", key_, digits));
}

double JsonReader::real() {
  const Type kind = type();
  if (kind != Type::number && kind != Type::string) fail_type("a number");
  const std::size_t start = at_;
  const std::string_view text = kind == Type::number ? scan_number() : scan_string();
  if (const std::optional<double> special = special_number(text)) return *special;
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (kind == Type::number && error == std::errc() && end == text.data() + text.size()) return value;
  at_ = start;
  fail(fmt::format("'{}' must be a number of 64 bits, not {}", key_, text));
}

std::string_view JsonReader::scan_string() {
  const std::size_t start = ++at_;
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c == '"') return text_.substr(start, at_++ - start);
    if (static_cast<unsigned char>(c) < 0x20) fail_syntax("a string holds a control character");
    ++at_;
    if (c != '\\') continue;
    const char escape = at_ < text_.size() ? text_[at_] : '\0';
    if (escape == 'u' ? !code_unit(text_.substr(at_ + 1)) : escaped_character(escape) == 0) {
      fail_syntax("a string holds an invalid escape");
    }
    at_ += escape == 'u' ? 5 : 1;
  }
  fail_expected("the end of a string");
}

std::string_view JsonReader::string() {
  if (type() != Type::string) fail_type("a string");
  const std::string_view text = scan_string();
  return text.find('\\') == text.npos ? text : keep(decode_json_string(text));
}

bool JsonReader::enter(char open, std::string_view what) {
  if (peek() != open) fail_type(what);
  ++at_;
  const char close = open == '{' ? '}' : ']';
  if (peek() == close) {
    ++at_;
    return false;
  }
  if (++depth_ > kMaxJsonDepth) {
    throw Error(
        Diagnostic{.code = Code::nested_too_deeply,
                   .message = fmt::format("JSON values are nested too deeply (limit {})", kMaxJsonDepth),
                   .file = source_.file,
                   .offset = offset(),
                   .record = source_.record,
                   .hint = "the file is damaged: save or download it again"});
  }
  return true;
}

bool JsonReader::next(char close) {
  const char c = peek();
  if (c != ',' && c != close) {
    fail_expected(fmt::format("',' or '{}'", close));
  }
  ++at_;
  return c == ',';
}

std::string_view JsonReader::member_key() {
  if (peek() != '"') fail_expected("a key");
  const std::string_view key = string();
  if (peek() != ':') fail_expected("':'");
  ++at_;
  return key;
}

void JsonReader::skip() {
  switch (type()) {
    case Type::null: return null();
    case Type::boolean: boolean(); return;
    case Type::number: scan_number(); return;
    case Type::string: scan_string(); return;
    case Type::array: return array([&] { skip(); });
    case Type::object: return object([&](std::string_view) { skip(); });
  }
}

std::string_view JsonReader::raw() {
  peek();
  const std::size_t start = at_;
  skip();
  return text_.substr(start, at_ - start);
}

std::string_view JsonReader::rest() {
  peek();
  return text_.substr(at_);
}

void JsonReader::end() {
  if (peek() != '\0' || at_ != text_.size()) fail_syntax("more text follows the value");
}

}  // namespace cameo::exported
