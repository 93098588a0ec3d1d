#pragma once
#include <ATen/record_function.h>

#include <string>
#include <vector>

#include "cameo/diagnostic.h"
#include "mirror.h"

namespace cameo::torch {

// While it lives, the tracer of this thread knows which module an operator belongs to: the one whose
// parameters it reads, or the step of a Sequential that is being run. C++ modules do not say when they are
// called. Also takes note of what a trace cannot hold.
class Scopes {
 public:
  explicit Scopes(const Mirror& mirror);
  ~Scopes();
  Scopes(const Scopes&) = delete;
  Scopes& operator=(const Scopes&) = delete;

  static Scopes* current();  // of this thread; null if nothing is traced

  // Nodes belong to the module from here to the matching leave(). False: they did already.
  bool enter(const std::string& path);
  bool enter(const ::torch::nn::Module& module);
  void leave();

  std::vector<Diagnostic> take_warnings() { return std::move(warnings_); }

 private:
  static std::unique_ptr<at::ObserverContext> begin(const at::RecordFunction& function);
  static void end(const at::RecordFunction& function, at::ObserverContext* context);
  const std::string* owner(const c10::IValue& value) const;
  void warn_of_reading(const std::string& op);

  const Mirror& mirror_;
  std::vector<std::string> paths_ = {""};
  int depth_ = 0;
  // The outermost operator that runs now, if it returns a number; empty once its warning was given.
  std::string number_;
  std::vector<Diagnostic> warnings_;
  at::CallbackHandle handle_;
};

}  // namespace cameo::torch
