#pragma once
// A reader of JSON text as Python's json module writes it. The caller asks for the values one after the other, in the
// order of the text, and no tree of values is built. Reading takes time linear in the text.

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

namespace cameo::exported {

// Strings that had to be decoded. They stay at their addresses.
using Texts = std::deque<std::string>;

// Where a text comes from, for diagnostics.
struct JsonSource {
  std::string file;
  std::string record;
  // Of a text that is itself a string of the record: the offset of that string. All errors are reported there.
  std::optional<std::uint64_t> offset;
};

// All functions throw Error (bad-json, bad-exported-program, nested-too-deeply) with the offset of the fault.
class JsonReader {
 public:
  enum class Type : std::uint8_t { null, boolean, number, string, array, object };

  // `text` and `texts` must outlive the reader and all views that it returns.
  JsonReader(std::string_view text, Texts& texts, JsonSource source);

  // A reader of a part of the text that raw() returned.
  JsonReader part(std::string_view raw) const;

  Type type();  // of the next value
  bool next_is_null() { return type() == Type::null; }

  // Each reads the next value.
  void null();
  bool boolean();
  std::int64_t integer();     // exact; fails beyond 64 bits
  double real();              // a number, Infinity, -Infinity, NaN, or one of the latter as a string
  std::string_view number();  // the digits of a number as they are; Infinity, -Infinity and NaN too
  std::string_view string();  // a view of the text, or of `texts` if the string has escapes
  std::string_view raw();     // any value, checked and skipped: its text

  // `member` must read the value of `key`. Equal keys are passed on as they come.
  template <class F>
  void object(const F& member) {
    if (!enter('{', "an object")) return;
    do {
      const std::string_view key = member_key();
      key_ = key;
      member(key);
    } while (next('}'));
    --depth_;
  }

  // `item` must read one value.
  template <class F>
  void array(const F& item) {
    const std::string_view key = key_;
    if (!enter('[', "a list")) return;
    do {
      key_ = key;
      item();
    } while (next(']'));
    --depth_;
  }

  std::string_view rest();  // the text from the next value on
  void end();               // requires that only white space follows

  const JsonSource& source() const { return source_; }
  std::uint64_t offset() const;  // of the next value
  Texts& texts() const { return *texts_; }
  std::string_view keep(std::string text) const { return texts_->emplace_back(std::move(text)); }

  // The structure is not as expected: "the graph has no 'nodes'".
  [[noreturn]] void fail(std::string message) const;

 private:
  [[noreturn]] void fail_syntax(std::string message) const;
  [[noreturn]] void fail_expected(std::string_view what) const;
  [[noreturn]] void fail_type(std::string_view expected);
  char peek();                                   // the next character that is not white space, 0 at the end
  bool enter(char open, std::string_view what);  // false: the container is empty and has been read
  bool next(char close);
  std::string_view member_key();
  bool take(std::string_view token);
  std::string_view scan_string();  // the characters between the quotes, escapes included
  std::string_view scan_number();
  void skip();

  std::string_view text_;  // to be read
  std::size_t at_ = 0;
  const char* begin_;  // of the record: offsets count from here
  Texts* texts_;
  JsonSource source_;
  std::string_view key_;  // of the value that is read, for diagnostics
  int depth_ = 0;
};

// The text of a string between its quotes, with escapes decoded. Half of a surrogate pair becomes U+FFFD. Requires valid
// escapes.
std::string decode_json_string(std::string_view escaped);

}  // namespace cameo::exported
