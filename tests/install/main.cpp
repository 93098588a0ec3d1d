// main MODEL OUTPUT: exports a program with the C++ library.

#include <cameo/export.h>
#include <cameo/version.h>

#include <iostream>

int main(int, char** argv) {
  try {
    cameo::ExportOptions options;
    options.inputs = cameo::parse_inputs({"image=f32[batch,1,28,28]"});
    const cameo::ExportReport report = cameo::export_onnx(argv[1], argv[2], options);
    std::cout << cameo::version() << ": " << report.nodes << " nodes\n";
    return 0;
  } catch (const cameo::Error& error) {
    std::cerr << error.what();
    return 1;
  }
}
