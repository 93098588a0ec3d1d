#include "cli/options.h"

#include <string>
#include <string_view>

#include <CLI/CLI.hpp>

namespace cameo::cli {
namespace {

// The sub-command of the command line, or the application if there is none.
const CLI::App& innermost(const CLI::App& app) {
  const auto chosen = app.get_subcommands();
  return chosen.empty() ? app : *chosen.front();
}

std::function<std::string(const std::string&)> number_above(bool or_equal, const char* otherwise) {
  return [or_equal, otherwise](const std::string& given) {
    double number = 0;
    const bool valid = CLI::detail::lexical_cast(given, number) && (or_equal ? number >= 0 : number > 0);
    return valid ? std::string() : "'" + given + "' " + otherwise;
  };
}

// The message of a CLI11 error in the form of ours.
std::string plain(const CLI::ParseError& error) {
  const std::string text = error.what();
  constexpr std::string_view kConversion = "Could not convert: ";
  if (text.starts_with(kConversion)) {
    const std::size_t equals = text.find(" = ");
    if (equals != std::string::npos)
      return text.substr(kConversion.size(), equals - kConversion.size()) + ": '" + text.substr(equals + 3) +
             "' is not a valid value";
  }
  const std::size_t colon = text.find(": ");
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) && colon != std::string::npos &&
      text.ends_with("missing"))
    return text.substr(0, colon) + ": the value is missing";
  return text;
}

// "a|b|c"
std::vector<std::string> choices_of(const std::string& text) {
  return text.find('|') == std::string::npos ? std::vector<std::string>() : CLI::detail::split(text, '|');
}

OptionText text_of(const CLI::Option& option) {
  OptionText text{.help = option.get_description(), .group = option.get_group()};
  for (const std::string& name : option.get_snames()) text.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) text.names.push_back("--" + name);
  if (option.get_positional()) {
    text.names = {option.get_name(true)};
    return text;
  }
  text.value = option.get_option_text();
  text.choices = choices_of(text.value);
  if (text.value.empty() && option.get_items_expected_max() > 0) text.value = option.get_type_name();
  return text;
}

CommandText text_of(const CLI::App& app) {
  CommandText text{.name = app.get_name(), .help = app.get_description(), .footer = app.get_footer()};
  for (const CLI::Option* option : app.get_options())
    (option->get_positional() ? text.positionals : text.options).push_back(text_of(*option));
  return text;
}

}  // namespace

bool parse_integer(const std::string& text, std::int64_t& number) {
  return CLI::detail::lexical_cast(text, number);
}

Option Option::required() const { return Option(option_->required()); }
Option Option::group(const char* title) const { return Option(option_->group(title)); }
Option Option::type_name(const char* name) const { return Option(option_->type_name(name)); }
Option Option::option_text(const char* text) const { return Option(option_->option_text(text)); }
Option Option::repeatable() const { return Option(option_->allow_extra_args(false)); }
Option Option::delimiter(char separator) const { return Option(option_->delimiter(separator)); }
Option Option::optional_value() const { return Option(option_->expected(0, 1)); }
Option Option::excludes(Option other) const { return Option(option_->excludes(other.option_)); }
Option Option::check(const Check& check) const { return Option(option_->check(check)); }
Option Option::positive() const {
  return Option(option_->check(number_above(false, "is not a positive number")));
}
Option Option::non_negative() const {
  return Option(option_->check(number_above(true, "is not a number of at least 0")));
}

Command Command::add_subcommand(const char* name, const char* doc) const {
  return Command(*app_->add_subcommand(name, doc));
}
void Command::footer(const char* text) const { app_->footer(text); }
void Command::callback(const std::function<void()>& function) const { app_->callback(function); }
bool Command::given(const char* option) const { return app_->count(option) > 0; }

Option Command::add_option(const char* names, std::string& target, const std::string& help) const {
  return Option(app_->add_option(names, target, help));
}
Option Command::add_option(const char* names, std::vector<std::string>& target,
                           const std::string& help) const {
  return Option(app_->add_option(names, target, help));
}
Option Command::add_option(const char* names, int& target, const std::string& help) const {
  return Option(app_->add_option(names, target, help));
}
Option Command::add_option(const char* names, std::int64_t& target, const std::string& help) const {
  return Option(app_->add_option(names, target, help));
}
Option Command::add_option(const char* names, std::uint64_t& target, const std::string& help) const {
  return Option(app_->add_option(names, target, help));
}
Option Command::add_option(const char* names, std::optional<int>& target, const std::string& help) const {
  return Option(app_->add_option(names, target, help));
}
Option Command::add_option(const char* names, std::optional<double>& target, const std::string& help) const {
  return Option(app_->add_option(names, target, help));
}
Option Command::add_value(const char* names, const std::function<void(const std::string&)>& use,
                          const std::string& help) const {
  return Option(app_->add_option_function<std::string>(names, use, help));
}
Option Command::add_values(const char* names, const std::function<void(const std::vector<std::string>&)>& use,
                           const std::string& help) const {
  return Option(app_->add_option_function<std::vector<std::string>>(names, use, help));
}

Option Command::add_flag(const char* names, bool& target, const std::string& help) const {
  return Option(app_->add_flag(names, target, help));
}
Option Command::add_flag(const char* names, std::optional<bool>& target, const std::string& help) const {
  return Option(app_->add_flag_function(
      names, [&target](std::int64_t count) { target = count > 0; }, help));
}
Option Command::add_flag(const char* names, std::string& target, const std::string& help) const {
  return Option(app_->add_flag(names, target, help));
}
Option Command::add_flag(const char* names, int& target, const std::string& help) const {
  return Option(app_->add_flag(names, target, help));
}
Option Command::add_flag(const char* names, const std::function<void()>& use, const std::string& help) const {
  return Option(app_->add_flag_callback(names, use, help));
}

Option Command::add_name(const char* names, const Numbers& choices, const std::function<void(int)>& use,
                         const std::string& help) const {
  std::string text;
  for (const Choice<int>& choice : choices) text += (text.empty() ? "" : "|") + std::string(choice.name);
  return add_one_of(names, choices, use, help, false).option_text(text.c_str());
}

Option Command::add_name_or_number(const char* names, const Numbers& choices,
                                   const std::function<void(int)>& use, const std::string& help) const {
  return add_one_of(names, choices, use, help, true);
}

Option Command::add_one_of(const char* names, const Numbers& choices, const std::function<void(int)>& use,
                           const std::string& help, bool numbers) const {
  const auto matches = [numbers](const Choice<int>& choice, const std::string& given) {
    return given == choice.name || (numbers && given == std::to_string(choice.value));
  };
  const auto choose = [choices, use, matches](const std::string& given) {
    for (const Choice<int>& choice : choices)
      if (matches(choice, given)) return use(choice.value);
  };
  const auto check = [choices, matches](const std::string& given) {
    std::vector<std::string> known;
    for (const Choice<int>& choice : choices) {
      if (matches(choice, given)) return std::string();
      known.emplace_back(choice.name);
    }
    return "'" + given + "' is not one of " + CLI::detail::join(known, ", ");
  };
  return Option(app_->add_option_function<std::string>(names, choose, help)->check(check));
}

Program::Program(const char* name, const char* doc, const std::function<std::string()>& version)
    : app_(std::make_unique<CLI::App>(doc, name)) {
  app_->set_version_flag("--version", version, "Print the version and exit");
  app_->set_help_flag("-h,--help", "Print this help and exit");
  app_->require_subcommand(1);
}

Program::~Program() = default;

Command Program::command() const { return Command(*app_); }

void Program::run(int argc, const char* const* argv) {
  try {
    app_->parse(argc, argv);
  } catch (const CLI::CallForVersion& version) {
    throw Exit(0, version.what());
  } catch (const CLI::CallForHelp&) {
    throw Exit(0, app_->help());
  } catch (const CLI::ParseError& error) {
    throw WrongUsage(plain(error));
  }
}

std::vector<CommandText> Program::describe() const {
  std::vector<CommandText> texts{text_of(*app_)};
  for (const CLI::App* command : std::as_const(*app_).get_subcommands(nullptr))
    texts.push_back(text_of(*command));
  return texts;
}

std::string Program::chosen() const {
  const CLI::App& command = innermost(*app_);
  return &command == app_.get() ? "" : command.get_name();
}

std::vector<std::string> Program::unknown_words() const { return app_->remaining(true); }

Vocabulary Program::vocabulary() const {
  const CLI::App& command = innermost(*app_);
  Vocabulary known;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames()) known.options.push_back("--" + name);
  if (&command != app_.get()) return known;
  for (const CLI::App* each : std::as_const(*app_).get_subcommands(nullptr))
    known.commands.push_back(each->get_name());
  return known;
}

}  // namespace cameo::cli
