// Files, classes and functions.
#include <fmt/core.h>

#include "script/parser.h"

namespace cameo::script {
namespace {

struct NamedKind {
  std::string_view base;
  ClassKind kind;
};
constexpr NamedKind kKinds[] = {
    {"Module", ClassKind::module},
    {"NamedTuple", ClassKind::named_tuple},
    {"Enum", ClassKind::enumeration},
    {"Interface", ClassKind::interface},
    {"ModuleInterface", ClassKind::module_interface},
};

}  // namespace

SourceFile Parser::file() {
  SourceFile file{.name = name_, .text = text_, .op_version_set = {}, .classes = {}, .functions = {}};
  while (!at(Tok::end)) {
    if (at(Tok::kw_class)) {
      file.classes.push_back(class_def());
    } else if (at(Tok::kw_def)) {
      file.functions.push_back(function());
    } else if (at(Tok::kw_import) || at_name("from")) {
      while (!at(Tok::newline)) advance();
      advance();
    } else if (at_name("op_version_set")) {
      advance();
      expect(Tok::assign, "after op_version_set");
      const ExprPtr value = expr();
      const auto* number = value->get_if<IntLiteral>();
      if (!number) fail(value->range, "op_version_set must be an integer");
      file.op_version_set = number->value;
      expect(Tok::newline, "after op_version_set");
    } else {
      fail_expected("a class or a function");
    }
  }
  return file;
}

FunctionDef Parser::function() {
  FunctionDef def;
  const std::uint32_t begin = token_.range.begin;
  expect(Tok::kw_def, "to begin a function");
  def.name = identifier("the function's name");
  expect(Tok::lparen, "before the parameters");
  def.params = params();
  expect(Tok::rparen, "after the parameters");
  if (accept(Tok::arrow)) def.returns = expr();
  expect(Tok::colon, "after the function's signature");
  def.body = block();
  def.range = since(begin);
  return def;
}

std::vector<Param> Parser::params() {
  std::vector<Param> params;
  bool keyword_only = false;
  while (!at(Tok::rparen)) {
    if (!keyword_only && accept(Tok::star)) {
      keyword_only = true;
      if (!accept(Tok::comma)) fail_expected("',' after '*'");
      if (at(Tok::rparen)) fail_expected("a parameter after '*'");
      continue;
    }
    Param& param = params.emplace_back();
    param.name = identifier("a parameter");
    param.keyword_only = keyword_only;
    if (accept(Tok::colon)) param.type = expr();
    if (accept(Tok::assign)) param.default_value = expr();
    if (!accept(Tok::comma)) break;
  }
  return params;
}

ClassDef Parser::class_def() {
  ClassDef cls;
  const std::uint32_t begin = token_.range.begin;
  advance();
  cls.name = identifier("the class's name");
  if (accept(Tok::lparen)) cls.kind = class_base();
  expect(Tok::colon, "after the class's name");
  expect(Tok::newline, "after ':'");
  expect(Tok::indent, "to begin the class's body");
  while (!at(Tok::dedent)) class_item(cls);
  advance();
  cls.range = since(begin);
  return cls;
}

ClassKind Parser::class_base() {
  ClassKind kind = ClassKind::plain;
  if (!at(Tok::rparen)) {
    const Range range = token_.range;
    const std::string_view base = identifier("the base class");
    for (const NamedKind& known : kKinds) {
      if (known.base == base) kind = known.kind;
    }
    if (kind == ClassKind::plain) {
      fail(range, fmt::format("unknown base class '{}'; a base is Module, NamedTuple, Enum, Interface or "
                              "ModuleInterface",
                              base.substr(0, 40)));
    }
  }
  expect(Tok::rparen, "after the base class");
  return kind;
}

void Parser::class_item(ClassDef& cls) {
  if (at(Tok::kw_def)) {
    cls.methods.push_back(function());
    return;
  }
  if (accept(Tok::kw_pass)) {
    expect(Tok::newline, "after 'pass'");
    return;
  }
  const std::uint32_t begin = token_.range.begin;
  const std::string_view name = identifier("an attribute or a method");
  if (at(Tok::colon)) {
    advance();
    cls.fields.push_back(typed_field(begin, std::string(name)));
  } else if (name == "__annotations__") {
    annotation_item(cls, begin);
  } else {
    expect(Tok::assign, "or ':' after the attribute's name");
    if (name == "__parameters__") {
      cls.parameters = string_list();
    } else if (name == "__buffers__") {
      cls.buffers = string_list();
    } else if (name == "__forward_pre_hooks__") {
      cls.forward_pre_hooks = string_list();
    } else if (name == "__forward_hooks__") {
      cls.forward_hooks = string_list();
    } else {
      ExprPtr value = expr();
      cls.fields.push_back({since(begin), std::string(name), nullptr, std::move(value), false});
    }
  }
  expect(Tok::newline, "after the attribute");
}

// `__annotations__ = []`, which says nothing, or `__annotations__["0"] = type`.
void Parser::annotation_item(ClassDef& cls, std::uint32_t begin) {
  if (accept(Tok::assign)) {
    expect(Tok::lbracket, "after '='");
    expect(Tok::rbracket, "after '['");
    return;
  }
  expect(Tok::lbracket, "after __annotations__");
  if (!at(Tok::string)) fail_expected("the attribute's name as a string");
  std::string name = std::get<StringLiteral>(string()->node).value;
  expect(Tok::rbracket, "after the attribute's name");
  expect(Tok::assign, "before the attribute's type");
  cls.fields.push_back(typed_field(begin, std::move(name)));
}

// From the type on. Final[T] is taken apart.
Field Parser::typed_field(std::uint32_t begin, std::string name) {
  Field field;
  field.name = std::move(name);
  field.type = expr();
  if (auto* outer = std::get_if<Subscript>(&field.type->node); outer && outer->indices.size() == 1) {
    const auto* head = outer->object->get_if<Name>();
    if (head && head->id == "Final") {
      field.final = true;
      field.type = ExprPtr(std::move(outer->indices[0]));
    }
  }
  if (accept(Tok::assign)) field.value = expr();
  field.range = since(begin);
  return field;
}

std::vector<std::string> Parser::string_list() {
  std::vector<std::string> items;
  expect(Tok::lbracket, "to begin the list of names");
  while (!at(Tok::rbracket)) {
    if (!at(Tok::string)) fail_expected("a string");
    items.push_back(std::get<StringLiteral>(string()->node).value);
    if (!accept(Tok::comma)) break;
  }
  expect(Tok::rbracket, "after the list of names");
  return items;
}

}  // namespace cameo::script
