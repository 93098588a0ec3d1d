#include "exported_program.h"

#include <ATen/core/grad_mode.h>
#include <fmt/format.h>

#include "cameo/diagnostic.h"
#include "exported/program.h"
#include "failures.h"
#include "interpreter.h"
#include "values.h"
#include "verify/exported_signature.h"
#include "weights.h"

namespace cameo::torch {
namespace {

using Kind = exported::InputSpec::Kind;

bool is_weight(Kind kind) {
  return kind == Kind::parameter || kind == Kind::buffer || kind == Kind::tensor_constant;
}

c10::IValue number_of(const Array& array) {
  const at::Tensor tensor = to_torch(array);
  TORCH_CHECK(tensor.numel() == 1, "a number was expected as an argument, not a tensor");
  return tensor.item();
}

class LoadedExport : public verify::Program {
 public:
  explicit LoadedExport(std::shared_ptr<const MappedFile> file)
      : path_(file->name()), program_(std::move(file)), operators_(program_.graph(), path_) {}

  std::vector<std::string> parameters(const std::string& method) const override {
    if (method != "forward")
      throw Error(Diagnostic{.code = Code::no_such_method,
                             .message = fmt::format("the program has no method '{}'", method),
                             .file = path_,
                             .hint = "the only method of a torch.export program is forward"});
    std::vector<std::string> names;
    for (const exported::ForwardInput& input : verify::runtime_inputs(program_)) names.push_back(input.name);
    return names;
  }

  std::vector<Array> run(const std::string&, const std::vector<InputSpec>&, std::span<const Array> tensors,
                         std::vector<verify::Operation>* operations) const override {
    const at::NoGradGuard no_gradients;
    const std::vector<c10::IValue> results = run_graph(tensors, operations);
    std::vector<Array> out;
    const std::vector<exported::OutputSpec>& outputs = program_.signature().outputs;
    for (std::size_t i = 0; i < std::min(outputs.size(), results.size()); ++i)
      if (verify::is_result(outputs[i])) flatten(results[i], out);
    return out;
  }

 private:
  std::vector<c10::IValue> run_graph(std::span<const Array> tensors,
                                     std::vector<verify::Operation>* operations) const try {
    return explained(path_, Code::torch_refuses, [&] {
      return Interpreter(operators_, operations).run(program_.graph(), inputs(tensors));
    });
  } catch (Error& error) {
    for (Diagnostic& diagnostic : error.diagnostics()) diagnostic.file = path_;
    throw;
  }

  // New copies of the weights, because the program may write to them.
  std::vector<c10::IValue> inputs(std::span<const Array> arrays) const {
    Weights weights;
    std::vector<c10::IValue> values;
    for (const exported::ForwardInput& input : exported::forward_inputs(program_)) {
      if (is_weight(input.spec->kind)) {
        values.emplace_back(weights.copy(*program_.tensor(*input.spec)));
      } else if (input.spec->kind != Kind::user_input || input.constant) {
        values.emplace_back();
      } else {
        TORCH_CHECK(!arrays.empty(), "the program has more inputs than arrays are given");
        const Array& array = arrays.front();
        values.push_back(input.number.empty() ? c10::IValue(to_torch(array)) : number_of(array));
        arrays = arrays.subspan(1);
      }
    }
    return values;
  }

  std::string path_;
  exported::Program program_;
  TorchOperators operators_;
};

}  // namespace

std::unique_ptr<verify::Program> load_exported(std::shared_ptr<const MappedFile> file) {
  return explained(file->name(), Code::torch_cannot_load, [&]() -> std::unique_ptr<verify::Program> {
    return std::make_unique<LoadedExport>(file);
  });
}

}  // namespace cameo::torch
