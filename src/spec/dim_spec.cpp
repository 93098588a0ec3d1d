#include "spec/dim_spec.h"

#include <fmt/core.h>

#include <charconv>

#include "sym/context.h"
#include "sym/parse.h"
#include "sym/scanner.h"

namespace cameo {
namespace {

class DimParser {
 public:
  DimParser(std::string_view text, std::size_t start) : scan_(text, start) {}

  ParsedDim parse() {
    ParsedDim out;
    const std::size_t start = scan_.skip_space();
    const bool unnamed = scan_.take("?");
    if (!unnamed) out.dim = formula();
    const std::size_t formula_end = scan_.at();
    out.range_start = scan_.skip_space();
    out.dim.range = range();
    if (!out.dim.range)
      scan_.set(formula_end);
    else if (!unnamed && !is_name_)
      fail("a range belongs to a name; a number or a formula has none", start, formula_end - start);
    out.end = scan_.at();
    return out;
  }

 private:
  [[noreturn]] void fail(const std::string& message, std::size_t at, std::size_t length = 1) const {
    throw sym::FormulaError(message, at, length);
  }

  Dim formula() {
    const std::size_t start = scan_.at();
    sym::Context symbols;
    const auto [value, end] = sym::parse_formula(scan_.text(), start, [&](std::string_view name) {
      const auto known = symbols.find_symbol(name);
      return known ? *known : symbols.symbol(name, sym::kAnyInteger);
    });
    scan_.set(end);
    if (const auto size = value.as_constant()) {
      if (*size < 0) fail("a size is not negative", start, scan_.at() - start);
      return *size;
    }
    const sym::Atom* atom = value.as_atom();
    is_name_ = atom && atom->symbol;
    if (is_name_ && atom->symbol->name == "None") return {};
    return is_name_ ? atom->symbol->name : std::string(scan_.since(start));
  }

  std::int64_t number() {
    if (!scan_.at_digit()) fail("expected a number", scan_.at());
    const std::size_t start = scan_.at();
    const std::string_view digits = scan_.take_while(sym::Scanner::is_digit);
    std::int64_t value = 0;
    if (std::from_chars(digits.data(), digits.data() + digits.size(), value).ec != std::errc())
      fail("this number is too large", start, digits.size());
    return value;
  }

  std::optional<SizeRange> range() {
    const std::size_t start = scan_.at();
    SizeRange range;
    bool is_given = true;
    if (scan_.take(">=")) {
      range.least = number();
    } else if (scan_.take("<=")) {
      range.most = number();
    } else if (scan_.take("=")) {
      if (scan_.at_digit()) range.least = number();
      if (!scan_.take("..")) fail("expected a range: 2..8, 2.. or ..8", scan_.at());
      if (scan_.at_digit()) range.most = number();
    } else {
      is_given = false;
    }
    if (scan_.take("step")) {
      range.step = number();
      is_given = true;
    }
    if (!is_given) return std::nullopt;
    if (const std::string fault = fault_of(range); !fault.empty()) fail(fault, start, scan_.at() - start);
    return range;
  }

  sym::Scanner scan_;
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
