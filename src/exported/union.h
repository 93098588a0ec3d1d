#pragma once
// Helpers for the structures of the schema.
#include <fmt/core.h>

#include <string_view>
#include <vector>

#include "exported/json_reader.h"

namespace cameo::exported {

// Reads a union: an object with one key from major version 5 on; before, an object of all alternatives, of which all but
// one are null. `read` gets the tag and must read the value.
template <class F>
void read_union(JsonReader& json, std::string_view what, const F& read) {
  std::string_view chosen;
  json.object([&](std::string_view tag) {
    if (json.next_is_null()) return json.null();
    if (!chosen.empty()) json.fail(fmt::format("{} has two values, '{}' and '{}'", what, chosen, tag));
    chosen = tag;
    read(tag);
  });
  if (chosen.empty()) json.fail(fmt::format("{} has no value", what));
}

// Reads a value that may be null: absent values keep their defaults.
template <class F>
void read_optional(JsonReader& json, const F& read) {
  if (json.next_is_null()) {
    json.null();
  } else {
    read();
  }
}

template <class F>
auto read_list(JsonReader& json, const F& read) {
  std::vector<decltype(read())> items;
  json.array([&] { items.push_back(read()); });
  return items;
}

}  // namespace cameo::exported
