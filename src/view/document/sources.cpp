#include "view/document/sources.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <map>
#include <set>
#include <tuple>

#include <fmt/core.h>

#include "base/index.h"
#include "base/mapped_file.h"
#include "cameo/diagnostic.h"
#include "model/graph/source_line.h"

namespace cameo::view {
namespace {

using Lines = std::map<int, std::string>;  // by number

// The most lines of a file that a view holds, and the largest number of one.
constexpr int kMostLines = 100'000;

std::vector<std::string_view> split_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

// A file below `folder` that has the longest possible end of the path; empty if there is none.
std::string find_source(const std::string& folder, const std::string& file) {
  if (folder.empty()) return {};
  std::filesystem::path rest;
  std::string found;
  const std::filesystem::path path(file);
  std::vector<std::filesystem::path> parts(path.begin(), path.end());
  for (std::size_t i = parts.size(); i-- > 0;) {
    if (parts[i] == ".." || parts[i].is_absolute()) break;
    rest = rest.empty() ? parts[i] : parts[i] / rest;
    std::error_code ignored;
    const std::filesystem::path candidate = std::filesystem::path(folder) / rest;
    if (std::filesystem::is_regular_file(candidate, ignored)) found = candidate.string();
  }
  return found;
}

class SourceTable {
 public:
  SourceTable(Built& built, std::string folder) : built_(built), folder_(std::move(folder)) {}

  void relate(const std::string& kind, const Position& at, int node, int level) {
    if (at.file.empty() || at.line <= 0 || at.line > kMostLines) return;
    rows_.emplace(file(at.file, kind), at.line, node, level);
    keep(kind, at);
  }
  void explain(const std::string& kind, const Position& at, const std::string& reason) {
    if (at.file.empty() || at.line <= 0 || at.line > kMostLines) return;
    reasons_.emplace(std::pair(file(at.file, kind), at.line), reason);
    keep(kind, at);
  }
  void set_text(const std::string& name, const std::string& kind, std::string_view text) {
    Lines& lines = texts_[file(name, kind)];
    int number = 0;
    for (const std::string_view line : split_lines(text))
      if (++number <= kMostLines) lines[number] = line;
  }
  bool has_nodes(const std::string& name, int line) const {
    const auto found = numbers_.find(name);
    if (found == numbers_.end()) return false;
    const auto row = rows_.lower_bound({found->second, line, -1, 0});
    return row != rows_.end() && std::get<0>(*row) == found->second && std::get<1>(*row) == line;
  }

  void finish() {
    Sources& sources = built_.document.sources;
    for (std::size_t i = 0; i < sources.files.size(); ++i)
      finish(sources.files[i], texts_[static_cast<int>(i)]);
    add_rows(sources);
    sort_files(sources);
  }

 private:
  void add_rows(Sources& sources) const {
    for (const auto& [file, line, node, level] : rows_) {
      sources.file.push_back(file);
      sources.line.push_back(line);
      sources.node.push_back(node);
      sources.level.push_back(level);
    }
    for (const auto& [place, reason] : reasons_) {
      if (has_nodes(element_at(sources.files, place.first).name, place.second)) continue;
      sources.empty_file.push_back(place.first);
      sources.empty_line.push_back(place.second);
      sources.empty_reason.push_back(built_.document.strings.add(reason));
    }
  }

  // The user's own files, then the program as it is saved, then those of PyTorch. Of each, files with more lines that
  // became nodes come first.
  static int importance(const SourceFile& file) {
    if (file.kind != "python") return 1;
    return file.name.find("/torch/") == file.name.npos ? 0 : 2;
  }

  void sort_files(Sources& sources) const {
    std::vector<int> order(sources.files.size()), places(sources.files.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>(i);
    std::vector<int> rows(order.size());
    for (const int file : sources.file) ++element_at(rows, file);
    std::ranges::stable_sort(order, {}, [&](int file) {
      const auto i = static_cast<std::size_t>(file);
      return std::pair(importance(sources.files[i]), -rows[i]);
    });
    std::vector<SourceFile> sorted;
    for (std::size_t i = 0; i < order.size(); ++i) {
      element_at(places, order[i]) = static_cast<int>(i);
      sorted.push_back(std::move(element_at(sources.files, order[i])));
    }
    sources.files = std::move(sorted);
    for (Refs* column : {&sources.file, &sources.empty_file})
      for (int& file : *column) file = element_at(places, file);
    sort_rows(sources);
  }

  // By file and line, as before the files were sorted.
  static void sort_rows(Sources& sources) {
    std::vector<std::array<int, 4>> rows;
    for (std::size_t i = 0; i < sources.file.size(); ++i)
      rows.push_back({sources.file[i], sources.line[i], sources.node[i], sources.level[i]});
    std::ranges::sort(rows);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      sources.file[i] = rows[i][0];
      sources.line[i] = rows[i][1];
      sources.node[i] = rows[i][2];
      sources.level[i] = rows[i][3];
    }
  }

  int file(const std::string& name, const std::string& kind) {
    const auto [found, added] = numbers_.emplace(shown(name), static_cast<int>(numbers_.size()));
    if (added) built_.document.sources.files.push_back({.name = shown(name), .kind = kind, .lines = {}});
    return found->second;
  }
  void keep(const std::string& kind, const Position& at) {
    if (!at.text.empty()) texts_[file(at.file, kind)].emplace(at.line, at.text);
  }

  void finish(SourceFile& file, Lines& lines) {
    if (file.kind == "python") {
      if (const std::string path = find_source(folder_, file.name); !path.empty()) {
        const auto mapped = MappedFile::open(path);
        const Bytes bytes = mapped->bytes();
        set_text(file.name, file.kind, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
      }
    }
    if (lines.empty()) return;
    file.first = lines.begin()->first;
    for (const auto& [number, text] : lines) {
      file.lines.resize(static_cast<std::size_t>(number - file.first));
      file.lines.push_back(built_.document.strings.add(text));
    }
  }

  Built& built_;
  std::string folder_;
  std::map<std::string, int> numbers_;
  std::map<int, Lines> texts_;
  std::set<std::tuple<int, int, int, int>> rows_;       // file, line, node, level
  std::map<std::pair<int, int>, std::string> reasons_;  // by file and line
};

// Statements that compute something: not the lines that only give a part of the program its form.
bool computes(std::string_view line) {
  const std::size_t begin = line.find_first_not_of(" \t");
  if (begin == line.npos) return false;
  line.remove_prefix(begin);
  for (const std::string_view word :
       {"def ", "class ", "return", "else:", "pass", "#", "@", "\"", ")", "}", "]"})
    if (line.starts_with(word)) return false;
  return line.find('=') != line.npos || line.find('(') != line.npos;
}

class ProgramLines {
 public:
  ProgramLines(Built& built, const Exported& exported, const std::string& kind, const std::string& folder)
      : built_(built), program_(exported.program), exported_(exported), table_(built, folder), kind_(kind) {}

  void run() {
    for (std::size_t i = 0; i < built_.origins.size(); ++i)
      if (built_.origins[i]) relate(built_.origins[i]->places(), static_cast<int>(i));
    for (const RemovedNode& removed : exported_.removed)
      if (removed.origin)
        explain(removed.origin->places(), removed.rule.empty()
                                              ? fmt::format("removed by simplification: {}", removed.op)
                                              : fmt::format("removed by {}: {}", removed.rule, removed.op));
    for (const std::string& file : files_) whole_file(file);
    table_.finish();
  }

 private:
  void relate(const onnx::Places& places, int node) {
    if (places.script) {
      table_.relate(kind_, *places.script, node, 0);
      files_.insert(places.script->file);
    }
    for (std::size_t level = 0; level < places.python.size(); ++level)
      table_.relate("python", places.python[level], node, static_cast<int>(level));
  }

  void explain(const onnx::Places& places, const std::string& reason) {
    if (places.script) table_.explain(kind_, *places.script, reason);
    if (!places.python.empty()) table_.explain("python", places.python.front(), reason);
  }

  void whole_file(const std::string& name) {
    const script::SourceFile& file = program_.file(name);
    table_.set_text(name, kind_, file.text);
    std::uint32_t begin = 0;
    int number = 0;
    for (const std::string_view line : split_lines(file.text)) {
      ++number;
      const auto end = static_cast<std::uint32_t>(begin + line.size());
      if (computes(line) && !table_.has_nodes(name, number)) explain_line(file, {begin, end}, name, number);
      begin = end + 1;
    }
  }

  void explain_line(const script::SourceFile& file, script::Range range, const std::string& name,
                    int number) {
    onnx::Places places;
    places.script = Position{.file = name, .line = number};
    const std::size_t first = file.text.find_first_not_of(' ', range.begin);
    range.begin = static_cast<std::uint32_t>(std::min<std::size_t>(first, range.end));
    places.python = program_.source_map(file).locate(range, range);
    explain(places, "computed at export, or not reached");
  }

  Built& built_;
  const script::Program& program_;
  const Exported& exported_;
  SourceTable table_;
  std::string kind_;
  std::set<std::string> files_;  // with nodes
};

}  // namespace

void add_sources(Built& built, const Exported& exported, const std::string& kind, const std::string& folder) {
  ProgramLines(built, exported, kind, folder).run();
}

void add_named_lines(Built& built, const std::string& folder) {
  SourceTable table(built, folder);
  for (std::size_t i = 0; i < built.flat.nodes.size(); ++i) {
    const std::string place = model::source_line(*built.flat.nodes[i].source);  // "net.py:7:0"
    const std::size_t column = place.rfind(':');
    const std::size_t line = column == place.npos || column == 0 ? place.npos : place.rfind(':', column - 1);
    if (line == place.npos) continue;
    Position at{.file = place.substr(0, line)};
    std::from_chars(place.data() + line + 1, place.data() + column, at.line);
    table.relate("python", at, static_cast<int>(i), 0);
  }
  table.finish();
}

}  // namespace cameo::view
