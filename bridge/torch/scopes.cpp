#include "scopes.h"

#include <fmt/format.h>
#include <torch/csrc/jit/frontend/tracer.h>

namespace cameo::torch {
namespace {

namespace tracer = ::torch::jit::tracer;

thread_local Scopes* current_scopes = nullptr;

struct Entered : at::ObserverContext {};

bool reads_contents(std::string_view op) {
  return op == "aten::item" || op == "aten::is_nonzero" || op == "aten::_local_scalar_dense" ||
         op == "aten::equal";
}

}  // namespace

Scopes::Scopes(const Mirror& mirror)
    : mirror_(mirror),
      handle_(at::addThreadLocalCallback(
          at::RecordFunctionCallback(begin, end).needsInputs(true).scopes({at::RecordScope::FUNCTION}))) {
  current_scopes = this;
}

Scopes::~Scopes() {
  current_scopes = nullptr;
  at::removeCallback(handle_);
}

Scopes* Scopes::current() { return current_scopes; }

bool Scopes::enter(const std::string& path) {
  if (path == paths_.back() || !tracer::isTracing()) return false;
  tracer::getTracingState()->graph->push_scope("__module." + path);
  paths_.push_back(path);
  return true;
}

bool Scopes::enter(const ::torch::nn::Module& module) {
  const auto path = mirror_.paths.find(&module);
  return path != mirror_.paths.end() && enter(path->second);
}

void Scopes::leave() {
  paths_.pop_back();
  if (tracer::isTracing()) tracer::getTracingState()->graph->pop_scope();
}

const std::string* Scopes::owner(const c10::IValue& value) const {
  if (value.isTensor() && value.toTensor().defined()) {
    const auto found = mirror_.owners.find(value.toTensor().unsafeGetTensorImpl());
    return found == mirror_.owners.end() ? nullptr : &found->second;
  }
  if (!value.isTensorList()) return nullptr;
  for (const at::Tensor& tensor : value.toTensorVector())
    if (const std::string* path = owner(tensor)) return path;
  return nullptr;
}

std::unique_ptr<at::ObserverContext> Scopes::begin(const at::RecordFunction& function) {
  Scopes* scopes = current_scopes;
  if (!scopes || scopes->depth_++ > 0) return nullptr;
  if (reads_contents(function.name())) scopes->warn_of_reading(function.name());
  for (const c10::IValue& input : function.inputs()) {
    const std::string* path = scopes->owner(input);
    if (path && !path->empty()) return scopes->enter(*path) ? std::make_unique<Entered>() : nullptr;
  }
  return nullptr;
}

void Scopes::end(const at::RecordFunction&, at::ObserverContext* context) {
  Scopes* scopes = current_scopes;
  if (!scopes) return;
  --scopes->depth_;
  if (context) scopes->leave();
}

void Scopes::warn_of_reading(const char* op) {
  warnings_.push_back({.severity = Severity::warning,
                       .stage = Stage::trace,
                       .code = "contents-read",
                       .message = fmt::format(
                           "forward reads a number out of a tensor ({}), and what it does with it is fixed "
                           "in the exported model as it was for the example",
                           op),
                       .module_path = paths_.back(),
                       .hint = "compute with tensors instead, or script the module"});
}

}  // namespace cameo::torch
