// save_model (FROM TO)...: reads ONNX files and saves them again, as the tools on models do.
#include <cstdio>

#include "cameo/format.h"
#include "model/file/open.h"
#include "model/file/save.h"

int main(int argc, char** argv) {
  try {
    for (int i = 1; i + 1 < argc; i += 2) {
      const cameo::model::Opened opened(argv[i]);
      cameo::model::save(opened.model, argv[i + 1], *opened.file);
    }
    return 0;
  } catch (const cameo::Error& error) {
    std::fputs(cameo::format(error.diagnostics()).c_str(), stderr);
    return 1;
  }
}
