#include "operations.h"

#include "cameo/diagnostic.h"
#include "values.h"

namespace cameo::torch {
namespace {

thread_local Recorder* current_recorder = nullptr;

}  // namespace

Recorder::Recorder(std::vector<verify::Operation>& operations)
    : operations_(operations),
      handle_(at::addThreadLocalCallback(
          at::RecordFunctionCallback(begin, end).needsOutputs(true).scopes({at::RecordScope::FUNCTION}))) {
  current_recorder = this;
}

Recorder::~Recorder() {
  current_recorder = nullptr;
  at::removeCallback(handle_);
}

std::unique_ptr<at::ObserverContext> Recorder::begin(const at::RecordFunction&) {
  if (current_recorder) ++current_recorder->depth_;
  return nullptr;
}

void Recorder::end(const at::RecordFunction& function, at::ObserverContext*) {
  Recorder* recorder = current_recorder;
  if (!recorder || --recorder->depth_ > 0) return;
  verify::Operation operation{.op = function.name()};
  ++recorder->depth_;  // copying calls operators, too
  try {
    for (const c10::IValue& output : function.outputs()) flatten(output, operation.results);
  } catch (const Error&) {  // elements that nothing is compared with
  }
  --recorder->depth_;
  if (!operation.results.empty()) recorder->operations_.push_back(std::move(operation));
}

}  // namespace cameo::torch
