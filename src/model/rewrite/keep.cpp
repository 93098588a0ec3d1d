#include "model/rewrite/keep.h"

#include <algorithm>

#include <fmt/core.h>

#include "base/text.h"
#include "base/wildcard.h"
#include "cameo/diagnostic.h"
#include "model/graph/source_line.h"

namespace cameo::model {
namespace {

namespace proto = onnx::proto;

// The path and all paths that it begins with: "a.b.c", "a.b", "a".
void add_scopes(std::string_view path, char separator, std::vector<std::string_view>& into) {
  for (; !path.empty(); path = path.substr(0, path.rfind(separator))) {
    into.push_back(path);
    if (path.find(separator) == path.npos) return;
  }
}

// The scopes of the name of a node as the path of a module: "head.0" of "/head/0/MatMul".
std::string path_in_name(const proto::Node& node) {
  std::string path(node.name.substr(node.name.starts_with('/') ? 1 : 0));
  path.resize(path.rfind('/') == path.npos ? 0 : path.rfind('/'));
  std::ranges::replace(path, '/', '.');
  return path;
}

std::vector<std::string_view> subjects(const proto::Node& node, std::string_view module,
                                       std::string_view path_in_name) {
  std::vector<std::string_view> found{node.op_type, node.name};
  std::string_view scoped = node.name;
  if (scoped.starts_with('/')) scoped.remove_prefix(1);
  add_scopes(scoped, '/', found);
  add_scopes(path_in_name, '.', found);
  add_scopes(module, '.', found);
  return found;
}

}  // namespace

Kept::Kept(const std::vector<std::string>& patterns) {
  for (const std::string& pattern : patterns) patterns_.push_back({.text = pattern});
}

bool Kept::operator()(const proto::Node& node, std::string_view weight) {
  if (patterns_.empty()) return false;
  const std::string module = module_path(node), path = path_in_name(node);
  std::vector<std::string_view> texts = subjects(node, module, path);
  texts.push_back(weight);
  bool kept = false;
  for (Pattern& pattern : patterns_)
    for (const std::string_view text : texts)
      if (!text.empty() && matches(pattern.text, text)) kept = pattern.used = true;
  return kept;
}

void Kept::require_matches(const std::string& file) const {
  for (const Pattern& pattern : patterns_)
    if (!pattern.used)
      throw Error(Diagnostic{
          .code = Code::no_such_node,
          .message = fmt::format("no node, module or operator matches '{}'", printable(pattern.text)),
          .file = file,
          .hint = "cameo print shows the names of the nodes; * stands for any characters"});
}

}  // namespace cameo::model
