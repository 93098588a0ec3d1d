#pragma once
// Small programs built in memory, for tests only.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "archive/archive.h"
#include "archive/testing.h"
#include "script/program.h"

namespace cameo::script::testing {

namespace op = archive::testing::op;

struct ProgramBuilder {
  std::vector<std::pair<std::string, std::string>> code;  // "__torch__.py" and its text
  std::string data = op::object("__torch__", "Net", op::dict({}));
  std::string constants = ")";
  std::string version = "3";
  std::vector<std::pair<std::string, std::string>> records;  // others

  Program build() const {
    archive::testing::ZipBuilder zip;
    zip.add("data.pkl", op::pickle(data)).add("constants.pkl", op::pickle(constants)).add("version", version);
    for (const auto& [name, text] : code) zip.add("code/" + name, text);
    for (const auto& [name, bytes] : records) zip.add(name, bytes);
    return Program(std::make_shared<archive::Archive>(zip.file()));
  }
};

}  // namespace cameo::script::testing
