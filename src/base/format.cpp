#include "cameo/format.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include <fmt/core.h>
#include "base/diagnostic_json.h"
#include "base/text.h"

namespace cameo {
namespace {

constexpr std::size_t kExcerptWidth = 160;  // a longer line of source is cut down to its marked part
constexpr std::size_t kExcerptLead = 60;

std::string_view color_of(Severity severity) {
  switch (severity) {
    case Severity::note: return "1;36";
    case Severity::warning: return "1;35";
    case Severity::error: return "1;31";
  }
  throw InternalError("a severity without a color");
}

std::string source_text(std::string_view text) {
  std::string spaced(text);
  std::replace(spaced.begin(), spaced.end(), '\t', ' ');
  return printable(spaced);
}

// The part of a line that is shown, and the range of it, in bytes, that is marked.
struct Excerpt {
  std::string_view before, marked, after;
  bool cut_left = false, cut_right = false;
};

bool starts_character(std::string_view text, std::size_t at) {
  return at >= text.size() || (static_cast<unsigned char>(text[at]) & 0xC0U) != 0x80U;
}

Excerpt excerpt(const Position& at) {
  const std::string_view text = at.text;
  const std::size_t mark = std::min(static_cast<std::size_t>(std::max(at.column, 1)) - 1, text.size());
  std::size_t begin = 0;
  std::size_t end = text.size();
  if (text.size() > kExcerptWidth) {
    begin = mark > kExcerptLead ? mark - kExcerptLead : 0;
    while (begin > 0 && !starts_character(text, begin)) --begin;
    end = std::min(text.size(), begin + kExcerptWidth);
    while (!starts_character(text, end)) ++end;
  }
  const std::size_t length = std::min(static_cast<std::size_t>(std::max(at.length, 1)), end - mark);
  return {.before = text.substr(begin, mark - begin),
          .marked = text.substr(mark, length),
          .after = text.substr(mark + length, end - mark - length),
          .cut_left = begin > 0,
          .cut_right = end < text.size()};
}

class Drawing {
 public:
  explicit Drawing(bool color) : color_(color) {}

  void draw(const Diagnostic& d) {
    line("{} {} [{}] {}{}", paint("1", printable(d.file.empty() ? "cameo" : d.file) + ":"),
         paint(color_of(d.severity), fmt::format("{}:", name(d.severity))), name(d.stage()),
         paint("1", printable(d.message)), fmt::format(" [{}]", name(d.code)));
    if (d.script) {
      place("in", *d.script);
      source(*d.script);
    }
    for (const Position& position : d.python) {
      place("at", position);
      if (&position == &d.python.front()) source(position);
    }
    if (!d.module_path.empty()) line("  in module {}", printable(d.module_path));
    where_in_file(d);
    for (const std::string& note : d.notes) line("  {} {}", paint("1;36", "note:"), printable(note));
    if (!d.hint.empty()) line("  {} {}", paint("1;32", "hint:"), printable(d.hint));
  }

  std::string take() { return std::move(out_); }

 private:
  template <typename... Args>
  void line(fmt::format_string<Args...> text, Args&&... args) {
    out_ += fmt::format(text, std::forward<Args>(args)...);
    out_ += '\n';
  }

  std::string paint(std::string_view style, std::string_view text) const {
    return color_ ? fmt::format("\x1b[{}m{}\x1b[0m", style, text) : std::string(text);
  }

  void place(std::string_view preposition, const Position& at) {
    std::string where = printable(at.file);
    if (at.line > 0) where += fmt::format(":{}", at.line);
    if (at.line > 0 && at.column > 0) where += fmt::format(":{}", at.column);
    line("  {} {}{}", preposition, where,
         at.function.empty() ? "" : fmt::format(" in {}", printable(at.function)));
  }

  void source(const Position& at) {
    if (at.text.empty()) return;
    const Excerpt shown = excerpt(at);
    const std::string before = (shown.cut_left ? "…" : "") + source_text(shown.before);
    const std::string marked = source_text(shown.marked);
    const std::string number = at.line > 0 ? std::to_string(at.line) : "";
    line("{:>7} | {}{}{}{}", number, before, marked, source_text(shown.after), shown.cut_right ? "…" : "");
    if (at.column <= 0) return;
    const std::string caret = "^" + std::string(std::max<std::size_t>(display_width(marked), 1) - 1, '~');
    line("{:>7} | {:{}}{}", "", "", display_width(before), paint("1;32", caret));
  }

  void where_in_file(const Diagnostic& d) {
    if (d.record.empty() && !d.offset) return;
    const std::string record = d.record.empty() ? "" : fmt::format(" in record {}", printable(d.record));
    const std::string offset = d.offset ? fmt::format(" at byte {}", *d.offset) : "";
    line(" {}{}{}", record, record.empty() || offset.empty() ? "" : ",", offset);
  }

  bool color_;
  std::string out_;
};

}  // namespace

std::string format(const Diagnostic& diagnostic, const FormatOptions& options) {
  return format(std::span(&diagnostic, 1), options);
}

std::string format(std::span<const Diagnostic> diagnostics, const FormatOptions& options) {
  Drawing drawing(options.color);
  for (const Diagnostic& diagnostic : diagnostics) drawing.draw(diagnostic);
  return drawing.take();
}

std::string format_json(std::span<const Diagnostic> diagnostics) { return to_json(diagnostics).text(); }

}  // namespace cameo
