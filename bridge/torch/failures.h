#pragma once
#include <c10/util/Exception.h>

#include <string>
#include <string_view>
#include <utility>

#include "cameo/diagnostic.h"

namespace cameo::torch {

// The words of libtorch: the first line is the message, the others are notes. Places in libtorch's sources are left out.
inline Diagnostic diagnostic_of(const std::string& file, Code code, std::string_view words) {
  Diagnostic diagnostic{.code = code, .file = file};
  while (!words.empty()) {
    const std::string line(words.substr(0, words.find('\n')));
    words.remove_prefix(std::min(words.size(), line.size() + 1));
    if (line.find_first_not_of(" :") == line.npos || line.find(" registered at ") != line.npos) continue;
    if (diagnostic.message.empty())
      diagnostic.message = line;
    else
      diagnostic.notes.push_back(line);
  }
  if (diagnostic.message.starts_with("Unknown builtin op"))
    diagnostic.hint = "name the library that has it, such as torchvision's _C.so, with --load";
  if (diagnostic.message.find("not implemented for '") != std::string::npos)
    diagnostic.hint = "use a bridge that is built with a newer libtorch, which may have this computation";
  return diagnostic;
}

// Runs a function. An exception of libtorch becomes an Error with a diagnostic, which `adjust` may complete.
template <class F, class G>
auto explained(const std::string& file, Code code, F run, G adjust) {
  const auto refuse = [&](std::string_view words) {
    Diagnostic diagnostic = diagnostic_of(file, code, words);
    adjust(diagnostic);
    throw Error(std::move(diagnostic));
  };
  try {
    return run();
  } catch (const Error&) {
    throw;
  } catch (const c10::Error& error) {  // without the lines of C++
    refuse(error.what_without_backtrace());
    throw;
  } catch (const std::exception& error) {
    refuse(error.what());
    throw;
  }
}

template <class F>
auto explained(const std::string& file, Code code, F run) {
  return explained(file, code, run, [](Diagnostic&) {});
}

}  // namespace cameo::torch
