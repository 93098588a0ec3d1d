#include "spec/meant_input.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <vector>

#include "base/dtype.h"
#include "base/nearest.h"

namespace cameo {
namespace {

struct Alias {
  std::string_view name, type;
};
constexpr Alias kAliases[] = {
    {"float", "f32"}, {"half", "f16"}, {"double", "f64"}, {"long", "i64"},
    {"short", "i16"}, {"fp16", "f16"}, {"fp32", "f32"},   {"fp64", "f64"},
};
constexpr std::string_view kTypes[] = {"f32", "f16", "bf16", "f64", "i64", "i32", "i16", "i8", "u8", "bool"};

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.'; }
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)); }

std::string lower(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

std::string_view take_word(std::string_view& text) {
  const auto end = std::ranges::find_if_not(text, is_word);
  const std::string_view word = text.substr(0, static_cast<std::size_t>(end - text.begin()));
  text.remove_prefix(word.size());
  return word;
}

// "1,3,64", "1x3x64" and "1 3 64" as items.
std::vector<std::string> split_sizes(std::string_view text) {
  const bool numbers = std::ranges::all_of(text, [](char c) { return is_digit(c) || c == 'x' || c == 'X'; });
  const std::string_view separators = text.find(',') != text.npos ? "," : numbers ? "xX" : " ";
  std::vector<std::string> out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(separators), text.size());
    out.emplace_back(trimmed(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

std::string name_of_axis(std::size_t axis, std::size_t rank) {
  if (axis == 0) return "batch";
  if (rank == 4 && axis == 2) return "height";
  if (rank == 4 && axis == 3) return "width";
  return fmt::format("n{}", axis);
}

// Calls of Python that make a tensor of their arguments' sizes.
bool makes_floats(std::string_view word) {
  const std::string_view name = word.substr(word.rfind('.') + 1);
  return name == "randn" || name == "rand" || name == "zeros" || name == "ones" || name == "empty" ||
         name == "Tensor" || name == "tensor";
}

std::string meant_type(std::string_view word) {
  if (word.empty() || makes_floats(word)) return "f32";
  if (word == "int") return "i64";
  if (element_type(word)) return std::string(word);
  std::vector<std::string> known(std::begin(kTypes), std::end(kTypes));
  for (const Alias& alias : kAliases) known.emplace_back(alias.name);
  for (const char* name : {"float32", "float16", "float64", "int64", "int32", "uint8"})
    known.emplace_back(name);
  return nearest(word, known);
}

}  // namespace

std::optional<ElementType> element_type(std::string_view word) {
  std::string name = lower(word);
  for (const std::string_view prefix : {"torch.", "np.", "numpy."})
    if (name.starts_with(prefix)) name.erase(0, prefix.size());
  const bool of_numpy = word.starts_with("np.") || word.starts_with("numpy.");
  const auto* alias = std::ranges::find(kAliases, name, &Alias::name);
  if (alias != std::end(kAliases) && !of_numpy) name = alias->type;
  const std::optional<DType> dtype = dtype_from_name(name);
  const bool has_type = dtype && !info(*dtype).onnx_name.empty();
  return has_type ? std::optional(info(*dtype).onnx) : std::nullopt;
}

std::string named_sizes(std::string_view sizes) {
  std::vector<std::string> items = split_sizes(sizes);
  for (std::size_t i = 0; i < items.size(); ++i)
    if (items[i] == "-1" || items[i] == "*" || items[i] == "?" || items[i] == "None" || items[i] == ":")
      items[i] = name_of_axis(i, items.size());
  return fmt::format("{}", fmt::join(items, ","));
}

std::string meant_input(std::string_view text, const std::function<bool(const std::string&)>& is_valid) {
  text = trimmed(text);
  std::string name;
  const std::size_t end = text.find_first_of("=:");
  if (end != text.npos && end > 0 && std::ranges::all_of(text.substr(0, end), is_word)) {
    name = fmt::format("{}=", text.substr(0, end));
    text = trimmed(text.substr(end + 1));
  }
  if (text.ends_with(".npy") && !text.starts_with("@")) return fmt::format("{}@{}", name, text);
  const bool has_word = !text.empty() && std::isalpha(static_cast<unsigned char>(text[0]));
  const std::string_view word = has_word ? take_word(text) : std::string_view();
  if (word.size() > 0 && text.empty()) return "";
  while (!text.empty() && std::string_view("([").find(text.front()) != text.npos) text.remove_prefix(1);
  while (!text.empty() && std::string_view(")],").find(text.back()) != text.npos) text.remove_suffix(1);
  std::string type = meant_type(word);
  if (type.empty() && name.empty() && word.find('.') == word.npos) {
    name = fmt::format("{}=", word);
    type = "f32";
  }
  const std::string meant = fmt::format("{}{}[{}]", name, type, named_sizes(text));
  return !type.empty() && is_valid(meant) ? meant : "";
}

}  // namespace cameo
