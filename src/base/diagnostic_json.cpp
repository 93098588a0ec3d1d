#include "base/diagnostic_json.h"

namespace cameo {
namespace {

void put(Json& object, const char* key, const std::string& text) {
  if (!text.empty()) object[key] = text;
}

Json to_json(const Position& at) {
  Json object = Json::object();
  put(object, "file", at.file);
  if (at.line > 0) object["line"] = at.line;
  if (at.column > 0) {
    object["column"] = at.column;
    object["length"] = at.length;
  }
  put(object, "text", at.text);
  put(object, "function", at.function);
  return object;
}

Json to_json(const Diagnostic& d) {
  Json object = Json::object();
  object["severity"] = name(d.severity);
  object["stage"] = name(d.stage());
  object["code"] = name(d.code);
  put(object, "message", d.message);
  put(object, "file", d.file);
  put(object, "record", d.record);
  if (d.offset) object["offset"] = *d.offset;
  if (d.script) object["script"] = to_json(*d.script);
  for (const Position& position : d.python) object["python"].push_back(to_json(position));
  put(object, "module_path", d.module_path);
  if (!d.notes.empty()) object["notes"] = d.notes;
  put(object, "hint", d.hint);
  return object;
}

}  // namespace

Json to_json(std::span<const Diagnostic> diagnostics) {
  Json array = Json::array();
  for (const Diagnostic& diagnostic : diagnostics) array.push_back(to_json(diagnostic));
  return array;
}

}  // namespace cameo
