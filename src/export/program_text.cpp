#include "export/program_text.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "base/text.h"
#include "inspect/code_text.h"
#include "onnx/graph/visit.h"
#include "onnx/text/print.h"

namespace cameo {
namespace {

// A function and what became of its lines.
struct Part {
  inspect::Listing listing;
  std::map<int, std::vector<std::string>> nodes;  // by the number of the line
};

class Parts {
 public:
  Parts(const script::Program& program, const std::string& entry) : program_(program) {
    for (const inspect::Code& code : inspect::find_code(program, entry)) part_of(code);
  }

  void add(const onnx::Node& node) {
    const std::optional<Position> at = node.origin ? node.origin->places().script : std::nullopt;
    const inspect::Code code = at ? inspect::code_at(program_, at->file, at->line) : inspect::Code();
    part_of(code).nodes[code.file ? at->line : 0].push_back(printable(onnx::print(node)));
  }
  std::vector<Part> take() { return std::move(parts_); }

 private:
  Part& part_of(const inspect::Code& code) {
    const auto found =
        std::ranges::find(parts_, code.title, [](const Part& each) { return each.listing.title; });
    if (found != parts_.end()) return *found;
    Part& made = parts_.emplace_back();
    if (code.file) made.listing = inspect::list_code(program_, code);
    return made;
  }

  const script::Program& program_;
  std::vector<Part> parts_;
};

std::string below(const Part& part, const Style& style) {
  std::string text;
  for (const inspect::CodeLine& line : part.listing.lines) {
    const std::string code = printable(line.text);
    const std::string indent(std::min(code.find_first_not_of(' '), code.size()) + 4, ' ');
    text += inspect::python_comment(line, style) + inspect::highlighted(code, style) + "\n";
    if (const auto nodes = part.nodes.find(line.number); nodes != part.nodes.end())
      for (const std::string& node : nodes->second)
        text += fmt::format("{}{}\n", indent, style(Ink::type, "=> " + node));
  }
  return text;
}

std::string beside(const Part& part, std::size_t width, const Style& style) {
  std::size_t longest = 0;
  for (const inspect::CodeLine& line : part.listing.lines)
    longest = std::max(longest, display_width(printable(line.text)));
  const std::size_t left = std::min(longest, width * 9 / 20);
  const std::size_t right = width - left - 3;
  std::string text;
  for (const inspect::CodeLine& line : part.listing.lines) {
    std::vector<std::string> nodes = {""};
    if (const auto found = part.nodes.find(line.number); found != part.nodes.end()) nodes = found->second;
    for (std::size_t i = 0; i < nodes.size(); ++i)
      text += inspect::highlighted(fill(i == 0 ? printable(line.text) : "", left), style) +
              style(Ink::faint, " │ ") + style(Ink::type, cut(nodes[i], right)) + "\n";
  }
  return text;
}

}  // namespace

std::string program_text(const script::Program& program, const std::string& entry, const onnx::Model& model,
                         const inspect::TextOptions& options) {
  Parts parts(program, entry);
  onnx::each_node(model.main(), [&](const onnx::Node& node) { parts.add(node); });
  const Style style(options.color, options.lines);
  const std::size_t width = options.width;
  std::string text;
  for (const Part& part : parts.take()) {
    if (!text.empty()) text += "\n";
    if (part.listing.lines.empty()) {
      text += style(Ink::title, "of no line of the program") + "\n";
      for (const std::string& node : part.nodes.at(0)) text += "    => " + node + "\n";
      continue;
    }
    text += inspect::heading(part.listing, style);
    text += options.lines && width >= inspect::kWide ? beside(part, width, style) : below(part, style);
  }
  return text;
}

}  // namespace cameo
