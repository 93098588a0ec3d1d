#pragma once
#include <string>

namespace cameo {

// The file beside a model that holds its external data, before and after the model is replaced.
class StaleData {
 public:
  // Before: does the old model `path` name the file `data` in its folder?
  StaleData(const std::string& path, const std::string& data);
  // After: removes the file, unless the new model or another .onnx file in the folder names it.
  void remove() const;

 private:
  std::string path_, data_;
  bool named_;
};

}  // namespace cameo
