#pragma once
// Models and programs as pictures.
//
//   std::string page = cameo::render_view({"model.pt"}, cameo::ViewFormat::html);

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cameo/export.h"

namespace cameo {

enum class ViewFormat {
  html,  // one page that needs nothing else, and sends nothing
  svg,
  dot,   // the language of Graphviz
  json,  // the data of the page; web/src/document.ts describes it
};

// Numbers for nodes.
struct ViewOverlay {
  std::string id;          // in links: "error"
  std::string name, unit;  // "relative error", ""
  std::map<std::string, double> values;  // by name of node or value
  std::optional<double> limit;           // numbers above it are faults
  bool sum = false;        // a group has the sum of its nodes; otherwise the largest
};

struct ViewOptions {
  ExportOptions program;  // a program is exported in memory with these options
  // Bytes of weights up to which statistics are computed.
  std::uint64_t weights = 1'000'000'000;
  std::string source;  // a folder with the Python files of the program; empty: none
  // An older model: the page shows the nodes and weights of both, and what became of them.
  std::string against;
  // The rule that removed or changed a node of the older model, by names of its results.
  std::map<std::string, std::string, std::less<>> rules;
  std::vector<ViewOverlay> numbers;  // the last one is shown first
  // JSON files with numbers for the nodes: profiles of ONNX Runtime, or {"values": {"NODE": 1.5}}.
  std::vector<std::string> overlays;
  // Of svg and dot:
  int depth = 1;     // levels of groups that are open
  std::string only;  // the path of a module or scope to show; empty: all
};

// A program, a model, or a program and its model. Throws Error if a file cannot be read or the program cannot be
// evaluated. A program with operators that are not supported is shown with these as they are.
std::string render_view(const std::vector<std::string>& files, ViewFormat format, const ViewOptions& options = {});

}  // namespace cameo
