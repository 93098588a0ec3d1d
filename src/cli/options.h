#pragma once
// Options and sub-commands of the command line. These classes stand before CLI11, because its headers and
// templates take many seconds to compile: only options.cpp includes them.

#include <cstdint>
#include <exception>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "cli/suggest.h"

namespace CLI {  // NOLINT(readability-identifier-naming): of the library
class App;
class Option;
}  // namespace CLI

namespace cameo::cli {

// The command line is wrong. The text says why; if there are unknown words, Program::unknown_words says more.
class WrongUsage : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Ends the command: main prints the text to stdout and exits with the code.
class Exit : public std::exception {
 public:
  explicit Exit(int code, std::string text = {}) : code_(code), text_(std::move(text)) {}
  int code() const { return code_; }
  const std::string& text() const { return text_; }

 private:
  int code_;
  std::string text_;
};

// Reads a whole text as an option with an integer reads its value: decimal, 0x10 or 010.
bool parse_integer(const std::string& text, std::int64_t& number);

// A declared option. A copy refers to the same option, which the Program owns. Each function returns the
// option itself.
class Option {
 public:
  // Returns an error message, or an empty text if the value is valid.
  using Check = std::function<std::string(const std::string& value)>;

  explicit Option(CLI::Option* option) : option_(option) {}

  Option required() const;
  Option group(const char* title) const;       // the paragraph of the help
  Option type_name(const char* name) const;    // the name of the value in the help and in messages
  Option option_text(const char* text) const;  // replaces the name of the value in the help
  Option repeatable() const;                   // each occurrence takes one value, not all words that follow
  Option delimiter(char separator) const;      // one word may hold several values
  Option optional_value() const;               // the value may be left out
  Option excludes(Option other) const;         // the two cannot be used together
  Option check(const Check& check) const;      // values for which `check` returns a message are errors
  Option positive() const;                     // a number greater than 0
  Option non_negative() const;                 // a number of at least 0

 private:
  CLI::Option* option_;
};

// A name of a value.
template <class T>
struct Choice {
  const char* name;
  T value;
};

// The application or a sub-command. A copy refers to the same command, which the Program owns.
//
// `names` is "-o,--output" for an option and "MODEL" for a positional argument. Targets, and all that a
// function refers to, must outlive the Program. Parsing changes a target only if the option is given.
class Command {
 public:
  explicit Command(CLI::App& app) : app_(&app) {}

  Command add_subcommand(const char* name, const char* doc) const;
  void footer(const char* text) const;                         // the text at the end of the help
  void callback(const std::function<void()>& function) const;  // runs after all options are parsed
  bool given(const char* option) const;                        // is the option on the command line?

  Option add_option(const char* names, std::string& target, const std::string& help) const;
  Option add_option(const char* names, std::vector<std::string>& target, const std::string& help) const;
  Option add_option(const char* names, int& target, const std::string& help) const;
  Option add_option(const char* names, std::int64_t& target, const std::string& help) const;
  Option add_option(const char* names, std::uint64_t& target, const std::string& help) const;
  Option add_option(const char* names, std::optional<int>& target, const std::string& help) const;
  Option add_option(const char* names, std::optional<double>& target, const std::string& help) const;
  // Calls the function with the value, or with all values. The function may throw WrongUsage.
  Option add_value(const char* names, const std::function<void(const std::string&)>& use,
                   const std::string& help) const;
  Option add_values(const char* names, const std::function<void(const std::vector<std::string>&)>& use,
                    const std::string& help) const;

  // A flag may have a value: --flag=false.
  Option add_flag(const char* names, bool& target, const std::string& help) const;
  Option add_flag(const char* names, std::optional<bool>& target, const std::string& help) const;
  Option add_flag(const char* names, std::string& target,
                  const std::string& help) const;  // "true" without a value
  Option add_flag(const char* names, int& target,
                  const std::string& help) const;  // "--flag{3}": 3 without a value
  Option add_flag(const char* names, const std::function<void()>& use, const std::string& help) const;

  // An option whose value is one of the names. The help shows them all.
  template <class T>
  Option add_choice(const char* names, T& target,
                    std::initializer_list<Choice<std::type_identity_t<T>>> choices,
                    const std::string& help) const {
    return add_name(names, numbers<T>(choices), setter(target), help);
  }
  // The same, and the number of the enumerator is accepted, too.
  template <class T>
  Option add_numbered_choice(const char* names, T& target,
                             std::initializer_list<Choice<std::type_identity_t<T>>> choices,
                             const std::string& help) const {
    return add_name_or_number(names, numbers<T>(choices), setter(target), help);
  }

 private:
  using Numbers = std::vector<Choice<int>>;

  template <class T>
  static Numbers numbers(std::initializer_list<Choice<T>> choices) {
    Numbers out;
    for (const Choice<T>& choice : choices) out.push_back({choice.name, static_cast<int>(choice.value)});
    return out;
  }
  template <class T>
  static std::function<void(int)> setter(T& target) {
    return [&target](int number) { target = static_cast<T>(number); };
  }
  Option add_name(const char* names, const Numbers& choices, const std::function<void(int)>& use,
                  const std::string& help) const;
  Option add_name_or_number(const char* names, const Numbers& choices, const std::function<void(int)>& use,
                            const std::string& help) const;

  Option add_one_of(const char* names, const Numbers& choices, const std::function<void(int)>& use,
                    const std::string& help, bool numbers) const;

  CLI::App* app_;
};

// The help of an option or of a positional argument, for man pages and for the completion of shells.
struct OptionText {
  std::vector<std::string> names;  // "-o", "--output"; the name of a positional argument
  std::string value;               // the name of its value; empty for a flag and for a positional argument
  std::string help, group;
  std::vector<std::string> choices;  // all values that are valid; empty: there are others
};

struct CommandText {
  std::string name, help, footer;
  std::vector<OptionText> options, positionals;
};

// The whole command line: options -h, --help and --version, and exactly one sub-command.
class Program {
 public:
  // `version` makes the text of --version.
  Program(const char* name, const char* doc, const std::function<std::string()>& version);
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  Command command() const;

  // Parses the arguments and runs the callback of the sub-command. Throws WrongUsage, Exit (for --help and
  // --version, too), and the exceptions of the callback.
  void run(int argc, const char* const* argv);

  // The help of the application, which comes first, and of each sub-command.
  std::vector<CommandText> describe() const;

  // After run:
  std::string chosen() const;                      // the name of the sub-command; empty if none was given
  std::vector<std::string> unknown_words() const;  // of the command line
  Vocabulary vocabulary() const;                   // valid in place of an unknown word

 private:
  std::unique_ptr<CLI::App> app_;
};

}  // namespace cameo::cli
