// Strings: the methods of TorchScript.
#include <algorithm>
#include <cctype>

#include <fmt/core.h>

#include "base/index.h"
#include "eval/builtins/builtins.h"
#include "eval/builtins/text.h"

namespace cameo::eval {
namespace strings {
namespace {

using Args = const Arguments&;
using Result = std::optional<Value>;

const std::string* text_at(Args args, std::size_t i = 0) {
  return i < args.positional.size() ? args.positional[i].get_if<std::string>() : nullptr;
}

std::int64_t number_at(Args args, std::size_t i, std::string_view name, std::int64_t absent) {
  const Value* v = args.find(i, name);
  return v && !v->is_none() ? known_int(*v, name) : absent;
}

Result add(Evaluation&, Args args) {
  const std::string *a = text_at(args), *b = text_at(args, 1);
  return a && b ? Result(Value(*a + *b)) : std::nullopt;
}
Result multiply(Evaluation&, Args args) {
  const std::string* a = text_at(args);
  if (!a || args.positional.size() != 2) return std::nullopt;
  std::string out;
  for (std::int64_t n = known_int(args.positional[1], "a repetition"); n > 0; --n) out += *a;
  return Value(out);
}
Result length(Evaluation&, Args args) {
  const std::string* a = text_at(args);
  return a ? Result(Value(std::ssize(*a))) : std::nullopt;
}

template <class Compare>
Result compare(Evaluation&, Args args) {
  const std::string *a = text_at(args), *b = text_at(args, 1);
  return a && b ? Result(Value(Compare()(*a, *b))) : std::nullopt;
}

Result contains(Evaluation&, Args args) {
  const std::string *a = text_at(args), *b = text_at(args, 1);
  return a && b ? Result(Value(a->find(*b) != std::string::npos)) : std::nullopt;
}

Result get_item(Evaluation& ev, Args args) {
  const std::string* a = text_at(args);
  if (!a) return std::nullopt;
  std::int64_t i = known_int(args.at(1), "the index of a string");
  if (i < 0) i += std::ssize(*a);
  if (i < 0 || i >= std::ssize(*a)) ev.reporter.raise("string index out of range");
  return Value(std::string(1, element_at(*a, i)));
}

Result slice(Evaluation& ev, Args args) {
  const std::string* a = text_at(args);
  if (!a) return std::nullopt;
  std::vector<Value> letters;
  for (char c : *a) letters.push_back(std::string(1, c));
  Arguments list_args = args;
  list_args.positional[0] = ev.memory.make_list(std::move(letters));
  Result part = run_builtin(ev, "aten::slice", list_args);
  std::string out;
  for (const Value& v : (*part->get_if<ListPtr>())->items) out += *v.get_if<std::string>();
  return Value(out);
}

template <int (*F)(int)>
Result mapped(Evaluation&, Args args) {
  const std::string* a = text_at(args);
  if (!a) return std::nullopt;
  std::string out = *a;
  for (char& c : out) c = static_cast<char>(F(static_cast<unsigned char>(c)));
  return Value(out);
}

template <int (*F)(int)>
Result all_are(Evaluation&, Args args) {
  const std::string* a = text_at(args);
  if (!a) return std::nullopt;
  return Value(!a->empty() && std::ranges::all_of(*a, [](unsigned char c) { return F(c) != 0; }));
}

Result capitalize(Evaluation&, Args args) {
  const std::string* a = text_at(args);
  if (!a) return std::nullopt;
  std::string out = *a;
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = static_cast<char>(i == 0 ? std::toupper(static_cast<unsigned char>(out[i]))
                                      : std::tolower(static_cast<unsigned char>(out[i])));
  return Value(out);
}

template <bool Left, bool Right>
Result strip(Evaluation&, Args args) {
  const std::string* a = text_at(args);
  if (!a) return std::nullopt;
  const std::string* given = text_at(args, 1);
  const std::string chars = given ? *given : " \n\t\f\v\r";
  std::size_t first = Left ? a->find_first_not_of(chars) : 0;
  if (first == std::string::npos) return Value(std::string());
  std::size_t last = Right ? a->find_last_not_of(chars) : a->size() - 1;
  if (a->empty() || last == std::string::npos) return Value(std::string());
  return Value(a->substr(first, last - first + 1));
}

Result split(Evaluation& ev, Args args) {
  const std::string* a = text_at(args);
  if (!a) return std::nullopt;
  const std::string* separator = text_at(args, 1);
  const std::int64_t most = number_at(args, 2, "max", -1);
  std::vector<Value> out;
  std::size_t at = 0;
  if (!separator) {
    while (true) {
      at = a->find_first_not_of(" \n\t\f\v\r", at);
      if (at == std::string::npos) break;
      if (most >= 0 && std::ssize(out) == most) {
        out.push_back(a->substr(at));
        break;
      }
      std::size_t end = a->find_first_of(" \n\t\f\v\r", at);
      out.push_back(a->substr(at, end - at));
      if (end == std::string::npos) break;
      at = end;
    }
    return ev.memory.make_list(std::move(out));
  }
  if (separator->empty()) ev.reporter.raise("empty separator");
  while (most < 0 || std::ssize(out) < most) {
    std::size_t found = a->find(*separator, at);
    if (found == std::string::npos) break;
    out.push_back(a->substr(at, found - at));
    at = found + separator->size();
  }
  out.push_back(a->substr(at));
  return ev.memory.make_list(std::move(out));
}

Result split_lines(Evaluation& ev, Args args) {
  const std::string* a = text_at(args);
  if (!a) return std::nullopt;
  std::vector<Value> out;
  for (std::size_t at = 0; at < a->size();) {
    std::size_t end = a->find('\n', at);
    out.push_back(a->substr(at, end - at));
    at = end == std::string::npos ? a->size() : end + 1;
  }
  return ev.memory.make_list(std::move(out));
}

Result join(Evaluation&, Args args) {
  const std::string* a = text_at(args);
  const ListPtr* list = args.positional.size() > 1 ? args.positional[1].get_if<ListPtr>() : nullptr;
  if (!a || !list) return std::nullopt;
  std::string out;
  for (std::size_t i = 0; i < (*list)->items.size(); ++i)
    out += (i ? *a : std::string()) + known_string((*list)->items[i], "an item to join");
  return Value(out);
}

// The part of a string between the arguments start and end of find and similar methods.
std::string_view part(Args args, std::size_t first, const std::string& text, std::int64_t& start) {
  const auto count = std::ssize(text);
  start = number_at(args, first, "start", 0);
  std::int64_t end = number_at(args, first + 1, "end", count);
  if (start < 0) start += count;
  if (end < 0) end += count;
  start = std::clamp<std::int64_t>(start, 0, count);
  end = std::clamp<std::int64_t>(end, start, count);
  return {text.begin() + start, text.begin() + end};
}

template <bool Last, bool Raises>
Result find(Evaluation& ev, Args args) {
  const std::string *a = text_at(args), *b = text_at(args, 1);
  if (!a || !b) return std::nullopt;
  std::int64_t start = 0;
  std::string_view within = part(args, 2, *a, start);
  std::size_t at = Last ? within.rfind(*b) : within.find(*b);
  if (at != std::string_view::npos) return Value(static_cast<std::int64_t>(at) + start);
  if (Raises) ev.reporter.raise("ValueError: substring not found");
  return Value(std::int64_t{-1});
}

template <bool Start>
Result affix(Evaluation&, Args args) {
  const std::string *a = text_at(args), *b = text_at(args, 1);
  if (!a || !b) return std::nullopt;
  std::int64_t start = 0;
  std::string_view within = part(args, 2, *a, start);
  return Value(Start ? within.starts_with(*b) : within.ends_with(*b));
}

Result count(Evaluation&, Args args) {
  const std::string *a = text_at(args), *b = text_at(args, 1);
  if (!a || !b) return std::nullopt;
  std::int64_t start = 0, found = 0;
  std::string_view within = part(args, 2, *a, start);
  if (b->empty()) return Value(std::ssize(within) + 1);
  for (std::size_t at = within.find(*b); at != std::string_view::npos; at = within.find(*b, at + b->size()))
    ++found;
  return Value(found);
}

Result replace(Evaluation&, Args args) {
  const std::string *a = text_at(args), *from = text_at(args, 1), *to = text_at(args, 2);
  if (!a || !from || !to) return std::nullopt;
  std::int64_t most = number_at(args, 3, "max", -1);
  std::string out;
  std::size_t at = 0;
  for (std::size_t found; !from->empty() && most != 0 && (found = a->find(*from, at)) != std::string::npos;
       --most) {
    out += a->substr(at, found - at) + *to;
    at = found + from->size();
  }
  return Value(out + a->substr(at));
}

template <bool Last>
Result partition(Evaluation&, Args args) {
  const std::string *a = text_at(args), *b = text_at(args, 1);
  if (!a || !b) return std::nullopt;
  std::size_t at = Last ? a->rfind(*b) : a->find(*b);
  if (at == std::string::npos)
    return Last ? make_tuple({std::string(), std::string(), *a})
                : make_tuple({*a, std::string(), std::string()});
  return make_tuple({a->substr(0, at), *b, a->substr(at + b->size())});
}

template <int Side>  // -1 left, 0 centre, 1 right
Result justify(Evaluation&, Args args) {
  const std::string* a = text_at(args);
  if (!a) return std::nullopt;
  const auto width = static_cast<std::size_t>(std::max<std::int64_t>(known_int(args.at(1), "a width"), 0));
  const std::string* fill = text_at(args, 2);
  const char c = fill && !fill->empty() ? (*fill)[0] : ' ';
  if (width <= a->size()) return Value(*a);
  const std::size_t missing = width - a->size();
  const std::size_t left = Side < 0 ? 0 : Side > 0 ? missing : missing / 2 + (missing & width & 1);
  return Value(std::string(left, c) + *a + std::string(missing - left, c));
}

Result zfill(Evaluation&, Args args) {
  const std::string* a = text_at(args);
  if (!a) return std::nullopt;
  const auto width = static_cast<std::size_t>(std::max<std::int64_t>(known_int(args.at(1), "a width"), 0));
  if (width <= a->size()) return Value(*a);
  const std::size_t sign = !a->empty() && ((*a)[0] == '-' || (*a)[0] == '+') ? 1 : 0;
  return Value(a->substr(0, sign) + std::string(width - a->size(), '0') + a->substr(sign));
}

Result ordinal(Evaluation& ev, Args args) {
  const std::string* a = text_at(args);
  if (!a) return std::nullopt;
  if (a->size() != 1) ev.reporter.raise("ord() expected a character");
  return Value(static_cast<std::int64_t>(static_cast<unsigned char>((*a)[0])));
}
Result character(Evaluation&, Args args) {
  if (args.positional.empty() || !args.positional[0].is_int()) return std::nullopt;
  return Value(std::string(1, static_cast<char>(known_int(args.positional[0], "a character"))));
}
template <int Base>
Result digits(Evaluation&, Args args) {
  if (args.positional.empty() || !args.positional[0].is_int()) return std::nullopt;
  std::int64_t n = known_int(args.positional[0], "a number");
  const auto magnitude = n < 0 ? 0 - static_cast<std::uint64_t>(n) : static_cast<std::uint64_t>(n);
  std::string body = Base == 16  ? fmt::format("0x{:x}", magnitude)
                     : Base == 8 ? fmt::format("0o{:o}", magnitude)
                                 : fmt::format("0b{:b}", magnitude);
  return Value((n < 0 ? "-" : "") + body);
}

Result to_text(Evaluation&, Args args) {
  return args.positional.size() == 1 ? Result(Value(text_of(args.positional[0]))) : std::nullopt;
}

// "{} and {}".format(a, b)
Result format(Evaluation& ev, Args args) {
  const std::string* a = text_at(args);
  if (!a) return std::nullopt;
  std::string out;
  std::size_t next = 1;
  for (std::size_t i = 0; i < a->size(); ++i) {
    if (a->compare(i, 2, "{}") == 0) {
      if (next >= args.positional.size()) ev.reporter.raise("Too few arguments for format string");
      out += text_of(args.positional[next++]);
      ++i;
    } else {
      out += (*a)[i];
    }
  }
  return Value(out);
}

// "%d of %s" % (a, b)
Result percent_format(Evaluation& ev, Args args) {
  const std::string* a = text_at(args);
  if (!a) return std::nullopt;
  std::vector<Value> values(args.positional.begin() + 1, args.positional.end());
  if (values.size() == 1)
    if (const TuplePtr* tuple = values[0].get_if<TuplePtr>()) values = (*tuple)->items;
  std::string out;
  std::size_t next = 0;
  for (std::size_t i = 0; i < a->size(); ++i) {
    if ((*a)[i] != '%' || i + 1 >= a->size()) {
      out += (*a)[i];
      continue;
    }
    if ((*a)[++i] == '%') {
      out += '%';
      continue;
    }
    std::size_t spec = i;
    while (spec < a->size() && !std::isalpha(static_cast<unsigned char>((*a)[spec]))) ++spec;
    if (spec == a->size() || next >= values.size()) ev.reporter.raise("Too few arguments for format string");
    out += formatted(values[next++], std::string_view(*a).substr(i, spec - i), (*a)[spec]);
    i = spec;
  }
  return Value(out);
}

constexpr NamedBuiltin kStrings[] = {
    {"aten::add", add},
    {"aten::mul", multiply},
    {"aten::len", length},
    {"aten::eq", compare<std::equal_to<>>},
    {"aten::ne", compare<std::not_equal_to<>>},
    {"aten::lt", compare<std::less<>>},
    {"aten::le", compare<std::less_equal<>>},
    {"aten::gt", compare<std::greater<>>},
    {"aten::ge", compare<std::greater_equal<>>},
    {"aten::__contains__", contains},
    {"aten::__getitem__", get_item},
    {"prim::StringIndex", get_item},
    {"aten::slice", slice},
    {"aten::lower", mapped<std::tolower>},
    {"aten::upper", mapped<std::toupper>},
    {"aten::capitalize", capitalize},
    {"aten::isdigit", all_are<std::isdigit>},
    {"aten::isdecimal", all_are<std::isdigit>},
    {"aten::isnumeric", all_are<std::isdigit>},
    {"aten::isalpha", all_are<std::isalpha>},
    {"aten::isalnum", all_are<std::isalnum>},
    {"aten::isspace", all_are<std::isspace>},
    {"aten::islower", all_are<std::islower>},
    {"aten::isupper", all_are<std::isupper>},
    {"aten::isprintable", all_are<std::isprint>},
    {"aten::strip", strip<true, true>},
    {"aten::lstrip", strip<true, false>},
    {"aten::rstrip", strip<false, true>},
    {"aten::split", split},
    {"aten::splitlines", split_lines},
    {"aten::join", join},
    {"aten::find", find<false, false>},
    {"aten::rfind", find<true, false>},
    {"aten::index", find<false, true>},
    {"aten::rindex", find<true, true>},
    {"aten::startswith", affix<true>},
    {"aten::endswith", affix<false>},
    {"aten::count", count},
    {"aten::replace", replace},
    {"aten::partition", partition<false>},
    {"aten::rpartition", partition<true>},
    {"aten::ljust", justify<-1>},
    {"aten::rjust", justify<1>},
    {"aten::center", justify<0>},
    {"aten::zfill", zfill},
    {"aten::ord", ordinal},
    {"aten::chr", character},
    {"aten::hex", digits<16>},
    {"aten::oct", digits<8>},
    {"aten::bin", digits<2>},
    {"aten::str", to_text},
    {"aten::format", format},
    {"aten::percentFormat", percent_format},
};

}  // namespace
}  // namespace strings

std::span<const NamedBuiltin> string_builtins() { return strings::kStrings; }

}  // namespace cameo::eval
