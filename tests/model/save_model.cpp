// save_model (FROM TO)...: reads ONNX files and saves them again, as the tools on models do.
#include <cstdio>

#include "cameo/format.h"
#include "cameo/model.h"

int main(int argc, char** argv) {
  try {
    for (int i = 1; i + 1 < argc; i += 2) {
      cameo::Model(std::string(argv[i])).save(argv[i + 1]);
    }
    return 0;
  } catch (const cameo::Error& error) {
    std::fputs(cameo::format(error.diagnostics()).c_str(), stderr);
    return 1;
  }
}
