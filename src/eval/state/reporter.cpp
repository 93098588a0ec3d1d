#include "eval/state/reporter.h"

#include <fmt/core.h>

namespace cameo::eval {

Diagnostic Reporter::diagnostic(Severity severity, Code code, std::string message) const {
  Diagnostic d{.severity = severity, .code = code, .message = std::move(message)};
  d.file = program_.file_name();
  const Frame* innermost = stack_.innermost();
  if (!innermost) return d;
  d.module_path = innermost->module_path;
  d.script = program_.script_position(*innermost->file, innermost->range);
  for (std::size_t i = stack_.depth(); i-- > 0;) {
    const Frame* frame = stack_.frames()[i];
    std::vector<Position> places = program_.python_position(*frame->file, frame->range);
    if (places.empty()) continue;
    // The place of a traced operator holds the whole stack; that of scripted code holds one line per call.
    const bool whole_stack = places.size() > 1;
    for (Position& place : places) {
      if (place.function.empty()) place.function = frame->function;
      if (d.python.empty() || d.python.back().file != place.file || d.python.back().line != place.line)
        d.python.push_back(std::move(place));
    }
    if (whole_stack) break;
  }
  return d;
}

void Reporter::assume(const sym::Condition& condition, std::string_view otherwise) {
  assume(fmt::format("{} (otherwise: {})", sym::to_string(condition), otherwise));
}

void Reporter::report_unsupported(std::string_view op) {
  report_unsupported(Code::unsupported_operator, fmt::format("{} cannot be converted to ONNX", op), {});
}

void Reporter::report_unsupported(Code code, std::string message, std::string hint) {
  Diagnostic d = diagnostic(Severity::error, code, std::move(message));
  d.hint = hint.empty()
               ? "write a converter for it and load it with --plugin, or keep the operator as a node: "
                 "--operator-export-type ONNX_FALLTHROUGH"
               : std::move(hint);
  report(std::move(d));
}

void Reporter::raise(std::string message) const {
  Diagnostic where = diagnostic(Severity::error, Code::program_raises, message);
  throw Raised{std::move(message), std::move(where)};
}

void Reporter::fail(Code code, std::string message, std::string hint) const {
  Diagnostic d = diagnostic(Severity::error, code, std::move(message));
  d.hint = std::move(hint);
  throw Error(std::move(d));
}

onnx::Origin Reporter::origin(std::string_view op) const {
  onnx::Origin origin;
  origin.op = op;
  if (const Frame* innermost = stack_.innermost()) {
    origin.module_path = innermost->module_path;
    origin.locate = [&program = program_, file = innermost->file, range = innermost->range] {
      return onnx::Places{program.script_position(*file, range), program.python_position(*file, range)};
    };
  }
  return origin;
}

OriginScope::OriginScope(onnx::Emit& emit, const Reporter& reporter, std::string_view op)
    : emit_(emit), outer_(emit.origin()) {
  emit_.set_origin(emit_.model().add_origin(reporter.origin(op)));
}

}  // namespace cameo::eval
