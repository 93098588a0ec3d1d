#include "export/inputs/declared.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "base/index.h"
#include "onnx/graph/value_info.h"
#include "script/chars.h"

namespace cameo {
namespace {

[[noreturn]] void contradict(std::string message, std::string hint = {}) {
  throw Error(
      Diagnostic{.code = Code::declared_input, .message = std::move(message), .hint = std::move(hint)});
}

bool is_dynamic(const Dim& dim) { return !dim.name.empty(); }
bool is_name(const std::string& text) {
  return !text.empty() && !script::is_digit(text[0]) &&
         std::ranges::all_of(text, [](char c) { return script::is_word_char(c) || c == '.'; });
}

bool contains(const SizeRange& range, std::int64_t size) {
  return size >= range.least && (!range.most || size <= *range.most) &&
         (size - range.least) % range.step == 0;
}
bool contains(const SizeRange& outer, const SizeRange& inner) {
  return contains(outer, inner.least) && (!outer.most || (inner.most && *inner.most <= *outer.most)) &&
         inner.step % outer.step == 0;
}

// The formula with each name replaced by its text in the map.
std::string replaced(const std::string& formula, const std::map<std::string, std::string>& texts) {
  std::string out;
  for (std::size_t at = 0; at < formula.size();) {
    std::size_t end = at;
    while (end < formula.size() && (script::is_word_char(formula[end]) || formula[end] == '.')) ++end;
    if (end == at) {
      out += formula[at++];
      continue;
    }
    const std::string word = formula.substr(at, end - at);
    const auto found = texts.find(word);
    out += found == texts.end() ? word : found->second;
    at = end;
  }
  return out;
}

class Merging {
 public:
  explicit Merging(std::vector<script::DeclaredInput> declared) : declared_(std::move(declared)) {}

  void apply(const std::vector<InputSpec>& given, const DynamicAxes& axes) {
    std::size_t next = 0;
    for (const InputSpec& spec : given) {
      const std::size_t index = spec.name.empty() ? next : find(spec.name);
      if (index >= declared_.size())
        contradict(fmt::format("there are {} inputs, but the program has {}", index + 1, declared_.size()),
                   known_inputs());
      apply(declared_[index], spec, axes.names_of(declared_[index].name));
      next = index + 1;
    }
  }

  void apply(const DynamicAxes& axes) {
    for (const script::DeclaredInput& input : declared_)
      for (const auto& [axis, name] : axes.names_of(input.name))
        if (axis >= 0 && axis < std::ssize(input.shape))
          apply(input, static_cast<std::size_t>(axis), Dim(name));
  }

  std::vector<InputSpec> specs() {
    std::vector<InputSpec> out;
    for (script::DeclaredInput& input : declared_) {
      for (Dim& dim : input.shape) settle(dim);
      out.push_back(
          {std::move(input.name), TensorSpec{onnx::element_type(input.dtype), std::move(input.shape)}});
    }
    return out;
  }

 private:
  std::size_t find(const std::string& name) const {
    const auto found = std::ranges::find(declared_, name, &script::DeclaredInput::name);
    if (found == declared_.end())
      contradict(fmt::format("the program has no input '{}'", name), known_inputs());
    return static_cast<std::size_t>(found - declared_.begin());
  }

  std::string known_inputs() const {
    std::string out;
    for (const script::DeclaredInput& input : declared_) out += (out.empty() ? "" : ", ") + text_of(input);
    return fmt::format("the file declares {}", out.empty() ? "no inputs" : out);
  }

  static std::string text_of(const script::DeclaredInput& input) {
    return to_string(
        ValueInfo{.name = input.name, .type = onnx::element_type(input.dtype), .shape = input.shape});
  }

  // A size of an axis that `names` has is an example.
  void apply(const script::DeclaredInput& input, const InputSpec& spec,
             const std::vector<std::pair<std::int64_t, std::string>>& names) {
    const TensorSpec* tensor = std::get_if<TensorSpec>(&spec.value);
    if (!tensor) contradict(fmt::format("input '{}' is a tensor", input.name), known_inputs());
    if (onnx::dtype_of(tensor->type) != input.dtype || tensor->shape.size() != input.shape.size())
      contradict(fmt::format("input '{}' has another type in the file", input.name), known_inputs());
    std::vector<Dim> shape = tensor->shape;
    for (const auto& [axis, name] : names)
      if (axis >= 0 && axis < std::ssize(shape))
        if (Dim& dim = element_at(shape, axis); dim.name.empty()) dim.name = name;
    for (std::size_t axis = 0; axis < shape.size(); ++axis) apply(input, axis, shape[axis]);
  }

  void apply(const script::DeclaredInput& input, std::size_t axis, const Dim& given) {
    const Dim& declared = input.shape[axis];
    if (given.name.empty() && given.size < 0) return;
    const std::string place = fmt::format("dimension {} of input '{}'", axis, input.name);
    if (!is_dynamic(declared)) {
      if (given.size != declared.size || is_dynamic(given))
        contradict(fmt::format("{} has the fixed size {}, not {}", place, declared.size, to_string(given)),
                   "export the program again with torch.export and dynamic_shapes for this dimension");
      return;
    }
    if (!is_name(declared.name))
      contradict(fmt::format("{} is {}: its size follows from other sizes", place, declared.name),
                 "write ? for it, and name or fix the sizes that it follows from");
    if (is_dynamic(given) && !is_name(given.name))
      contradict(fmt::format("{} is one dynamic size of the program, not the formula {}", place, given.name));
    const SizeRange range = declared.range.value_or(SizeRange{});
    const bool fits =
        is_dynamic(given) ? !given.range || contains(range, *given.range) : contains(range, given.size);
    if (!fits)
      contradict(fmt::format("{} can be {}, not {}", place, to_string(range),
                             given.range ? to_string(*given.range) : to_string(given)),
                 "export the program again with torch.export and other dynamic_shapes");
    const std::string text = is_dynamic(given) ? given.name : std::to_string(given.size);
    const auto [known, fresh] = texts_.try_emplace(declared.name, text);
    if (known->second != text)
      contradict(
          fmt::format("the size {} of the program cannot be {} and {}", declared.name, known->second, text));
    if (given.range) ranges_.insert_or_assign(declared.name, *given.range);
  }

  void settle(Dim& dim) const {
    if (!is_dynamic(dim)) return;
    if (const auto range = ranges_.find(dim.name); range != ranges_.end()) dim.range = range->second;
    dim.name = replaced(dim.name, texts_);
    if (std::ranges::all_of(dim.name, script::is_digit)) dim = Dim(std::stoll(dim.name));
  }

  std::vector<script::DeclaredInput> declared_;
  std::map<std::string, std::string> texts_;  // of the sizes that get another name, or a number
  std::map<std::string, SizeRange> ranges_;   // of the sizes that get another range
};

}  // namespace

std::vector<InputSpec> with_declared_inputs(const script::Program& program, std::vector<InputSpec> given,
                                            const DynamicAxes& axes) {
  std::vector<script::DeclaredInput> declared = program.declared_inputs();
  if (declared.empty()) return given;
  try {
    Merging merging(std::move(declared));
    merging.apply(given, axes);
    merging.apply(axes);
    return merging.specs();
  } catch (Error& error) {
    for (Diagnostic& diagnostic : error.diagnostics()) diagnostic.file = program.file_name();
    throw;
  }
}

}  // namespace cameo
