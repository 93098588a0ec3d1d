// run_model MODEL.onnx OUTPUT.npy INPUT.npy…: runs a model in ONNX Runtime and keeps its first output.
// Without OUTPUT.npy the model is only loaded.
#include <iostream>

#include "base/npy.h"
#include "cameo/format.h"
#include "cameo/session.h"

int main(int argc, char** argv) try {
  const cameo::Session session(std::string(argv[1]),
                               {.optimization = cameo::SessionOptions::Optimization::none});
  if (argc < 3) return 0;
  std::vector<cameo::Session::Feed> feeds;
  for (int i = 3; i < argc; ++i)
    feeds.emplace_back(session.inputs()[static_cast<std::size_t>(i - 3)].name, cameo::load_npy(argv[i]));
  cameo::save_npy(argv[2], session.run(feeds).front().tensor());
  return 0;
} catch (const cameo::Error& error) {
  std::cerr << cameo::format(error.diagnostics());
  return 1;
}
