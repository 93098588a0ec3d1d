#pragma once
#include <cstdint>
#include <limits>
#include <string>

#include "base/new_file.h"

namespace cameo {

// One protobuf file may hold 2 GB - 1.
inline constexpr std::uint64_t kLargestModel = std::uint64_t{std::numeric_limits<std::int32_t>::max()};
[[noreturn]] void too_large(const std::string& path, std::uint64_t size, const char* hint);

// The file that holds the data of the model `path`, where that has one of its own.
std::string data_beside(const std::string& path);

// Gives a model and the data beside it their names.
void commit_both(NewFile& data, NewFile& model, const std::string& path);

}  // namespace cameo
