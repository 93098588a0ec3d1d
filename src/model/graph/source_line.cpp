#include "model/graph/source_line.h"

#include <fmt/core.h>

#include <algorithm>

namespace cameo::model {
namespace {

using onnx::proto::Text;

constexpr std::string_view kDigits = "0123456789";

std::string place(std::string_view file, std::string_view line, std::size_t column = 0) {
  if (file.empty() || line.empty() || line.find_first_not_of(kDigits) != line.npos) return {};
  return fmt::format("{}:{}:{}", file, line, column);
}

std::string_view first_line(std::string_view text) { return text.substr(0, text.find('\n')); }

// "net.py:7", perhaps with " in forward" after it.
std::string from_colon(std::string_view text) {
  text = text.substr(0, text.find(" in "));
  const std::size_t colon = text.rfind(':');
  return colon == text.npos ? "" : place(text.substr(0, colon), text.substr(colon + 1));
}

// "net.py(7): forward", the innermost of the calls that were traced.
std::string from_call(std::string_view text) {
  const std::size_t close = text.find("): ");
  const std::size_t open = text.rfind('(', close);
  if (close == text.npos || open == text.npos) return {};
  return place(text.substr(0, open), text.substr(open + 1, close - open - 1));
}

// The column where the first underlined line is underlined.
std::size_t underlined(std::string_view text) {
  while (!text.empty()) {
    const std::string_view line = first_line(text);
    const std::size_t tilde = line.find_first_not_of(' ');
    if (tilde != line.npos && line[tilde] == '~') return tilde;
    text.remove_prefix(std::min(line.size() + 1, text.size()));
  }
  return 0;
}

// "File \"net.py\", line 7", with lines of source around it; of several calls the last is the innermost.
std::string from_file(std::string_view text) {
  constexpr std::string_view kFile = "File \"", kLine = "\", line ";
  const std::size_t begin = text.rfind(kFile);
  if (begin == text.npos) return {};
  text.remove_prefix(begin + kFile.size());
  const std::size_t middle = text.find(kLine);
  if (middle == text.npos) return {};
  const std::string_view rest = text.substr(middle + kLine.size());
  return place(text.substr(0, middle), rest.substr(0, rest.find_first_not_of(kDigits)), underlined(rest));
}

std::string from_doc(std::string_view doc) {
  if (std::string found = from_file(doc); !found.empty()) return found;
  if (std::string found = from_call(first_line(doc)); !found.empty()) return found;
  // Cameo's begins with the operator.
  const std::size_t second = doc.find('\n');
  return second == doc.npos ? "" : from_colon(first_line(doc.substr(second + 1)));
}

Text metadata(const onnx::proto::Node& node, std::string_view key) {
  const auto found = std::ranges::find(node.metadata, key, &onnx::proto::Entry::key);
  return found == node.metadata.end() ? Text() : found->value;
}

}  // namespace

std::string source_line(const onnx::proto::Node& node) {
  if (std::string found = from_colon(metadata(node, "python")); !found.empty()) return found;
  if (std::string found = from_file(metadata(node, "pkg.torch.onnx.stack_trace")); !found.empty())
    return found;
  return from_doc(node.doc_string);
}

std::string module_path(const onnx::proto::Node& node) { return std::string(metadata(node, "module")); }

}  // namespace cameo::model
