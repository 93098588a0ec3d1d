#pragma once
// Archives for fuzzers. A mutated zip file seldom opens, so the input is the list of the records instead:
//
//   === models/model.json
//   {…}
//   === data/weights/weight_0
//   …
//
// Bytes that begin otherwise are the archive itself.
#include <string>
#include <string_view>

#include "archive/testing.h"

namespace cameo::fuzz {

inline std::string archive_of(std::string_view input) {
  constexpr std::string_view kMark = "=== ", kNext = "\n=== ";
  if (!input.starts_with(kMark)) return std::string(input);
  archive::testing::ZipBuilder zip;
  while (input.starts_with(kMark)) {
    input.remove_prefix(kMark.size());
    const std::size_t line = std::min(input.find('\n'), input.size());
    const std::string_view name = input.substr(0, std::min<std::size_t>(line, 200));
    input.remove_prefix(std::min(line + 1, input.size()));
    const std::size_t end = std::min(input.find(kNext), input.size());
    zip.add(name, input.substr(0, end));
    input.remove_prefix(std::min(end + 1, input.size()));
  }
  return zip.build();
}

}  // namespace cameo::fuzz
