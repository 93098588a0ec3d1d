#include "eval/module_blocks.h"

#include <algorithm>
#include <functional>

#include "script/print.h"
#include "script/walk.h"

namespace cameo::eval {
namespace {

using script::Expr;
using script::Range;
using script::Stmt;

// Reports the variables that statements read and assign, in the order of execution.
struct Variables {
  std::function<void(std::string_view, Range)> read;
  std::function<void(std::string_view)> assign;
  std::function<void(const script::With&)> block = nullptr;

  void operator()(const Expr& expr) const {
    if (const auto* name = expr.get_if<script::Name>()) return read(name->id, expr.range);
    script::for_each_child(expr, *this);
  }

  void target(const Expr& expr) const {
    if (const auto* name = expr.get_if<script::Name>()) return assign(name->id);
    if (const auto* tuple = expr.get_if<script::TupleExpr>()) {
      for (const script::ExprPtr& item : tuple->items) target(*item);
    } else if (const auto* starred = expr.get_if<script::Starred>()) {
      target(*starred->value);
    } else {
      (*this)(expr);
    }
  }

  void operator()(const Stmt& stmt) const {
    if (const auto* assigned = stmt.get_if<script::Assign>()) {
      (*this)(*assigned->value);
      for (const script::ExprPtr& each : assigned->targets) target(*each);
    } else if (const auto* loop = stmt.get_if<script::For>()) {
      (*this)(*loop->iterable);
      target(*loop->target);
      for (const script::StmtPtr& each : loop->body) (*this)(*each);
    } else if (const auto* with = stmt.get_if<script::With>()) {
      if (block) block(*with);
      for (const script::WithItem& item : with->items) {
        (*this)(*item.context);
        if (item.target) target(*item.target);
      }
      for (const script::StmtPtr& each : with->body) (*this)(*each);
    } else {
      if (const auto* update = stmt.get_if<script::AugAssign>()) target(*update->target);
      script::for_each_child(stmt, *this);
    }
  }
};

// The call that a block is a part of: the module, and the number of the call as the variable after `as`.
std::string call_of(const script::With& block) {
  const script::WithItem& item = block.items.front();
  return script::print(*item.context) + (item.target ? " as " + script::print(*item.target) : "");
}

bool contains(Range outer, Range inner) { return outer.begin <= inner.begin && inner.end <= outer.end; }

const script::FunctionDef* function_around(const script::SourceFile& file, Range range) {
  const auto around = [&](const script::FunctionDef& def) { return contains(def.range, range); };
  for (const script::ClassDef& cls : file.classes)
    if (const auto found = std::ranges::find_if(cls.methods, around); found != cls.methods.end())
      return &*found;
  const auto found = std::ranges::find_if(file.functions, around);
  return found == file.functions.end() ? nullptr : &*found;
}

void add_once(std::vector<std::string_view>& names, std::string_view name) {
  if (std::ranges::find(names, name) == names.end()) names.push_back(name);
}

}  // namespace

const ModuleBlocks::Uses& ModuleBlocks::uses_of(const script::FunctionDef& function) {
  const auto [entry, is_new] = uses_.try_emplace(&function);
  Uses& uses = entry->second;
  if (!is_new) return uses;
  const Variables variables{.read =
                                [&](std::string_view name, Range at) {
                                  std::uint32_t& last = uses.last_read[name];
                                  last = std::max(last, at.begin);
                                },
                            .assign = [](std::string_view) {},
                            .block = [&](const script::With& block) { ++uses.blocks[call_of(block)]; }};
  for (const script::StmtPtr& stmt : function.body) variables(*stmt);
  return uses;
}

ModuleBlock ModuleBlocks::at(const script::SourceFile& file, Range range, const script::With& block) {
  ModuleBlock out;
  std::vector<std::string_view> assigned;
  const Variables variables{.read =
                                [&](std::string_view name, Range) {
                                  if (std::ranges::find(assigned, name) == assigned.end())
                                    add_once(out.reads, name);
                                },
                            .assign = [&](std::string_view name) { add_once(assigned, name); }};
  for (const script::StmtPtr& stmt : block.body) variables(*stmt);
  const script::FunctionDef* function = function_around(file, range);
  if (!function) return out;
  const Uses& uses = uses_of(*function);
  for (const std::string_view name : assigned)
    if (const auto last = uses.last_read.find(name);
        last != uses.last_read.end() && last->second >= range.end)
      out.gives.push_back(name);
  out.whole = uses.blocks.at(call_of(block)) == 1;
  return out;
}

}  // namespace cameo::eval
