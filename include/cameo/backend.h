#pragma once
// Models in the manner of ONNX's backends: prepared once for a device, then run on tensors by position.
//
//   const cameo::Prepared alexnet = cameo::prepare("alexnet.proto", "CPU");
//   const std::vector<cameo::Datum> outputs = alexnet.run(images);
//   const cameo::Datum& relu = alexnet.run_all({images}).fetch("21");

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cameo/session.h"

namespace cameo {

// "CPU", with or without a number: "CPU:0".
bool supports_device(std::string_view device);

// Every value of one run.
class Workspace {
 public:
  explicit Workspace(std::vector<Session::Feed> values) : values_(std::move(values)) {}

  // The inputs, the initialisers and the results of each node, in this order.
  std::vector<std::string> names() const;
  bool has(std::string_view name) const;
  // Throws Error if no value has this name.
  const Datum& fetch(std::string_view name) const;

 private:
  std::vector<Session::Feed> values_;
};

// A model, ready to run. Copies share it. All functions may be called from several threads at once.
class Prepared {
 public:
  // Inputs in the model's order; the outputs likewise. Throws Error if there are more or fewer of them.
  std::vector<Datum> run(const std::vector<Datum>& inputs) const;
  std::vector<Datum> run(const Array& input) const { return run(std::vector<Datum>{input}); }

  // The same, and all values on the way. The first call prepares the model anew, with all of them as outputs.
  Workspace run_all(const std::vector<Datum>& inputs) const;

  // The model after the optimisations of ONNX Runtime, as the bytes of an ONNX file.
  std::string predict_net() const;

  const Session& session() const;

 private:
  friend Prepared prepare(const std::string&, std::string_view, const SessionOptions&);
  struct State;
  explicit Prepared(std::shared_ptr<State> state) : state_(std::move(state)) {}
  std::shared_ptr<State> state_;
};

// Throws Error if the device is not there (Code::unsupported_device) or the model cannot be run.
Prepared prepare(const std::string& path, std::string_view device = "CPU",
                 const SessionOptions& options = {});

}  // namespace cameo
