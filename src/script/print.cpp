#include "script/print.h"

#include "script/lexer.h"
#include "script/print_expr.h"

namespace cameo::script {
namespace {

class Printer : public ExprPrinter {
 public:
  using ExprPrinter::operator();

  void operator()(const ExprStmt& n) { expr(*n.value); }
  void operator()(const Assign& n) {
    separated(n.targets, [&](const ExprPtr& target) { expr(*target); });
    if (n.unpack) out() += ',';
    if (n.type) {
      out() += " : ";
      expr(*n.type);
    }
    out() += " = ";
    const auto* tuple = n.value->get_if<TupleExpr>();
    if (tuple && n.targets.size() > 1 && tuple->items.size() > 1) {
      separated(tuple->items, [&](const ExprPtr& item) { expr(*item); });
    } else {
      expr(*n.value);
    }
  }
  void operator()(const AugAssign& n) {
    expr(*n.target);
    out() += ' ';
    out() += symbol(n.op);
    out() += "= ";
    expr(*n.value);
  }
  void operator()(const If& n) {
    out() += "if ";
    expr(*n.condition);
    body(n.then_body);
    if (n.else_body.empty()) return;
    line();
    out() += "el";
    if (n.else_body.size() == 1 && n.else_body[0]->get_if<If>()) {
      (*this)(*n.else_body[0]->get_if<If>());
    } else {
      out() += "se";
      body(n.else_body);
    }
  }
  void operator()(const For& n) {
    out() += "for ";
    expr(*n.target);
    out() += " in ";
    expr(*n.iterable);
    body(n.body);
  }
  void operator()(const While& n) {
    out() += "while ";
    expr(*n.condition);
    body(n.body);
  }
  void operator()(const With& n) {
    out() += "with ";
    separated(n.items, [&](const WithItem& item) {
      expr(*item.context);
      if (!item.target) return;
      out() += " as ";
      expr(*item.target);
    });
    body(n.body);
  }
  void operator()(const Return& n) { keyword("return", n.value); }
  void operator()(const Raise& n) { keyword("raise", n.value); }
  void operator()(const Assert& n) {
    keyword("assert", n.condition);
    if (!n.message) return;
    out() += ", ";
    expr(*n.message);
  }
  void operator()(const Delete& n) {
    out() += "del ";
    separated(n.targets, [&](const ExprPtr& target) { expr(*target); });
  }
  void operator()(const Pass&) { out() += "pass"; }
  void operator()(const Break&) { out() += "break"; }
  void operator()(const Continue&) { out() += "continue"; }

  void operator()(const FunctionDef& n) {
    out() += "def ";
    out() += n.name;
    out() += '(';
    bool first = true, keyword_only = false;
    for (const Param& param : n.params) {
      if (!first) out() += ",\n    ";
      first = false;
      if (param.keyword_only && !keyword_only) out() += "*, ";
      keyword_only = param.keyword_only;
      out() += param.name;
      if (param.type) {
        out() += ": ";
        expr(*param.type);
      }
      if (param.default_value) {
        out() += '=';
        expr(*param.default_value);
      }
    }
    out() += ')';
    if (n.returns) {
      out() += " -> ";
      expr(*n.returns);
    }
    body(n.body);
  }

  void operator()(const ClassDef& n) {
    out() += "class ";
    out() += n.name;
    out() += base(n.kind);
    out() += ':';
    ++indent_;
    const std::size_t empty = out().size();
    if (n.kind == ClassKind::module || !n.parameters.empty()) names("__parameters__", n.parameters);
    if (n.kind == ClassKind::module || !n.buffers.empty()) names("__buffers__", n.buffers);
    if (!n.forward_pre_hooks.empty()) names("__forward_pre_hooks__", n.forward_pre_hooks);
    if (!n.forward_hooks.empty()) names("__forward_hooks__", n.forward_hooks);
    for (const Field& field : n.fields) (*this)(field);
    for (const FunctionDef& method : n.methods) {
      line();
      (*this)(method);
    }
    if (out().size() == empty) {
      line();
      out() += "pass";
    }
    --indent_;
  }

  void operator()(const SourceFile& n) {
    if (n.op_version_set) out() += "op_version_set = " + std::to_string(*n.op_version_set) + '\n';
    for (const ClassDef& cls : n.classes) {
      (*this)(cls);
      out() += '\n';
    }
    for (const FunctionDef& function : n.functions) {
      (*this)(function);
      out() += '\n';
    }
  }

 private:
  static std::string_view base(ClassKind kind) {
    switch (kind) {
      case ClassKind::plain: return "";
      case ClassKind::module: return "(Module)";
      case ClassKind::named_tuple: return "(NamedTuple)";
      case ClassKind::enumeration: return "(Enum)";
      case ClassKind::interface: return "(Interface)";
      case ClassKind::module_interface: return "(ModuleInterface)";
    }
    return "";
  }

  void operator()(const Field& field) {
    line();
    if (is_identifier(field.name)) {
      out() += field.name;
      if (field.type) out() += " : ";
    } else {
      out() += "__annotations__[";
      string(field.name);
      out() += "] = ";
    }
    if (field.final) out() += "Final[";
    if (field.type) expr(*field.type);
    if (field.final) out() += ']';
    if (!field.value) return;
    out() += " = ";
    expr(*field.value);
  }

  void names(std::string_view list, const std::vector<std::string>& items) {
    line();
    out() += list;
    out() += " = [";
    separated(items, [&](const std::string& item) { string(item); });
    out() += ']';
  }

  void keyword(std::string_view word, const ExprPtr& value) {
    out() += word;
    if (!value) return;
    out() += ' ';
    expr(*value);
  }

  void line() {
    out() += '\n';
    out().append(indent_ * 2, ' ');
  }

  void body(const Block& block) {
    out() += ':';
    ++indent_;
    for (const StmtPtr& stmt : block) {
      line();
      std::visit(*this, stmt->node);
    }
    --indent_;
  }

  std::size_t indent_ = 0;
};

template <class Node>
std::string printed(const Node& node) {
  Printer printer;
  printer(node);
  return std::move(printer.out());
}

}  // namespace

std::string print(const SourceFile& file) { return printed(file); }
std::string print(const FunctionDef& function) { return printed(function) + '\n'; }
std::string print(const Expr& expr) {
  Printer printer;
  printer.expr(expr);
  return std::move(printer.out());
}

}  // namespace cameo::script
