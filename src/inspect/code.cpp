#include "inspect/code.h"

#include <algorithm>

#include "base/nearest.h"
#include "inspect/entry_points.h"

namespace cameo::inspect {
namespace {

bool same(const std::vector<Position>& a, const std::vector<Position>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Position& x, const Position& y) {
    return x.line == y.line && x.file == y.file && x.function == y.function;
  });
}

// The program's main entry point.
std::string main_method(const script::Program& program) {
  const std::vector<EntryPoint> entries = gather_entry_points(program);
  return entries.empty() ? "forward" : entries.front().name;
}

}  // namespace

Listing list_code(const script::Program& program, const Code& code) {
  Listing listing{.title = code.title, .file = std::string(code.file->name)};
  const std::string_view text = code.file->text;
  const script::SourceMap& map = program.source_map(*code.file);
  std::size_t begin = text.rfind('\n', code.range.begin) + 1;  // npos + 1 is the beginning
  if (code.range.begin < begin) begin = code.range.begin;
  const std::string_view before = text.substr(0, begin);
  int number = static_cast<int>(std::count(before.begin(), before.end(), '\n')) + 1;
  std::vector<Position> last;
  while (begin < code.range.end) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    CodeLine line{.number = number++, .text = std::string(text.substr(begin, end - begin))};
    const std::size_t first = std::min(line.text.find_first_not_of(' '), line.text.size());
    const script::Range range = {static_cast<std::uint32_t>(begin + first), static_cast<std::uint32_t>(end)};
    std::vector<Position> python = map.locate(range, range);
    line.same_python = !python.empty() && same(python, last);
    if (!line.same_python) line.python = last = std::move(python);
    listing.lines.push_back(std::move(line));
    begin = end + 1;
  }
  return listing;
}

std::vector<Listing> list_code(const script::Program& program, const std::string& name) {
  const std::string wanted = name.empty() ? main_method(program) : name;
  std::vector<Listing> listings;
  for (const Code& code : find_code(program, wanted)) listings.push_back(list_code(program, code));
  if (!listings.empty()) return listings;
  const std::string meant = nearest(wanted, names_of_code(program));
  throw Error(Diagnostic{.code = cameo::Code::no_such_name,
                         .message = "nothing in this program is named '" + wanted + "'",
                         .file = program.file_name(),
                         .hint = meant.empty()
                                     ? "name a method, a module's path, a class, a function or a code file"
                                     : "did you mean '" + meant + "'?"});
}

const Position& own_frame(const std::vector<Position>& python) {
  const auto own = std::find_if(python.begin(), python.end(), [](const Position& at) {
    return at.file.find("/torch/") == at.file.npos && at.file.find("\\torch\\") == at.file.npos;
  });
  return own == python.end() ? python.front() : *own;
}

}  // namespace cameo::inspect
