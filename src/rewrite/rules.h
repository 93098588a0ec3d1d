#pragma once
// Rewriting rules, as a rules file states them (docs/rewrites.md). Names and ranges point into the text of
// the file.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "cameo/array.h"
#include "cameo/diagnostic.h"
#include "script/ast.h"

namespace cameo::rewrite {

using script::Range;

// A name with the wildcards `*` (any characters) and `?` (one character).
struct Pattern {
  std::string text;
  Range range;

  bool exact() const { return text.find_first_of("*?") == text.npos; }
  std::size_t literals() const;  // the number of characters that are not wildcards
  bool matches(std::string_view name) const;
};

enum class Kind : std::uint8_t { op, module, cls, method, function, value };
std::string_view name(Kind kind);  // "operator", "module", "class", …

// Where a rule applies: in place of a call, or to its results.
struct Place {
  bool after = false;
  Kind kind = Kind::op;
  Pattern pattern;     // of an operator without its schema
  std::string schema;  // of an operator that the rule declares; else empty
};

// A condition on the surroundings of the place. `kind` is module, cls, or value, which stands for a file.
struct Scope {
  Kind kind = Kind::module;
  bool file = false;
  Pattern pattern;
  int first_line = 0, last_line = 0;  // of a file; 0: any line
};

// ---- a replacement by nodes

struct Omitted {};
struct NameOf {  // an argument, or a result of a node before
  std::string_view name;
};
struct WeightOf {  // $path: a parameter or buffer of the module
  std::string_view path;
};
struct Number {
  std::variant<bool, std::int64_t, double> value;
};
struct Numbers {
  std::vector<Number> items;
};
struct Input {
  Range range;
  std::variant<Omitted, NameOf, WeightOf, Number, Numbers> value;
};

struct Attribute {
  Range range;
  std::string_view name;
  // NameOf: @name, the value of an argument.
  std::variant<Number, Numbers, std::string, std::vector<std::string>, NameOf> value;
};

struct SizeOf {  // size(x, axis)
  std::string_view name;
  std::int64_t axis;
};
struct Unspecified {};
using DeclaredSize = std::variant<std::int64_t, Unspecified, NameOf, SizeOf>;

// The declared type of a result: "like x", "f32", "f32[batch, 3]", "dtype(x)[?, 3]".
struct DeclaredType {
  Range range;
  std::string_view like;  // the argument whose type it is
  std::string_view dtype_of;
  ElementType dtype = ElementType::undefined;
  std::optional<std::vector<DeclaredSize>> sizes;
};

// A value with its declared type, if it has one.
struct Result {
  Range range;
  std::string_view name;
  std::optional<DeclaredType> type;
};

// z = Clip <…> (y, 0.0, 1.0)
struct NodeLine {
  Range range;
  std::vector<Result> outputs;  // with an empty name: not used
  std::string type;             // "Clip", "mmdeploy::Gelu"
  std::vector<Attribute> attributes;
  std::vector<Input> inputs;
};

struct Parameter {
  Range range;
  std::string_view name;
};

struct Nodes {
  std::vector<Parameter> parameters;
  std::vector<Result> results;
  std::vector<NodeLine> nodes;
  std::vector<std::string_view> weights;  // each path once
};

// ---- other replacements

struct Functions {
  script::SourceFile file;  // the last function replaces the call
};
struct ConverterOf {
  std::string name;  // of an operator for which a converter was added
  Range range;
};

// ---- rules

struct RuleFile;

struct Rule {
  const RuleFile* file = nullptr;
  Range range;  // of the name
  std::string_view name;
  std::int64_t priority = 0;
  Place place;
  std::vector<Scope> scopes;
  std::vector<script::ExprPtr> conditions;  // all must hold
  std::variant<Nodes, Functions, ConverterOf> replacement;

  // The place of `at` in the file, for diagnostics.
  Position position(Range at) const;
  Position position() const { return position(range); }
};

struct RuleFile {
  std::string name, text;
  std::vector<Rule> rules;
};

// Throws Error (Code::bad_rewrite) that shows the place in the file.
[[noreturn]] void fail(const RuleFile& file, Range range, std::string message, std::string hint = {});

// Reads a rules file. Throws Error (Code::bad_rewrite).
std::unique_ptr<const RuleFile> parse(std::string name, std::string text);

// All rules of an export. Their names are unique.
struct RuleSet {
  std::vector<std::unique_ptr<const RuleFile>> files;

  // Throws Error (Code::bad_rewrite) if a rule has the name of another one.
  void add(std::unique_ptr<const RuleFile> file);
  std::vector<const Rule*> rules() const;
};

}  // namespace cameo::rewrite
