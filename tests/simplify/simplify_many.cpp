// simplify_many: for each line "MODEL <tab> INPUTS.npz <tab> OUTPUT" of standard input, simplifies the model
// twice in a row, runs it before and after on the inputs ("-": on none) and tells on a line of JSON what came
// of it.

#include <exception>
#include <fstream>
#include <iostream>
#include <iterator>
#include <sstream>

#include <nlohmann/json.hpp>

#include "archive/npz.h"
#include "cameo/model.h"
#include "cameo/session.h"
#include "runtime/compare.h"

namespace cameo {
namespace {

using Json = nlohmann::ordered_json;

std::int64_t nodes(const Simplified& report, std::int64_t OperatorChange::*side) {
  std::int64_t total = 0;
  for (const OperatorChange& each : report.operators) total += each.*side;
  return total;
}

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Absent where the model cannot be run as it was.
std::optional<double> difference(const std::string& before, const std::string& after,
                                 const std::string& inputs) {
  std::vector<Session::Feed> feeds;
  if (inputs != "-")
    for (const auto& [name, array] : load_npz(inputs)) feeds.emplace_back(name, array);
  std::vector<Datum> expected;
  std::vector<std::string> names;
  const SessionOptions options{.threads = 1, .optimization = SessionOptions::Optimization::none};
  try {
    const Session session(before, options);
    expected = session.run(feeds);
    for (const ValueInfo& output : session.outputs()) names.push_back(output.name);
  } catch (const Error&) {
    return std::nullopt;
  }
  const std::vector<Datum> given = Session(after, options).run(feeds, names);
  double most = 0;
  for (std::size_t i = 0; i < names.size(); ++i)
    most = std::max(most, runtime::distance(expected[i], given[i]));
  return most;
}

Json told(const std::string& model, const std::string& inputs, const std::string& output) {
  Json json = {{"model", model}};
  try {
    const Simplified report = Model(model).simplify();
    report.model.save(output);
    json["before"] = nodes(report, &OperatorChange::before);
    json["after"] = nodes(report, &OperatorChange::after);
    Model(output).simplify().model.save(output + ".again");
    json["same_again"] = contents(output) == contents(output + ".again");
    if (const auto found = difference(model, output, inputs)) json["difference"] = std::min(*found, 1e300);
  } catch (const std::exception& error) {
    json["error"] = error.what();
  }
  return json;
}

}  // namespace
}  // namespace cameo

int main() {
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream fields(line);
    std::string model, inputs, output;
    std::getline(fields, model, '\t');
    std::getline(fields, inputs, '\t');
    std::getline(fields, output, '\t');
    std::cout << cameo::told(model, inputs, output).dump() << std::endl;
  }
}
