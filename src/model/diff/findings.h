#pragma once
#include <optional>
#include <string>
#include <vector>

#include "cameo/model.h"
#include "model/file/data_files.h"
#include "model/file/open.h"
#include "onnx/proto/messages.h"

namespace cameo::model {

// One of the two models.
struct Side {
  explicit Side(const Opened& model) : opened(model), files(model.file->name()) {}
  const Opened& opened;
  DataFiles files;
};

// Both models, and whether contents of constants are compared.
struct Sides {
  Side& a;
  Side& b;
  bool values = true;
};

// The differences that a comparison found, with their places.
class Findings {
 public:
  using Kind = ModelDifference::Kind;

  void add(Kind kind, const char* what, std::string name, std::string detail);
  void add(ModelDifference difference);
  bool empty() const { return found_.empty(); }
  std::vector<ModelDifference> take() { return std::move(found_); }

  // While it lives, findings are within `place` ("then_branch of If 'choose'").
  class Within {
   public:
    Within(Findings& findings, std::string place) : findings_(findings) {
      findings_.places_.push_back(std::move(place));
    }
    ~Within() { findings_.places_.pop_back(); }
    Within(const Within&) = delete;
    Within& operator=(const Within&) = delete;

   private:
    Findings& findings_;
  };

 private:
  std::vector<std::string> places_;
  std::vector<ModelDifference> found_;
};

// "Conv '/conv1'", or "Conv of 'c'" for one without a name. Printable.
std::string label(const onnx::proto::Node& node);
std::string quoted(std::string_view name);

// The difference between two attributes of the same name, without graphs; empty if there is none. Printable.
std::string attribute_difference(Sides sides, const onnx::proto::Attribute& a,
                                 const onnx::proto::Attribute& b);
// "axis 1", for one that only one of the models has. Printable.
std::string attribute_text(const onnx::proto::Attribute& attribute);
// "1", cut behind `most` bytes. Printable.
std::string attribute_value(const onnx::proto::Attribute& attribute, std::size_t most = 80);

// The difference between two tensors, apart from their names. The result has no name yet.
std::optional<ModelDifference> tensor_difference(Sides sides, const onnx::proto::Tensor& a,
                                                 const onnx::proto::Tensor& b);

}  // namespace cameo::model
