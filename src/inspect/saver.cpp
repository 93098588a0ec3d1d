#include "inspect/saver.h"

#include <algorithm>

#include <fmt/core.h>

namespace cameo::inspect {
namespace {

bool contains(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

// Only what the writer itself puts down bounds from above: names of classes stay as they were when a program
// is loaded and saved again by a newer release.
constexpr Evidence kFormat1 = {"file format 1", {1, 3}, {1, 4}};
constexpr Evidence kFormat2 = {"file format 2", {1, 5}, {1, 5}};
constexpr Evidence kFormat3 = {"file format 3 or newer", {1, 6}};
constexpr Evidence kFormat7 = {"file format 7 or newer", {1, 11}};
constexpr Evidence kFormat10 = {"file format 10", {1, 12}};
constexpr Evidence kOpVersionSet = {"code that begins with op_version_set", {1, 3}, {1, 4}};
constexpr Evidence kByteOrder = {"a record of the byte order", {2, 1}};
constexpr Evidence kNoByteOrder = {"no record of the byte order", {}, {2, 0}};
constexpr Evidence kTracedInputs = {"example inputs of the trace", {2, 0}};
constexpr Evidence kDebugStrings = {"source ranges with a table of strings", {1, 12}};
constexpr Evidence kDebugPlain = {"source ranges without a table of strings", {}, {1, 11}};
constexpr Evidence kBuffers = {"__buffers__ of modules", {1, 6}};
constexpr Evidence kNoBuffers = {"no __buffers__ of modules", {}, {1, 5}};
constexpr Evidence kNoneType = {"the type NoneType", {1, 9}};
constexpr Evidence kDefaults = {"default arguments written out", {}, {1, 8}};
constexpr Evidence kHookFlag = {"_is_full_backward_hook of modules", {1, 8}};
constexpr Evidence kHooks = {"hooks of modules", {1, 8}};
constexpr Evidence kEnums = {"enumerations", {1, 7}};
constexpr Evidence kQuantized = {"classes of torch.ao.nn.quantized", {1, 13}};

class Gathering {
 public:
  Gathering(const script::Program& program, const archive::Archive& archive)
      : program_(program), archive_(archive) {}

  Saver run() {
    container();
    for (const std::string_view name : program_.code_files()) code(program_.file(name).text);
    source_ranges();
    for (const Evidence& evidence : saver_.evidence) saver_.first = std::max(saver_.first, evidence.first);
    // A build between two releases, or an archive that was packed again, shows traits of both: the newer ones
    // count.
    for (const Evidence& evidence : saver_.evidence) {
      if (evidence.last >= saver_.first) saver_.last = std::min(saver_.last, evidence.last);
    }
    return std::move(saver_);
  }

 private:
  void note(bool seen, const Evidence& evidence) {
    const auto same = [&](const Evidence& other) { return other.trait == evidence.trait; };
    if (seen && std::none_of(saver_.evidence.begin(), saver_.evidence.end(), same)) {
      saver_.evidence.push_back(evidence);
    }
  }

  void container() {
    const int version = archive_.version();
    note(version == 1, kFormat1);
    note(version == 2, kFormat2);
    note(version >= 3 && version < 7, kFormat3);
    note(version >= 7 && version < 10, kFormat7);
    note(version >= 10, kFormat10);
    note(archive_.has("byteorder"), kByteOrder);
    note(!archive_.has("byteorder"), kNoByteOrder);
    note(program_.traced_inputs() != nullptr, kTracedInputs);
  }

  void code(std::string_view text) {
    const bool modules = contains(text, "(Module):");
    const bool buffers = contains(text, "\n  __buffers__ = ");
    note(text.starts_with("op_version_set"), kOpVersionSet);
    note(modules && buffers, kBuffers);
    note(modules && !buffers, kNoBuffers);
    note(contains(text, "-> NoneType:"), kNoneType);
    note(contains(text, ", alpha=1)"), kDefaults);
    note(contains(text, "\n  _is_full_backward_hook : "), kHookFlag);
    note(contains(text, "\n  __forward_hooks__ = ") || contains(text, "\n  __forward_pre_hooks__ = "),
         kHooks);
    note(contains(text, "(Enum):"), kEnums);
    note(contains(text, "__torch__.torch.ao.nn.quantized."), kQuantized);
  }

  void source_ranges() {
    for (const std::string_view name : archive_.names("code/")) {
      if (!name.ends_with(".debug_pkl")) continue;
      const bool strings = contains(archive_.text(name).substr(0, 64), "FORMAT_WITH_STRING_TABLE");
      note(strings, kDebugStrings);
      note(!strings, kDebugPlain);
      return;
    }
  }

  const script::Program& program_;
  const archive::Archive& archive_;
  Saver saver_;
};

}  // namespace

Saver gather_saver(const script::Program& program, const archive::Archive& archive) {
  return Gathering(program, archive).run();
}

std::string to_string(TorchVersion version) { return fmt::format("{}.{}", version.major, version.minor); }

std::string to_string(const Saver& saver) {
  if (saver.bounded_below() && saver.first == saver.last) return to_string(saver.first);
  if (saver.bounded_below() && saver.bounded_above()) {
    return to_string(saver.first) + " – " + to_string(saver.last);
  }
  if (saver.bounded_below()) return to_string(saver.first) + " or newer";
  if (saver.bounded_above()) return to_string(saver.last) + " or older";
  return "of unknown release";
}

}  // namespace cameo::inspect
