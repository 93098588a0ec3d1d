#pragma once
// A JSON document that a report builds and prints. Cameo writes JSON in many places; this class keeps the
// cost of compiling them low.

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <vector>

namespace cameo {

class Json {
 public:
  Json();  // null
  Json(std::nullptr_t);
  Json(const char* text);
  Json(std::string_view text);
  Json(std::string text);
  Json(bool value);
  Json(double value);  // NaN and the infinities are printed as null
  template <std::signed_integral T>
  Json(T value) : Json(Integer{static_cast<std::int64_t>(value)}) {}
  template <std::unsigned_integral T>
  Json(T value) : Json(Unsigned{static_cast<std::uint64_t>(value)}) {}
  template <class T>
  Json(const std::vector<T>& values) : Json(array()) {
    for (const T& value : values) push_back(value);
  }
  template <class T>
  Json(const std::optional<T>& value) : Json(value ? Json(*value) : Json()) {}
  // An object if every item is a pair of a string and a value, an array otherwise.
  Json(std::initializer_list<Json> items);
  Json(const Json&);
  Json(Json&&) noexcept;
  Json& operator=(const Json&);
  Json& operator=(Json&&) noexcept;
  ~Json();

  static Json array(std::initializer_list<Json> items = {});
  static Json object();

  bool empty() const { return items_.empty(); }
  Json& front() { return items_.front(); }
  Json& back() { return items_.back(); }

  // A null becomes an array, or an object. Requires an array, or an object.
  void push_back(Json value);
  Json& emplace_back(Json value);
  Json& operator[](std::string_view key);  // keys stay in the order in which they were added

  // The document with an indentation of two spaces and a newline at the end. Bytes that are not UTF-8 are
  // printed as U+FFFD.
  std::string text() const;

 private:
  enum class Kind : std::uint8_t { null, boolean, integer, unsigned_integer, number, string, array, object };
  struct Integer {
    std::int64_t value;
  };
  struct Unsigned {
    std::uint64_t value;
  };
  explicit Json(Integer value);
  explicit Json(Unsigned value);

  bool is_member() const;  // a pair of a string and a value
  void print(std::string& out, std::size_t indent) const;
  void print_items(std::string& out, std::size_t indent) const;

  Kind kind_ = Kind::null;
  union {
    bool boolean_;
    std::int64_t integer_ = 0;
    std::uint64_t unsigned_;
    double number_;
  };
  std::string string_;
  std::vector<Json> items_;
  std::vector<std::string> keys_;  // of an object, beside items_
};

}  // namespace cameo
