#include "archive/value.h"

#include <string>

namespace cameo::archive {

const Value* find(const Dict& dict, std::string_view key) {
  for (auto item = dict.items.rbegin(); item != dict.items.rend(); ++item) {
    const String* name = item->first->get_if<String>();
    if (name != nullptr && name->text == key) return item->second;
  }
  return nullptr;
}

std::string qualified_name(const Global& global) {
  std::string name(global.module);
  if (!name.empty()) name += '.';
  return name.append(global.name);
}

}  // namespace cameo::archive
