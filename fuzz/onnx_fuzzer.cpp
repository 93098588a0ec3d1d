// Reads any bytes as an ONNX model and checks it: a list of faults or an Error, never anything else.
#include "cameo/diagnostic.h"
#include "cameo/format.h"
#include "onnx/check/check.h"
#include "onnx/proto/read.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) try {
  using namespace cameo;
  const Bytes bytes(reinterpret_cast<const std::byte*>(data), size);
  const onnx::proto::Model model = onnx::proto::read(bytes, "fuzz.onnx");
  for (const onnx::Fault& fault : onnx::check(model, {.file = "fuzz.onnx"})) format(fault.diagnostic);
  return 0;
} catch (const cameo::Error&) {
  return 0;
}
