#pragma once
#include <string>
#include <vector>

namespace cameo::runtime {

// Files where ONNX Runtime may be, the first choice first: in caches of Cameo, and where npm and pip install
// it. They need not exist. Folders of the current directory are not searched: its owner may be somebody else.
std::vector<std::string> cached_places();
std::vector<std::string> installed_places();  // existing files only

}  // namespace cameo::runtime
