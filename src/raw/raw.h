#pragma once
// The program as it is: TorchScript's operators as nodes, calls inlined, nothing converted.

#include <string>
#include <vector>

#include "eval/evaluator.h"

namespace cameo::raw {

// Lowers `method` of `root` into the main graph of the evaluator's model. An operator is a node of its own
// name in the domain of its namespace, "aten", "prim" or the program's own. Constants are nodes
// prim::Constant with an attribute `value`, at the beginning; parameters and buffers are initialisers; the
// blocks of prim::If and prim::Loop are graphs in an attribute `_blocks`. Arguments that the program gives by
// keyword are the last inputs of a node, and its attribute `_keywords` names them. Throws Error for what has
// no such form: objects of classes that are no modules, closures, `with`.
void lower(eval::Evaluator& evaluator, const eval::ObjectPtr& root, const script::FunctionDef& method,
           const eval::Arguments& arguments, const std::vector<std::string>& output_names);

}  // namespace cameo::raw
