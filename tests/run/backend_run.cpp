// backend_run MODEL DEVICE OUT.npz VALUE IN.npy…: runs a model as a backend does, by position. Saves the
// outputs as "0", "1", … and the value of that name as "value"; prints how many values the run had, and the
// operators that were run.
#include <cstdio>

#include "archive/npz.h"
#include "base/npy.h"
#include "cameo/backend.h"
#include "cameo/format.h"
#include "onnx/proto/read.h"

int main(int argc, char** argv) {
  try {
    const cameo::Prepared prepared = cameo::prepare(argv[1], argv[2], {.threads = 2});
    std::vector<cameo::Datum> inputs;
    for (int i = 5; i < argc; ++i) inputs.emplace_back(cameo::load_npy(argv[i]));
    const std::vector<cameo::Datum> outputs =
        inputs.size() == 1 ? prepared.run(inputs[0].tensor()) : prepared.run(inputs);
    cameo::NamedArrays arrays;
    for (std::size_t i = 0; i < outputs.size(); ++i)
      arrays.emplace_back(std::to_string(i), outputs[i].tensor());
    const cameo::Workspace values = prepared.run_all(inputs);
    arrays.emplace_back("value", values.fetch(argv[4]).tensor());
    cameo::save_npz(argv[3], arrays);
    std::printf("%zu values\n", values.names().size());
    const std::string bytes = prepared.predict_net();
    const auto net = cameo::onnx::proto::read(std::as_bytes(std::span(bytes)), "predict_net");
    for (const auto& node : net.graph->nodes) std::printf("%s\n", std::string(node.op_type).c_str());
  } catch (const cameo::Error& error) {
    std::fputs(cameo::format(error.diagnostics()).c_str(), stderr);
    return 1;
  }
}
