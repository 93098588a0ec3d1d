// A library that looks like a release of ONNX Runtime without the interface that Cameo needs.
namespace {

struct ApiBase {
  const void* (*get_api)(unsigned version);
  const char* (*get_version)();
};

constexpr ApiBase kBase{[](unsigned) -> const void* { return nullptr; }, [] { return "1.2.3"; }};

}  // namespace

extern "C" const ApiBase* OrtGetApiBase() { return &kBase; }
