#include "runtime/more_outputs.h"

#include <protozero/pbf_writer.hpp>

namespace cameo::runtime {

std::string with_outputs(Bytes model, const std::vector<std::string>& names) {
  constexpr protozero::pbf_tag_type kModelGraph = 7, kGraphOutput = 12, kValueName = 1;
  std::string bytes(reinterpret_cast<const char*>(model.data()), model.size());
  protozero::pbf_writer writer(bytes);
  protozero::pbf_writer graph(writer, kModelGraph);
  for (const std::string& name : names) {
    protozero::pbf_writer output(graph, kGraphOutput);
    output.add_string(kValueName, name);
  }
  return bytes;
}

}  // namespace cameo::runtime
