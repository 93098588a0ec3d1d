#include "scopes.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <fmt/format.h>
#include <torch/csrc/jit/frontend/tracer.h>

#include <utility>

namespace cameo::torch {
namespace {

namespace tracer = ::torch::jit::tracer;

thread_local Scopes* current_scopes = nullptr;

struct Entered : at::ObserverContext {};

bool returns_number(const at::RecordFunction& function) {
  const auto schema = function.operator_schema();
  if (!schema || schema->returns().size() != 1) return false;
  const c10::TypeKind kind = schema->returns()[0].type()->kind();
  return kind == c10::TypeKind::NumberType || kind == c10::TypeKind::BoolType;
}

bool depends_on_contents(const at::RecordFunction& function) {
  const auto name = function.operator_name();
  const auto op = name ? c10::Dispatcher::singleton().findOp(*name) : c10::nullopt;
  return op && op->hasTag(at::Tag::data_dependent_output);
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
  if (!scopes) return nullptr;
  const bool outermost = scopes->depth_++ == 0;
  if (outermost) scopes->number_ = returns_number(function) ? function.name() : "";
  if (!scopes->number_.empty() && depends_on_contents(function))
    scopes->warn_of_reading(std::exchange(scopes->number_, {}));
  if (!outermost) return nullptr;
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

void Scopes::warn_of_reading(const std::string& op) {
  warnings_.push_back({.severity = Severity::warning,
                       .code = Code::contents_read,
                       .message = fmt::format(
                           "forward reads a number out of a tensor ({}), and what it does with it is fixed "
                           "in the exported model as it was for the example",
                           op),
                       .module_path = paths_.back(),
                       .hint = "compute with tensors instead, or script the module"});
}

}  // namespace cameo::torch
