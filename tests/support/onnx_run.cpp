// onnx_run MODEL.onnx OUTPUT_PREFIX [NAME=INPUT.npy | INPUT.npy]…
//
// Runs a model in ONNX Runtime and saves its outputs as OUTPUT_PREFIX0.npy …; inputs without a name go by
// position. Exits with 1 and ONNX Runtime's words if it refuses.

#include <iostream>

#include "cameo/session.h"
#include "runtime/npy.h"

namespace {

cameo::Session::Feed feed(const cameo::Session& session, const std::string& argument, std::size_t position) {
  const std::size_t equals = argument.find('=');
  if (equals != std::string::npos)
    return {argument.substr(0, equals), cameo::runtime::load_npy(argument.substr(equals + 1))};
  return {session.inputs().at(position).name, cameo::runtime::load_npy(argument)};
}

void run(const std::vector<std::string>& arguments) {
  const cameo::Session session(arguments[0], {.threads = 1});
  std::vector<cameo::Session::Feed> feeds;
  for (std::size_t i = 2; i < arguments.size(); ++i) feeds.push_back(feed(session, arguments[i], i - 2));
  std::size_t next = 0;
  for (const cameo::Datum& result : session.run(feeds))
    cameo::runtime::save_npy(arguments[1] + std::to_string(next++) + ".npy", result.tensor());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::cerr << "usage: onnx_run MODEL.onnx OUTPUT_PREFIX [NAME=INPUT.npy | INPUT.npy]...\n";
    return 2;
  }
  try {
    run({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
