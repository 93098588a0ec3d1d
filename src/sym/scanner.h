#pragma once
#include <cctype>
#include <cstddef>
#include <string_view>

namespace cameo::sym {

// A place in a text that moves from token to token. Spaces between tokens are skipped.
class Scanner {
 public:
  Scanner(std::string_view text, std::size_t start) : text_(text), at_(start) {}

  std::string_view text() const { return text_; }
  std::size_t at() const { return at_; }
  void set(std::size_t at) { at_ = at; }
  // The text from `start` up to here.
  std::string_view since(std::size_t start) const { return text_.substr(start, at_ - start); }

  // Returns the place of the next token.
  std::size_t skip_space() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    return at_;
  }
  bool take(std::string_view token) {
    skip_space();
    if (text_.substr(at_, token.size()) != token) return false;
    at_ += token.size();
    return true;
  }
  // The characters from here on that belong to a token; empty if there are none.
  template <class Belongs>
  std::string_view take_while(const Belongs& belongs) {
    const std::size_t start = skip_space();
    while (at_ < text_.size() && belongs(text_[at_])) ++at_;
    return since(start);
  }
  bool at_digit() {
    skip_space();
    return at_ < text_.size() && is_digit(text_[at_]);
  }
  static bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

 private:
  std::string_view text_;
  std::size_t at_;
};

}  // namespace cameo::sym
