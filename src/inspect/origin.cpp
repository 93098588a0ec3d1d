#include "inspect/origin.h"

#include <algorithm>
#include <array>

#include "cameo/diagnostic.h"

namespace cameo::inspect {
namespace {

// Marks that only a trace leaves; its source map need not be read then.
constexpr std::array<std::string_view, 4> kTracedOnly = {"argument_1: ", "torch._convolution(",
                                                         "ops.prim.NumToTensor(", "def forward1("};
constexpr std::array<std::string_view, 1> kTracedIdioms = {"annotate(number, "};
constexpr std::array<std::string_view, 7> kScriptedIdioms = {" : Final[",
                                                             "\n    if ",
                                                             "\n    for ",
                                                             "\n    while ",
                                                             "ops.prim.RaiseException(",
                                                             "__torch__.torch.nn.functional.",
                                                             " with "};

template <std::size_t N>
bool contains_any(std::string_view text, const std::array<std::string_view, N>& idioms) {
  return std::any_of(idioms.begin(), idioms.end(),
                     [&](std::string_view idiom) { return text.find(idiom) != text.npos; });
}

// Helpers of modules, such as those for pickling, are scripted in traced programs too: only what runs counts.
bool has_code(const script::SourceFile& file) {
  const auto is_forward = [](const script::FunctionDef& method) {
    return method.name.starts_with("forward");
  };
  const auto runs = [&](const script::ClassDef& cls) {
    return cls.kind != script::ClassKind::module ||
           std::any_of(cls.methods.begin(), cls.methods.end(), is_forward);
  };
  return !file.functions.empty() || std::any_of(file.classes.begin(), file.classes.end(), runs);
}

Origin origin_of(const script::Program& program, const script::SourceFile& file) {
  if (!has_code(file)) return Origin::unknown;
  if (contains_any(file.text, kTracedOnly)) return Origin::traced;
  const script::SourceMap& map = program.source_map(file);
  if (map.traced()) return Origin::traced;
  const script::Range all = {0, static_cast<std::uint32_t>(file.text.size())};
  if (!map.locate(all, all).empty()) return Origin::scripted;
  if (contains_any(file.text, kTracedIdioms)) return Origin::traced;
  return contains_any(file.text, kScriptedIdioms) ? Origin::scripted : Origin::unknown;
}

}  // namespace

Origin gather_origin(const script::Program& program) {
  Origin result = Origin::unknown;
  for (const std::string_view name : program.code_files()) {
    const Origin origin = origin_of(program, program.file(name));
    if (origin == Origin::unknown || origin == result) continue;
    if (result != Origin::unknown) return Origin::mixed;
    result = origin;
  }
  return result;
}

std::string_view name(Origin origin) {
  switch (origin) {
    case Origin::unknown: return "unknown";
    case Origin::scripted: return "scripted";
    case Origin::traced: return "traced";
    case Origin::mixed: return "mixed";
  }
  throw InternalError("an origin without a name");
}

}  // namespace cameo::inspect
