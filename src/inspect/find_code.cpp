#include "inspect/find_code.h"

#include <algorithm>

#include "inspect/modules.h"

namespace cameo::inspect {
namespace {

using script::ClassDef;
using script::FunctionDef;
using script::SourceFile;

std::string_view simple_name(std::string_view qualified) {
  return qualified.substr(qualified.rfind('.') + 1);
}

// "code/__torch__/a/b.py" → "__torch__.a.b"
std::string qualifier(std::string_view file) {
  if (file.starts_with("code/")) file.remove_prefix(5);
  if (file.ends_with(".py")) file.remove_suffix(3);
  std::string text(file);
  for (char& c : text) {
    if (c == '/') c = '.';
  }
  return text;
}

Code whole(const SourceFile& file) {
  return {std::string(file.name), &file, {0, static_cast<std::uint32_t>(file.text.size())}};
}

// The code of `method` of a class; the class itself if `method` is empty.
std::vector<Code> in_class(const script::Program& program, const std::string& qualified,
                           std::string_view method) {
  const auto cls = program.find_class(qualified);
  if (!cls) return {};
  if (method.empty()) return {{qualified, cls.file, cls.def->range}};
  const FunctionDef* function = program.find_method(*cls.def, method);
  if (function == nullptr) return {};
  return {{qualified + "." + std::string(method), cls.file, function->range}};
}

std::vector<Code> by_module(const script::Program& program, const std::string& name) {
  const ModuleTree tree = gather_modules(program);
  const std::size_t dot = name.rfind('.');
  for (const Module& module : tree.modules) {
    if (module.path == name && !name.empty()) return in_class(program, module.qualified, "");
  }
  const std::string path = dot == name.npos ? "" : name.substr(0, dot);
  for (const Module& module : tree.modules) {
    if (module.path == path) return in_class(program, module.qualified, simple_name(name));
  }
  return {};
}

std::vector<Code> by_file(const script::Program& program, const std::string& name) {
  std::vector<Code> found;
  for (const std::string_view file : program.code_files()) {
    if (file == name || file == "code/" + name || file.ends_with("/" + name))
      found.push_back(whole(program.file(file)));
  }
  return found;
}

template <class Def>
void add_if(const SourceFile& file, const Def& def, const std::string& name, std::vector<Code>& found) {
  const std::string qualified = qualifier(file.name) + "." + std::string(def.name);
  if (name == qualified || name == def.name || name == script::demangle(qualified)) {
    found.push_back({qualified, &file, def.range});
  }
}

std::vector<Code> by_definition(const script::Program& program, const std::string& name) {
  std::vector<Code> found;
  for (const std::string_view each : program.code_files()) {
    const SourceFile& file = program.file(each);
    for (const ClassDef& cls : file.classes) add_if(file, cls, name, found);
    for (const FunctionDef& function : file.functions) add_if(file, function, name, found);
  }
  return found;
}

// "Net.forward" of a class rather than of a module.
std::vector<Code> by_method(const script::Program& program, const std::string& name) {
  const std::size_t dot = name.rfind('.');
  if (dot == name.npos) return {};
  std::vector<Code> found;
  for (const Code& cls : by_definition(program, name.substr(0, dot))) {
    for (Code& code : in_class(program, cls.title, simple_name(name))) found.push_back(std::move(code));
  }
  return found;
}

}  // namespace

std::vector<Code> find_code(const script::Program& program, const std::string& name) {
  for (const auto reading : {by_module, by_file, by_definition, by_method}) {
    if (std::vector<Code> found = reading(program, name); !found.empty()) return found;
  }
  return {};
}

Code code_at(const script::Program& program, std::string_view name, int line) {
  const SourceFile& file = program.file(name);
  const auto holds = [&](script::Range range) {
    const auto first = std::ranges::count(file.text.substr(0, range.begin), '\n') + 1;
    const auto lines = std::ranges::count(file.text.substr(range.begin, range.end - range.begin), '\n');
    return first <= line && line <= first + lines;
  };
  const std::string prefix = qualifier(name) + ".";
  for (const FunctionDef& function : file.functions)
    if (holds(function.range)) return {prefix + std::string(function.name), &file, function.range};
  for (const ClassDef& cls : file.classes)
    for (const FunctionDef& method : cls.methods)
      if (holds(method.range))
        return {prefix + std::string(cls.name) + "." + std::string(method.name), &file, method.range};
  return {};
}

std::vector<std::string> names_of_code(const script::Program& program) {
  std::vector<std::string> names;
  for (const Module& module : gather_modules(program).modules) names.push_back(module.path);
  for (const std::string_view each : program.code_files()) {
    const SourceFile& file = program.file(each);
    names.emplace_back(simple_name(qualifier(each)) == "__torch__" ? each : each.substr(each.rfind('/') + 1));
    for (const ClassDef& cls : file.classes) names.emplace_back(cls.name);
    for (const FunctionDef& function : file.functions) names.emplace_back(function.name);
  }
  return names;
}

}  // namespace cameo::inspect
