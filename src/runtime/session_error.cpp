#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "cameo/session.h"
#include "runtime/ort_abi.h"

namespace cameo {
namespace {

constexpr std::array<std::string_view, 12> kCodeNames = {"OK",
                                                         "FAIL",
                                                         "INVALID_ARGUMENT",
                                                         "NO_SUCHFILE",
                                                         "NO_MODEL",
                                                         "ENGINE_ERROR",
                                                         "RUNTIME_EXCEPTION",
                                                         "INVALID_PROTOBUF",
                                                         "MODEL_LOADED",
                                                         "NOT_IMPLEMENTED",
                                                         "INVALID_GRAPH",
                                                         "EP_FAIL"};

std::string_view name(RuntimeCode code) {
  const auto index = static_cast<std::size_t>(code);
  return index < kCodeNames.size() ? kCodeNames[index] : "UNKNOWN";
}

// A diagnostic is one line.
std::string on_one_line(std::string_view text) {
  std::string line;
  for (const char c : text) {
    const bool space = c == ' ' || c == '\n';
    if (!space)
      line += c;
    else if (!line.empty() && line.back() != ' ')
      line += ' ';
  }
  while (line.ends_with(' ')) line.pop_back();
  return line;
}

Diagnostic diagnose(RuntimeCode code, std::string_view text) {
  std::string kebab = "onnxruntime-";
  for (const char c : name(code)) kebab += c == '_' ? '-' : static_cast<char>(c - 'A' + 'a');
  return {.stage = Stage::run,
          .code = std::move(kebab),
          .message = fmt::format("[ONNXRuntimeError] : {} : {} : {}", static_cast<int>(code), name(code),
                                 on_one_line(text))};
}

}  // namespace

SessionError::SessionError(RuntimeCode code, std::string text)
    : Error(diagnose(code, text)), code_(code), text_(std::move(text)) {}

namespace runtime::ort {

void Api::raise(Status* status) const {
  const Owned<Status> owned = own(status);
  const auto code = static_cast<RuntimeCode>(function<int(const Status*)>(1)(status));
  throw SessionError(code, function<const char*(const Status*)>(2)(status));
}

}  // namespace runtime::ort
}  // namespace cameo
