#pragma once
// model.json: the modules and the table of tensors of a TorchScript program of PyTorch 1.0 to 1.2.

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "archive/archive.h"
#include "exported/json_reader.h"

namespace cameo::legacy {

// The hint for a file that cannot be read.
constexpr const char* kSaveAgain = "load the file with torch.jit.load and save it again with torch.jit.save";

struct Attribute {
  std::string_view type;  // as code writes it: "List[int]"
  std::string_view name;
  std::int64_t id = -1;  // of the value in attributes.pkl; negative: None
};
struct Parameter {
  std::string_view name;
  std::int64_t tensor = 0;  // in the table of tensors
  bool is_buffer = false;
};
struct ModuleRecord {
  std::string_view name;
  std::string_view code;  // the record of its methods; empty: it has none
  std::vector<Parameter> parameters;
  std::vector<Attribute> attributes;
  std::vector<ModuleRecord> submodules;
  bool restores_state = false;  // by its method __setstate__
};
struct ModelFile {
  std::int64_t version = 1;
  ModuleRecord main;
  std::vector<archive::TensorPtr> tensors;
};

// Names are kept in `texts` and in the archive. Throws Error.
ModelFile read_model_file(const archive::Archive& archive, exported::Texts& texts);

}  // namespace cameo::legacy
