#include "cli/manual.h"

#include <algorithm>
#include <span>

#include <fmt/core.h>

#include "base/text.h"
#include "cameo/version.h"

namespace cameo::cli {
namespace manual_page {

// Text for roff, where a backslash and a full stop or an apostrophe at the beginning of a line are special.
std::string plain(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool first = out.empty() || out.back() == '\n';
    if (first && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else if (c == '\'')
      out += "\\(aq";
    else
      out += c;
  }
  return out;
}

std::string joined(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  return text;
}

std::string option(const OptionText& option) {
  std::string names;
  for (const std::string& name : option.names)
    names += (names.empty() ? "" : ", ") + ("\\fB" + plain(name) + "\\fR");
  const bool attached = option.value.starts_with('[');
  if (!option.value.empty()) names += (attached ? "\\fI" : " \\fI") + plain(option.value) + "\\fR";
  return fmt::format(".TP\n{}\n{}\n", names, plain(joined(option.help)));
}

std::string options(const std::vector<OptionText>& all) {
  std::string out, group;
  for (const OptionText& each : all) {
    if (each.group != group && each.group != "Options") out += fmt::format(".SS {}\n", plain(each.group));
    group = each.group;
    out += option(each);
  }
  return out;
}

std::string synopsis(const CommandText& command, bool application) {
  std::string out = application ? ".B cameo\n" : fmt::format(".B cameo {}\n", plain(command.name));
  if (!application) out += "[\\fIoptions\\fR]\n";
  for (const OptionText& each : command.positionals)
    out += fmt::format("\\fI{}\\fR\n", plain(each.names.front()));
  return application ? out + "\\fIcommand\\fR [\\fIoptions\\fR] [\\fIarguments\\fR]\n" : out;
}

std::string page(const CommandText& command, bool application) {
  const std::string title = application ? "cameo" : "cameo-" + command.name;
  std::string out = fmt::format(".TH {} 1 \"\" \"cameo {}\" \"Cameo\"\n", plain(title), version());
  std::string summary = joined(command.help);
  if (summary.ends_with('.')) summary.pop_back();
  out += fmt::format(".SH NAME\n{} \\- {}\n.SH SYNOPSIS\n{}", plain(title), plain(summary),
                     synopsis(command, application));
  return out;
}

std::string commands_of(const std::vector<CommandText>& commands) {
  std::string out = ".SH COMMANDS\n";
  for (const CommandText& each : std::span(commands).subspan(1))
    out += fmt::format(".TP\n\\fBcameo\\-{}\\fR(1)\n{}\n", plain(each.name), plain(joined(each.help)));
  return out;
}

}  // namespace manual_page

std::string manual(const std::vector<CommandText>& commands, const std::string& name) {
  using namespace manual_page;
  const bool application = name.empty();
  const auto found = application ? commands.begin() : std::ranges::find(commands, name, &CommandText::name);
  if (found == commands.end()) throw WrongUsage("there is no command '" + printable(name) + "'");
  std::string out = page(*found, application);
  if (application) out += commands_of(commands);
  if (!found->positionals.empty()) out += ".SH ARGUMENTS\n" + options(found->positionals);
  out += ".SH OPTIONS\n" + options(found->options);
  if (!found->footer.empty()) out += fmt::format(".SH NOTES\n.nf\n{}\n.fi\n", plain(found->footer));
  out +=
      ".SH EXIT STATUS\n0 after success, 1 for a fault of the input, 2 for wrong usage, 3 for a bug in "
      "Cameo.\n";
  return out + (application ? "" : ".SH SEE ALSO\n\\fBcameo\\fR(1)\n");
}

}  // namespace cameo::cli
