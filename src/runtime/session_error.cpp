#include <fmt/core.h>

#include <iterator>
#include <string_view>

#include "cameo/session.h"
#include "runtime/ort_abi.h"

namespace cameo {
namespace {

struct Named {
  std::string_view name;
  Code code;
};

// In the order of ONNX Runtime's numbers.
constexpr Named kNames[] = {{"OK", Code::onnxruntime_unknown},
                            {"FAIL", Code::onnxruntime_fail},
                            {"INVALID_ARGUMENT", Code::onnxruntime_invalid_argument},
                            {"NO_SUCHFILE", Code::onnxruntime_no_suchfile},
                            {"NO_MODEL", Code::onnxruntime_no_model},
                            {"ENGINE_ERROR", Code::onnxruntime_engine_error},
                            {"RUNTIME_EXCEPTION", Code::onnxruntime_runtime_exception},
                            {"INVALID_PROTOBUF", Code::onnxruntime_invalid_protobuf},
                            {"MODEL_LOADED", Code::onnxruntime_model_loaded},
                            {"NOT_IMPLEMENTED", Code::onnxruntime_not_implemented},
                            {"INVALID_GRAPH", Code::onnxruntime_invalid_graph},
                            {"EP_FAIL", Code::onnxruntime_ep_fail}};
constexpr Named kUnknown = {"UNKNOWN", Code::onnxruntime_unknown};

const Named& named(RuntimeCode code) {
  const auto index = static_cast<std::size_t>(code);
  return index < std::size(kNames) ? kNames[index] : kUnknown;
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
  const Named& error = named(code);
  return {.code = error.code,
          .message = fmt::format("[ONNXRuntimeError] : {} : {} : {}", static_cast<int>(code), error.name,
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
