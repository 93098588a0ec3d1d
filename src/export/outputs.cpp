#include "export/outputs.h"

#include <fmt/core.h>

#include <set>

#include "aten/quantization.h"
#include "export/check_options.h"

namespace cameo {
namespace {

using eval::Value;

class Outputs {
 public:
  Outputs(eval::Evaluator& ev, const std::vector<std::string>& names) : ev_(ev), names_(names) {
    for (const onnx::Value* input : ev_.emit().model().main().inputs) taken_.insert(input->name);
    for (const std::string& name : names_)
      if (taken_.contains(name)) refuse_name(name, "an input has it already");
  }

  void add(const Value& value, const std::string& name) {
    if (const eval::TuplePtr* tuple = value.get_if<eval::TuplePtr>()) {
      for (std::size_t i = 0; i < (*tuple)->items.size(); ++i)
        add((*tuple)->items[i], i < (*tuple)->fields.size() ? (*tuple)->fields[i] : std::string());
    } else if (const eval::ListPtr* list = value.get_if<eval::ListPtr>()) {
      if ((*list)->sequence) put((*list)->sequence, name);
      for (const Value& item : (*list)->items) add(item, {});
    } else if (const eval::DictPtr* dict = value.get_if<eval::DictPtr>()) {
      for (const auto& [key, item] : (*dict)->items) {
        const std::string* text = key.get_if<std::string>();
        add(item, text ? *text : std::string());
      }
    } else if (value.is<eval::CellPtr>() || value.is_number() || value.is_bool()) {
      put(ev_.values().tensor(value), name);
    } else if (!value.is_none()) {
      ev_.reporter().fail(Code::unsupported_output,
                          fmt::format("{} cannot be an output of an ONNX model", eval::describe(value)));
    }
  }
  std::size_t count() const { return next_; }

 private:
  void put(const aten::Tensor& tensor, const std::string& suggested) {
    onnx::Emit& e = ev_.emit();
    const bool asked_for = next_ < names_.size();
    std::string name = asked_for            ? names_[next_]
                       : !suggested.empty() ? suggested
                       : next_ == 0         ? "output"
                                            : fmt::format("output_{}", next_);
    ++next_;
    while (!taken_.insert(name).second) name += "_out";
    if (tensor.complex)
      ev_.reporter().report(ev_.reporter().diagnostic(
          Severity::note, Code::complex_output,
          fmt::format("output '{}' is complex: it becomes {} with a last dimension of 2, which holds real "
                      "and imaginary parts",
                      name, cameo::name(tensor->dtype()))));
    e.graph_output(&e.model().main(), tensor.complex ? tensor.value : aten::dequantized(e, tensor).value,
                   name);
  }

  eval::Evaluator& ev_;
  const std::vector<std::string>& names_;
  std::set<std::string> taken_;
  std::size_t next_ = 0;
};

}  // namespace

void make_outputs(eval::Evaluator& ev, const Value& result, const ExportOptions& options) {
  Outputs outputs(ev, options.output_names);
  outputs.add(result, {});
  if (outputs.count() == 0) ev.reporter().fail(Code::no_output, "the entry point returns no tensor");
  if (options.output_names.size() > outputs.count())
    ev.reporter().fail(Code::too_many_names, fmt::format("{} output names are given for {} outputs",
                                                         options.output_names.size(), outputs.count()));
}

}  // namespace cameo
