#include "script/program.h"

#include <fmt/core.h>

#include <algorithm>

#include "script/archive_source.h"
#include "script/chars.h"
#include "script/fault.h"
#include "script/parse.h"

namespace cameo::script {
namespace {

constexpr std::string_view kMangle = "___torch_mangle_";

bool contains(Range outer, Range inner) { return outer.begin <= inner.begin && inner.begin < outer.end; }

struct Enclosing {
  const ClassDef* cls = nullptr;
  const FunctionDef* function = nullptr;
};

Enclosing enclosing(const SourceFile& file, Range range) {
  const auto in = [&](const auto& defs) {
    const auto found =
        std::find_if(defs.begin(), defs.end(), [&](const auto& def) { return contains(def.range, range); });
    return found == defs.end() ? nullptr : &*found;
  };
  const ClassDef* cls = in(file.classes);
  return {cls, cls ? in(cls->methods) : in(file.functions)};
}

template <class Def>
const Def* find_named(const std::vector<Def>& defs, std::string_view name) {
  const auto found = std::find_if(defs.begin(), defs.end(), [&](const Def& def) { return def.name == name; });
  return found == defs.end() ? nullptr : &*found;
}

// Splits at the last dot: "__torch__.a.C" → "__torch__.a" and "C".
std::pair<std::string_view, std::string_view> split(std::string_view qualified) {
  const std::size_t dot = qualified.rfind('.');
  if (dot == qualified.npos) return {{}, qualified};
  return {qualified.substr(0, dot), qualified.substr(dot + 1)};
}

}  // namespace

Program::Program(std::shared_ptr<const archive::Archive> archive)
    : Program(std::make_unique<ArchiveSource>(std::move(archive))) {}

Definition<ClassDef> Program::find_class(std::string_view qualified) const {
  const auto [qualifier, name] = split(qualified);
  const SourceFile* file = file_of_qualifier(qualifier);
  const ClassDef* def = file ? find_named(file->classes, name) : nullptr;
  return {def, def ? file : nullptr};
}

Definition<FunctionDef> Program::find_function(std::string_view qualified) const {
  const auto [qualifier, name] = split(qualified);
  const SourceFile* file = file_of_qualifier(qualifier);
  const FunctionDef* def = file ? find_named(file->functions, name) : nullptr;
  return {def, def ? file : nullptr};
}

const FunctionDef* Program::find_method(const ClassDef& cls, std::string_view name) const {
  return find_named(cls.methods, name);
}

// Null for a mere namespace, and for the classes of C++, of which old files hold stubs.
const SourceFile* Program::file_of_qualifier(std::string_view qualifier) const {
  if (qualifier.starts_with("__torch__.torch.classes.") || qualifier == "__torch__.torch.classes")
    return nullptr;
  std::string name = fmt::format("code/{}.py", qualifier);
  std::replace(name.begin() + 5, name.end() - 3, '.', '/');
  return find_file(name);
}

const SourceFile& Program::file(std::string_view name) const {
  if (const SourceFile* found = find_file(name)) return *found;
  throw Error(Diagnostic{.code = Code::missing_record,
                         .message = fmt::format("the archive has no record '{}'", name),
                         .file = file_name(),
                         .record = std::string(name)});
}

const SourceFile* Program::find_file(std::string_view name) const {
  if (const auto known = files_.find(name); known != files_.end()) return known->second.get();
  const std::optional<std::string_view> text = source_->code(name);
  if (!text) return nullptr;
  const auto [entry, fresh] = files_.try_emplace(std::string(name));
  try {
    entry->second = std::make_unique<SourceFile>(parse(entry->first, *text));
  } catch (Error& error) {
    for (Diagnostic& diagnostic : error.diagnostics()) diagnostic.file = file_name();
    files_.erase(entry);
    throw;
  }
  return entry->second.get();
}

const SourceMap& Program::source_map(const SourceFile& file) const {
  std::unique_ptr<SourceMap>& map = maps_[&file];
  if (!map) map = source_->source_map(file.name);
  return *map;
}

Position Program::script_position(const SourceFile& file, Range range) const {
  Position position = position_of(file.name, file.text, range);
  if (const auto [cls, function] = enclosing(file, range); function) {
    position.function = cls ? fmt::format("{}.{}", cls->name, function->name) : std::string(function->name);
  }
  return position;
}

std::vector<Position> Program::python_position(const SourceFile& file, Range range) const {
  const FunctionDef* function = enclosing(file, range).function;
  return source_map(file).locate(range, function ? function->range : range);
}

std::string demangle(std::string_view qualified) {
  std::string out;
  if (qualified.starts_with("__torch__.")) qualified.remove_prefix(10);
  while (!qualified.empty()) {
    const std::size_t dot = std::min(qualified.find('.'), qualified.size());
    const std::string_view atom = qualified.substr(0, dot);
    qualified.remove_prefix(std::min(dot + 1, qualified.size()));
    const bool mangle = atom.starts_with(kMangle) && atom.size() > kMangle.size() &&
                        std::all_of(atom.begin() + kMangle.size(), atom.end(), is_digit);
    if (mangle) continue;
    if (!out.empty()) out += '.';
    out += atom;
  }
  return out;
}

}  // namespace cameo::script
