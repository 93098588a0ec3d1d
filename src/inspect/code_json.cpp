#include "base/json.h"
#include "cameo/inspect.h"

namespace cameo::inspect {
namespace {

Json to_json(const Position& at) {
  Json object = Json::object();
  if (!at.file.empty()) object["file"] = at.file;
  if (at.line > 0) object["line"] = at.line;
  if (!at.function.empty()) object["function"] = at.function;
  if (!at.text.empty()) object["text"] = at.text;
  return object;
}

Json to_json(const Listing& listing) {
  Json lines = Json::array();
  for (const CodeLine& line : listing.lines) {
    Json& object = lines.emplace_back(Json{{"line", line.number}, {"text", line.text}});
    if (line.same_python) object["same_python"] = true;
    for (const Position& at : line.python) object["python"].push_back(to_json(at));
  }
  return {{"name", listing.title}, {"file", listing.file}, {"lines", std::move(lines)}};
}

}  // namespace

std::string to_json(const SourceCode& code) {
  Json definitions = Json::array();
  for (const Listing& listing : code.listings) definitions.push_back(to_json(listing));
  const Json object = {{"file", code.file}, {"definitions", std::move(definitions)}};
  return object.text();
}

}  // namespace cameo::inspect
