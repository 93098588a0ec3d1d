#include "archive/checkpoint.h"

#include <unordered_set>
#include <vector>

namespace cameo::archive {
namespace {

const Global* class_of(Ref value) {
  if (const Object* object = value->get_if<Object>()) return &object->cls;
  if (const Call* call = value->get_if<Call>()) return call->callee->get_if<Global>();
  return nullptr;
}

bool is_module(Ref value) {
  const Object* object = value->get_if<Object>();
  const Dict* state = object != nullptr && object->state != nullptr ? object->state->get_if<Dict>() : nullptr;
  return state != nullptr && find(*state, "_modules") != nullptr && find(*state, "_parameters") != nullptr;
}

// Visits everything reachable, each value once, in the order of the file.
class Study {
 public:
  Checkpoint run(Ref root) {
    pending_.push_back(root);
    while (!pending_.empty() && found_.class_name.empty()) {
      const Ref value = pending_.back();
      pending_.pop_back();
      if (seen_.insert(value).second) visit(value);
    }
    if (!found_.class_name.empty()) {
      found_.content = Checkpoint::Content::object;
    } else if (const Global* cls = class_of(root)) {
      found_.content = Checkpoint::Content::object;
      found_.class_name = qualified_name(*cls);
    } else if (root->get_if<Dict>() != nullptr && found_.tensors > 0) {
      found_.content = Checkpoint::Content::state_dict;
    }
    return std::move(found_);
  }

 private:
  void visit(Ref value) {
    if (is_module(value)) {
      found_.class_name = qualified_name(value->get_if<Object>()->cls);
    } else if (value->get_if<TensorPtr>() != nullptr) {
      ++found_.tensors;
    } else if (const Dict* dict = value->get_if<Dict>()) {
      visit_dict(*dict);
    } else if (const List* list = value->get_if<List>()) {
      pending_.insert(pending_.end(), list->items.rbegin(), list->items.rend());
    } else if (const Tuple* tuple = value->get_if<Tuple>()) {
      pending_.insert(pending_.end(), tuple->items.rbegin(), tuple->items.rend());
    } else if (const Object* object = value->get_if<Object>()) {
      visit_parts(object->args, object->state);
    } else if (const Call* call = value->get_if<Call>()) {
      visit_parts(call->args, call->state);
    }
  }

  void visit_parts(const Value* args, const Value* state) {
    if (state != nullptr) pending_.push_back(state);
    if (args != nullptr) pending_.push_back(args);
  }

  void visit_dict(const Dict& dict) {
    for (auto item = dict.items.rbegin(); item != dict.items.rend(); ++item) pending_.push_back(item->second);
    if (!found_.first_parameter.empty()) return;
    for (const auto& [key, value] : dict.items) {
      const String* name = key->get_if<String>();
      if (name == nullptr || value->get_if<TensorPtr>() == nullptr) continue;
      found_.first_parameter = name->text;
      return;
    }
  }

  Checkpoint found_;
  std::vector<Ref> pending_;
  std::unordered_set<Ref> seen_;
};

}  // namespace

Checkpoint study_checkpoint(Ref root) { return Study().run(root); }

}  // namespace cameo::archive
