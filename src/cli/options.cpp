#include "cli/options.h"

#include <map>

#include <CLI/CLI.hpp>

namespace cameo::cli {
namespace {

// CLI11 names a value of this type ENUM in messages.
enum class Enumerator : int {};

// The sub-command of the command line, or the application if there is none.
const CLI::App& innermost(const CLI::App& app) {
  const auto chosen = app.get_subcommands();
  return chosen.empty() ? app : *chosen.front();
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
Option Option::positive() const { return Option(option_->check(CLI::PositiveNumber)); }
Option Option::non_negative() const { return Option(option_->check(CLI::NonNegativeNumber)); }

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
  std::vector<std::string> known;
  std::string text;
  for (const Choice<int>& choice : choices) {
    known.emplace_back(choice.name);
    text += (text.empty() ? "" : "|") + known.back();
  }
  const auto choose = [choices, use](const std::string& given) {
    for (const Choice<int>& choice : choices)
      if (choice.name == given) use(choice.value);
  };
  return Option(app_->add_option_function<std::string>(names, choose, help)
                    ->check(CLI::IsMember(known))
                    ->option_text(text));
}

Option Command::add_name_or_number(const char* names, const Numbers& choices,
                                   const std::function<void(int)>& use, const std::string& help) const {
  std::map<std::string, Enumerator> known;
  for (const Choice<int>& choice : choices) known.emplace(choice.name, Enumerator{choice.value});
  const auto choose = [use](const Enumerator& chosen) { use(static_cast<int>(chosen)); };
  return Option(app_->add_option_function<Enumerator>(names, choose, help)
                    ->transform(CLI::CheckedTransformer(known).description("")));
}

Program::Program(const char* name, const char* doc, const char* version)
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
    throw Exit(0, std::string(version.what()) + "\n");
  } catch (const CLI::CallForHelp&) {
    throw Exit(0, app_->help());
  } catch (const CLI::ParseError& error) {
    throw WrongUsage(error.what());
  }
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
