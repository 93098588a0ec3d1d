#include "spec/dim_spec.h"

#include <fmt/core.h>

#include <cctype>
#include <charconv>

#include "sym/context.h"
#include "sym/parse.h"

namespace cameo {
namespace {

class DimParser {
 public:
  DimParser(std::string_view text, std::size_t start) : text_(text), at_(start) {}

  ParsedDim parse() {
    ParsedDim out;
    skip_space();
    const std::size_t start = at_;
    const bool unnamed = take("?");
    if (!unnamed) out.dim = formula();
    const std::size_t formula_end = at_;
    skip_space();
    out.range_start = at_;
    out.dim.range = range();
    if (!out.dim.range)
      at_ = formula_end;
    else if (!unnamed && !is_name_)
      fail("a range belongs to a name; a number or a formula has none", start, formula_end - start);
    out.end = at_;
    return out;
  }

 private:
  [[noreturn]] void fail(const std::string& message, std::size_t at, std::size_t length = 1) const {
    throw sym::FormulaError(message, at, length);
  }
  void skip_space() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool take(std::string_view token) {
    skip_space();
    if (text_.substr(at_, token.size()) != token) return false;
    at_ += token.size();
    return true;
  }
  bool at_digit() {
    skip_space();
    return at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_]));
  }

  Dim formula() {
    const std::size_t start = at_;
    sym::Context symbols;
    const auto [value, end] = sym::parse_formula(text_, at_, [&](std::string_view name) {
      const auto known = symbols.find_symbol(name);
      return known ? *known : symbols.symbol(name, sym::kAnyInteger);
    });
    at_ = end;
    if (const auto size = value.as_constant()) {
      if (*size < 0) fail("a size is not negative", start, at_ - start);
      return *size;
    }
    const sym::Atom* atom = value.as_atom();
    is_name_ = atom && atom->symbol;
    return is_name_ ? atom->symbol->name : std::string(text_.substr(start, at_ - start));
  }

  std::int64_t number() {
    if (!at_digit()) fail("expected a number", at_);
    const std::size_t start = at_;
    while (at_digit()) ++at_;
    std::int64_t value = 0;
    if (std::from_chars(text_.data() + start, text_.data() + at_, value).ec != std::errc())
      fail("this number is too large", start, at_ - start);
    return value;
  }

  std::optional<SizeRange> range() {
    const std::size_t start = at_;
    SizeRange range;
    bool is_given = true;
    if (take(">=")) {
      range.least = number();
    } else if (take("<=")) {
      range.most = number();
    } else if (take("=")) {
      if (at_digit()) range.least = number();
      if (!take("..")) fail("expected a range: 2..8, 2.. or ..8", at_);
      if (at_digit()) range.most = number();
    } else {
      is_given = false;
    }
    if (take("step")) {
      range.step = number();
      is_given = true;
    }
    if (!is_given) return std::nullopt;
    if (const std::string fault = fault_of(range); !fault.empty()) fail(fault, start, at_ - start);
    return range;
  }

  std::string_view text_;
  std::size_t at_;
  bool is_name_ = false;
};

}  // namespace

ParsedDim parse_dim(std::string_view text, std::size_t start) { return DimParser(text, start).parse(); }

std::string fault_of(const SizeRange& range) {
  if (range.least < 0) return "a size is not negative";
  if (range.step < 1) return "the step of a range is at least 1";
  if (range.most && *range.most < range.least)
    return fmt::format("the range is empty: {} is less than {}", *range.most, range.least);
  return {};
}

std::string add_range(SizeRanges& ranges, const Dim& dim) {
  if (!dim.range || dim.name.empty()) return {};
  const auto [known, is_new] = ranges.try_emplace(dim.name, *dim.range);
  if (is_new || known->second == *dim.range) return {};
  return fmt::format("'{}' has two ranges: {} and {}", dim.name, to_string(known->second),
                     to_string(*dim.range));
}

}  // namespace cameo
