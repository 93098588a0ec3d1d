#include "base/json.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace cameo {
namespace {

// The length of the UTF-8 sequence at the start of `text`; 0 if there is none.
std::size_t sequence_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  const std::size_t length = lead < 0x80   ? 1
                             : lead < 0xC2 ? 0
                             : lead < 0xE0 ? 2
                             : lead < 0xF0 ? 3
                             : lead < 0xF5 ? 4
                                           : 0;
  if (length == 0 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xC0) != 0x80) return 0;
  const bool overlong = (lead == 0xE0 && byte(1) < 0xA0) || (lead == 0xF0 && byte(1) < 0x90);
  const bool beyond = (lead == 0xED && byte(1) > 0x9F) || (lead == 0xF4 && byte(1) > 0x8F);
  return overlong || beyond ? 0 : length;
}

void print_character(std::string& out, char c) {
  switch (c) {
    case '"': out += "\\\""; return;
    case '\\': out += "\\\\"; return;
    case '\b': out += "\\b"; return;
    case '\f': out += "\\f"; return;
    case '\n': out += "\\n"; return;
    case '\r': out += "\\r"; return;
    case '\t': out += "\\t"; return;
    default: break;
  }
  if (static_cast<unsigned char>(c) < 0x20)
    out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
  else
    out += c;
}

void print_string(std::string& out, std::string_view text) {
  out += '"';
  while (!text.empty()) {
    const std::size_t length = sequence_length(text);
    if (length == 1)
      print_character(out, text.front());
    else
      out += length == 0 ? std::string_view("\xEF\xBF\xBD") : text.substr(0, length);
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  out += '"';
}

void print_number(std::string& out, double value) {
  if (!std::isfinite(value)) {
    out += "null";
    return;
  }
  const std::string digits = fmt::format("{}", value);
  out += digits;
  if (digits.find_first_of(".e") == digits.npos) out += ".0";
}

}  // namespace

Json::Json() = default;
Json::Json(std::nullptr_t) {}
Json::Json(const char* text) : Json(std::string(text)) {}
Json::Json(std::string_view text) : Json(std::string(text)) {}
Json::Json(std::string text) : kind_(Kind::string), string_(std::move(text)) {}
Json::Json(bool value) : kind_(Kind::boolean), boolean_(value) {}
Json::Json(double value) : kind_(Kind::number), number_(value) {}
Json::Json(Integer value) : kind_(Kind::integer), integer_(value.value) {}
Json::Json(Unsigned value) : kind_(Kind::unsigned_integer), unsigned_(value.value) {}
Json::Json(const Json&) = default;
Json::Json(Json&&) noexcept = default;
Json& Json::operator=(const Json&) = default;
Json& Json::operator=(Json&&) noexcept = default;
Json::~Json() = default;

Json::Json(std::initializer_list<Json> items) : kind_(Kind::array) {
  if (!std::all_of(items.begin(), items.end(), [](const Json& item) { return item.is_member(); })) {
    items_ = items;
    return;
  }
  kind_ = Kind::object;
  for (const Json& item : items) (*this)[item.items_[0].string_] = item.items_[1];
}

bool Json::is_member() const {
  return kind_ == Kind::array && items_.size() == 2 && items_[0].kind_ == Kind::string;
}

Json Json::array(std::initializer_list<Json> items) {
  Json out;
  out.kind_ = Kind::array;
  out.items_ = items;
  return out;
}

Json Json::object() {
  Json out;
  out.kind_ = Kind::object;
  return out;
}

void Json::push_back(Json value) { emplace_back(std::move(value)); }

Json& Json::emplace_back(Json value) {
  if (kind_ == Kind::null) kind_ = Kind::array;
  return items_.emplace_back(std::move(value));
}

Json& Json::operator[](std::string_view key) {
  if (kind_ == Kind::null) kind_ = Kind::object;
  const auto found = std::find(keys_.begin(), keys_.end(), key);
  const auto place = std::distance(keys_.begin(), found);
  if (found == keys_.end()) {
    keys_.emplace_back(key);
    items_.emplace_back();
  }
  return *(items_.begin() + place);
}

std::string Json::text() const {
  std::string out;
  print(out, 0);
  out += '\n';
  return out;
}

void Json::print(std::string& out, std::size_t indent) const {
  switch (kind_) {
    case Kind::null: out += "null"; return;
    case Kind::boolean: out += boolean_ ? "true" : "false"; return;
    case Kind::integer: out += std::to_string(integer_); return;
    case Kind::unsigned_integer: out += std::to_string(unsigned_); return;
    case Kind::number: print_number(out, number_); return;
    case Kind::string: print_string(out, string_); return;
    case Kind::array:
    case Kind::object: print_items(out, indent); return;
  }
}

void Json::print_items(std::string& out, std::size_t indent) const {
  const bool object = kind_ == Kind::object;
  out += object ? '{' : '[';
  for (std::size_t i = 0; i < items_.size(); ++i) {
    out += i == 0 ? "\n" : ",\n";
    out.append(indent + 2, ' ');
    if (object) {
      print_string(out, keys_[i]);
      out += ": ";
    }
    items_[i].print(out, indent + 2);
  }
  if (!items_.empty()) {
    out += '\n';
    out.append(indent, ' ');
  }
  out += object ? '}' : ']';
}

}  // namespace cameo
